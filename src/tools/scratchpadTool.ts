import * as z from 'zod/mini';
import type { Tool } from '../agent/tool';
import {
  parameterOf,
  updateScratchpad as update,
  withLists,
  type NamedList,
} from '../contextWindow/scratchpad';
import { defineTool } from './defineTool';
import { refused } from '../contextWindow/result';

const LONGEST_TEXT = 2_000;
const LONGEST_ITEM = 500;
const MOST_ITEMS = 30;

const text = (about: string) =>
  z.optional(z.string().check(z.maxLength(LONGEST_TEXT))).check(z.describe(about));
const list = (about: string) =>
  z
    .optional(z.array(z.string().check(z.maxLength(LONGEST_ITEM))).check(z.maxLength(MOST_ITEMS)))
    .check(z.describe(about));

const FIELDS = z.strictObject({
  objective: text('The goal; until you write it, the task.'),
  key_facts: list('Facts you found that matter later: paths, lines, causes.'),
  decisions: list('Decisions and their reasons.'),
  current_step: text('What you are doing now, and what comes next.'),
  blockers: list('What blocks you.'),
});

/** Makes the tool for the agent's notes; `own` are the user's lists from the settings. */
export function scratchpadTool(own: readonly NamedList[]): Tool {
  const lists = own.flatMap(({ name, description }) => {
    const parameter = parameterOf(name);
    return parameter === undefined ? [] : [{ name, description, parameter }];
  });
  const ownFields = lists.map(({ name, description, parameter }) => [
    parameter,
    list(`${name}: ${description}`),
  ]);
  const input = z.strictObject({ ...FIELDS.shape, ...Object.fromEntries(ownFields) });
  return defineTool({
    name: 'update_scratchpad',
    description:
      'Replaces fields of your working notes and keeps the others. The notes stay when older ' +
      'steps leave the context window: write down what you will still need. A list replaces the whole ' +
      `list. At most ${LONGEST_TEXT} characters a text, ${MOST_ITEMS} items a list, ${LONGEST_ITEM} ` +
      'characters an item.',
    // The user's lists are looked up by their parameter names.
    input: input as unknown as typeof FIELDS,
    async prepare(given, { window }) {
      const names = Object.keys(given);
      if (names.length === 0)
        return refused('update_scratchpad was not run: give at least one field.');
      const { objective, key_facts, decisions, current_step, blockers } = given;
      const changed = lists.flatMap(({ name, parameter }) => {
        const items = (given as Readonly<Record<string, unknown>>)[parameter] as
          readonly string[] | undefined;
        return items === undefined ? [] : [{ name, items }];
      });
      return {
        ok: true,
        call: {
          action: 'The note on the scratchpad',
          async run() {
            const scratchpad = update(window.scratchpad, {
              ...(objective === undefined ? {} : { objective }),
              ...(key_facts === undefined ? {} : { keyFacts: key_facts }),
              ...(decisions === undefined ? {} : { decisions }),
              ...(current_step === undefined ? {} : { currentStep: current_step }),
              ...(blockers === undefined ? {} : { blockers }),
              ...(changed.length === 0
                ? {}
                : { lists: withLists(window.scratchpad.lists, changed) }),
            });
            return { text: `Scratchpad updated: ${names.join(', ')}.`, isError: false, scratchpad };
          },
        },
      };
    },
  });
}
