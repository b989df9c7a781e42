import type { ToolUse } from '../block';
import { callEffectOf } from '../callEffect';
import type { PersistentMap } from '../persistentMap';
import type { KnownFile, KnownLine } from './knownFile';

const NOTHING: ChosenFile = { lines: [] };

/** Takes a choice in; what was said of the same lines before is over. */
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

/** What the user said of just these lines, or of the file as a whole. */
export function choiceOf(choices: FileChoices, path: string, lines: Lines | undefined): FileChoice {
  const chosen = choices.get(path);
  const said =
    lines === undefined ? chosen?.whole : chosen?.lines.find((one) => isSame(one, lines))?.choice;
  return said ?? 'auto';
}

/** What holds for a line; `line` is undefined where its number is not known. */
export function choiceAt(choices: FileChoices, path: string, line: number | undefined): FileChoice {
  const chosen = choices.get(path);
  if (chosen === undefined) return 'auto';
  const own =
    line === undefined
      ? undefined
      : chosen.lines.findLast(({ first, last }) => first <= line && line <= last);
  return own?.choice ?? chosen.whole ?? 'auto';
}

/** The numbers of the lines at which a choice begins to hold, or no longer holds. */
export function choiceBorders(choices: FileChoices, path: string): readonly number[] {
  return (choices.get(path)?.lines ?? []).flatMap(({ first, last }) => [first, last + 1]);
}

type Files = PersistentMap<string, KnownFile>;

/** Lets the chosen lines of a file go with an edit; `files` are those after the call. */
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

/** Moves the chosen lines of a file as the lines around them moved. */
function movedChoices(choices: FileChoices, before: KnownFile, after: KnownFile): FileChoices {
  const chosen = choices.get(before.path);
  if (chosen === undefined || chosen.lines.length === 0) return choices;
  const numbers = numbersOf(after);
  // Where lines may have moved by an edit that nobody can place, what is said of them stays where it is.
  const unnumbered = new Set(
    after.runs.flatMap(({ first, lines }) => (first === undefined ? lines : [])),
  );
  const known = [...numbersOf(before)].map(([line, from]) => ({
    from,
    to: numbers.get(line) ?? (unnumbered.has(line) ? from : undefined),
  }));
  const kept = known.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }]));
  const lines = chosen.lines.flatMap((one): ChosenLines[] => {
    // What was changed in them belongs to them: they reach up to the next lines that stayed.
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

/** Says whether both are the same lines; undefined stands for the whole file. */
export function isSame(one: Lines | undefined, other: Lines | undefined): boolean {
  return one?.first === other?.first && one?.last === other?.last;
}

/** What the user says of a file or of some of its lines; `auto` takes that back. */
export const FILE_CHOICES = ['always', 'never', 'auto'] as const;
export type FileChoice = (typeof FILE_CHOICES)[number];

/** Lines of a file, counted from 1. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Lines that the user has chosen to be shown, or not. */
interface ChosenLines extends Lines {
  readonly choice: Exclude<FileChoice, 'auto'>;
}

/** What the user says of one file: of the whole of it, and of lines, which goes before. */
interface ChosenFile {
  readonly whole?: Exclude<FileChoice, 'auto'>;
  /** Oldest first: where two say something of a line, the newer one holds. */
  readonly lines: readonly ChosenLines[];
}

/** What the user says of files, by path. */
export type FileChoices = PersistentMap<string, ChosenFile>;

/** One choice of the user. */
export interface Choosing {
  readonly path: string;
  /** Absent for the whole file. */
  readonly lines?: Lines;
  readonly choice: FileChoice;
}

/** The user has chosen; `undoes`: it takes their last choice of the same lines back. */
export interface FileChosen extends Choosing {
  readonly type: 'fileChosen';
  readonly undoes?: true;
}
