import type { Scratchpad } from '../../../src/editor/contextPanel/state';
import { SCRATCHPAD_FIELDS, todoItem, todoLine } from '../../../src/editor/coreForPages';

interface ScratchpadField {
  /** The field's name; for a list of the user's own, "list" and its name. */
  readonly name: string;
  readonly label: string;
  readonly isList: boolean;
  /** Rows of its text field. */
  readonly rows: number;
  readonly items: readonly string[];
}

/** Rows of the text field for each field. */
const ROWS = { objective: 2, keyFacts: 5, decisions: 4, currentStep: 2, blockers: 2 } as const;

/** The fields of a scratchpad, in the order in which the model reads them. */
export function fieldsOf(scratchpad: Scratchpad): readonly ScratchpadField[] {
  const { lists = [], todo } = scratchpad;
  return [
    ...SCRATCHPAD_FIELDS.map((field) => ({
      name: field.name,
      label: field.label,
      isList: field.isList,
      rows: ROWS[field.name],
      items: field.isList ? scratchpad[field.name] : linesOf(scratchpad[field.name]),
    })),
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
  const lists = fieldsOf(scratchpad).filter(({ isList }) => isList);
  const texts = SCRATCHPAD_FIELDS.filter(({ isList }) => !isList);
  return Object.fromEntries([
    ...texts.map(({ name }) => [name, scratchpad[name]] as const),
    ...lists.map(({ name, items }) => [name, items.join('\n')] as const),
  ]) as ScratchpadTexts;
}

/** Parses the edited texts, with the lists of `base`; blank lines are omitted. */
export function scratchpadOf(texts: ScratchpadTexts, { lists, todo }: Scratchpad): Scratchpad {
  const textOf = (name: string) => (texts[name] ?? '').trim();
  const itemsOf = (name: string) => linesOf(textOf(name));
  const fields = SCRATCHPAD_FIELDS.map(({ name, isList }) => [
    name,
    isList ? itemsOf(name) : textOf(name),
  ]);
  return {
    ...(Object.fromEntries(fields) as Scratchpad),
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
