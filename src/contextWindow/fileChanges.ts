import type { SessionEvent } from './event';

/**
 * Identifies the content of a file: its SHA-256 in hex, `none` for no file, or `unknown` if it was
 * unreadable or too large to save.
 */
export type ContentName = string;

export const NO_FILE: ContentName = 'none';
export const UNKNOWN_CONTENT: ContentName = 'unknown';

/**
 * The content of a file before and after something happened. Paths are relative to the workspace.
 */
export interface FileChange {
  readonly path: string;
  readonly before: ContentName;
  readonly after: ContentName;
}

export const FILE_ANSWERS = ['kept', 'undone'] as const;

/** A turn's change of a file, and the user's answer to it. */
export interface TurnFile extends FileChange {
  /** Lines; absent if they cannot be counted. */
  readonly added?: number;
  readonly removed?: number;
  /** The user kept or undid the change. */
  readonly answer?: (typeof FILE_ANSWERS)[number];
}

/** Joins several changes into one for each file, from its first content to its last. */
function joinedChanges(changes: readonly FileChange[]): readonly FileChange[] {
  const joined = new Map<string, FileChange>();
  for (const { path, before, after } of changes) {
    joined.set(path, { path, before: joined.get(path)?.before ?? before, after });
  }
  return [...joined.values()].filter(({ before, after }) => before !== after);
}

/** A moment in the log: before the prompt of a turn, or before a step. */
export type FilesMoment =
  | { readonly type: 'prompt'; readonly turn: number }
  | { readonly type: 'step'; readonly step: number };

/** The changes of files since a moment, by calls of the agent and by restores of the user. */
export function changesSince(
  events: readonly SessionEvent[],
  moment: FilesMoment,
): readonly FileChange[] {
  const from = indexOf(events, moment);
  return from === -1 ? [] : joinedChanges(changesIn(events.slice(from)));
}

/** The changes of files since the newest prompt. */
export function changesOfNewestTurn(events: readonly SessionEvent[]): readonly FileChange[] {
  const from = events.findLastIndex(({ type }) => type === 'promptSubmitted');
  return from === -1 ? [] : joinedChanges(changesIn(events.slice(from)));
}

/** The turn of a moment; undefined if the log has no such moment. */
export function turnOf(events: readonly SessionEvent[], moment: FilesMoment): number | undefined {
  const at = indexOf(events, moment);
  const prompt = events.slice(0, at + 1).findLast(({ type }) => type === 'promptSubmitted');
  return prompt?.type === 'promptSubmitted' ? prompt.turn : undefined;
}

/** The changed files of a turn, as last logged. */
export function filesOfTurn(events: readonly SessionEvent[], turn: number): readonly TurnFile[] {
  const told = events.findLast((event) => event.type === 'turnFiles' && event.turn === turn);
  return told?.type === 'turnFiles' ? told.files : [];
}

/** The turns that changed files, in order. */
export function turnsWithFiles(events: readonly SessionEvent[]): readonly number[] {
  const turns = events.flatMap((event) => (event.type === 'turnFiles' ? [event.turn] : []));
  return [...new Set(turns)].toSorted((one, other) => one - other);
}

/** The newest restore of files, unless it was undone. */
export function newestRestore(events: readonly SessionEvent[]): readonly FileChange[] | undefined {
  const last = events.findLast(({ type }) => type === 'filesRestored');
  return last?.type === 'filesRestored' && last.undoes !== true ? last.files : undefined;
}

function indexOf(events: readonly SessionEvent[], moment: FilesMoment): number {
  return events.findIndex((event) =>
    moment.type === 'prompt'
      ? event.type === 'promptSubmitted' && event.turn === moment.turn
      : event.type === 'replyReceived' && event.step === moment.step,
  );
}

function changesIn(events: readonly SessionEvent[]): readonly FileChange[] {
  return events.flatMap((event) =>
    event.type === 'filesChanged' || event.type === 'filesRestored' ? event.files : [],
  );
}
