import type { ToolView } from '../../src/editor/conversation/state';

/** The verb of a call that is to run, that runs, and that has run. */
const VERBS: Readonly<Partial<Record<ToolView['kind'], readonly [string, string, string]>>> = {
  read: ['Read', 'Reading', 'Read'],
  edit: ['Edit', 'Editing', 'Edited'],
  write: ['Create', 'Creating', 'Created'],
  command: ['Run', 'Running', 'Ran'],
  search: ['Search', 'Searching', 'Searched'],
  list: ['List', 'Listing', 'Listed'],
  fetch: ['Fetch', 'Fetching', 'Fetched'],
  agent: ['Sub-agent', 'Sub-agent', 'Sub-agent'],
};

/** The verb of a call's sentence; undefined for calls that are named by their tool. */
export function verbOf({
  kind,
  state,
  name,
}: Pick<ToolView, 'kind' | 'state' | 'name'>): string | undefined {
  const verbs = VERBS[/^(?:move|rename|delete|remove)/i.test(name) ? 'other' : kind];
  if (verbs === undefined) return undefined;
  const [base, running, past] = verbs;
  if (state === 'running') return running;
  return state === 'done' || (state === 'failed' && kind === 'command') ? past : base;
}

/** What a call's label says after the name of the tool: a path, a command. */
export function subjectOf({ name, label }: Pick<ToolView, 'name' | 'label'>): string {
  return label.startsWith(`${name} `) ? label.slice(name.length + 1) : '';
}
