import { arch, platform, release } from 'node:os';
import * as vscode from 'vscode';
import { chargesOf, promptTokens } from '../contextWindow/account/spending';
import type { SessionEvent } from '../contextWindow/event';
import type { ContextWindow } from '../contextWindow/window';
import type { Report } from './report';
import { endWord } from './session/turnNotices';

/** The fields of package.json that a report uses. */
interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, object>> }[];
  };
}

/** Opens an issue report as a new document; it covers no session if there is none, or no host. */
export async function openIssueReport(report: Report, session?: SessionNumbers): Promise<void> {
  const extension = vscode.extensions.getExtension<unknown>('plimsoll.plimsoll');
  const manifest = extension?.packageJSON as Manifest | undefined;
  const configuration = vscode.workspace.getConfiguration();
  const content = issueReport({
    versions: {
      Plimsoll: manifest?.version ?? 'unknown',
      'VS Code': vscode.version,
      editor: `${vscode.env.uiKind === vscode.UIKind.Web ? 'browser' : 'desktop'}${vscode.env.remoteName === undefined ? '' : ', remote'}`,
      // A kernel version may contain the name of the machine after its numbers.
      system: `${platform()} ${arch()} ${/^[\d.]*/.exec(release())?.[0] ?? ''}`.trim(),
      Node: process.versions.node,
    },
    settings: (manifest?.contributes.configuration ?? []).flatMap(({ properties }) =>
      changedSettings(properties, (name) => configuration.get<unknown>(name)),
    ),
    errors: report.errorKinds,
    session,
  });
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document);
}

/** A setting that differs from its default. */
interface ChangedSetting {
  readonly name: string;
  /** Absent if it could be a text of the user. */
  readonly value?: string;
}

interface SessionNumbers {
  readonly events: number;
  readonly blocks: number;
  readonly turns: number;
  readonly steps: number;
  readonly passes: number;
  /**
   * Tokens of all requests, cached ones included, and of all replies, as the server counted them.
   */
  readonly sentTokens: number;
  readonly receivedTokens: number;
  readonly inputBudget: number;
  /** The outcomes of turns that did not finish, such as `stopped`, newest last. */
  readonly turnEnds: readonly string[];
}

/** The content of an issue report: nothing that the user or the agent wrote. */
export interface IssueFacts {
  readonly versions: Readonly<Record<string, string>>;
  readonly settings: readonly ChangedSetting[];
  readonly session?: SessionNumbers;
  /** The kinds of the newest errors. */
  readonly errors: readonly string[];
}

/** The part of a setting's schema in package.json that matters here. */
interface SettingSchema {
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

/**
 * Lists the settings that differ from their defaults; shows a value only if it is a number, a
 * switch or an option.
 */
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

/** Formats an issue report as Markdown, with space for a description. */
export function issueReport({ versions, settings, session, errors }: IssueFacts): string {
  return [
    '# Plimsoll: issue report',
    'This report contains no prompt, reply, file name, path, address or key, except what you write here. Read it before you share it.',
    '## What happened',
    '…',
    '## What should have happened',
    '…',
    '## How to reproduce it',
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

/** Most turn ends in a report. */
const MOST_ENDS = 10;

/** Counts the contents of a session; `inputBudget` is in tokens. Undefined if there is none yet. */
export function sessionNumbers(
  events: readonly SessionEvent[],
  window: ContextWindow,
  inputBudget: number,
): SessionNumbers | undefined {
  if (events.length === 0) return undefined;
  const usages = events.flatMap(chargesOf).map(({ usage }) => usage);
  return {
    events: events.length,
    blocks: [...window.blocks].length,
    turns: window.turn,
    steps: window.step,
    passes: window.ledger.filter(({ undone }) => undone !== true).length,
    sentTokens: usages.reduce((sum, usage) => sum + promptTokens(usage), 0),
    receivedTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    inputBudget,
    turnEnds: events
      .flatMap((event) => (event.type === 'turnEnded' ? [endWord(event.outcome)] : []))
      .filter((word) => word !== 'finished')
      .slice(-MOST_ENDS),
  };
}
