import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { FileProblem } from '../../agent/fileProblems';

const LANGUAGES = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'];

/** How often the request is tried again while the server starts, ms. */
const AGAIN_MS = 100;

/** An answer of the TypeScript server. */
const ANSWER = z.object({
  body: z.array(
    z.object({
      start: z.object({ line: z.number() }),
      text: z.string(),
      category: z.string(),
      code: z.optional(z.number()),
    }),
  ),
});

/**
 * The problems of an open document without a tab, asked from VS Code's TypeScript server, which
 * reports on its own only files in tabs. Undefined if another server checks the document, or if
 * there is no answer in time. The paths are left empty.
 */
export async function typeScriptProblems(
  { languageId, uri }: vscode.TextDocument,
  longestMs: number,
): Promise<readonly FileProblem[] | undefined> {
  if (!LANGUAGES.includes(languageId) || hasTab(uri)) return undefined;
  const language = languageId.startsWith('java') ? 'javascript' : 'typescript';
  const isOn = vscode.workspace.getConfiguration(language, uri).get('validate.enable', true);
  if (!isOn) return undefined;
  const kinds = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'];
  const until = Date.now() + longestMs;
  const answers = Promise.all(kinds.map((kind) => answer(kind, uri, until)));
  const late = sleep(longestMs, undefined, { ref: false });
  const found = await Promise.race([answers, late]);
  if (found === undefined || found.includes(undefined)) return undefined;
  return found.flatMap((one) => one ?? []);
}

/** Asks until the server has started. */
async function answer(
  kind: string,
  file: vscode.Uri,
  until: number,
): Promise<readonly FileProblem[] | undefined> {
  while (Date.now() < until) {
    const given = await vscode.commands
      .executeCommand<unknown>('typescript.tsserverRequest', kind, { file })
      .then(undefined, () => undefined);
    const read = ANSWER.safeParse(given);
    if (read.success) return read.data.body.flatMap(problemOf);
    await sleep(AGAIN_MS, undefined, { ref: false });
  }
  return undefined;
}

function problemOf({
  start,
  text,
  category,
  code,
}: z.output<typeof ANSWER>['body'][number]): readonly FileProblem[] {
  if (category !== 'error' && category !== 'warning') return [];
  const source = code === undefined ? 'ts' : `ts ${code}`;
  return [{ path: '', line: start.line, severity: category, message: text, source }];
}

/** Whether a document is in a tab, visible or not. */
export function hasTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri));
}
