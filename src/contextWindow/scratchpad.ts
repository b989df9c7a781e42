import type { BlockId } from './block';
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
export type TextField = Extract<Field, { readonly isList: false }>['name'];
export type ListField = Extract<Field, { readonly isList: true }>['name'];

/** Gives every field a value, `text` for texts and `list` for lists: schemas are built with it. */
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
  /** The lists of the user's own, in the order they were set up; absent where there never was one. */
  readonly lists?: readonly ScratchpadList[];
  /** What is to be done, in order; absent where there never was a checklist. */
  readonly todo?: readonly TodoItem[];
}

/** One thing to be done. */
export interface TodoItem {
  readonly text: string;
  readonly state: TodoState;
}

export const TODO_STATES = ['open', 'doing', 'done'] as const;
export type TodoState = (typeof TODO_STATES)[number];

const TODO_MARKS: Readonly<Record<TodoState, string>> = { open: '[ ]', doing: '[>]', done: '[x]' };

/** An item of the checklist as a line: "[x] Write the test". */
export function todoLine({ text, state }: TodoItem): string {
  return `${TODO_MARKS[state]} ${text}`;
}

/** The item that a line stands for; one without a mark is open. */
export function todoItem(line: string): TodoItem {
  const [, mark = '', text = ''] = /^(?:-\s*)?(\[[ >xX]?\])?\s*(.*)$/.exec(line.trim()) ?? [];
  const state = /x/i.test(mark) ? 'done' : mark === '[>]' ? 'doing' : 'open';
  return { text, state };
}

/** A list that the user added, with what the agent wrote in it. */
export interface ScratchpadList {
  readonly name: string;
  readonly items: readonly string[];
}

/** A list that the user adds: its name, and a sentence that tells the model what belongs in it. */
export interface NamedList {
  readonly name: string;
  readonly description: string;
}

/** When the scratchpad was last written, and what the agent was reminded of since. */
export interface ScratchpadAge {
  /** The newest step at that time; 0 where nobody has written it. */
  readonly writtenAt: number;
  /** The agent was reminded since then. */
  readonly isReminded: boolean;
  /** It was told since then, and since the last pass, what the next pass will take. */
  readonly isTold: boolean;
}

/** The last change of the scratchpad. */
export interface ScratchpadChange {
  readonly by: 'agent' | 'user';
  /** The newest step at that time; if the agent made the change, the step that made it. */
  readonly step: number;
  /** The scratchpad before the change. */
  readonly former: Scratchpad;
  /** The note that tells of it; only for a change by the user. */
  readonly note?: BlockId;
}

/**
 * Says what the tool's parameter for a list is called: "API contracts" is `api_contracts`. Undefined
 * where the name has no letter or digit that may stand in one, or is that of another field.
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

/** Replaces the fields given and keeps the rest. */
export function updateScratchpad(scratchpad: Scratchpad, change: Partial<Scratchpad>): Scratchpad {
  return { ...scratchpad, ...change };
}

/** The items of a list of the user's own; none where there is no such list. */
export function itemsOf({ lists = [] }: Scratchpad, name: string): readonly string[] {
  return lists.find((list) => list.name === name)?.items ?? [];
}

/** Replaces the items of lists by name, and keeps the others; a new list comes last. */
export function withLists(
  lists: readonly ScratchpadList[] = [],
  changes: readonly ScratchpadList[],
): readonly ScratchpadList[] {
  const byName = new Map([...lists, ...changes].map((list) => [list.name, list.items]));
  return [...byName].map(([name, items]) => ({ name, items }));
}

/** The scratchpad with a list for every name, so that each can be filled. */
export function withEmptyLists(scratchpad: Scratchpad, names: readonly string[]): Scratchpad {
  const empty = names.map((name) => ({ name, items: itemsOf(scratchpad, name) }));
  const lists = withLists(scratchpad.lists, empty);
  return lists.length === 0 ? scratchpad : { ...scratchpad, lists };
}

/** Writes the scratchpad as text, a heading for each field that has content; '' when it is empty. */
export function scratchpadText(scratchpad: Scratchpad): string {
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `- ${item}`)];
  const line = (title: string, text: string) => (text.trim() === '' ? [] : [`${title}: ${text}`]);
  return [
    ...SCRATCHPAD_FIELDS.flatMap((field) =>
      field.isList
        ? list(field.label, scratchpad[field.name])
        : line(field.label, scratchpad[field.name]),
    ),
    ...(scratchpad.lists ?? []).flatMap(({ name, items }) => list(name, items)),
    ...list('To do', (scratchpad.todo ?? []).map(todoLine)),
  ].join('\n');
}

/** Most characters of the task that stand in for an objective: its beginning says what it is about. */
const LONGEST_TASK = 300;

/**
 * The beginning of the task, which stands in for an objective that nobody has written; undefined
 * where there is one, or no task.
 */
export function taskAsObjective({ scratchpad, blocks }: ContextWindow): string | undefined {
  if (scratchpad.objective.trim() !== '') return undefined;
  const anchor = blocks.find((block) => block.kind === 'anchor');
  const task = anchor?.kind === 'anchor' ? anchor.text.replace(/\s+/g, ' ').trim() : '';
  if (task === '') return undefined;
  return task.length <= LONGEST_TASK ? task : `${task.slice(0, LONGEST_TASK).toWellFormed()}…`;
}

/**
 * The scratchpad as a pass shows it: it begins with the objective, or with the task where none was
 * written. '' while nothing was noted, since the task itself is in every request.
 */
export function scratchpadToShow(window: ContextWindow): string {
  const text = scratchpadText(window.scratchpad);
  const task = text === '' ? undefined : taskAsObjective(window);
  return task === undefined ? text : `Objective (the task, none was written): ${task}\n${text}`;
}
