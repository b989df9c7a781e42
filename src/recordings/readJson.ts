import { printParseErrorCode, visit } from 'jsonc-parser';
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';
import { refused } from '../contextWindow/result';
import type { TranscriptFormat } from '../sessions/transcript';
import type { LeftOut, Read } from './recordedItem';

/** One line of a recording; `line` counts from 1. */
export interface JsonLine {
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The path of a value in a JSON text: keys and indices. */
export type JsonPath = readonly PropertyKey[];

/** The value of a recording that is one JSON value. */
export interface JsonValue {
  readonly value: unknown;
  /**
   * Finds the line, counted from 1, where the value under a path begins; if part of the path does
   * not exist, the line of its nearest parent.
   */
  lineOf(path: JsonPath): number;
}

/** Far above any real tool input; anything nested deeper cannot be written as JSON again. */
const MOST_LEVELS = 500;
const TOO_DEEP = `its JSON is nested more than ${MOST_LEVELS} levels deep, as no recording is.`;

/** Reads a text that is one JSON value. */
export function readJson(text: string): Read<JsonValue> {
  if (isTooDeep(text)) return refused(TOO_DEEP);
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value: { value, lineOf: (path) => lineOfPath(text, path) } };
  } catch (error) {
    const problem = findJsonProblem(text);
    if (problem === undefined) return refused(String(error));
    const where = `line ${problem.line}, column ${problem.column}: ${problem.what}`;
    return problem.isCut
      ? refused(`${where}; the file was cut off. Record or copy it again.`)
      : refused(`${where}; it is not JSON from there on. Repair it there.`);
  }
}

/**
 * Reads a text with one JSON object on each line; skips empty lines. Leaves out and reports a line
 * that is not an object.
 */
export function readJsonLines(text: string, leftOut: LeftOut): readonly JsonLine[] {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const isDeep = isTooDeep(line);
    const value = isDeep ? undefined : parsed(line);
    if (isObject(value)) return [{ line: index + 1, value }];
    leftOut.addUnreadable(
      `line ${index + 1}`,
      isDeep ? TOO_DEEP : lineProblem(line, index === last),
    );
    return [];
  });
}

/** Parses a text, without the mark that some editors begin a file with; undefined when it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** Counts brackets outside of strings; meaningless if the text is not JSON. */
export function isTooDeep(text: string): boolean {
  let levels = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) {
      if (code === BACKSLASH) at += 1;
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      levels += 1;
      if (levels > MOST_LEVELS) return true;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) levels -= 1;
  }
  return false;
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const [OPENING_BRACE, CLOSING_BRACE] = ['{'.charCodeAt(0), '}'.charCodeAt(0)];
const [OPENING_BRACKET, CLOSING_BRACKET] = ['['.charCodeAt(0), ']'.charCodeAt(0)];

/**
 * Leaves out an incomplete last line of a recording with one object on each line, because its agent
 * is still writing it. Leaves other recordings unchanged.
 */
export function withoutTornLine(text: string): string {
  const end = text.lastIndexOf('\n');
  const last = text.slice(end + 1);
  if (end === -1 || last.trim() === '' || parsed(last) !== undefined) return text;
  return hasObjectLines(text) ? text.slice(0, end + 1) : text;
}

/**
 * Says whether a text that is not one JSON value is meant to have a JSON object on each line: its
 * first or second line is one, or half of its first lines are, whatever is wrong with the others.
 */
export function hasObjectLines(text: string): boolean {
  const lines = text.split('\n', 50).filter((line) => line.trim() !== '');
  // One value over several lines opens a bracket that its first line does not close.
  if (lines.length < 2 || /[[{]\s*$/.test(lines[0] ?? '')) return false;
  const objects = lines.map((line) => isObject(parsed(line)));
  const held = objects.filter((isHeld) => isHeld).length;
  return objects[0] === true || objects[1] === true || held * 2 >= lines.length;
}

function lineOfPath(text: string, path: JsonPath): number {
  let line = 1;
  const begin = (startLine: number, at: JsonPath) => {
    const isOnPath =
      at.length <= path.length && at.every((key, depth) => String(key) === String(path[depth]));
    // If two values have one key, the later one was read.
    if (isOnPath) line = startLine + 1;
  };
  visit(text, {
    onObjectBegin: (_offset, _length, startLine, _column, at) => begin(startLine, at()),
    onArrayBegin: (_offset, _length, startLine, _column, at) => begin(startLine, at()),
    onLiteralValue: (_value, _offset, _length, startLine, _column, at) => begin(startLine, at()),
  });
  return line;
}

/** Says why a line is not a JSON object; its nesting is within the limit. */
function lineProblem(line: string, isLast: boolean): string {
  const problem = findJsonProblem(line.trimEnd());
  if (problem === undefined) return 'it is not a JSON object.';
  if (isLast && problem.isCut) {
    return `it was cut off while it was written (${line.length} characters).`;
  }
  return `column ${problem.column}: ${problem.what}; it is not JSON.`;
}

/** Where a text stops being JSON; line and column count from 1. */
interface JsonProblem {
  readonly line: number;
  readonly column: number;
  /** True if all of it is JSON and only the end is missing. */
  readonly isCut: boolean;
  /** For example `unexpected "}" where a value should be`. */
  readonly what: string;
}

/** The problem, by the parser's name for it. */
const WRONG: Readonly<Record<string, string>> = {
  InvalidEscapeCharacter: 'a text with a bad escape',
  InvalidUnicode: 'a text with a bad escape',
  InvalidCharacter: 'a text with a control character',
  UnexpectedEndOfString: 'a text that does not end on its line',
  UnexpectedEndOfNumber: 'a number that is not whole',
  InvalidCommentToken: 'a comment, which JSON does not have',
};

/** What the parser expected, by its name for the problem. */
const EXPECTED: Readonly<Record<string, string>> = {
  ValueExpected: 'a value',
  PropertyNameExpected: 'a name in quotes',
  ColonExpected: 'a colon',
  CommaExpected: 'a comma or a closing bracket',
  EndOfFileExpected: 'the end',
};

/** Longest quote of a recording in a message; characters. */
const LONGEST_QUOTE = 40;

/** Stops the parser at the first problem, since after it the parser only guesses. */
const FOUND = new Error('The first problem was found.');

/**
 * Finds where a text stops being JSON; undefined when it is JSON. The text is not too deep.
 *
 * The engine's own message has a position only sometimes, and never a line in the editor's Node.
 */
function findJsonProblem(text: string): JsonProblem | undefined {
  let problem: JsonProblem | undefined;
  try {
    visit(
      text,
      {
        onError: (code, offset, length, startLine, startCharacter) => {
          const token = text.slice(offset, offset + length);
          const isLast = offset + length === text.length;
          problem = {
            line: startLine + 1,
            column: startCharacter + 1,
            ...problemOf(printParseErrorCode(code), token, isLast),
          };
          throw FOUND;
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (error !== FOUND) throw error;
  }
  return problem;
}

/**
 * Says what is wrong with a token, and whether only its end is missing; `isLast`: the token ends
 * the text.
 */
function problemOf(
  error: string,
  token: string,
  isLast: boolean,
): Pick<JsonProblem, 'isCut' | 'what'> {
  if (token === '') return { isCut: true, what: 'it ends too early' };
  if (error === 'UnexpectedEndOfString' && isLast) {
    return { isCut: true, what: 'a text that never ends' };
  }
  const wrong = WRONG[error];
  if (wrong !== undefined)
    return { isCut: isLast && error === 'UnexpectedEndOfNumber', what: wrong };
  const quote = JSON.stringify(token.slice(0, LONGEST_QUOTE));
  const expected = EXPECTED[error];
  const where = expected === undefined ? '' : ` where ${expected} should be`;
  const isFragment = ['-', 'true', 'false', 'null'].some((word) => word.startsWith(token));
  return {
    isCut: isLast && error === 'InvalidSymbol' && isFragment,
    what: `unexpected ${quote}${where}`,
  };
}

// Makes zod describe the fields that fail in English.
z.config(en());

/** Checks a value against a schema; `where` begins the message about a problem. */
export function shaped<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  where: string | ((path: JsonPath) => string),
): Read<z.output<S>> {
  const checked = schema.safeParse(value);
  if (checked.success) return { ok: true, value: checked.data };
  const { path, problem } = shapeProblem(checked.error);
  return refused(`${typeof where === 'string' ? where : where(path)}: ${problem}`);
}

/**
 * Checks one line or message of a recording against a schema; leaves out and reports one that does
 * not fit. `place` names it, for example `line 12`; `within` names the checked part of it.
 */
export function shapedPart<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  { leftOut, place, within }: { leftOut: LeftOut; place: string; within?: string },
): z.output<S> | undefined {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const { problem } = shapeProblem(checked.error);
  leftOut.addUnreadable(place, within === undefined ? problem : `${within}: ${problem}`);
  return undefined;
}

export function placeOf(line: number, { leftOut }: { readonly leftOut: LeftOut }) {
  return { leftOut, place: `line ${line}` };
}

/** The problem and its path. */
function shapeProblem({ issues: [issue] }: z.core.$ZodError): {
  readonly path: JsonPath;
  readonly problem: string;
} {
  const { path, message } =
    issue === undefined ? { path: [], message: 'not what was expected' } : mostExact(issue);
  const field = path.length === 0 ? '' : `${path.join('.')}: `;
  return { path, problem: `${field}${message}. Repair it there.` };
}

/** Checks the one value of a file; a list stands for an object with the list as its messages. */
export function shapedFile<S extends z.ZodMiniType>(
  schema: S,
  { value, lineOf }: JsonValue,
  format: TranscriptFormat,
): Read<z.output<S>> {
  const isList = Array.isArray(value);
  return shaped(schema, isList ? { messages: value } : value, (path) => {
    const line = lineOf(isList ? path.slice(1) : path);
    return `line ${line}, as ${recordingOf(format)}`;
  });
}

/** For a value that matches no kind: the problem it has as the closest kind. */
function mostExact(issue: z.core.$ZodIssue): { readonly path: JsonPath; readonly message: string } {
  if (issue.code !== 'invalid_union') return issue;
  const [nearest] = issue.errors
    .flatMap(([first]) => (first === undefined ? [] : [mostExact(first)]))
    .toSorted((a, b) => b.path.length - a.path.length);
  if (nearest === undefined || nearest.path.length === 0) return issue;
  return { path: [...issue.path, ...nearest.path], message: nearest.message };
}

/** Names a recording of a format in a sentence, for example `a pi recording`. */
export function recordingOf(format: TranscriptFormat): string {
  return `${/^[aeiou]/.test(format) ? 'an' : 'a'} ${format} recording`;
}
