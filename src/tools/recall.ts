import * as z from 'zod/mini';
import type { Preparation, ToolOutput, Media } from '../agent/tool';
import { recallList, recallText } from '../contextWindow/blockText';
import { type ContextWindow, findBlock } from '../contextWindow/window';
import { failed, succeeded, defineTool } from './defineTool';
import {
  makeLineSearch,
  makeLiteralSearch,
  type LineMatch,
  type LineSearch,
} from './search/lineSearch';
import { refused, type Result } from '../contextWindow/result';
import { excerpt } from './files/textLines';
import {
  isInWindow,
  type Block,
  type BlockId,
  type StepBlock,
  blockHandle,
  resultHandle,
} from '../contextWindow/block';
import { labelOf, labelOfCall } from '../contextWindow/label';

const DEFAULT_CHARS = 8_000;
const MOST_CHARS = 50_000;
const LONGEST_PATTERN = 500;

export const recall = defineTool({
  name: 'recall',
  description:
    'Returns text of this session that was shortened, cleared, summarised or evicted. handle is ' +
    "a tool call's id or a block's id from the placeholder or the list; without handle, lists " +
    `everything that can be recalled. Returns at most limit characters (default ${DEFAULT_CHARS}, ` +
    `at most ${MOST_CHARS}) from offset on. With pattern, returns instead the lines that match it, ` +
    'with two lines around each: in that handle, or without handle in everything removed, grouped by ' +
    'handle. Files may have changed since: read_file shows their current version.',
  brief:
    'Returns removed text of this session by the handle in its placeholder; without handle, a list. ' +
    'With pattern, only the lines that contain it.',
  input: z.strictObject({
    handle: z.optional(z.string()).check(z.describe('What to recall. Default: list everything.')),
    offset: z
      .optional(z.int().check(z.minimum(0)))
      .check(z.describe('First character, counted from 0. Default 0.')),
    limit: z
      .optional(z.int().check(z.minimum(1), z.maximum(MOST_CHARS)))
      .check(z.describe(`Most characters to return. Default ${DEFAULT_CHARS}.`)),
    pattern: z
      .optional(z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(LONGEST_PATTERN)))
      .check(z.describe('Text to search for, case-sensitive, line by line.')),
    is_regex: z
      .optional(z.boolean())
      .check(z.describe('Read pattern as a JavaScript regular expression. Default false.')),
  }),
  async prepare({ handle, offset, limit, pattern, is_regex = false }, { window }) {
    const place = handle === undefined ? undefined : textUnder(window, handle);
    if (handle !== undefined && place === undefined) {
      return refused(`The handle "${handle}" does not exist. ${listText(window)}`);
    }
    if (pattern !== undefined) {
      if (offset !== undefined || limit !== undefined) {
        return refused('recall was not run: offset and limit cannot be combined with pattern.');
      }
      const texts = place === undefined ? textsOutside(window) : [place];
      return callOf(`The search for ${pattern}`, () => {
        if (texts.length === 0) return succeeded(listText(window));
        const search = is_regex
          ? makeLineSearch(pattern)
          : { ok: true as const, ...makeLiteralSearch(pattern) };
        if (!search.ok) return failed(search.message);
        const found = searchRecallable(texts, pattern, search);
        if (!found.ok) return failed(found.message);
        return { ...succeeded(found.text), recalled: found.handles };
      });
    }
    if (place === undefined) {
      return callOf('The list of recallable texts', () => succeeded(listText(window)));
    }
    const { text } = place;
    const start = offset ?? 0;
    if (start > 0 && start >= text.length) {
      return refused(
        `${place.handle} has ${text.length} characters; offset ${start} is past its end.`,
      );
    }
    const media = start === 0 ? mediaUnder(window, place.handle) : [];
    return callOf(`The recall of ${place.handle}`, () => ({
      ...succeeded(partOf(place.handle, text, start, limit ?? DEFAULT_CHARS)),
      ...(media.length === 0 ? {} : { attachments: media }),
    }));
  },
});

function callOf(action: string, answer: () => ToolOutput): Preparation {
  return { ok: true, call: { action, run: async () => answer() } };
}

function listText(window: ContextWindow): string {
  const list = recallList(window);
  return list === ''
    ? 'Nothing was removed: the whole session is in the context window.'
    : `These were removed from the context window in whole or in part:\n${list}`;
}

function partOf(handle: string, text: string, offset: number, limit: number): string {
  const start = isLowSurrogate(text, offset) ? offset + 1 : offset;
  const wanted = Math.min(start + limit, text.length);
  // Includes a character that the limit would split.
  const end = isLowSurrogate(text, wanted) ? wanted + 1 : wanted;
  const more = end < text.length ? `; for more, call again with offset ${end}` : '';
  return `${handle}, characters ${start}-${end} of ${text.length}${more}\n${text.slice(start, end)}`;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Most matching lines that one search returns, and the lines shown around each. */
const MOST_MATCHES = 50;
const AROUND = 2;

/** Searches texts and returns the matching lines with context, grouped by handle. */
function searchRecallable(
  texts: readonly Recallable[],
  pattern: string,
  search: LineSearch,
): Result<{ readonly text: string; readonly handles: readonly string[] }> {
  const places = texts.map((text) => ({ ...text, lines: text.text.split('\n') }));
  // Search all texts together, so that the pattern's time limit applies to the whole search.
  const matches = search.matchesIn(places.flatMap(({ lines }) => lines));
  if (matches === 'tooSlow') {
    return refused('The pattern takes too long; use a simpler one, or a literal.');
  }
  const quoted = JSON.stringify(pattern);
  if (matches.length === 0) {
    const where = texts.map(({ handle }) => handle).join(', ');
    return { ok: true, text: `No matches for ${quoted} in ${where}.`, handles: [] };
  }
  const shown = matches.slice(0, MOST_MATCHES);
  const more = matches.length > shown.length ? `; the first ${shown.length} are shown` : '';
  const lines = matches.length === 1 ? '1 line matches' : `${matches.length} lines match`;
  const found: string[] = [];
  const handles: string[] = [];
  let before = 0;
  for (const place of places) {
    const own = shown
      .map((match) => ({ ...match, line: match.line - before }))
      .filter(({ line }) => line >= 1 && line <= place.lines.length);
    before += place.lines.length;
    if (own.length === 0) continue;
    found.push(drawPlace(place, own));
    handles.push(place.handle);
  }
  return { ok: true, text: [`${lines} ${quoted}${more}.`, ...found].join('\n\n'), handles };
}

type Place = Recallable & { readonly lines: readonly string[] };

/** As in grep: `12:` before a match, `12-` before context, `--` for a gap. */
function drawPlace({ handle, label, lines }: Place, matches: readonly LineMatch[]): string {
  const matchOn = new Map(matches.map((match) => [match.line, match]));
  const wanted = new Set<number>();
  for (const { line } of matches) {
    for (let near = line - AROUND; near <= line + AROUND; near++) {
      if (near >= 1 && near <= lines.length) wanted.add(near);
    }
  }
  const drawn: string[] = [];
  let last = 0;
  for (const line of [...wanted].toSorted((a, b) => a - b)) {
    if (last > 0 && line > last + 1) drawn.push('--');
    const match = matchOn.get(line);
    const text = excerpt((lines[line - 1] ?? '').replace(/\r$/, ''), match?.at ?? 0);
    drawn.push(`${line}${match === undefined ? '-' : ':'}${text}`);
    last = line;
  }
  const line = matches[0]?.line ?? 1;
  const offset = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const name = label === '' ? handle : `${handle} (${label})`;
  return [`${name}: line ${line} begins at offset ${offset}`, ...drawn].join('\n');
}

/** A recallable text with its handle. */
interface Recallable {
  readonly handle: string;
  readonly label: string;
  readonly text: string;
}

/**
 * Every text that is not whole in the window, oldest first. Summaries are left out, because the
 * texts they replace are listed.
 */
function textsOutside(window: ContextWindow): readonly Recallable[] {
  return window.blocks.flatMap((block): readonly Recallable[] => {
    if (block.state === 'whole' || block.state === 'undone') return [];
    // Excerpts repeat texts of other blocks or files.
    if (block.kind === 'summary' || block.kind === 'excerpts') return [];
    if (block.kind === 'step') return textsOfStep(block);
    return [{ handle: blockHandle(block.id), label: labelOf(block), text: block.text }];
  });
}

function textsOfStep(step: StepBlock): readonly Recallable[] {
  const said = step.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  const gone = !isInWindow(step);
  const results = step.pairs.flatMap(({ use, result, cleared }) =>
    result !== undefined && (gone || cleared || result.admission.form === 'truncated')
      ? [{ handle: resultHandle(use.id), label: labelOfCall(use), text: result.text }]
      : [],
  );
  const reply = { handle: blockHandle(step.id), label: `reply of step ${step.step}`, text: said };
  return gone && said !== '' ? [reply, ...results] : results;
}

/** The whole text of a handle. */
function textUnder(window: ContextWindow, handle: string): Recallable | undefined {
  const text = recallText(window, handle);
  return text === undefined ? undefined : { handle, label: '', text };
}

/** The images and documents of a handle. */
function mediaUnder(window: ContextWindow, handle: string): readonly Media[] {
  const block = findBlock(window, handle as BlockId);
  const attachments = block === undefined ? mediaOfCall(window, handle) : mediaOfBlock(block);
  return attachments.map(({ type, mediaType, data }) => ({ type, mediaType, data }));
}

function mediaOfBlock(block: Block) {
  switch (block.kind) {
    case 'anchor':
    case 'prompt':
      return block.attachments ?? [];
    case 'step':
      return block.pairs.flatMap(({ result }) => result?.attachments ?? []);
    case 'summary':
    case 'note':
    case 'excerpts':
      return [];
  }
}

function mediaOfCall({ blocks }: ContextWindow, handle: string) {
  const pairs = blocks.flatMap((block) => (block.kind === 'step' ? block.pairs : []));
  return pairs.find(({ use }) => use.id === handle)?.result?.attachments ?? [];
}
