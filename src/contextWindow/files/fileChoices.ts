import type { ToolUse } from '../block';
import { callEffectOf } from '../callEffect';
import type { PersistentMap } from '../persistentMap';
import type { KnownFile, KnownLine } from './knownFile';

const NOTHING: ChosenFile = { lines: [] };

/** Adds a choice, which replaces an earlier one for the same lines. */
export function withChoice(choices: FileChoices, { path, lines, choice }: Choosing): FileChoices {
  const former = choices.get(path) ?? NOTHING;
  const { whole: _whole, ...rest } = former;
  const next: ChosenFile =
    lines === undefined
      ? { ...rest, ...(choice === 'auto' ? {} : { whole: choice }) }
      : {
          ...former,
          lines: [
            ...former.lines.filter((one) => !isSame(one, lines)),
            ...(choice === 'auto' ? [] : [{ first: lines.first, last: lines.last, choice }]),
          ],
        };
  const isEmpty = next.whole === undefined && next.lines.length === 0;
  return choices.with([[path, isEmpty ? undefined : next]]);
}

/** The user's choice for exactly these lines, or for the whole file. */
export function choiceOf(choices: FileChoices, path: string, lines: Lines | undefined): FileChoice {
  const chosen = choices.get(path);
  const said =
    lines === undefined ? chosen?.whole : chosen?.lines.find((one) => isSame(one, lines))?.choice;
  return said ?? 'auto';
}

/** The choice that applies to a line; `line` is undefined if its number is unknown. */
export function choiceAt(choices: FileChoices, path: string, line: number | undefined): FileChoice {
  const chosen = choices.get(path);
  if (chosen === undefined) return 'auto';
  const own =
    line === undefined
      ? undefined
      : chosen.lines.findLast(({ first, last }) => first <= line && line <= last);
  return own?.choice ?? chosen.whole ?? 'auto';
}

/** The line numbers at which a choice begins or ends. */
export function choiceBorders(choices: FileChoices, path: string): readonly number[] {
  return (choices.get(path)?.lines ?? []).flatMap(({ first, last }) => [first, last + 1]);
}

type Files = PersistentMap<string, KnownFile>;

/** Moves the chosen lines of a file along with an edit; `files` are those after the call. */
export function movedBy(
  { files: before, fileChoices }: { readonly files: Files; readonly fileChoices: FileChoices },
  use: ToolUse,
  files: Files,
): FileChoices {
  if (files === before) return fileChoices;
  const effect = callEffectOf(use);
  if (effect.kind !== 'edit') return fileChoices;
  const [one, other] = [before.get(effect.path), files.get(effect.path)];
  return one === undefined || other === undefined
    ? fileChoices
    : movedChoices(fileChoices, one, other);
}

/** Moves the chosen lines of a file along with the lines around them. */
function movedChoices(choices: FileChoices, before: KnownFile, after: KnownFile): FileChoices {
  const chosen = choices.get(before.path);
  if (chosen === undefined || chosen.lines.length === 0) return choices;
  const numbers = numbersOf(after);
  // If an edit of unknown place may have moved lines, their choice stays where it is.
  const unnumbered = new Set(
    after.runs.flatMap(({ first, lines }) => (first === undefined ? lines : [])),
  );
  const known = [...numbersOf(before)].map(([line, from]) => ({
    from,
    to: numbers.get(line) ?? (unnumbered.has(line) ? from : undefined),
  }));
  const kept = known.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }]));
  const lines = chosen.lines.flatMap((one): ChosenLines[] => {
    // Changed lines within them belong to them: they extend to the next unchanged lines.
    const above = kept.findLast(({ from }) => from < one.first);
    const below = kept.find(({ from }) => from > one.last);
    const head = kept.find(({ from }) => from === one.first)?.to;
    const tail = kept.find(({ from }) => from === one.last)?.to;
    const first = head ?? (above === undefined ? one.first : above.to + 1);
    const last = tail ?? (below === undefined ? one.last : below.to - 1);
    return first > last ? [] : [{ ...one, first, last }];
  });
  return choices.with([[before.path, { ...chosen, lines }]]);
}

function numbersOf({ runs }: KnownFile): ReadonlyMap<KnownLine, number> {
  return new Map(
    runs.flatMap(({ first, lines }) =>
      first === undefined ? [] : lines.map((line, index) => [line, first + index] as const),
    ),
  );
}

/** Says whether both are the same lines; undefined is the whole file. */
export function isSame(one: Lines | undefined, other: Lines | undefined): boolean {
  return one?.first === other?.first && one?.last === other?.last;
}

/** The user's choice for a file or some of its lines; `auto` removes the choice. */
export const FILE_CHOICES = ['always', 'never', 'auto'] as const;
export type FileChoice = (typeof FILE_CHOICES)[number];

/** Lines of a file, counted from 1. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Lines with a choice of the user. */
interface ChosenLines extends Lines {
  readonly choice: Exclude<FileChoice, 'auto'>;
}

/** The user's choices for one file. A choice for lines overrides that for the whole file. */
interface ChosenFile {
  readonly whole?: Exclude<FileChoice, 'auto'>;
  /** Oldest first; the newer one wins. */
  readonly lines: readonly ChosenLines[];
}

/** The user's choices for files, by path. */
export type FileChoices = PersistentMap<string, ChosenFile>;

export interface Choosing {
  readonly path: string;
  /** Absent for the whole file. */
  readonly lines?: Lines;
  readonly choice: FileChoice;
}

/** The user made a choice; with `undoes` they undid their last choice for the same lines. */
export interface FileChosen extends Choosing {
  readonly type: 'fileChosen';
  readonly undoes?: true;
}
