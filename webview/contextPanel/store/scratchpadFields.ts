import type { Scratchpad } from '../../../src/editor/contextPanel/state';
import { todoItem, todoLine } from '../../../src/editor/coreForPages';

interface ScratchpadField {
  /** The field's name; for a list of the user's own, "list" and its name. */
  readonly name: string;
  readonly label: string;
  readonly isList: boolean;
  /** Rows of its text field. */
  readonly rows: number;
  readonly items: readonly string[];
}

/** The fields of a scratchpad, in the order in which the model reads them. */
export function fieldsOf(scratchpad: Scratchpad): readonly ScratchpadField[] {
  const { objective, keyFacts, decisions, currentStep, blockers, lists = [], todo } = scratchpad;
  return [
    { name: 'objective', label: 'Objective', isList: false, rows: 2, items: linesOf(objective) },
    { name: 'keyFacts', label: 'Key facts', isList: true, rows: 5, items: keyFacts },
    { name: 'decisions', label: 'Decisions', isList: true, rows: 4, items: decisions },
    {
      name: 'currentStep',
      label: 'Current step',
      isList: false,
      rows: 2,
      items: linesOf(currentStep),
    },
    { name: 'blockers', label: 'Blockers', isList: true, rows: 2, items: blockers },
    ...lists.map(({ name, items }) => ({
      name: listField(name),
      label: name,
      isList: true,
      rows: 3,
      items,
    })),
    ...(todo === undefined
      ? []
      : [{ name: 'todo', label: 'To do', isList: true, rows: 4, items: todo.map(todoLine) }]),
  ];
}

/** The text of each field of an edited scratchpad, by name; a list has one item a line. */
export type ScratchpadTexts = Readonly<Record<string, string>>;

/** The scratchpad as editable text. */
export function textsOf(scratchpad: Scratchpad): ScratchpadTexts {
  const { objective, currentStep } = scratchpad;
  const lists = fieldsOf(scratchpad).filter(({ isList }) => isList);
  return {
    objective,
    currentStep,
    ...Object.fromEntries(lists.map(({ name, items }) => [name, items.join('\n')])),
  };
}

/** Parses the edited texts, with the lists of `base`; blank lines are omitted. */
export function scratchpadOf(texts: ScratchpadTexts, { lists, todo }: Scratchpad): Scratchpad {
  const textOf = (name: string) => (texts[name] ?? '').trim();
  const itemsOf = (name: string) => linesOf(textOf(name));
  return {
    objective: textOf('objective'),
    keyFacts: itemsOf('keyFacts'),
    decisions: itemsOf('decisions'),
    currentStep: textOf('currentStep'),
    blockers: itemsOf('blockers'),
    ...(lists === undefined
      ? {}
      : { lists: lists.map(({ name }) => ({ name, items: itemsOf(listField(name)) })) }),
    ...(todo === undefined ? {} : { todo: itemsOf('todo').map(todoItem) }),
  };
}

function listField(name: string): string {
  return `list ${name}`;
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
