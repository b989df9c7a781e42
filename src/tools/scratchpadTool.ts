import * as z from 'zod/mini';
import type { Tool } from '../agent/tool';
import {
  parameterOf,
  SCRATCHPAD_FIELDS,
  updateScratchpad,
  withLists,
  type FieldName,
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

type Field = ReturnType<typeof text> | ReturnType<typeof list>;

/** What belongs in each field, for the model. */
const ABOUT: Readonly<Record<FieldName, string>> = {
  objective: 'The goal; until you write it, the task.',
  keyFacts: 'Facts you found that matter later: paths, lines, causes.',
  decisions: 'Decisions and their reasons.',
  currentStep: 'What you are doing now, and what comes next.',
  blockers: 'What blocks you.',
};

const FIELDS = SCRATCHPAD_FIELDS.map(({ name, parameter, isList }) => [
  parameter,
  isList ? list(ABOUT[name]) : text(ABOUT[name]),
]);

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
  return defineTool({
    name: 'update_scratchpad',
    description:
      'Replaces fields of your working notes and keeps the others. The notes stay when older ' +
      'steps leave the context window: write down what you will still need. A list replaces the whole ' +
      `list. At most ${LONGEST_TEXT} characters a text, ${MOST_ITEMS} items a list, ${LONGEST_ITEM} ` +
      'characters an item.',
    brief: [
      'Replaces fields of your notes, which stay when older steps are removed, and keeps the others.',
      ...lists.map(({ parameter, description }) => `${parameter}: ${description}`),
    ].join(' '),
    input: z.strictObject(
      Object.fromEntries([...FIELDS, ...ownFields]) as Readonly<Record<string, Field>>,
    ),
    async prepare(given, { window }) {
      const names = Object.keys(given);
      if (names.length === 0)
        return refused('update_scratchpad was not run: give at least one field.');
      const fields = SCRATCHPAD_FIELDS.filter(({ parameter }) => given[parameter] !== undefined);
      const changed = lists.flatMap(({ name, parameter }) => {
        const items = given[parameter];
        return Array.isArray(items) ? [{ name, items }] : [];
      });
      return {
        ok: true,
        call: {
          action: 'The note on the scratchpad',
          async run() {
            const scratchpad = updateScratchpad(window.scratchpad, {
              ...Object.fromEntries(fields.map(({ name, parameter }) => [name, given[parameter]])),
              ...(changed.length > 0 && { lists: withLists(window.scratchpad.lists, changed) }),
            });
            return { text: `Scratchpad updated: ${names.join(', ')}.`, isError: false, scratchpad };
          },
        },
      };
    },
  });
}
