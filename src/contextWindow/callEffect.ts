import type { ToolUse } from './block';
import { isObject } from './json';

/** Line numbers, both inclusive; without `last` up to the end of the file. */
export interface LineRange {
  readonly first: number;
  readonly last?: number;
}

/** An exact replacement: of the first occurrence, or of every one with `all`. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
  readonly all?: true;
}

/** What a tool call does, judged by its name and input, whichever agent's tool it is. */
export type CallEffect =
  | { readonly kind: 'read'; readonly path: string; readonly lines?: LineRange }
  /** Exact replacements, each of one text by another. */
  | {
      readonly kind: 'edit';
      readonly path: string;
      readonly replacements: readonly Replacement[];
    }
  /** Without a text the file was moved or deleted. */
  | { readonly kind: 'write'; readonly path: string; readonly text?: string }
  /** `folder`: where it runs, if that is not the workspace's first folder. */
  | { readonly kind: 'command'; readonly command: string; readonly folder?: string }
  /** A search by words or names; the same search has the same `key`. */
  | { readonly kind: 'search' | 'list'; readonly key: string; readonly path?: string }
  /**
   * Without a handle it lists what was removed from the window, or searches all of it for
   * `pattern`.
   */
  | {
      readonly kind: 'recall';
      readonly handle?: string;
      readonly pattern?: string;
      /** The pattern is a regular expression. */
      readonly isRegex?: true;
    }
  | { readonly kind: 'scratchpad' }
  | { readonly kind: 'other'; readonly path?: string };

/**
 * The purpose of a tool. Finer than an effect: a call that names no file is not a read effect, and
 * effects do not distinguish fetching from delegating to another agent.
 */
export type CallKind = CallEffect['kind'] | 'fetch' | 'agent';

/** Tools of common agents and of Plimsoll, by name in lower case without separators. */
const KIND_OF: ReadonlyMap<string, CallKind> = new Map(
  Object.entries<CallKind>({
    ...names('read', 'read readfile readfiles viewfile view cat openfile fileread notebookread'),
    ...names('edit', 'edit editfile multiedit strreplace replace replaceinfile searchreplace'),
    ...names(
      'edit',
      'editor applypatch notebookedit applydiff strreplaceeditor strreplacebasededittool fileeditor',
    ),
    ...names('write', 'write writefile writetofile createfile newfile filewrite'),
    ...names('write', 'movefile renamefile deletefile removefile'),
    ...names('command', 'bash shell runcommand executecommand executebash exec execcommand'),
    ...names('command', 'terminal localshell localshellcall runterminalcommand powershell'),
    ...names('command', 'shellcommand runshellcommand runcommands'),
    ...names('search', 'grep searchtext searchfiles search ripgrep codebasesearch websearch'),
    ...names('list', 'glob listfiles ls list find listdir listdirectory filesearch'),
    ...names('recall', 'recall'),
    ...names('scratchpad', 'updatescratchpad todo todowrite todoread updateplan updatetodolist'),
    ...names('fetch', 'webfetch fetch fetchurl browseraction browser'),
    ...names('agent', 'task agent newtask subagent spawnagent'),
  }),
);

const PATH_KEYS = [
  ...(['path', 'file_path', 'filePath', 'filename', 'file', 'notebook_path'] as const),
  ...(['absolute_path', 'target_file'] as const),
];
const BEFORE_KEYS = ['old_text', 'old_string', 'old_str', 'oldText', 'oldString'] as const;
const TEXT_KEYS = ['content', 'contents', 'text', 'file_text'] as const;
const AFTER_KEYS = ['new_text', 'new_string', 'new_str', 'newText', 'newString'] as const;

const CALL_EFFECTS = new WeakMap<ToolUse, CallEffect>();

/** The effect of a call, computed once for each call. */
export function callEffectOf(use: ToolUse): CallEffect {
  const known = CALL_EFFECTS.get(use);
  if (known !== undefined) return known;
  const effect = workOut(use);
  CALL_EFFECTS.set(use, effect);
  return effect;
}

/** The purpose of a call; `other` for an unknown tool. */
export function callKindOf({ name, input }: Pick<ToolUse, 'name' | 'input'>): CallKind {
  return kindOf(name, input);
}

/** The file or folder that a call names, if any. */
export function pathOf(use: ToolUse): string | undefined {
  const effect = callEffectOf(use);
  return 'path' in effect ? effect.path : undefined;
}

/**
 * The same for calls that ask the same: a command in the same folder, a search or a list; undefined
 * for other calls.
 */
export function repeatKeyOf(use: ToolUse): string | undefined {
  const effect = callEffectOf(use);
  switch (effect.kind) {
    case 'command':
      return JSON.stringify([use.name, effect.command, effect.folder]);
    case 'search':
    case 'list':
      return JSON.stringify([use.name, effect.key]);
    default:
      return undefined;
  }
}

/** The place that a call works at: what it names, or the folder that its command runs in. */
export function placeOf(use: ToolUse): string | undefined {
  const effect = callEffectOf(use);
  return effect.kind === 'command' ? effect.folder : pathOf(use);
}

/** Says whether `outer` contains every line of `inner`; no range is the whole file. */
export function covers(outer: LineRange | undefined, inner: LineRange | undefined): boolean {
  const [a, b] = [outer ?? { first: 1 }, inner ?? { first: 1 }];
  return a.first <= b.first && (a.last ?? Infinity) >= (b.last ?? Infinity);
}

/** Says whether two ranges share a line; no range is the whole file. */
export function overlap(one: LineRange | undefined, other: LineRange | undefined): boolean {
  const [a, b] = [one ?? { first: 1 }, other ?? { first: 1 }];
  return a.first <= (b.last ?? Infinity) && b.first <= (a.last ?? Infinity);
}

/** The file or folder that the input of a call names: as an argument, in its one file, or in a patch. */
export function pathIn(input: ToolUse['input']): string | undefined {
  return textUnder(onlyFileIn(input), PATH_KEYS) ?? patchedFileIn(input);
}

/** The command in the input of a call: a line, its words, or several lines. */
export function commandIn(input: ToolUse['input']): string | undefined {
  const { commands } = input;
  if (Array.isArray(commands)) return commands.map(commandText).join('; ');
  const command = input['command'] ?? input['cmd'] ?? input['script'];
  if (typeof command === 'string') return command;
  return Array.isArray(command) ? command.map(commandText).join(' ') : undefined;
}

/** An entry of a list of commands or words; Cline's can have its arguments apart. */
function commandText(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  const { command, args = [] } = isObject(entry) ? entry : {};
  if (typeof command !== 'string' || !Array.isArray(args)) return JSON.stringify(entry);
  return [
    command,
    ...args.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
  ].join(' ');
}

/** Some agents read files by a list; a list of one says what other agents' inputs say. */
function onlyFileIn(input: ToolUse['input']): ToolUse['input'] {
  const { files } = input;
  const [file, ...others] = Array.isArray(files) ? files : [];
  const isOne = typeof file === 'object' && file !== null && others.length === 0;
  return isOne && !Array.isArray(file) ? { ...input, ...file } : input;
}

/** The first file that a patch in the format of Codex names. */
function patchedFileIn(input: ToolUse['input']): string | undefined {
  const patch = textUnder(input, ['input', 'patch']);
  if (patch?.startsWith('*** Begin Patch') !== true) return undefined;
  return /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m.exec(patch)?.[1]?.trim();
}

function workOut({ name, input: given }: ToolUse): CallEffect {
  const input = onlyFileIn(given);
  const path = pathIn(input);
  const kind = kindOf(name, input);
  switch (kind) {
    case 'read':
      return path === undefined ? { kind: 'other' } : { kind, path, ...linesOf(input) };
    case 'edit':
      return path === undefined
        ? { kind: 'other' }
        : { kind, path, replacements: replacementsOf(input) };
    case 'write':
      return path === undefined ? { kind: 'other' } : { kind, path, ...textWritten(input) };
    case 'command':
      return { kind, command: commandIn(input) ?? JSON.stringify(input), ...folderOf(input) };
    case 'search':
    case 'list':
      return { kind, key: JSON.stringify(input), ...(path === undefined ? {} : { path }) };
    case 'recall':
      return { kind, ...recallOf(input) };
    case 'scratchpad':
      return { kind };
    case 'fetch':
    case 'agent':
    case 'other':
      return { kind: 'other', ...(path === undefined ? {} : { path }) };
  }
}

function kindOf(name: string, input: ToolUse['input']): CallKind {
  const kind = KIND_OF.get(name.toLowerCase().replace(/[^a-z]/g, '')) ?? 'other';
  // Some agents have a single tool for files, with the effect in its input.
  if (kind !== 'edit' || typeof input['command'] !== 'string') return kind;
  if (input['command'] === 'view') return 'read';
  return input['command'] === 'create' ? 'write' : 'edit';
}

function recallOf(input: ToolUse['input']) {
  const handle = textUnder(input, ['handle']);
  const pattern = textUnder(input, ['pattern']);
  return {
    ...(handle === undefined ? {} : { handle }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(pattern !== undefined && input['is_regex'] === true ? { isRegex: true as const } : {}),
  };
}

function linesOf(input: ToolUse['input']): { readonly lines?: LineRange } {
  const { start_line: start, end_line: end, offset, limit, view_range: range } = input;
  if (Array.isArray(range) && typeof range[0] === 'number') {
    const last: unknown = range[1];
    return { lines: { first: range[0], ...(isLine(last) ? { last } : {}) } };
  }
  if (isLine(start) || isLine(end)) {
    const first = isLine(start) ? start : 1;
    return { lines: { first, ...(isLine(end) ? { last: end } : {}) } };
  }
  if (!isLine(offset) && !isLine(limit)) return {};
  const first = isLine(offset) ? offset : 1;
  return { lines: { first, ...(isLine(limit) ? { last: first + limit - 1 } : {}) } };
}

function isLine(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function replacementsOf(input: ToolUse['input']) {
  const edits: unknown = input['edits'];
  const changes = Array.isArray(edits) ? (edits as readonly unknown[]) : [input];
  return changes.flatMap((change) => {
    if (typeof change !== 'object' || change === null) return [];
    const record = change as Readonly<Record<string, unknown>>;
    const before = textUnder(record, BEFORE_KEYS);
    if (before === undefined) return [];
    const all = input['replace_all'] === true || record['replace_all'] === true;
    return [{ before, after: textUnder(record, AFTER_KEYS) ?? '', ...(all ? { all } : {}) }];
  });
}

function textWritten(input: ToolUse['input']): { readonly text?: string } {
  const text = TEXT_KEYS.map((key) => input[key]).find((value) => typeof value === 'string');
  return typeof text === 'string' ? { text } : {};
}

/** The folder of the workspace that a command of Plimsoll's runs in. */
function folderOf({ folder }: ToolUse['input']): { readonly folder?: string } {
  return typeof folder === 'string' ? { folder } : {};
}

function textUnder(input: ToolUse['input'], keys: readonly string[]): string | undefined {
  const found = keys.map((key) => input[key]).find((value) => typeof value === 'string');
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function names(kind: CallKind, list: string): Readonly<Record<string, CallKind>> {
  return Object.fromEntries(list.split(' ').map((name) => [name, kind]));
}
