import { isInWindow } from '../../contextWindow/block';
import type { ContextWindow } from '../../contextWindow/window';
import type { MemoryFile, MemoryOrigin } from '../../contextWindow/event';
import type { Result } from '../../contextWindow/result';
import type { Session } from '../session';

/** A memory file with its whole text, or why it could not be read. */
export type FoundMemory = {
  /** Relative to the workspace; the profile's own name. */
  readonly path: string;
  /** Present for the user's profile, which is for all projects. */
  readonly profile?: true;
} & (
  | {
      readonly text: string;
      /** Present once it is known that the file may be told. */
      readonly origin?: MemoryOrigin;
    }
  | { readonly problem: string }
  /** The file has changed, and is told as it was until the user has said yes. */
  | { readonly told: MemoryFile }
);

/** Where the project's standing instructions come from; paths are relative to the workspace. */
export interface ProjectMemory {
  /** The files of the workspace's root, in the order the model is told them. */
  root(): Promise<readonly FoundMemory[]>;
  /** The files of the folders between the root (excluded) and a path, outermost first. */
  of(path: string): Promise<readonly FoundMemory[]>;
  /** The files of all folders, as far as one can look in a moment. */
  everywhere(): Promise<readonly FoundMemory[]>;
}

/** The file `remember` writes to. */
export const MEMORY_PATH = '.plimsoll/memory.md';

/** Most characters of one file that are told, and of all files of the root and the profile together. */
export const LARGEST_MEMORY_FILE = 24_000;
const LARGEST_ROOT_MEMORY = 48_000;

/** The line that `remember` appends for a text. */
export function memoryLine(text: string): string {
  return `- ${text.trim().replace(/^-( +|$)/, '')}`;
}

/**
 * Works out what a session is told of the root's memory and, behind it, of the profile. What `remember` added is left out while
 * the model can still read it in its own call, because telling it again would cost the prompt
 * cache. Once that call has left the window, and in every other session, it is told like the rest.
 */
export function rootMemory(
  window: ContextWindow,
  found: readonly FoundMemory[],
): readonly MemoryFile[] {
  const told = window.preamble.memory ?? [];
  const files = found.flatMap((file) => {
    if ('told' in file) return [file.told];
    if (!('text' in file)) return [];
    const before = told.find(({ path }) => path === file.path);
    const text = isRemembered(file)
      ? withoutKnown(file.text, before, linesInWindow(window, file.profile === true))
      : file.text;
    if (text.trim() === '') return [];
    const { path, profile } = file;
    // What is told as before came as before.
    const origin = text === before?.text ? (before.origin ?? file.origin) : file.origin;
    return [
      {
        path,
        text,
        chars: text.length,
        ...(profile === true ? { profile } : {}),
        ...(origin === undefined ? {} : { origin }),
      },
    ];
  });
  // The files the user approved line by line get their share of the room first.
  const claims = files.toSorted((a, b) => Number(isRemembered(b)) - Number(isRemembered(a)));
  let room = LARGEST_ROOT_MEMORY;
  const heads = new Map<string, string>();
  for (const { path, text } of claims) {
    const head = headOf(text, Math.min(LARGEST_MEMORY_FILE, room));
    room -= head.length;
    heads.set(path, head);
  }
  return files.map((file) => ({
    ...file,
    text: heads.get(file.path) ?? '',
  }));
}

/**
 * The files of the root with the profile behind them. A profile that says the same as one of them
 * is left out: in a workspace that is the home folder both are one file.
 */
export function withProfile(
  root: readonly FoundMemory[],
  profile: readonly FoundMemory[],
): readonly FoundMemory[] {
  const texts = new Set(root.flatMap((file) => ('text' in file ? [file.text.trim()] : [])));
  return [...root, ...profile.filter((file) => !('text' in file && texts.has(file.text.trim())))];
}

/** Says which files cannot be read, each once in the session. */
export function newProblems({ memo }: Session, found: readonly FoundMemory[]): readonly string[] {
  return found.flatMap((file) => {
    if (!('problem' in file)) return [];
    const what =
      file.profile === true ? 'Your profile was left out' : 'Left out of the project memory';
    const message = `${what}: ${file.problem}`;
    if (memo.told.has(message)) return [];
    memo.told.add(message);
    return [message];
  });
}

/** Says whether a file is one that `remember` adds lines to. */
function isRemembered({ path, profile }: Pick<FoundMemory, 'path' | 'profile'>): boolean {
  return path === MEMORY_PATH || profile === true;
}

/** The file as it was told before, if everything added since is lines the model knows. */
function withoutKnown(text: string, told: MemoryFile | undefined, known: ReadonlySet<string>) {
  if (!text.startsWith(told?.text ?? '')) return text;
  const end = told?.chars ?? 0;
  const added = text.slice(end).split(/\r?\n/);
  return added.every((line) => line === '' || known.has(line)) ? text.slice(0, end) : text;
}

/** The lines `remember` wrote to the profile or the project, in calls that the model still sees. */
function linesInWindow(window: ContextWindow, isProfile: boolean): ReadonlySet<string> {
  const lines = window.blocks.filter(isInWindow).flatMap((block) =>
    block.kind !== 'step'
      ? []
      : block.pairs.flatMap(({ use, result }) => {
          const { text, where } = use.input;
          const done = result?.origin === 'ran' && !result.isError;
          const isThere = (where === 'profile') === isProfile;
          return use.name === 'remember' && done && isThere && typeof text === 'string'
            ? [memoryLine(text)]
            : [];
        }),
  );
  return new Set(lines);
}

/** The beginning of a text, up to the end of a line where one is near. */
function headOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const lineBreak = text.lastIndexOf('\n', chars);
  const end = lineBreak > chars * 0.8 ? lineBreak : chars;
  const splitsPair = end > 0 && (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return text.slice(0, splitsPair ? end - 1 : end);
}

/**
 * The user's own standing instructions for all projects. They lie in a file outside the workspace,
 * which no tool reaches but `remember`, and that only after the user's yes to each line.
 */
export interface Profile {
  /** As the user names the file: "~/.plimsoll/memory.md". */
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  /** The text as it is on disk; undefined where there is no file. */
  read(): Promise<Result<{ readonly text: string | undefined }>>;
  /** Writes the whole text where the file still says `before`; undefined for no file. */
  write(text: string, before: string | undefined): Promise<Result<unknown>>;
}

/** The profile as a memory file; nothing where there is none, it is blank, or cannot be read. */
export async function profileMemory(profile: Profile | undefined): Promise<readonly FoundMemory[]> {
  if (profile === undefined) return [];
  const { name: path } = profile;
  const read = await profile.read();
  if (!read.ok) return [{ path, problem: read.message, profile: true }];
  const text = read.text?.replace(/^\uFEFF/, '') ?? '';
  return text.trim() === '' ? [] : [{ path, text, profile: true }];
}
