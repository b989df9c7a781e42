import { createHash } from 'node:crypto';
import { isInWindow } from '../../contextWindow/block';
import type { ContextWindow } from '../../contextWindow/window';
import type { MemoryFile, MemoryOrigin } from '../../contextWindow/event';
import type { Result } from '../../contextWindow/result';
import type { Session } from '../session';
import type { WorkspaceFolders } from '../workspaceFolders';
import type { Skill } from './skill';

/** A memory file with its whole text, or why it could not be read. */
export type FoundMemory = {
  /** Relative to the workspace, or the profile's name. */
  readonly path: string;
  /** Present for the user's profile, which applies to all projects. */
  readonly profile?: true;
  /** The globs of the files it applies to; absent for one that its folder or the root decides. */
  readonly globs?: readonly string[];
} & (
  | {
      readonly text: string;
      /** Present for a skill: only its description is sent. */
      readonly skill?: Skill;
      /** Present once the file may be used. */
      readonly origin?: MemoryOrigin;
    }
  | { readonly problem: string }
  /** What of the file Plimsoll does not support, as a sentence. */
  | { readonly unsupported: string }
  /** The file changed; the approved version stays in use until the user approves the change. */
  | { readonly inUse: MemoryFile }
);

/** Reads the project's standing instructions; paths are relative to the workspace. */
export interface ProjectMemory {
  /** The files that apply to the whole workspace, in the order of the request. */
  root(): Promise<readonly FoundMemory[]>;
  /**
   * The files in the folders between the root (excluded) and a path, outermost first, and those
   * whose globs match the path.
   */
  of(path: string): Promise<readonly FoundMemory[]>;
  /** The files in all folders, as far as a short search finds them. */
  everywhere(): Promise<readonly FoundMemory[]>;
}

/**
 * Memory without the files that the user switched off. They count as files that the session began
 * with, so switching one on again asks nothing.
 */
export function memoryWithout(memory: ProjectMemory, off: () => readonly string[]): ProjectMemory {
  const on = (found: readonly FoundMemory[]) => {
    const paths = new Set(off());
    return found.filter(({ path }) => !paths.has(path));
  };
  return {
    root: async () => on(await memory.root()),
    of: async (path) => on(await memory.of(path)),
    everywhere: () => memory.everywhere(),
  };
}

/** Whether the workspace offers skills. */
export async function hasSkills(memory: ProjectMemory): Promise<boolean> {
  return (await memory.root()).some((file) => 'text' in file && file.skill !== undefined);
}

/** Names the version of a memory file. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The file `remember` writes to, in the first folder. */
export const MEMORY_PATH = '.plimsoll/memory.md';

export function memoryPathIn({ first }: WorkspaceFolders): string {
  return first.name === '' ? MEMORY_PATH : `${first.name}/${MEMORY_PATH}`;
}

/** Most characters used of one file, and of all files of the root and the profile together. */
export const LARGEST_MEMORY_FILE = 24_000;
const LARGEST_ROOT_MEMORY = 48_000;

/** The line that `remember` appends for a text. */
export function memoryLine(text: string): string {
  return `- ${text.trim().replace(/^-( +|$)/, '')}`;
}

/**
 * The memory that a session uses: the root's files, then the profile. Lines added by `remember` are
 * left out while the model still sees that call, because adding them would cost the prompt cache.
 * Once the call has left the window, and in every other session, they are included.
 */
export function rootMemory(
  window: ContextWindow,
  found: readonly FoundMemory[],
): readonly MemoryFile[] {
  const logged = window.preamble.memory ?? [];
  const files = found.flatMap((file) => {
    if ('inUse' in file) return [file.inUse];
    if (!('text' in file)) return [];
    const before = logged.find(({ path }) => path === file.path);
    const text = isRemembered(file)
      ? withoutKnown(file.text, before, linesInWindow(window, file.profile === true))
      : (file.skill?.description ?? file.text);
    if (text.trim() === '') return [];
    const { path, profile } = file;
    // An unchanged text keeps its origin.
    const origin = text === before?.text ? (before.origin ?? file.origin) : file.origin;
    return [
      {
        path,
        text,
        chars: text.length,
        ...(profile === true ? { profile } : {}),
        ...(file.skill && {
          skill: { name: file.skill.name, hash: contentHash(file.text) },
        }),
        origin,
      },
    ];
  });
  // Files that the user approved line by line get their share of the room first.
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
 * The root's files, then the profile. A profile identical to one of them is left out: in a
 * workspace that is the home folder, both are one file.
 */
export function withProfile(
  root: readonly FoundMemory[],
  profile: readonly FoundMemory[],
): readonly FoundMemory[] {
  const texts = new Set(root.flatMap((file) => ('text' in file ? [file.text.trim()] : [])));
  return [...root, ...profile.filter((file) => !('text' in file && texts.has(file.text.trim())))];
}

/** Reports files that cannot be read, each once a session. */
export function newProblems({ memo }: Session, found: readonly FoundMemory[]): readonly string[] {
  return found.flatMap((file) => {
    if (!('problem' in file) && !('unsupported' in file)) return [];
    const what =
      file.profile === true ? 'Your profile was left out' : 'Left out of the project memory';
    const message = 'problem' in file ? `${what}: ${file.problem}` : file.unsupported;
    if (memo.reported.has(message)) return [];
    memo.reported.add(message);
    return [message];
  });
}

/** Whether `remember` adds lines to a file. */
function isRemembered({ path, profile }: Pick<FoundMemory, 'path' | 'profile'>): boolean {
  return profile === true || `/${path}`.endsWith(`/${MEMORY_PATH}`);
}

/** The earlier text, if the model knows every line added since. */
function withoutKnown(text: string, before: MemoryFile | undefined, known: ReadonlySet<string>) {
  if (!text.startsWith(before?.text ?? '')) return text;
  const end = before?.chars ?? 0;
  const added = text.slice(end).split(/\r?\n/);
  return added.every((line) => line === '' || known.has(line)) ? text.slice(0, end) : text;
}

/** Lines that `remember` wrote, in calls that the model still sees. */
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

/** The start of a text, up to the end of a line if one is near. */
function headOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const lineBreak = text.lastIndexOf('\n', chars);
  const end = lineBreak > chars * 0.8 ? lineBreak : chars;
  const splitsPair = end > 0 && (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return text.slice(0, splitsPair ? end - 1 : end);
}

/**
 * The user's standing instructions for all projects, in a file outside the workspace. Only
 * `remember` writes to it, and the user approves each line.
 */
export interface Profile {
  /** As the user names the file: "~/.plimsoll/memory.md". */
  readonly name: string;
  readonly file: string;
  /** The text on disk; undefined without a file. */
  read(): Promise<Result<{ readonly text: string | undefined }>>;
  /** Writes the whole text if the file still has the text `before`; undefined for no file. */
  write(text: string, before: string | undefined): Promise<Result<unknown>>;
}

/** The profile as a memory file; nothing when it is missing, blank or unreadable. */
export async function profileMemory(profile: Profile | undefined): Promise<readonly FoundMemory[]> {
  if (profile === undefined) return [];
  const { name: path } = profile;
  const read = await profile.read();
  if (!read.ok) return [{ path, problem: read.message, profile: true }];
  const text = read.text?.replace(/^\uFEFF/, '') ?? '';
  return text.trim() === '' ? [] : [{ path, text, profile: true }];
}
