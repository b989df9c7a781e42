import type { SessionEvent } from './event';

/**
 * Names the content of a file: its SHA-256 in hex, `none` where there is no file, `unknown` where it
 * was too large to be kept, or could not be read.
 */
export type ContentName = string;

export const NO_FILE: ContentName = 'none';
export const UNKNOWN_CONTENT: ContentName = 'unknown';

/** How a file was before and after something happened. Paths are relative to the workspace. */
export interface FileChange {
  readonly path: string;
  readonly before: ContentName;
  readonly after: ContentName;
}

export const FILE_ANSWERS = ['kept', 'undone'] as const;

/** What a turn made of a file, and what the user said of it since. */
export interface TurnFile extends FileChange {
  /** Lines; absent where they cannot be counted. */
  readonly added?: number;
  readonly removed?: number;
  /** The user keeps what the turn made of it, or undid it. */
  readonly answer?: (typeof FILE_ANSWERS)[number];
}

/** Several changes of files as one of each: how it was first, and how it was last. */
export function joinedChanges(changes: readonly FileChange[]): readonly FileChange[] {
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

/** What happened to files since a moment: by calls of the agent, and by what the user put back. */
export function changesSince(
  events: readonly SessionEvent[],
  moment: FilesMoment,
): readonly FileChange[] {
  const from = indexOf(events, moment);
  return from === -1 ? [] : joinedChanges(changesIn(events.slice(from)));
}

/** What was made of files since the newest prompt. */
export function changesOfNewestTurn(events: readonly SessionEvent[]): readonly FileChange[] {
  const from = events.findLastIndex(({ type }) => type === 'promptSubmitted');
  return from === -1 ? [] : joinedChanges(changesIn(events.slice(from)));
}

/** The turn that a moment is in; undefined where the log has no such moment. */
export function turnOf(events: readonly SessionEvent[], moment: FilesMoment): number | undefined {
  const at = indexOf(events, moment);
  const prompt = events.slice(0, at + 1).findLast(({ type }) => type === 'promptSubmitted');
  return prompt?.type === 'promptSubmitted' ? prompt.turn : undefined;
}

/** The files of a turn as they were told last. */
export function filesOfTurn(events: readonly SessionEvent[], turn: number): readonly TurnFile[] {
  const told = events.findLast((event) => event.type === 'turnFiles' && event.turn === turn);
  return told?.type === 'turnFiles' ? told.files : [];
}

/** The turns that changed files, in their order. */
export function turnsWithFiles(events: readonly SessionEvent[]): readonly number[] {
  const turns = events.flatMap((event) => (event.type === 'turnFiles' ? [event.turn] : []));
  return [...new Set(turns)].toSorted((one, other) => one - other);
}

/** The newest putting back of files, where it was not undone. */
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
