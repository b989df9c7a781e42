import { idleText, type KnownFile } from '../contextWindow/idle';
import type { NewEvent } from '../contextWindow/event';
import type { Refused } from '../contextWindow/result';

/** A file that changed while a session was idle. */
export interface ChangedFile {
  readonly path: string;
  /** `gone`: the file was deleted. */
  readonly how: 'written' | 'gone';
  /** The session had read or changed it. */
  readonly isKnown: boolean;
}

/** Files that changed in the workspace since a moment; files the session knew come first. */
export interface Changes {
  readonly ok: true;
  readonly files: readonly ChangedFile[];
  /** False when there were too many files to check: more may have changed. */
  readonly isAll: boolean;
  /** `git`: compared with the commits at that time; `times`: by file times alone. */
  readonly by: 'git' | 'times';
}

/** What changed, or why that is unknown, as part of a sentence. */
export type ChangesResult = Changes | Refused;

/** Finds files of a workspace that changed since a moment (ms since the epoch). */
export type ChangesSince = (
  query: { readonly since: number; readonly known: readonly KnownFile[] },
  signal: AbortSignal,
) => Promise<ChangesResult>;

/** Says how many files changed and how that was found out; never an unknown number. */
export function changesText(changes: ChangesResult): string {
  if (!changes.ok) return `it is not known what changed since (${changes.message})`;
  const { files, isAll, by } = changes;
  const atLeast = isAll ? '' : 'at least ';
  const how = by === 'git' ? 'git and file times' : 'file times';
  const known = files.filter(({ isKnown }) => isKnown).length;
  const ofKnown =
    files.length === 0 ? '' : `, ${known === 0 ? 'none' : known} of them known to the agent`;
  return `${atLeast}${countText(files.length, 'file')} changed since (${how})${ofKnown}`;
}

/** Most files named in the note. */
const MOST_NAMED = 40;

/**
 * The note that tells the model once that the session was idle and which known files changed. It
 * comes last in the window, so the prompt-cache prefix stands. Times in ms.
 */
export function returnNote(
  { usedAt, now }: { readonly usedAt: number; readonly now: number },
  changes: ChangesResult,
): Extract<NewEvent, { readonly type: 'noteAdded' }> {
  const idleMs = now - usedAt;
  const text = [
    `The user comes back after ${idleText(idleMs)}. Nothing happened in this session from ` +
      `${timeText(usedAt)} to ${timeText(now)}.`,
    `In the workspace ${changesText(changes)}.`,
    ...excerptsText(changes),
  ].join('\n');
  return {
    type: 'noteAdded',
    source: { from: 'return', idleMs },
    text,
    admission: { form: 'whole' },
  };
}

function excerptsText(changes: ChangesResult): readonly string[] {
  if (!changes.ok) return ['Read a file again before you rely on what you know of it.'];
  const known = changes.files.filter(({ isKnown }) => isKnown);
  if (known.length === 0) return [];
  const left = known.length - MOST_NAMED;
  return [
    'What you know of these is out of date; read them again before you rely on it:',
    ...known
      .slice(0, MOST_NAMED)
      .map(({ path, how }) => `- ${oneLine(path)}${how === 'gone' ? ' (deleted)' : ''}`),
    ...(left > 0 ? [`- and ${left} more that you had read or changed`] : []),
  ];
}

/** Prevents a file name from starting a line of its own. */
function oneLine(path: string): string {
  return path.replaceAll(/\s+/g, ' ');
}

function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function countText(count: number, what: string): string {
  return `${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`;
}
