import * as z from 'zod/mini';
import { defineTool } from './defineTool';
import { TODO_STATES, todoLine, updateScratchpad } from '../contextWindow/scratchpad';

const LONGEST_ITEM = 300;
const MOST_ITEMS = 50;

export const todo = defineTool({
  name: 'todo',
  description:
    'Replaces the checklist in your notes, which the user sees. For work of three or more steps: ' +
    'write it first, then mark each item when you begin it (doing) and when it is done.',
  input: z.strictObject({
    items: z
      .array(
        z.strictObject({
          text: z.string().check(
            z.refine((text) => text.trim() !== '', 'must not be empty'),
            z.maxLength(LONGEST_ITEM),
          ),
          state: z.enum(TODO_STATES),
        }),
      )
      .check(z.maxLength(MOST_ITEMS)),
  }),
  async prepare({ items }, { window }) {
    // An item is one line everywhere.
    const list = items.map(({ text, state }) => ({
      text: text.replace(/\s+/g, ' ').trim(),
      state,
    }));
    return {
      ok: true,
      call: {
        action: 'The checklist',
        async run() {
          const scratchpad = updateScratchpad(window.scratchpad, { todo: list });
          const done = list.filter(({ state }) => state === 'done').length;
          const next = list.find(({ state }) => state !== 'done');
          const rest = next === undefined ? '' : ` Next: ${todoLine(next)}`;
          const text = `Checklist: ${done} of ${list.length} done.${rest}`;
          return { text, isError: false, scratchpad };
        },
      },
    };
  },
});
