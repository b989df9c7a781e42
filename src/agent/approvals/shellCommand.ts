import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Node, Parser, Tree } from '@vscode/tree-sitter-wasm';
import { refused, type Result, errorText } from '../../contextWindow/result';

/** One program that a command line runs, with its words as the program gets them. */
export interface ShellPart {
  readonly words: readonly string[];
  /** Files that it reads from or writes to by redirection. */
  readonly redirects: readonly Redirect[];
  /** Variables that are set for it alone. */
  readonly assignments: readonly Assignment[];
}

export interface Assignment {
  readonly name: string;
  readonly value: string;
}

export interface Redirect {
  readonly path: string;
  readonly writes: boolean;
}

/** A command line as a list of programs, or why it cannot be read as one, as the end of a sentence. */
export type ShellReading = Result<{ readonly parts: readonly ShellPart[] }>;

/** What stands in a command line and is more than words, by the name the grammar has for it. */
const MORE_THAN_WORDS: Readonly<Record<string, string>> = {
  command_substitution: 'it runs a command inside another',
  process_substitution: 'it runs a command inside another',
  simple_expansion: 'it holds a variable',
  expansion: 'it holds a variable',
  arithmetic_expansion: 'it holds a calculation',
  ansi_c_string: 'it holds escapes',
  translated_string: 'it holds a text to translate',
  brace_expression: 'it holds a range in braces',
  extglob_pattern: 'it holds a pattern',
  heredoc_redirect: 'it holds a text for a program to read',
  herestring_redirect: 'it holds a text for a program to read',
  variable_assignment: 'it sets a variable',
  variable_assignments: 'it sets a variable',
  declaration_command: 'it sets a variable',
  unset_command: 'it removes a variable',
  function_definition: 'it defines a function',
  for_statement: 'it holds a loop',
  c_style_for_statement: 'it holds a loop',
  while_statement: 'it holds a loop',
  if_statement: 'it holds a condition',
  case_statement: 'it holds a condition',
  test_command: 'it holds a condition',
};

const UNREADABLE = 'it cannot be read with certainty';

/** What only holds others together: each of its children is read by itself. */
const CHAINS = new Set(['program', 'list', 'pipeline', 'subshell']);

/** What stands between the programs of a chain, and around them. */
const JOINTS = new Set([';', '&&', '||', '|', '|&', '&', '\n', '(', ')']);

/** What redirects to or from a file, or copies a stream. */
const OPERATORS = new Set(['<', '>', '>>', '>|', '&>', '&>>', '<&', '>&']);

/** Words that run the words behind them, or a text that they are given: what runs is not the program named. */
const CARRIERS = new Set(
  (
    'alias bash builtin chroot command coproc csh dash doas env eval exec fish flock ksh let nice nohup parallel ' +
    'pkexec setsid sh source ssh stdbuf su sudo time timeout trap unshare watch xargs zsh .'
  ).split(' '),
);

/** Says whether a program runs whatever it is given: no rule for its name alone says what happens. */
export function isCarrier(program: string): boolean {
  return CARRIERS.has(program.slice(program.lastIndexOf('/') + 1));
}

let loading: Promise<Parser> | undefined;

/**
 * Loads the grammar of bash, once, from a folder that holds the files of @vscode/tree-sitter-wasm.
 * Rejects when they cannot be read.
 */
export function loadShellGrammar(folder: string): Promise<Parser> {
  loading ??= loadParser(folder).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/**
 * Makes what reads commands, with the grammar in a folder; `isBash` is false where another shell runs
 * them. It never rejects: a command that cannot be read is one that no rule can judge.
 */
export function commandReader(
  folder: string,
  isBash: boolean,
): (command: string) => Promise<ShellReading> {
  return async (command) => {
    if (!isBash) return refused('it is not bash that runs it');
    try {
      return readShellCommand(await loadShellGrammar(folder), command);
    } catch (error) {
      const message = errorText(error);
      return refused(`the grammar of bash could not be loaded (${message})`);
    }
  };
}

type TreeSitter = typeof import('@vscode/tree-sitter-wasm');

async function loadParser(folder: string): Promise<Parser> {
  // From its own file: written into the parts of the extension it would not find Node's modules.
  const library = createRequire(join(folder, 'grammar'))('./tree-sitter.js') as TreeSitter;
  const read = (name: string): Uint8Array<ArrayBuffer> =>
    new Uint8Array(readFileSync(join(folder, name)));
  // The types name one option alone, and the code takes all of Emscripten's.
  const options: object = { wasmBinary: read('tree-sitter.wasm') };
  await library.Parser.init(options as Parameters<typeof library.Parser.init>[0]);
  const parser = new library.Parser();
  return parser.setLanguage(await library.Language.load(read('tree-sitter-bash.wasm')));
}

/**
 * Reads a command line of bash. What is more than a chain of programs with plain words is not read:
 * its words would depend on what the shell finds when it runs.
 */
export function readShellCommand(parser: Parser, command: string): ShellReading {
  // Where readers differ: a break that bash joins, characters that look like spaces.
  if (/\\\r?\n/.test(command)) return refused('a line of it goes on in the next');
  // eslint-disable-next-line no-control-regex -- that is what is looked for
  if (/[\0-\x08\x0b-\x1f\x7f-\x9f]|(?![ \n])\s(?<!\t)/u.test(command)) {
    return refused('it holds characters that nobody sees');
  }
  const tree = parser.parse(command);
  if (tree === null) return refused(UNREADABLE);
  try {
    return { ok: true, parts: read(tree) };
  } catch (error) {
    if (error instanceof Unreadable) return refused(error.message);
    throw error;
  } finally {
    tree.delete();
  }
}

/** Ends the reading of a command line; the message says why. */
class Unreadable extends Error {}

function read({ rootNode }: Tree): readonly ShellPart[] {
  if (rootNode.hasError) throw new Unreadable(UNREADABLE);
  const parts = partsOf(rootNode);
  if (parts.length === 0) throw new Unreadable(UNREADABLE);
  return parts;
}

function partsOf(node: Node): readonly ShellPart[] {
  checkCovered(node);
  if (CHAINS.has(node.type)) checkJoints(node);
  if (CHAINS.has(node.type)) return node.namedChildren.flatMap((child) => partsOf(present(child)));
  switch (node.type) {
    case 'comment':
      return [];
    case 'redirected_statement': {
      const [body, ...redirects] = node.namedChildren.map(present);
      if (body === undefined || body.type === 'file_redirect') throw unreadable(body ?? node);
      for (const [index, redirect] of redirects.entries()) {
        const end = (redirects[index - 1] ?? body).endIndex;
        if (redirect.startIndex === end) throw new Unreadable(UNREADABLE);
      }
      const parts = partsOf(body);
      const added = redirects.flatMap(redirectOf);
      return parts.map((part) => ({ ...part, redirects: [...part.redirects, ...added] }));
    }
    case 'command':
      return [partOf(node)];
    default:
      throw unreadable(node);
  }
}

/** Throws where a chain is held together by what bash does not take there, such as `;;`. */
function checkJoints({ children }: Node): void {
  for (const { isNamed, type } of children.map(present)) {
    if (!isNamed && !JOINTS.has(type)) throw new Unreadable(UNREADABLE);
  }
}

/** Throws where something of a node stands in none of its parts: the grammar has left it out. */
function checkCovered({ children, startIndex, text }: Node): void {
  let at = startIndex;
  for (const child of children.map(present)) {
    if (text.slice(at - startIndex, child.startIndex - startIndex).trim() !== '') {
      throw new Unreadable(UNREADABLE);
    }
    at = child.endIndex;
  }
  if (text.slice(at - startIndex).trim() !== '' && children.length > 0) {
    throw new Unreadable(UNREADABLE);
  }
}

function partOf(node: Node): ShellPart {
  const words: string[] = [];
  const redirects: Redirect[] = [];
  const assignments: Assignment[] = [];
  let end = -1;
  for (const child of node.children.map(present)) {
    // The grammar takes some words apart that bash leaves together.
    if (!child.isNamed || child.startIndex === end) throw new Unreadable(UNREADABLE);
    end = child.endIndex;
    if (child.type === 'file_redirect') redirects.push(...redirectOf(child));
    else if (child.type === 'variable_assignment') assignments.push(assignmentOf(child));
    else if (child.type === 'command_name') words.push(wordOf(present(child.namedChildren[0])));
    else words.push(wordOf(child));
  }
  return { words, redirects, assignments };
}

/** Reads `NAME=value` before a program; `+=`, an index and a list are more than that. */
function assignmentOf(node: Node): Assignment {
  const [name, value] = node.namedChildren.map(present);
  if (name?.type !== 'variable_name') throw unreadable(node);
  const written = node.text.slice(name.text.length);
  if (written === '=') return { name: name.text, value: '' };
  if (value === undefined || written !== `=${value.text}`) throw unreadable(node);
  return { name: name.text, value: wordOf(value) };
}

/** Reads `> file`; a copy of a stream such as `2>&1` names none. */
function redirectOf(node: Node): readonly Redirect[] {
  if (node.type !== 'file_redirect') throw unreadable(node);
  // The grammar takes a word behind the file for another file; bash gives it to the program.
  const targets = node.namedChildren.filter((child) => child?.type !== 'file_descriptor');
  if (targets.length !== 1 || !/^\d?[<>&]/.test(node.text)) throw new Unreadable(UNREADABLE);
  const operator = node.children.find((child) => child?.isNamed === false)?.type ?? '';
  const target = wordOf(present(node.childForFieldName('destination')));
  if (!OPERATORS.has(operator)) throw new Unreadable(UNREADABLE);
  if (operator.endsWith('&')) {
    if (!/^\d$/.test(target)) throw new Unreadable(UNREADABLE);
    return [];
  }
  return [{ path: target, writes: operator !== '<' }];
}

/** The word as the program gets it. Throws where the shell would put something else in its place. */
function wordOf(node: Node): string {
  switch (node.type) {
    case 'word':
    case 'number':
      checkPlain(node.text.replace(/\\./gs, '_'));
      return node.text.replace(/\\(.)/g, '$1');
    case 'raw_string':
      return node.text.slice(1, -1);
    case 'string': {
      const others = node.namedChildren.filter((child) => child?.type !== 'string_content');
      if (others.length > 0) throw unreadable(present(others[0]));
      return node.text.slice(1, -1).replace(/\\([$`"\\])/g, '$1');
    }
    case 'concatenation': {
      if (node.namedChildren.map((child) => present(child).text).join('') !== node.text) {
        throw new Unreadable(UNREADABLE);
      }
      if (hasBraces(node)) throw new Unreadable(MORE_THAN_WORDS['brace_expression']);
      return node.namedChildren.map((child) => wordOf(present(child))).join('');
    }
    default:
      throw unreadable(node);
  }
}

/** Throws where the shell puts other words in the place of this one. `text` is without what is escaped. */
function checkPlain(text: string): void {
  if (/[$`\s]/.test(text)) throw new Unreadable(UNREADABLE);
  if (/(^|[:=])~/.test(text)) throw new Unreadable('it names a home folder');
  // What a pattern finds may begin with a dash: a file could be made that is read as an option.
  if (/^(-.*)?[*?[]/.test(text))
    throw new Unreadable('a pattern of it may find what is read as an option');
}

/** `{a,b}` becomes two words; the grammar reads it as words beside each other. */
function hasBraces(node: Node): boolean {
  return node.namedChildren.some((child) => child?.type === 'word' && /[{}]/.test(child.text));
}

function unreadable({ type }: Node): Unreadable {
  return new Unreadable(MORE_THAN_WORDS[type] ?? UNREADABLE);
}

function present(node: Node | null | undefined): Node {
  if (node === null || node === undefined) throw new Unreadable(UNREADABLE);
  return node;
}
