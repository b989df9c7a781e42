import { runsItsInput } from './carriers';
import { foldersEntered, namedOutside, type IsInside } from './commandPaths';
import { baseName, keepsFiles, withoutGlobals, writesItsFiles } from './programs';
import { type ShellPart, type ShellReading, withAllCarried } from './shellCommand';

/** What may be lost by a command, for the user who is asked about it. */
interface Danger {
  /** A sentence. */
  readonly text: string;
  /** The path outside the workspace that it may write to, if that is the danger. */
  readonly outside?: string;
}

const PIPE = /(?<!\|)\|(?!\|)/;

/** Between the commands of a line that cannot be read. */
const BETWEEN = /\$\(|[;|&\n(){}`]/;

/** A program that is dangerous, wherever it stands in a line that cannot be read. */
const DANGEROUS = /^(rm|git)$/;

/**
 * The first thing that a command may destroy, by its words; undefined when there is none of those
 * that are looked for. A line that cannot be read is judged by its text, roughly. This is a help for
 * reading, and no protection: no rule depends on it.
 */
export function dangerOf(
  command: string,
  reading: ShellReading | undefined,
  isInside: IsInside,
): Danger | undefined {
  const isPiped = PIPE.test(command);
  if (reading?.ok !== true) return textDanger(roughly(command), isPiped);
  const parts = withAllCarried(reading.parts);
  const inText = textDanger(
    parts.map(({ words }) => words),
    isPiped,
  );
  if (inText !== undefined) return inText;
  const outside = writtenOutside(reading.parts, isInside);
  return outside === undefined
    ? undefined
    : { text: `It may write to ${outside}, outside the workspace.`, outside };
}

function roughly(command: string): readonly (readonly string[])[] {
  return command.split(BETWEEN).map((text) => {
    const words = text.split(/\s+/).filter((word) => word !== '');
    const at = words.findIndex((word) => DANGEROUS.test(baseName(word)));
    return at > 0 ? words.slice(at) : words;
  });
}

function textDanger(
  programs: readonly (readonly string[])[],
  isPiped: boolean,
): Danger | undefined {
  for (const [index, words] of programs.entries()) {
    const text = wordsDanger(words, isPiped && index > 0);
    if (text !== undefined) return { text };
  }
  return undefined;
}

function wordsDanger(words: readonly string[], mayGetInput: boolean): string | undefined {
  const [name = '', ...rest] = withoutGlobals([baseName(words[0] ?? ''), ...words.slice(1)]);
  if (name === 'rm' && hasOption(rest, /[rR]/, /^--recursive$/))
    return 'It deletes folders and everything in them.';
  if (name === 'git') return gitDanger(rest);
  const readsInput = rest.every((word) => /^-(?!-?e|c|p|m)/.test(word)) || rest.includes('-s');
  if (mayGetInput && runsItsInput(name) && readsInput)
    return `It runs another command's output in ${name}.`;
  return undefined;
}

function gitDanger([subcommand, ...rest]: readonly string[]): string | undefined {
  const isTried = hasOption(rest, /n/, /^--dry-run$/);
  if (isTried && /^(push|clean)$/.test(subcommand ?? '')) return undefined;
  const isForced = hasOption(rest, /f/, /^--(force|mirror)/);
  if (subcommand === 'push' && (isForced || rest.some((word) => word.startsWith('+'))))
    return 'It may overwrite commits on the remote.';
  if (
    (subcommand === 'reset' && rest.includes('--hard')) ||
    (subcommand === 'clean' && isForced) ||
    (/^(checkout|switch)$/.test(subcommand ?? '') && isForced)
  ) {
    return 'It discards changes that are not committed.';
  }
  return undefined;
}

/** Whether one of the words is such an option: `short` within letters such as `-rf`. */
function hasOption(words: readonly string[], short: RegExp, long: RegExp): boolean {
  return words.some((word) => long.test(word) || (/^-[^-]/.test(word) && short.test(word)));
}

/** The first path outside that a redirection, or a program that writes its files, names. */
function writtenOutside(parts: readonly ShellPart[], isInside: IsInside): string | undefined {
  const folders = foldersEntered(parts);
  const writing = withAllCarried(parts).map((part): ShellPart => ({
    words: wordsWritten(part.words),
    patterns: part.patterns,
    redirects: part.redirects.filter(({ writes }) => writes),
    assignments: [],
    carried: [],
  }));
  return namedOutside(writing, folders, isInside);
}

/** Programs whose last operand alone is written. */
const COPIES = /^(cp|install|ln|rsync|scp)$/;

/** The program with its operands that it may write. */
function wordsWritten(words: readonly string[]): readonly string[] {
  if (!writesItsFiles(words) || keepsFiles(words)) return [];
  const [program = '', ...rest] = words;
  const name = baseName(program);
  if (name === 'sed' && !hasOption(rest, /i/, /^--in-place/)) return [];
  // It sends the file of `-d @file`.
  if (name === 'curl') return [program, ...rest.filter((word) => !word.startsWith('@'))];
  const namesTarget = words.some((word) => /^(-t|--target)/.test(word));
  return COPIES.test(name) && !namesTarget ? [program, words.at(-1) ?? ''] : words;
}
