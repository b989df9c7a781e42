import { findJsonProblem } from './jsonProblem';
import type { JsonPath } from './lineOfPath';
import type { Read } from './recordedItem';

/** One line of a recording; `line` counts from 1. */
export interface JsonLine {
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The value of a recording that is one JSON value. */
export interface JsonValue {
  readonly value: unknown;
  /** The line, counted from 1, on which what stands under a path of it begins. */
  lineOf(path: JsonPath): number;
}

/** Far above any real tool input; what nests deeper cannot be written as JSON again. */
const MOST_LEVELS = 500;
const TOO_DEEP = `its JSON is nested more than ${MOST_LEVELS} levels deep, as no recording is.`;

/** Reads a text that is one JSON value. */
export function readJson(text: string): Read<unknown> {
  if (isTooDeep(text)) return { ok: false, message: TOO_DEEP };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const problem = findJsonProblem(text);
    if (problem === undefined) return { ok: false, message: String(error) };
    const where = `line ${problem.line}, column ${problem.column}: ${problem.what}`;
    return problem.isCut
      ? { ok: false, message: `${where}; the file was cut off. Record or copy it again.` }
      : { ok: false, message: `${where}; it is not JSON from there on. Repair it there.` };
  }
}

/** Reads a text with one JSON object on each line; empty lines are skipped. */
export function readJsonLines(text: string): Read<readonly JsonLine[]> {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const read: JsonLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    if (isTooDeep(line)) return { ok: false, message: `line ${index + 1}: ${TOO_DEEP}` };
    const value = parsed(line);
    if (!isObject(value)) {
      return { ok: false, message: lineProblem(line, index + 1, index === last) };
    }
    read.push({ line: index + 1, value });
  }
  return { ok: true, value: read };
}

/** Says whether a value is a JSON object, neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses a text; undefined when it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lineProblem(line: string, number: number, isLast: boolean): string {
  const problem = findJsonProblem(line);
  if (problem === undefined) {
    return `line ${number}: it is not a JSON object. Remove the line, or name the format it is in.`;
  }
  if (isLast && problem.isCut) {
    return (
      `line ${number}: it was cut off while it was written (${line.length} characters). ` +
      'Remove this last line to read the rest.'
    );
  }
  return `line ${number}, column ${problem.column}: ${problem.what}; it is not JSON. Repair or remove the line.`;
}

/** Counts the brackets outside of texts; of what is no JSON it may say anything. */
function isTooDeep(text: string): boolean {
  let levels = 0;
  for (const [token] of text.matchAll(/[{[]|[}\]]|"[^"\\]*(?:\\[^][^"\\]*)*"/g)) {
    if (token === '{' || token === '[') levels += 1;
    else if (token === '}' || token === ']') levels -= 1;
    if (levels > MOST_LEVELS) return true;
  }
  return false;
}

/**
 * Leaves out the last line of a recording with one object on each line while that line is not whole:
 * its agent is writing it. A recording of any other form is left as it is.
 */
export function withoutTornLine(text: string): string {
  const end = text.lastIndexOf('\n');
  const last = text.slice(end + 1);
  if (end === -1 || last.trim() === '' || parsed(last) !== undefined) return text;
  const first = text.split('\n', 50).find((line) => line.trim() !== '');
  return first !== undefined && isObject(parsed(first)) ? text.slice(0, end + 1) : text;
}
