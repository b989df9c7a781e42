import { arch, platform, release } from 'node:os';
import * as vscode from 'vscode';
import type { Report } from './report';

/** As much of package.json as is used. */
interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, object>> }[];
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
    settings: (manifest?.contributes.configuration ?? []).flatMap(({ properties }) =>
      changedSettings(properties, (name) => configuration.get<unknown>(name)),
    ),
    errors: report.errorKinds,
    ...(session === undefined ? {} : { session }),
  });
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document);
}

/** A setting that differs from its default. */
export interface ChangedSetting {
  readonly name: string;
  /** Absent where it could be a text of the user's. */
  readonly value?: string;
}

/** The session in numbers. */
export interface SessionNumbers {
  readonly events: number;
  readonly blocks: number;
  readonly turns: number;
  readonly steps: number;
  readonly passes: number;
  /** Tokens of all requests, cached ones included, and of all replies, as the server counted them. */
  readonly sentTokens: number;
  readonly receivedTokens: number;
  /** Tokens. */
  readonly inputBudget: number;
  /** How turns ended that did not finish, such as `stopped`, the newest last. */
  readonly turnEnds: readonly string[];
}

/** What a report of an issue says: nothing that the user or the agent wrote. */
export interface IssueFacts {
  readonly versions: Readonly<Record<string, string>>;
  readonly settings: readonly ChangedSetting[];
  /** Absent where there is no session. */
  readonly session?: SessionNumbers;
  /** The kinds of the newest errors. */
  readonly errors: readonly string[];
}

/** What a setting's schema in package.json says of it, as far as it counts here. */
interface SettingSchema {
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

/** Which settings differ from their defaults; a value is shown only of a number, a switch or a choice. */
export function changedSettings(
  schemas: Readonly<Record<string, SettingSchema>>,
  valueOf: (name: string) => unknown,
): readonly ChangedSetting[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const value = valueOf(name);
    if (value === undefined || isSame(value, schema.default)) return [];
    const isPlain = typeof value === 'number' || typeof value === 'boolean' || value === null;
    const isChoice = schema.enum?.includes(value) ?? false;
    return [isPlain || isChoice ? { name, value: String(value) } : { name }];
  });
}

/** Writes a report of an issue, as Markdown, with room for what happened. */
export function issueReport({ versions, settings, session, errors }: IssueFacts): string {
  return [
    '# Plimsoll: report of an issue',
    'This holds no prompt, reply, file name, path, address or key. Read it before you pass it on. What you write here is your own.',
    '## What happened',
    '…',
    '## What should have happened',
    '…',
    '## How to make it happen again',
    '1. …',
    '## Versions',
    lines(Object.entries(versions).map(([name, version]) => `${name}: ${version}`)),
    '## Settings that differ from their defaults',
    lines(
      settings.map(({ name, value }) => `\`${name}\`: ${value ?? 'set; its value is not shown'}`),
    ),
    '## The session in numbers',
    lines(session === undefined ? [] : sessionLines(session)),
    '## Kinds of the newest errors',
    lines(errors),
  ]
    .join('\n\n')
    .concat('\n');
}

function sessionLines(session: SessionNumbers): readonly string[] {
  const { turnEnds } = session;
  return [
    `events of the log: ${session.events}`,
    `blocks: ${session.blocks}`,
    `turns: ${session.turns}`,
    `steps: ${session.steps}`,
    `passes: ${session.passes}`,
    `tokens sent: ${session.sentTokens}`,
    `tokens received: ${session.receivedTokens}`,
    `input budget: ${session.inputBudget} tokens`,
    `turns that did not finish: ${turnEnds.length === 0 ? 'none' : turnEnds.join(', ')}`,
  ];
}

function lines(items: readonly string[]): string {
  return items.length === 0 ? 'None.' : items.map((item) => `- ${item}`).join('\n');
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
