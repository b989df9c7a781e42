import { sentenceSpans } from '../sentences';
import { type Claim, claimsIn } from './claims';
import type { Evidence } from './evidence';

/** What a summary states, and what of it its sources do not show. */
interface Checked {
  /** The number of paths, names, numbers and quoted errors in it. */
  readonly claims: number;
  /** Those that its sources show nowhere, as written in the summary, each once. */
  readonly unfounded: readonly string[];
}

/** A sentence or list item that was removed from a summary, and what in it was not found. */
export interface RemovedText {
  readonly text: string;
  readonly unfounded: readonly string[];
}

/** Looks up every path, name, number, version and quoted error of a summary in its sources. */
export function checkSummary(summary: string, evidence: Evidence): Checked {
  const claims = new Map<string, Claim>();
  for (const { sentences } of linesOf(summary)) {
    for (const { text } of sentences) {
      for (const claim of claimsIn(text, evidence.isFolder))
        claims.set(claim.text.toLowerCase(), claim);
    }
  }
  const all = [...claims.values()];
  const unfounded = all.filter((claim) => !evidence.has(claim)).map(({ text }) => text);
  return { claims: all.length, unfounded };
}

/** A summary without what its sources do not show. */
interface Cleaned {
  readonly text: string;
  readonly removed: readonly RemovedText[];
}

/**
 * Removes the sentences that state something unfounded. A list item goes whole, with the items below
 * it, if its first sentence does; a heading goes with its section.
 */
export function withoutUnfounded(summary: string, evidence: Evidence): Cleaned {
  const removed: RemovedText[] = [];
  let text = summary;
  // The rest may parse differently, for example as one sentence.
  for (;;) {
    const cleaned = cleanedOnce(text, evidence);
    if (cleaned.removed.length === 0) return { text, removed };
    removed.push(...cleaned.removed);
    text = cleaned.text;
  }
}

function cleanedOnce(summary: string, evidence: Evidence): Cleaned {
  const lines = linesOf(summary);
  const removed: RemovedText[] = [];
  const kept: Line[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as Line;
    const bad = line.sentences.map((sentence) => unfoundedIn(sentence.text, evidence));
    const isBad = bad.some((claims) => claims.length > 0);
    if (!isBad) {
      kept.push(line);
      at += 1;
      continue;
    }
    // An item is about what its first sentence names; a paragraph loses its sentences one by one.
    const isAboutIt = line.isItem && (bad[0] ?? []).length > 0;
    if (line.level !== undefined || isAboutIt || bad.every((claims) => claims.length > 0)) {
      const end = endOf(lines, at);
      const gone = lines.slice(at, end);
      const claims = gone.flatMap(({ sentences }) =>
        sentences.flatMap(({ text }) => unfoundedIn(text, evidence)),
      );
      removed.push({ text: textOf(gone), unfounded: [...new Set(claims)] });
      at = end;
      continue;
    }
    for (const [index, claims] of bad.entries()) {
      const text = line.sentences[index]?.text ?? '';
      if (claims.length > 0) removed.push({ text, unfounded: claims });
    }
    const left = line.sentences.filter((_, index) => (bad[index] ?? []).length === 0);
    kept.push({ ...line, text: line.mark + left.map(({ text }) => text).join(' ') });
    at += 1;
  }
  if (removed.length === 0) return { text: summary, removed };
  return { text: textOf(withoutEmptySections(kept, lines)), removed };
}

function unfoundedIn(sentence: string, evidence: Evidence): readonly string[] {
  return claimsIn(sentence, evidence.isFolder)
    .filter((claim) => !evidence.has(claim))
    .map(({ text }) => text);
}

interface Line {
  readonly text: string;
  /** White space, the mark of a list or heading, and a check box. */
  readonly mark: string;
  readonly indent: number;
  readonly isItem: boolean;
  /** Of a heading: 1 for the highest; 7 for a label such as "Files:". */
  readonly level?: number;
  readonly sentences: readonly { readonly text: string }[];
}

const MARK = /^\s*(?:(?:[-*•+>]|\d{1,3}[.)]|#{1,6})\s+)*(?:\[[ xX]\]\s+)?/;
const LABEL_LEVEL = 7;

function linesOf(text: string): readonly Line[] {
  let isFenced = false;
  return text.split('\n').map((line): Line => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isFenced = !isFenced;
    const mark = isFenced || isFence ? '' : (MARK.exec(line)?.[0] ?? '');
    const content = line.slice(mark.length);
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    const hashes = /^\s*(#{1,6})\s/.exec(mark)?.[1];
    const isLabel = mark === '' && !isFenced && /^[A-Z][\w ]{0,40}:\s*$/.test(line);
    const level = hashes?.length ?? (isLabel ? LABEL_LEVEL : undefined);
    const end = line.length;
    const whole = isFenced ? [{ start: 0, end }] : sentenceSpans(line, { start: mark.length, end });
    // The mark of a fence stays, since the other one would open a fence of the rest.
    const spans = isFence || content.trim() === '' ? [] : whole;
    return {
      text: line,
      mark,
      indent,
      isItem: mark.trim() !== '' && hashes === undefined,
      ...(level === undefined ? {} : { level }),
      sentences: spans.map((span) => ({ text: line.slice(span.start, span.end) })),
    };
  });
}

/** Where that ends which belongs to a line: the section of a heading, the items below an item. */
function endOf(lines: readonly Line[], at: number): number {
  const { level, indent, isItem } = lines[at] as Line;
  if (level === undefined && !isItem) return at + 1;
  let end = at + 1;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] as Line;
    if (level !== undefined) {
      if (line.level !== undefined && line.level <= level) break;
    } else if (line.text.trim() !== '') {
      if (line.level !== undefined || line.indent <= indent) break;
    } else continue;
    end = next + 1;
  }
  return end;
}

/** Leaves out headings whose whole content was removed. */
function withoutEmptySections(kept: readonly Line[], before: readonly Line[]): readonly Line[] {
  const isEmpty = (lines: readonly Line[], at: number): boolean => {
    const level = lines[at]?.level ?? 0;
    for (const line of lines.slice(at + 1)) {
      if (line.text.trim() === '') continue;
      return line.level !== undefined && line.level <= level;
    }
    return true;
  };
  let lines = kept;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] as Line;
    if (line.level === undefined || !isEmpty(lines, at)) continue;
    if (!isEmpty(before, before.indexOf(line))) lines = lines.toSpliced(at, 1);
  }
  return lines;
}

function textOf(lines: readonly Line[]): string {
  return lines
    .map(({ text }) => text)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
