import type { ToolView } from '../../src/editor/conversation/state';

/** The verb of a call that is to run, that runs, and that has run. */
type Verbs = readonly [string, string, string];

const VERBS: Readonly<Partial<Record<ToolView['kind'], Verbs>>> = {
  read: ['Read', 'Reading', 'Read'],
  edit: ['Edit', 'Editing', 'Edited'],
  write: ['Create', 'Creating', 'Created'],
  command: ['Run', 'Running', 'Ran'],
  search: ['Search', 'Searching', 'Searched'],
  list: ['List', 'Listing', 'Listed'],
  fetch: ['Fetch', 'Fetching', 'Fetched'],
  agent: ['Sub-agent', 'Sub-agent', 'Sub-agent'],
};

/** Verbs of tools that do something of their own, and what the sentence says without a subject. */
const OWN_VERBS: ReadonlyMap<string, readonly [...Verbs, string]> = new Map([
  ['skill', ['Use the skill', 'Using the skill', 'Used the skill', '']],
  ['recall', ['Recall', 'Recalling', 'Recalled', 'removed content']],
  ['update_scratchpad', ['Update', 'Updating', 'Updated', 'the notes']],
  ['todo', ['Update', 'Updating', 'Updated', 'the checklist']],
  ['remember', ['Remember', 'Remembering', 'Remembered', 'a note']],
  ['ask_user', ['Ask you:', 'Asking you:', 'Asked you:', '']],
  [
    'diagnostics',
    ['Look for problems in', 'Looking for problems in', 'Looked for problems in', 'the workspace'],
  ],
  [
    'read_output',
    ['Read the output of', 'Reading the output of', 'Read the output of', 'a command'],
  ],
  ['send_input', ['Type into', 'Typing into', 'Typed into', 'a command']],
  ['stop_command', ['Stop', 'Stopping', 'Stopped', 'a command']],
]);

type Called = Pick<ToolView, 'kind' | 'state' | 'name' | 'label'>;

/** A call as a sentence: a verb, and what it is about. */
export interface CallSentence {
  /** Absent for a call that is named by its tool. */
  readonly verb?: string;
  /** '' if there is nothing to say. */
  readonly subject: string;
}

export function sentenceOf(called: Called): CallSentence {
  const { kind, name, label } = called;
  const subject = label.startsWith(`${name} `) ? label.slice(name.length + 1) : '';
  const own = OWN_VERBS.get(name);
  if (own !== undefined) return { verb: verbIn(own, called), subject: subject || own[3] };
  const verbs = VERBS[/^(?:move|rename|delete|remove)/i.test(name) ? 'other' : kind];
  if (verbs === undefined) return { subject };
  return { verb: verbIn(verbs, called), subject: subject || label };
}

function verbIn(
  [base, running, past]: readonly [string, string, string, ...string[]],
  { state, kind }: Called,
): string {
  if (state === 'running') return running;
  return state === 'done' || (state === 'failed' && kind === 'command') ? past : base;
}
