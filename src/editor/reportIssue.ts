import { arch, platform, release } from 'node:os';
import * as vscode from 'vscode';
import { changedSettings, issueReport, type SessionNumbers } from './issueReport';
import type { Report } from './report';

/** As much of package.json as is used. */
interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, object>> };
  };
}

/** Opens a report of an issue as a new document; without a session where there is none, or no host. */
export async function openIssueReport(report: Report, session?: SessionNumbers): Promise<void> {
  const extension = vscode.extensions.getExtension<unknown>('plimsoll.plimsoll');
  const manifest = extension?.packageJSON as Manifest | undefined;
  const configuration = vscode.workspace.getConfiguration();
  const content = issueReport({
    versions: {
      Plimsoll: manifest?.version ?? 'unknown',
      'VS Code': vscode.version,
      editor: `${vscode.env.uiKind === vscode.UIKind.Web ? 'browser' : 'desktop'}${vscode.env.remoteName === undefined ? '' : ', remote'}`,
      // A kernel may bear the name of a machine behind its numbers.
      system: `${platform()} ${arch()} ${/^[\d.]*/.exec(release())?.[0] ?? ''}`.trim(),
      Node: process.versions.node,
    },
    settings: changedSettings(manifest?.contributes.configuration.properties ?? {}, (name) =>
      configuration.get<unknown>(name),
    ),
    errors: report.errorKinds,
    ...(session === undefined ? {} : { session }),
  });
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document);
}
