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

/** A command that no call waits for. */
const IN_BACKGROUND: Verbs = ['Start', 'Starting', 'Started'];

type Called = Pick<ToolView, 'kind' | 'state' | 'name' | 'label' | 'isBackground'>;

/** A call as a sentence: a verb, and what it is about. */
interface CallSentence {
  /** Absent for a call that is named by its tool. */
  readonly verb?: string;
  /** '' if there is nothing to say. */
  readonly subject: string;
}

export function sentenceOf(called: Called): CallSentence {
  const { kind, name, label, isBackground } = called;
  const subject = label.startsWith(`${name} `) ? label.slice(name.length + 1) : '';
  const own = OWN_VERBS.get(name);
  if (own !== undefined) return { verb: verbIn(own, called), subject: subject || own[3] };
  const known = VERBS[/^(?:move|rename|delete|remove)/i.test(name) ? 'other' : kind];
  const verbs = isBackground === true ? IN_BACKGROUND : known;
  if (verbs === undefined) return { subject };
  return { verb: verbIn(verbs, called), subject: subject || label };
}

/** A block of the window by its calls; its label names them one after the other. */
interface Labelled {
  readonly label: string;
  /** Absent for a block that is not in view. */
  readonly tools?: readonly string[];
  readonly callKinds?: readonly ToolView['kind'][];
  /** Absent if all ran without an error. */
  readonly callStates?: readonly ToolView['state'][];
}

/**
 * The calls that a block's label names, as the Agent view says them: "Edited src/a.ts", and "Edit
 * src/a.ts" while that waits, or if it failed or was denied. The last one may be cut, as the
 * label is. A block without calls gives its label.
 */
export function saidCalls({
  label,
  tools = [],
  callKinds = [],
  callStates = [],
}: Labelled): readonly CallSentence[] {
  const said: CallSentence[] = [];
  let rest = label;
  for (const [index, name] of tools.entries()) {
    if (rest !== name && !rest.startsWith(`${name} `) && !rest.startsWith(`${name}, `)) break;
    const following = tools[index + 1];
    const end = following === undefined ? -1 : beginOf(following, rest, name.length);
    const call = end === -1 ? rest : rest.slice(0, end);
    const sentence = sentenceOf({
      kind: callKinds[index] ?? 'other',
      name,
      label: call,
      state: callStates[index] ?? 'done',
    });
    said.push(sentence.verb === undefined ? { subject: call } : sentence);
    rest = end === -1 ? '' : rest.slice(end + ', '.length);
  }
  // The label may end in the middle of a tool's name.
  return rest === '' ? said : [...said, { subject: said.length === 0 ? rest : '…' }];
}

/** Where the comma before a call is, after a position; -1 if the label is cut before it. */
function beginOf(name: string, label: string, from: number): number {
  const whole = label.indexOf(`, ${name}`, from);
  const last = label.lastIndexOf(', ');
  const isCut = label.endsWith('…') && name.startsWith(label.slice(last + 2, -1));
  return whole === -1 && isCut && last >= from ? last : whole;
}

/** A block's label with its calls as a sentence: "Read src/a.ts, src/b.ts, ran npm test". */
export function saidLabel(block: Labelled): string {
  const calls = saidCalls(block);
  return calls
    .map(({ verb, subject }, index) => {
      if (verb === undefined || verb === calls[index - 1]?.verb) return subject;
      const begins = index === 0 ? verb : `${verb.charAt(0).toLowerCase()}${verb.slice(1)}`;
      return `${begins} ${subject}`.trimEnd();
    })
    .join(', ');
}

/**
 * A block's name where there is little room: the folder that a command changes to first is left
 * out, and a long absolute path, as other agents write all of them, is cut at its beginning.
 */
export function shortName(block: Labelled & { readonly kind?: string }): string {
  return namesFiles(block) ? withoutFolders(saidLabel(block)) : saidLabel(block);
}

/** Says whether a block's name is made of calls or files, not of someone's words. */
export function namesFiles({ kind, tools = [] }: Labelled & { readonly kind?: string }): boolean {
  return kind === 'excerpts' || tools.length > 0;
}

/** Shortens the folders in a name. */
export function withoutFolders(name: string): string {
  return name.replace(/(^| )cd [^\s&;|]+ && (?=.)/, '$1').replace(DEEP_PATH, (path) => {
    const names = path.split(/[\\/]/).slice(-NAMES_SHOWN);
    const cut = names.findLastIndex((name, at) => at < names.length - 1 && name.includes('…'));
    const separator = path.includes('\\') ? '\\' : '/';
    return ['…', ...names.slice(cut + 1)].join(separator);
  });
}

/** How many names at the end of a long path are shown. */
const NAMES_SHOWN = 3;

const DEEP_PATH = /(?<![^\s,:='"(])(?:~|[A-Za-z]:)?(?:[\\/][^\\/\s,;'"()]+){4,}/g;

function verbIn(
  [base, running, past]: readonly [string, string, string, ...string[]],
  { state, kind }: Called,
): string {
  if (state === 'running') return running;
  return state === 'done' || (state === 'failed' && kind === 'command') ? past : base;
}
