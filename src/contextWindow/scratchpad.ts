import { tokenText } from './amount';
import type { BlockId } from './block';
import type { Estimate } from './truncate';
import type { ContextWindow } from './window';

/** The fields that every scratchpad has, in the order in which the model reads them. */
export const SCRATCHPAD_FIELDS = [
  { name: 'objective', parameter: 'objective', label: 'Objective', isList: false },
  { name: 'keyFacts', parameter: 'key_facts', label: 'Key facts', isList: true },
  { name: 'decisions', parameter: 'decisions', label: 'Decisions', isList: true },
  { name: 'currentStep', parameter: 'current_step', label: 'Current step', isList: false },
  { name: 'blockers', parameter: 'blockers', label: 'Blockers', isList: true },
] as const;

type Field = (typeof SCRATCHPAD_FIELDS)[number];
export type FieldName = Field['name'];
type TextField = Extract<Field, { readonly isList: false }>['name'];
type ListField = Extract<Field, { readonly isList: true }>['name'];

/** Gives every field a value, `text` or `list`. Schemas are built with it. */
export function scratchpadShape<T, L>(
  text: T,
  list: L,
): Record<TextField, T> & Record<ListField, L> {
  const entries = SCRATCHPAD_FIELDS.map(({ name, isList }) => [name, isList ? list : text]);
  return Object.fromEntries(entries) as Record<TextField, T> & Record<ListField, L>;
}

/** Typed working notes of the agent that outlive eviction. */
export interface Scratchpad
  extends Readonly<Record<TextField, string>>, Readonly<Record<ListField, readonly string[]>> {
  /** The user's own lists, in the order of their creation; absent if there never was one. */
  readonly lists?: readonly ScratchpadList[];
  /** The checklist, in order; absent if there never was one. */
  readonly todo?: readonly TodoItem[];
}

export interface TodoItem {
  readonly text: string;
  readonly state: TodoState;
}

export const TODO_STATES = ['open', 'doing', 'done'] as const;
type TodoState = (typeof TODO_STATES)[number];

const TODO_MARKS: Readonly<Record<TodoState, string>> = { open: '[ ]', doing: '[>]', done: '[x]' };

/** Formats an item of the checklist as a line: "[x] Write the test". */
export function todoLine({ text, state }: TodoItem): string {
  return `${TODO_MARKS[state]} ${text}`;
}

/** Parses a line of the checklist; an item without a mark is open. */
export function todoItem(line: string): TodoItem {
  const [, mark = '', text = ''] = /^(?:-\s*)?(\[[ >xX]?\])?\s*(.*)$/.exec(line.trim()) ?? [];
  const state = /x/i.test(mark) ? 'done' : mark === '[>]' ? 'doing' : 'open';
  return { text, state };
}

/** A list of the user, with the agent's items. */
interface ScratchpadList {
  readonly name: string;
  readonly items: readonly string[];
}

/**
 * A list that the user configures: its name, and a sentence that tells the model what belongs in
 * it.
 */
export interface NamedList {
  readonly name: string;
  readonly description: string;
}

/** When the scratchpad was last written, and which reminders followed. */
export interface ScratchpadAge {
  /** The newest step at that time; 0 if it was never written. */
  readonly writtenAt: number;
  readonly isReminded: boolean;
  /** The agent heard, since then and since the last pass, what the next pass will remove. */
  readonly isWarned: boolean;
}

/** The last change of the scratchpad. */
export interface ScratchpadChange {
  readonly by: 'agent' | 'user';
  /** The newest step at that time; for a change by the agent, its step. */
  readonly step: number;
  readonly former: Scratchpad;
  /** The note about it; only for a change by the user. */
  readonly note?: BlockId;
}

/**
 * Gives the tool's parameter for a list: "API contracts" is `api_contracts`. Undefined if the name
 * has no usable letter or digit, or is another field's.
 */
export function parameterOf(name: string): string | undefined {
  const parameter = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const isTaken = SCRATCHPAD_FIELDS.some((field) => field.parameter === parameter);
  return parameter === '' || isTaken ? undefined : parameter;
}

export const EMPTY_SCRATCHPAD: Scratchpad = scratchpadShape('', []);

/** Replaces the given fields and keeps the rest. */
export function updateScratchpad(scratchpad: Scratchpad, change: Partial<Scratchpad>): Scratchpad {
  return { ...scratchpad, ...change };
}

/** The items of one of the user's lists; none if there is no such list. */
export function itemsOf({ lists = [] }: Scratchpad, name: string): readonly string[] {
  return lists.find((list) => list.name === name)?.items ?? [];
}

/** Replaces the items of the named lists and keeps the other lists; new lists come last. */
export function withLists(
  lists: readonly ScratchpadList[] = [],
  changes: readonly ScratchpadList[],
): readonly ScratchpadList[] {
  const byName = new Map([...lists, ...changes].map((list) => [list.name, list.items]));
  return [...byName].map(([name, items]) => ({ name, items }));
}

/** Adds an empty list for every name that has none, so that each can be filled. */
export function withEmptyLists(scratchpad: Scratchpad, names: readonly string[]): Scratchpad {
  const empty = names.map((name) => ({ name, items: itemsOf(scratchpad, name) }));
  const lists = withLists(scratchpad.lists, empty);
  return lists.length === 0 ? scratchpad : { ...scratchpad, lists };
}

/**
 * Formats the scratchpad as text, with a heading for each field that has content; '' if it is
 * empty.
 */
export function scratchpadText(scratchpad: Scratchpad): string {
  return partsOf(scratchpad)
    .map(({ text }) => text)
    .join('\n');
}

/** The fields with content, as the model reads them. */
function partsOf(
  scratchpad: Scratchpad,
): readonly { readonly name: string; readonly text: string }[] {
  const list = (name: string, items: readonly string[]) =>
    items.length === 0
      ? []
      : [{ name, text: [`${name}:`, ...items.map((item) => `- ${item}`)].join('\n') }];
  const line = (name: string, text: string) =>
    text.trim() === '' ? [] : [{ name, text: `${name}: ${text}` }];
  return [
    ...SCRATCHPAD_FIELDS.flatMap((field) =>
      field.isList
        ? list(field.label, scratchpad[field.name])
        : line(field.label, scratchpad[field.name]),
    ),
    ...(scratchpad.lists ?? []).flatMap(({ name, items }) => list(name, items)),
    ...list('To do', (scratchpad.todo ?? []).map(todoLine)),
  ];
}

/** No pass removes the notes, so they have at most this share of the input budget. */
const MOST_SHARE = 0.05;

/**
 * Says why new notes are too long, and what to shorten; undefined if they fit, or are shorter than
 * the former ones.
 */
export function whyNotesTooLong(
  next: Scratchpad,
  former: Scratchpad,
  inputBudget: number,
  estimate: Estimate,
): string | undefined {
  const most = Math.floor(inputBudget * MOST_SHARE);
  const tokens = estimate(scratchpadText(next));
  if (tokens <= most || tokens <= estimate(scratchpadText(former))) return undefined;
  const heaviest = partsOf(next)
    .map(({ name, text }) => ({ name, tokens: estimate(text) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, 2)
    .map((part) => `${part.name} (≈ ${tokenText(part.tokens)})`);
  return (
    `the notes would have ≈ ${tokenText(tokens)} tokens, and at most ${tokenText(most)} fit, ` +
    `${MOST_SHARE * 100} % of the input budget. Shorten ${heaviest.join(' and ')}.`
  );
}

/** The length in characters of the task's beginning that replaces a missing objective. */
const LONGEST_TASK = 300;

/**
 * The beginning of the task, which replaces a missing objective; undefined if there is an
 * objective, or no task.
 */
export function taskAsObjective({ scratchpad, blocks }: ContextWindow): string | undefined {
  if (scratchpad.objective.trim() !== '') return undefined;
  const anchor = blocks.find((block) => block.kind === 'anchor');
  const task = anchor?.kind === 'anchor' ? anchor.text.replace(/\s+/g, ' ').trim() : '';
  if (task === '') return undefined;
  return task.length <= LONGEST_TASK ? task : `${task.slice(0, LONGEST_TASK).toWellFormed()}…`;
}

/**
 * The scratchpad as a pass shows it. It begins with the objective, or with the task if there is
 * none. '' if nothing was noted, since every request contains the task anyway.
 */
export function scratchpadToShow(window: ContextWindow): string {
  const text = scratchpadText(window.scratchpad);
  const task = text === '' ? undefined : taskAsObjective(window);
  return task === undefined ? text : `Objective (the task, none was written): ${task}\n${text}`;
}
