import { z } from 'zod';
import type { Preparation, ToolOutput } from '../agent/tool';
import { recallList } from '../contextWindow/blockText';
import type { ContextWindow } from '../contextWindow/contextWindow';
import { failed, refused, succeeded } from './answers';
import { defineTool } from './defineTool';
import { makeLineSearch, makeLiteralSearch } from './lineSearch';
import { mediaUnder, textsOutside, textUnder } from './recallable';
import { searchRecallable } from './recallSearch';

const DEFAULT_CHARS = 8_000;
const MOST_CHARS = 50_000;
const LONGEST_PATTERN = 500;

export const recall = defineTool({
  name: 'recall',
  description:
    'Brings back text of this session that was shortened, cleared, compacted or evicted. handle is ' +
    "a tool call's id or a block's id, as the placeholder or the list names it; without handle, lists " +
    `everything that can be recalled. Answers at most limit characters (default ${DEFAULT_CHARS}, ` +
    `at most ${MOST_CHARS}) from offset on. With pattern, answers instead the lines that match it, ` +
    'with two lines around each: of that handle, or without one of everything that left, named by ' +
    'handle. Files may have changed since: read_file shows them as they are now.',
  input: z.strictObject({
    handle: z.string().optional().describe('What to bring back. Default: list what there is.'),
    offset: z.int().min(0).optional().describe('First character, counted from 0. Default 0.'),
    limit: z
      .int()
      .min(1)
      .max(MOST_CHARS)
      .optional()
      .describe(`Most characters to answer. Default ${DEFAULT_CHARS}.`),
    pattern: z
      .string()
      .min(1, 'must not be empty')
      .max(LONGEST_PATTERN)
      .optional()
      .describe('Text to search for, case-sensitive, line by line.'),
    is_regex: z
      .boolean()
      .optional()
      .describe('Read pattern as a JavaScript regular expression. Default false.'),
  }),
  async prepare({ handle, offset, limit, pattern, is_regex = false }, { window }) {
    const place = handle === undefined ? undefined : textUnder(window, handle);
    if (handle !== undefined && place === undefined) {
      return refused(`There is nothing with the handle "${handle}". ${listText(window)}`);
    }
    if (pattern !== undefined) {
      if (offset !== undefined || limit !== undefined) {
        return refused('recall was not run: offset and limit do not go with pattern.');
      }
      const texts = place === undefined ? textsOutside(window) : [place];
      return callOf(`The search for ${pattern}`, () => {
        if (texts.length === 0) return succeeded(listText(window));
        const search = is_regex
          ? makeLineSearch(pattern)
          : { ok: true as const, ...makeLiteralSearch(pattern) };
        if (!search.ok) return failed(search.message);
        const found = searchRecallable(texts, pattern, search);
        return found.ok ? succeeded(found.text) : failed(found.message);
      });
    }
    if (place === undefined) {
      return callOf('The list of what can be recalled', () => succeeded(listText(window)));
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

function callOf(deed: string, answer: () => ToolOutput): Preparation {
  return { ok: true, call: { deed, run: async () => answer() } };
}

function listText(window: ContextWindow): string {
  const list = recallList(window);
  return list === ''
    ? 'Everything of this session is whole in the context window.'
    : `These have left the context window in whole or in part:\n${list}`;
}

function partOf(handle: string, text: string, offset: number, limit: number): string {
  const start = isLowSurrogate(text, offset) ? offset + 1 : offset;
  const wanted = Math.min(start + limit, text.length);
  // A limit that would cut a character in two takes the whole of it.
  const end = isLowSurrogate(text, wanted) ? wanted + 1 : wanted;
  const more = end < text.length ? `; for more, call again with offset ${end}` : '';
  return `${handle}, characters ${start}-${end} of ${text.length}${more}\n${text.slice(start, end)}`;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}
