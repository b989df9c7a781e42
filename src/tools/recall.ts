import { z } from 'zod';
import { recallList, recallText } from '../contextWindow/blockText';
import type { ContextWindow } from '../contextWindow/contextWindow';
import { refused, succeeded } from './answers';
import { defineTool } from './defineTool';

const DEFAULT_CHARS = 8_000;
const MOST_CHARS = 50_000;

export const recall = defineTool({
  name: 'recall',
  description:
    'Brings back text of this session that was shortened, cleared, compacted or evicted. handle is ' +
    "a tool call's id or a block's id, as the placeholder or the list names it; without handle, lists " +
    `everything that can be recalled. Answers at most limit characters (default ${DEFAULT_CHARS}, ` +
    `at most ${MOST_CHARS}) from offset on. Files may have changed since: read_file shows them as ` +
    'they are now.',
  input: z.strictObject({
    handle: z.string().optional().describe('What to bring back. Default: list what there is.'),
    offset: z.int().min(0).optional().describe('First character, counted from 0. Default 0.'),
    limit: z
      .int()
      .min(1)
      .max(MOST_CHARS)
      .optional()
      .describe(`Most characters to answer. Default ${DEFAULT_CHARS}.`),
  }),
  async prepare({ handle, offset = 0, limit = DEFAULT_CHARS }, { window }) {
    if (handle === undefined) {
      const text = listText(window);
      return {
        ok: true,
        call: { deed: 'The list of what can be recalled', run: async () => succeeded(text) },
      };
    }
    const text = recallText(window, handle);
    if (text === undefined) {
      return refused(`There is nothing with the handle "${handle}". ${listText(window)}`);
    }
    if (offset > 0 && offset >= text.length) {
      return refused(`${handle} has ${text.length} characters; offset ${offset} is past its end.`);
    }
    const part = partOf(handle, text, offset, limit);
    return {
      ok: true,
      call: { deed: `The recall of ${handle}`, run: async () => succeeded(part) },
    };
  },
});

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
