import { createTwoFilesPatch } from 'diff';
import { refused, type Result } from '../../contextWindow/result';
import { linesOf, mainLineBreak, withPlainBreaks } from './textLines';

/** Most matches that one edit looks at. */
const MOST_PLACES = 100_000;

/** An exact replacement that the model asks for. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/** `lines` are the lines in the text before on which the replacements begin, counted from 1. */
type EditResult = Result<{ readonly after: string; readonly lines: readonly number[] }>;

/**
 * Replaces a text that occurs exactly once, or everywhere on request; otherwise explains why it
 * cannot.
 */
export function editText(text: string, { oldText, newText, replaceAll }: Replacement): EditResult {
  if (oldText === '') {
    return refused(
      'old_text is empty: give the text to replace, or use create_file for a new file.',
    );
  }
  if (withPlainBreaks(oldText) === withPlainBreaks(newText)) {
    return refused('old_text and new_text are the same.');
  }
  const found = findText(text, oldText);
  if (found.length === 0)
    return refused(`old_text was not found. ${nearMiss(text, oldText, newText)}`);
  if (found.length > MOST_PLACES) {
    return refused(`old_text occurs more than ${MOST_PLACES} times: give a longer one.`);
  }
  if (found.length > 1 && !replaceAll) {
    return refused(
      `old_text occurs ${found.length} times, on lines ${someLines(found)}. ` +
        'Add lines around it until it is unique, or set replace_all.',
    );
  }
  const places = withoutOverlaps(found);
  const lineBreak = mainLineBreak(text);
  let after = '';
  let done = 0;
  for (const { start, end } of places) {
    after += text.slice(done, start) + withBreaksOf(text.slice(start, end), newText, lineBreak);
    done = end;
  }
  return { ok: true, after: after + text.slice(done), lines: places.map(({ line }) => line) };
}

/**
 * Makes several replacements in order, each in the result of the one before; all or none. `lines`
 * are counted in the text that each one found.
 */
export function editTexts(text: string, replacements: readonly Replacement[]): EditResult {
  let after = text;
  const lines: number[] = [];
  for (const [index, replacement] of replacements.entries()) {
    const edit = editText(after, replacement);
    if (!edit.ok) {
      const which = `edit ${index + 1} of ${replacements.length}, so no edit was made: `;
      return replacements.length === 1 ? edit : refused(`${which}${edit.message}`);
    }
    after = edit.after;
    lines.push(...edit.lines);
  }
  if (after === text) return refused('the edits together change nothing.');
  return { ok: true, after, lines };
}

/** Gives the new text the line breaks of the text it replaces, or else of the file. */
function withBreaksOf(replaced: string, newText: string, ofFile: '\n' | '\r\n'): string {
  const windows = replaced.includes('\n') ? replaced.includes('\r\n') : ofFile === '\r\n';
  return windows ? withPlainBreaks(newText).replaceAll('\n', '\r\n') : newText;
}

function someLines(found: readonly Occurrence[]): string {
  const lines = found.slice(0, 10).map(({ line }) => String(line));
  const left = found.length - lines.length;
  return left > 0 ? `${lines.join(', ')} and ${left} more` : lines.join(', ');
}

/** Most lines of the file quoted in an explanation. */
const MOST_QUOTED = 20;

/** Most lines compared for similarity, and most characters of each. */
const MOST_COMPARED = 5_000;
const LONGEST_COMPARED = 300;

/** Below this share of common letter pairs, a line is not similar; 0..1. */
const CLOSE = 0.5;

/** Explains why a text was not found: quotes similar text of the file, if there is any. */
function nearMiss(text: string, wanted: string, replacement: string): string {
  const lines = linesOf(text);
  return (
    pastedNumbers(text, wanted) ??
    otherWhitespace(lines, wanted) ??
    alreadyDone(text, replacement) ??
    firstLineOnly(lines, wanted) ??
    closestLine(lines, wanted) ??
    'The file has nothing similar: read it again.'
  );
}

function pastedNumbers(text: string, wanted: string): string | undefined {
  const lines = linesOf(wanted);
  if (!lines.every((line) => /^\s*\d+\t/.test(line))) return undefined;
  const bare = lines.map((line) => line.replace(/^\s*\d+\t/, '')).join('\n');
  return findText(text, bare).length === 0
    ? undefined
    : 'It was found without the line numbers that read_file puts before each line: leave them out.';
}

function otherWhitespace(lines: readonly string[], wanted: string): string | undefined {
  const sought = linesOf(wanted.trim()).map(collapse);
  const flat = lines.map(collapse);
  const [at] = occurrences(flat, sought, 1);
  if (at === undefined) return undefined;
  const range = sought.length === 1 ? `line ${at + 1}` : `lines ${at + 1}-${at + sought.length}`;
  return (
    `It differs only in whitespace from ${range}; the file has exactly:\n` +
    quote(lines.slice(at, at + sought.length))
  );
}

function alreadyDone(text: string, replacement: string): string | undefined {
  const [first] = replacement.trim().length < 4 ? [] : findText(text, replacement);
  return first === undefined
    ? undefined
    : `new_text is already there, on line ${first.line}: the edit may already have been made.`;
}

function firstLineOnly(lines: readonly string[], wanted: string): string | undefined {
  const sought = linesOf(wanted.trim()).map(collapse);
  const at = sought.length < 2 ? -1 : lines.findIndex((line) => collapse(line) === sought[0]);
  if (at === -1) return undefined;
  const differing = sought.findIndex((line, index) => collapse(lines[at + index] ?? '') !== line);
  return (
    `Its first line is line ${at + 1}, but from line ${at + differing + 1} on the file differs; it has:\n` +
    quote(lines.slice(at, at + sought.length))
  );
}

function closestLine(lines: readonly string[], wanted: string): string | undefined {
  const sought = linesOf(wanted)
    .map((line) => collapse(line.slice(0, LONGEST_COMPARED)))
    .reduce((longest, line) => (line.length > longest.length ? line : longest), '');
  const pairs = letterPairs(sought);
  let best = { likeness: CLOSE, at: -1 };
  for (const [at, line] of lines.slice(0, MOST_COMPARED).entries()) {
    const likeness = likenessOf(pairs, letterPairs(collapse(line.slice(0, LONGEST_COMPARED))));
    if (likeness > best.likeness) best = { likeness, at };
  }
  const line = lines[best.at];
  return line === undefined
    ? undefined
    : `The closest line is line ${best.at + 1}:\n${quote([line])}`;
}

function letterPairs(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** Share of common letter pairs (Dice coefficient), 0..1. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of one) if (other.has(pair)) common++;
  return one.size + other.size === 0 ? 0 : (2 * common) / (one.size + other.size);
}

function collapse(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function quote(lines: readonly string[]): string {
  const shown = lines.slice(0, MOST_QUOTED).map((line) => line.slice(0, 500));
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [`(${left} more lines)`] : [])].join('\n');
}

/** A match; offsets in the original text, lines counted from 1. */
interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/**
 * Finds every match, overlapping ones included, up to one more than the limit; only the kind of
 * line break may differ.
 */
function findText(text: string, wanted: string): readonly Occurrence[] {
  const plain = withPlainBreaks(text);
  const sought = withPlainBreaks(wanted);
  const offset = offsetsOf(text, plain);
  const found: Occurrence[] = [];
  let line = 1;
  let counted = 0;
  for (const at of occurrences(plain, sought, MOST_PLACES + 1)) {
    for (; counted < at; counted++) if (plain[counted] === '\n') line++;
    found.push({ start: offset(at), end: offset(at + sought.length), line });
  }
  return found;
}

/** Drops every match that overlaps the one before it. */
function withoutOverlaps(found: readonly Occurrence[]): readonly Occurrence[] {
  let end = 0;
  return found.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

/** Converts an offset in the text with plain line breaks to an offset in the original text. */
function offsetsOf(text: string, plain: string): (plainOffset: number) => number {
  if (text.length === plain.length) return (plainOffset) => plainOffset;
  const offsets = new Uint32Array(plain.length + 1);
  let at = 0;
  for (let index = 0; index < plain.length; index++) {
    offsets[index] = at;
    at += plain[index] === '\n' && text[at] === '\r' ? 2 : 1;
  }
  offsets[plain.length] = at;
  return (plainOffset) => offsets[plainOffset] ?? text.length;
}

/**
 * Where a sequence of characters or lines occurs in another, overlapping matches included, up to
 * `most` of them (Knuth, Morris and Pratt). Takes linear time: trying each position takes hours for
 * the thousand equal lines that a model may send.
 */
export function occurrences<T extends string | readonly string[]>(
  whole: T,
  sought: T,
  most: number,
): readonly number[] {
  if (sought.length === 0) return [];
  const backs = backsOf(sought);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < whole.length && found.length < most; at += 1) {
    while (matched > 0 && whole[at] !== sought[matched]) matched = backs[matched - 1] ?? 0;
    if (whole[at] === sought[matched]) matched += 1;
    if (matched === sought.length) {
      found.push(at - matched + 1);
      matched = backs[matched - 1] ?? 0;
    }
  }
  return found;
}

/** For each prefix of a sequence, the length of its longest suffix that is also a prefix. */
function backsOf(sought: string | readonly string[]): Uint32Array {
  const backs = new Uint32Array(sought.length);
  let matched = 0;
  for (let at = 1; at < sought.length; at += 1) {
    while (matched > 0 && sought[at] !== sought[matched]) matched = backs[matched - 1] ?? 0;
    if (sought[at] === sought[matched]) matched += 1;
    backs[at] = matched;
  }
  return backs;
}

/** Longest diff in a result, characters. */
const LONGEST = 4_000;

/** Tells the model how the user changed its proposal, as a unified diff. */
export function revisedText(edit: {
  readonly path: string;
  readonly proposed: string;
  readonly written: string;
}): string {
  const { path, proposed, written } = edit;
  const patch = createTwoFilesPatch('proposed', 'written', proposed, written, '', '', {
    context: 2,
  });
  // Without the line of equals signs at its start.
  const lines = patch.slice(patch.indexOf('--- '));
  const shown =
    lines.length > LONGEST
      ? `${lines.slice(0, LONGEST)}\n[The rest of the diff is left out: read ${path}.]`
      : lines;
  return `The user changed the proposal before approving it. The written text differs from it:\n${shown}`;
}
