import type { BlockId } from './block';

/** Typed working notes of the agent that outlive eviction. */
export interface Scratchpad {
  readonly objective: string;
  readonly keyFacts: readonly string[];
  readonly decisions: readonly string[];
  readonly currentStep: string;
  readonly blockers: readonly string[];
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

export type TodoState = 'open' | 'doing' | 'done';

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

/** What the fields are called that the tool takes anyway. */
const PARAMETERS = ['objective', 'key_facts', 'decisions', 'current_step', 'blockers'];

/**
 * Says what the tool's parameter for a list is called: "API contracts" is `api_contracts`. Undefined
 * where the name has no letter or digit that may stand in one, or is that of another field.
 */
export function parameterOf(name: string): string | undefined {
  const parameter = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return parameter === '' || PARAMETERS.includes(parameter) ? undefined : parameter;
}

export const EMPTY_SCRATCHPAD: Scratchpad = {
  objective: '',
  keyFacts: [],
  decisions: [],
  currentStep: '',
  blockers: [],
};

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
    ...line('Objective', scratchpad.objective),
    ...list('Key facts', scratchpad.keyFacts),
    ...list('Decisions', scratchpad.decisions),
    ...line('Current step', scratchpad.currentStep),
    ...list('Blockers', scratchpad.blockers),
    ...(scratchpad.lists ?? []).flatMap(({ name, items }) => list(name, items)),
    ...list('To do', (scratchpad.todo ?? []).map(todoLine)),
  ].join('\n');
}
