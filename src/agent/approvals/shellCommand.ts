import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Node, Parser, Tree } from '@vscode/tree-sitter-wasm';
import { carriedBy } from './carriers';
import { takesAnyOption } from './programs';
import { refused, type Result, errorText } from '../../contextWindow/result';

/** One program of a command line, with its words as the program gets them. */
export interface ShellPart {
  readonly words: readonly string[];
  /**
   * The words that the shell replaces by the files they match, each with its text as a pattern, where a backslash
   * is before a character that is none of the pattern's.
   */
  readonly patterns: ReadonlyMap<string, string>;
  /** Files it reads or writes by redirection. */
  readonly redirects: readonly Redirect[];
  /** Variables set for this program alone. */
  readonly assignments: readonly Assignment[];
  /** The programs that it runs in addition to itself, as far as its words show. */
  readonly carried: readonly ShellPart[];
  /** Why it may run more than its words show, as a sentence without its subject. */
  readonly hides?: string;
  /** It runs a file of commands or code, which is not judged. */
  readonly runsScript?: true;
  /** More words may come from elsewhere, such as the input of `xargs`. */
  readonly isOpen?: true;
}

interface Assignment {
  readonly name: string;
  readonly value: string;
}

interface Redirect {
  readonly path: string;
  readonly writes: boolean;
}

/** A command line as a list of programs, or why it cannot be read, as the end of a sentence. */
export type ShellReading = Result<{ readonly parts: readonly ShellPart[] }>;

/** Grammar nodes that are more than words, with a description. */
const MORE_THAN_WORDS: Readonly<Record<string, string>> = {
  command_substitution: 'it runs a command inside another',
  process_substitution: 'it runs a command inside another',
  simple_expansion: 'it contains a variable',
  expansion: 'it contains a variable',
  arithmetic_expansion: 'it contains a calculation',
  ansi_c_string: 'it contains escapes',
  translated_string: 'it contains a text to translate',
  brace_expression: 'it contains a range in braces',
  extglob_pattern: 'it contains a pattern',
  heredoc_redirect: 'it contains input text for a program',
  herestring_redirect: 'it contains input text for a program',
  variable_assignment: 'it sets a variable',
  variable_assignments: 'it sets a variable',
  declaration_command: 'it sets a variable',
  unset_command: 'it removes a variable',
  function_definition: 'it defines a function',
  for_statement: 'it contains a loop',
  c_style_for_statement: 'it contains a loop',
  while_statement: 'it contains a loop',
  if_statement: 'it contains a condition',
  case_statement: 'it contains a condition',
  test_command: 'it contains a condition',
};

const UNREADABLE = 'it cannot be read with certainty';

/** Nodes that only group others: each child is read separately. */
const CHAINS = new Set(['program', 'list', 'pipeline', 'subshell']);

/** Tokens between and around the programs of a chain. */
const JOINTS = new Set([';', '&&', '||', '|', '|&', '&', '\n', '(', ')']);

/** Operators that redirect to or from a file, or copy a stream. */
const OPERATORS = new Set(['<', '>', '>>', '>|', '&>', '&>>', '<&', '>&']);

let loading: Promise<Parser> | undefined;

/**
 * Loads the bash grammar once, from a folder with the files of @vscode/tree-sitter-wasm, the
 * package's compressed ones first. Rejects when they cannot be read.
 */
export function loadShellGrammar(folder: string): Promise<Parser> {
  loading ??= loadParser(folder).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/**
 * Makes a command reader with the grammar in a folder; `isBash` is false when another shell runs
 * commands. It never rejects: no rule can judge a command that cannot be read.
 */
export function commandReader(
  folder: string,
  isBash: boolean,
): (command: string) => Promise<ShellReading> {
  return async (command) => {
    if (!isBash) return refused('another shell than bash runs it');
    try {
      return readShellCommand(await loadShellGrammar(folder), command);
    } catch (error) {
      const message = errorText(error);
      return refused(`the bash grammar could not be loaded (${message})`);
    }
  };
}

type TreeSitter = typeof import('@vscode/tree-sitter-wasm');

async function loadParser(folder: string): Promise<Parser> {
  // Loaded from its own file: bundled, it would not find Node's modules.
  const library = createRequire(join(folder, 'grammar'))('./tree-sitter.js') as TreeSitter;
  const read = (name: string): Uint8Array<ArrayBuffer> => {
    const packed = join(folder, `${name}.br`);
    return new Uint8Array(
      existsSync(packed)
        ? brotliDecompressSync(readFileSync(packed))
        : readFileSync(join(folder, name)),
    );
  };
  // The types declare one option only, but the code accepts all of Emscripten's.
  const options: object = { wasmBinary: read('tree-sitter.wasm') };
  await library.Parser.init(options as Parameters<typeof library.Parser.init>[0]);
  const parser = new library.Parser();
  return parser.setLanguage(await library.Language.load(read('tree-sitter-bash.wasm')));
}

/**
 * Reads a bash command line. It reads only chains of programs with plain words: other words would
 * depend on what the shell finds at run time.
 */
export function readShellCommand(parser: Parser, command: string): ShellReading {
  // Input that readers interpret differently: line breaks that bash joins, characters that look
  // like spaces.
  if (/\\\r?\n/.test(command)) return refused('one of its lines continues on the next');
  // eslint-disable-next-line no-control-regex -- that is what is looked for
  if (/[\0-\x08\x0b-\x1f\x7f-\x9f]|\p{Cf}|(?![ \n])\s(?<!\t)/u.test(command)) {
    return refused('it contains invisible characters');
  }
  return readText(parser, command, 0);
}

/** How deep commands in the texts of commands are read. */
const DEEPEST = 4;

function readText(parser: Parser, command: string, depth: number): ShellReading {
  const tree = parser.parse(command);
  if (tree === null) return refused(UNREADABLE);
  try {
    return { ok: true, parts: read(tree).map((part) => withCarried(parser, part, depth)) };
  } catch (error) {
    if (error instanceof Unreadable) return refused(error.message);
    throw error;
  } finally {
    tree.delete();
  }
}

/** Adds to a program what it runs in addition to itself, and what that runs. */
function withCarried(parser: Parser, part: ShellPart, depth: number): ShellPart {
  if (depth > DEEPEST) return { ...part, hides: 'runs programs within programs' };
  let whole = part;
  for (const carried of carriedBy(part.words)) {
    if (carried.type === 'hidden') whole = { ...whole, hides: whole.hides ?? carried.why };
    else if (carried.type === 'script') whole = { ...whole, runsScript: true };
    else if (carried.type === 'words') {
      const { words, isWhole } = carried;
      const { patterns } = part;
      const plain: ShellPart = { words, patterns, redirects: [], assignments: [], carried: [] };
      const inner = withCarried(parser, isWhole ? plain : { ...plain, isOpen: true }, depth + 1);
      whole = { ...whole, carried: [...whole.carried, inner] };
    } else {
      const reading = readText(parser, carried.text, depth + 1);
      whole = reading.ok
        ? { ...whole, carried: [...whole.carried, ...reading.parts] }
        : {
            ...whole,
            hides:
              whole.hides ??
              `gives ${part.words[0]} a text that cannot be judged: ${reading.message}`,
          };
    }
  }
  return whole;
}

/** A program, and everything that it runs in addition to itself. */
export function withAllCarried(parts: readonly ShellPart[]): readonly ShellPart[] {
  return parts.flatMap((part) => [part, ...withAllCarried(part.carried)]);
}

/** Ends the reading of a command line; the message is the reason. */
class Unreadable extends Error {}

/** Each word is looked up on disk: more would take too long. */
const MOST_WORDS = 2_000;

function read({ rootNode }: Tree): readonly ShellPart[] {
  if (rootNode.hasError) throw new Unreadable(UNREADABLE);
  const parts = partsOf(rootNode);
  if (parts.length === 0) throw new Unreadable(UNREADABLE);
  const words = parts.reduce((sum, part) => sum + part.words.length, 0);
  if (words > MOST_WORDS) throw new Unreadable(`it has more than ${MOST_WORDS} words`);
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

/** Throws for a separator that bash rejects there, such as `;;`. */
function checkJoints({ children }: Node): void {
  for (const { isNamed, type } of children.map(present)) {
    if (!isNamed && !JOINTS.has(type)) throw new Unreadable(UNREADABLE);
  }
}

/** Throws when some text of a node is in none of its parts: the grammar has dropped it. */
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
  const patterns = new Map<string, string>();
  const redirects: Redirect[] = [];
  const assignments: Assignment[] = [];
  let end = -1;
  for (const child of node.children.map(present)) {
    // The grammar splits some words that bash keeps together.
    if (!child.isNamed || child.startIndex === end) throw new Unreadable(UNREADABLE);
    end = child.endIndex;
    if (child.type === 'file_redirect') redirects.push(...redirectOf(child));
    else if (child.type === 'variable_assignment') assignments.push(assignmentOf(child));
    else if (child.type === 'command_name') words.push(wordOf(present(child.namedChildren[0])));
    else {
      const word = wordOf(child, takesAnyOption(words));
      const pattern = patternIn(child);
      if (isPattern(pattern)) patterns.set(word, pattern);
      words.push(word);
    }
  }
  return { words, patterns, redirects, assignments, carried: [] };
}

/** Reads `NAME=value` before a program; throws for `+=`, an index or a list. */
function assignmentOf(node: Node): Assignment {
  const [name, value] = node.namedChildren.map(present);
  if (name?.type !== 'variable_name') throw unreadable(node);
  const written = node.text.slice(name.text.length);
  if (written === '=') return { name: name.text, value: '' };
  if (value === undefined || written !== `=${value.text}`) throw unreadable(node);
  return { name: name.text, value: wordOf(value) };
}

/** Reads `> file`; a stream copy such as `2>&1` names no file. */
function redirectOf(node: Node): readonly Redirect[] {
  if (node.type !== 'file_redirect') throw unreadable(node);
  // The grammar takes a word after the file for another file; bash gives it to the program.
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

/**
 * The word as the program gets it. Throws when the shell would replace it. `anyOption`: a file name that is read
 * as an option does no harm.
 */
function wordOf(node: Node, anyOption = false): string {
  switch (node.type) {
    case 'word':
    case 'number':
      checkPlain(node.text.replace(/\\./gs, '_'), anyOption);
      return node.text.replace(/\\(.)/g, '$1');
    case 'raw_string':
      return node.text.slice(1, -1);
    case 'string': {
      const others = node.namedChildren.filter((child) => child?.type !== 'string_content');
      if (others.length > 0) throw unreadable(present(others[0]));
      return node.text.slice(1, -1).replace(/\\([$`"\\])/g, '$1');
    }
    case 'concatenation': {
      // The place of a file name for `find`; the shell leaves it as it is.
      if (node.text === '{}') return node.text;
      if (node.namedChildren.map((child) => present(child).text).join('') !== node.text) {
        throw new Unreadable(UNREADABLE);
      }
      if (hasBraces(node)) throw new Unreadable(MORE_THAN_WORDS['brace_expression']);
      return node.namedChildren.map((child) => wordOf(present(child), anyOption)).join('');
    }
    default:
      throw unreadable(node);
  }
}

/** A word as a pattern of file names, with a backslash before each character of it that is quoted. */
function patternIn(node: Node): string {
  switch (node.type) {
    case 'word':
    case 'number':
      return node.text.replace(/\\([^*?[\\])/g, '$1');
    case 'concatenation':
      return node.namedChildren.map((child) => patternIn(present(child))).join('');
    default:
      return wordOf(node).replace(/[*?[\\]/g, '\\$&');
  }
}

function isPattern(text: string): boolean {
  return /[*?[]/.test(text.replace(/\\./gs, ''));
}

/** Throws when the shell replaces this word. `text` has no escaped characters. */
function checkPlain(text: string, anyOption: boolean): void {
  if (/[$`\s]/.test(text)) throw new Unreadable(UNREADABLE);
  if (/(^|[:=])~/.test(text)) throw new Unreadable('it names a home folder');
  // A match of a pattern may begin with a dash: someone could create a file that is read as an
  // option. After `--include=` every match is that option.
  if (!anyOption && /^(-[^=]*)?[*?[]/.test(text))
    throw new Unreadable('one of its patterns may match a file name that is read as an option');
}

/** `{a,b}` becomes two words; the grammar reads it as adjacent words. */
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
