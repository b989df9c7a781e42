import type { RequestPart, RequestSection } from '../../../src/editor/contextPanel/request/state';

/** What of a request is shown, and how many search hits it has. */
export interface RequestSearch {
  readonly sections: readonly RequestSection[];
  readonly hits: number;
}

/** A piece of a text; `isHit` for a search hit. */
export interface TextPiece {
  readonly text: string;
  readonly isHit: boolean;
}

/** The pattern that finds the search text in any case; undefined while there is none. */
export function hitPattern(query: string): RegExp | undefined {
  const words = query.trim();
  return words === '' ? undefined : new RegExp(words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}

/**
 * Keeps the sections and parts in which `pattern` is found; a section whose title matches keeps all
 * its parts.
 */
export function searchRequest(
  sections: readonly RequestSection[],
  pattern: RegExp | undefined,
): RequestSearch {
  if (pattern === undefined) return { sections, hits: 0 };
  let hits = 0;
  const found = sections.flatMap((section) => {
    const inTitle = countHits(section.title, pattern);
    const parts = section.parts.map((part) => ({ part, hits: hitsIn(part, pattern) }));
    const inParts = parts.reduce((sum, part) => sum + part.hits, 0);
    hits += inTitle + inParts;
    if (inTitle > 0) return [section];
    if (inParts === 0) return [];
    return [{ ...section, parts: parts.flatMap((each) => (each.hits > 0 ? [each.part] : [])) }];
  });
  return { sections: found, hits };
}

/** Counts how often the pattern is in a text. */
export function countHits(text: string, pattern: RegExp): number {
  let count = 0;
  for (const match of text.matchAll(pattern)) count += match.length > 0 ? 1 : 0;
  return count;
}

/** Cuts a text at its hits; the pieces make up the text. */
export function piecesOf(text: string, pattern: RegExp | undefined): readonly TextPiece[] {
  if (pattern === undefined) return [{ text, isHit: false }];
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isHit: false });
    pieces.push({ text: match[0], isHit: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHit: false });
  return pieces;
}

function hitsIn({ title, text }: RequestPart, pattern: RegExp): number {
  return countHits(title, pattern) + countHits(text, pattern);
}
