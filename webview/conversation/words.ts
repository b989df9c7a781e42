import type { FileToRestore } from '../../src/editor/checkpoints/state';
import type {
  Conversation,
  GaugeView,
  PromptEffectsView,
  ToolView,
  UsageView,
} from '../../src/editor/conversation/state';
import type { CostsView } from '../../src/editor/session/state';
import { LONGEST_PROMPT } from '../../src/editor/composer/pastedText';
import { countText, ESTIMATE_MARK, visiblePath } from '../../src/editor/coreForPages';
import { RESTORE_PROMPT } from '../kit/words';
import { formatNumber, formatShare, formatTokens, originOfTokens } from '../kit/tokens';
import { sentenceOf } from '../kit/callWords';
import { findTool } from './inFlight';

/** What the Agent view says, apart from the sentences of the host. */
export const WORDS = {
  view: {
    waiting: 'Waiting for the session…',
    loadingEarlier:
      'Loading earlier turns… What you send or change now waits until they are loaded.',
    empty: 'Give the agent a task in this workspace.',
    emptyIn: {
      ask: 'It asks before it edits a file or runs a command.',
      acceptEdits: 'It edits ordinary files, and asks before it runs a command.',
      plan: 'It changes nothing, and ends with a plan.',
    },
    emptyHint: 'The Context panel shows, block by block, what the model sees.',
    suggestions: 'Suggestions',
  },
  start: {
    title: 'Ways to begin',
    key: {
      name: 'Use your key',
      says: 'For Anthropic or a compatible server. Checked when you enter it.',
    },
    demo: {
      name: 'Try the demo',
      says: 'Opens a sample project in a new window. Scripted, no AI, no key.',
    },
    session: {
      name: "See another agent's session",
      says: (agents: readonly string[]) => `What fills the window of ${agents.join(' or ')}.`,
    },
  },
  header: {
    newSession: 'New session',
    details: 'Session details: tokens, cost and linked sessions',
    window: (full: string) => `Context window ${full}`,
    listSessions: 'List the sessions',
    openPanel: 'Open the Context panel',
    listPrices: 'At list prices.',
    offline: 'Offline demo: scripted, no AI',
  },
  loading: 'Loading…',
  openDiff: 'Open diff',
  openDiffOf: (path: string) => `Open diff of ${path}`,
  approval: {
    /** Names the box with the full text, for screen readers. */
    subjects: {
      command: 'Command',
      input: 'Input',
      memory: 'Instructions',
      fetch: 'Address',
      move: 'Paths',
      tool: 'Input',
      question: 'Question',
      edit: 'Path',
      create: 'Path',
      delete: 'Path',
    },
    allowFor: 'How long Allow applies',
    deny: 'Deny',
    allowHint: 'Ctrl+Enter (Cmd+Enter) in the card allows this once',
    scroll: 'Scroll to the end to enable Allow.',
    scrollHint: 'Scroll to the end to enable this button',
    more: 'Show more',
    memory: (path: string) =>
      `${path} is new or changed since the session began. If you allow it, the agent follows this text as your instructions until it changes again.`,
    everyChange: 'Plimsoll asks before every change of it.',
    unsaved: (name: string) => `${name} has unsaved changes in the editor. Allow saves them, too.`,
    revised: 'You edited the proposal in its diff. Allow writes your version and tells the agent.',
    reason: 'Why not?',
    reasonLabel:
      'Note to the agent, sent with your answer. Optional. Enter denies with this note, Ctrl+Enter allows this once, Shift+Enter starts a new line.',
    reasonSent: 'The agent gets your note with either answer. Enter denies.',
    ruleChoice: 'What the rule allows',
    together: (others: number) =>
      `Apply this answer to the other ${others === 1 ? 'edit' : `${others} edits`} in this reply`,
    furtherEdit: { create: 'Create', edit: 'Edit' },
  },
  scopes: {
    once: { menu: 'Once', button: 'Allow' },
    session: { menu: 'In this session', button: 'Allow in this session' },
    workspace: { menu: 'In this workspace', button: 'Allow in this workspace' },
    always: { menu: 'Always', button: 'Always allow' },
  },
  notAskedAgain: {
    session: 'Allow also stops further questions in this session',
    workspace: 'Allow also stops further questions in this workspace',
    always: 'Allow also stops further questions in any workspace',
  },
  question: {
    own: 'Your answer',
    another: 'Another answer',
    label: 'Your own answer. Enter sends it, Shift+Enter starts a new line.',
    skip: 'No answer',
    skipHint: 'Tells the agent that you gave no answer',
    send: 'Answer',
  },
  attached: {
    title: 'Attachments',
    crosses: 'These attachments take the window over the high watermark, so a pass will follow.',
    loading: 'loading',
    item: (kind: string, name: string, size: string) =>
      `${kind}: ${name}, ${size}, as it was when you added it`,
    remove: 'Remove',
    removeItem: (name: string) => `Remove ${name}`,
    offer: (name: string) => `Attach ${name}, open in the editor (Ctrl+K Ctrl+A)`,
    sentWith: 'With',
    /** `characters` of text; a token has about four. */
    tooLong: (characters: number) =>
      `This text has ${(characters / 1_000_000).toFixed(1)} million characters (${formatTokens({ tokens: Math.ceil(characters / 4), exact: false })} tokens), too many for a prompt. As a file, the agent gets its first ${formatNumber(LONGEST_PROMPT)} characters.`,
    attachIt: 'Attach as a file',
    discard: 'Discard',
    tooLarge: (name: string, limit: string) => `${name} is larger than ${limit}.`,
    unreadable: (name: string) => `${name} could not be read.`,
    notText: (name: string) => `${name} is not a text file.`,
    notReadableText: (name: string) => `${name} is not a text file or cannot be read.`,
  },
  plan: {
    ready: 'The plan is ready',
    open: 'Edit the plan',
    start: 'Start',
    startNew: 'Start in a new session',
  },
  composer: {
    first: 'What should the agent do?',
    next: 'What next?',
    meanwhile: 'Steer or queue a prompt',
    label:
      'Prompt for the agent. Enter sends, Shift+Enter starts a new line, Up shows the previous prompt, @ mentions files and more, / lists commands. While the agent works, Ctrl+Enter sends at its next step and Escape stops it.',
    stop: 'Stop',
    stopHint: 'Stop the turn (Escape in the prompt)',
    send: 'Send',
    sendHint: 'Send (Enter in the prompt)',
    attach: 'Attach files, the selection, problems and more (@)',
    queue: 'Queue',
    queueHint:
      'Queue: sends after the turn; Ctrl+Enter (Cmd+Enter) in the prompt sends at the next step',
    mode: 'Mode',
    modes: {
      ask: 'Ask: you approve each edit and each command',
      acceptEdits: 'Accept edits: edits of ordinary files are made without asking you',
      plan: 'Plan: nothing is changed; the agent looks, and ends with a plan',
    },
    modeHint: (mode: string) => `${mode} (Ctrl+. in the prompt: the next mode)`,
    model: (words: string) => `Model: ${words}. Choose the model and its reasoning`,
  },
  queue: {
    title: 'Queued prompts',
    sending: 'Sending',
    /** Why the prompts are not sent. */
    held: {
      stopped: 'Not sent: you stopped the turn.',
      ended: 'Not sent: the previous turn did not finish.',
      left: 'Not sent: you opened another session, or the window reloaded.',
      refused: 'Not sent: see the message above.',
      question: 'Not sent until you choose how to continue the session.',
    },
    send: 'Send',
    sendNow: 'Send this now',
    stopAndSend: 'Stop the turn and send this now',
    atNextStep: 'at the next step',
    sendAtNextStep: 'Send at the next step',
    sendAfterTurn: 'Send after the turn',
    edit: 'Edit',
    up: 'Move up',
    down: 'Move down',
    delete: 'Delete',
    fieldLabel: 'Queued prompt. Enter saves, Escape cancels.',
  },
  turns: {
    conversation: 'Conversation',
    list: 'Turns',
    turn: (turn: number) => `Turn ${turn}`,
    newest: 'Newest',
    numbers: 'Tokens, cost and time of this turn',
    said: 'While the agent worked',
    shows: (size: string) => `shows ${size}`,
    undone: 'undone',
    show: 'Show',
    showPass: (name: string) => `Show ${name} in the Context panel`,
    summary: (writtenBy: string | undefined) => `Summary of this session, ${writtenBy}`,
    handedOver: (title: string) => `Handed over from “${title}”`,
    thought: 'Thought',
    thinking: 'Thinking…',
    noThinking: 'the API returned no text of it',
  },
  tool: {
    /** By rules of the user, or by the mode, which the core names `mode: accept edits`. */
    allowedBy: ([first = '', ...others]: readonly string[]) =>
      first.startsWith('mode: ') ? `M${first.slice(1)}` : `Rule: ${[first, ...others].join('; ')}`,
    move: 'Move to background',
    window: ({ steps, tokens }: NonNullable<ToolView['subAgent']>) =>
      [
        countText(steps, 'step'),
        ...(tokens === undefined ? [] : [`${formatNumber(tokens)} tokens in its window`]),
      ].join(', '),
    windowHint: 'Shows the window of this sub-agent in the Context panel',
    moveHint: 'The command keeps running, and the agent continues.',
    arguments: 'Arguments',
    change: 'Change',
    result: (characters: number) => `Result · ${formatNumber(characters)} characters`,
    output: 'Output so far',
  },
  files: {
    title: 'Changed files',
    made: 'new',
    gone: 'deleted',
    kept: 'kept',
    undone: 'undone',
    diff: 'Diff',
    keep: 'Keep',
    keepAll: 'Keep all',
    undo: 'Undo',
    undoAll: 'Undo all',
    keepNamed: (changes: string) => `Keep ${changes}`,
    undoNamed: (changes: string) => `Undo ${changes}`,
    allChanges: 'all changes',
    changesOf: (path: string) => `the changes of ${path}`,
    changeFrom: (line: number) => `the change from line ${line}`,
    changedSince: 'changed by something else since.',
    undoAnyway: 'Undo anyway',
    cancel: 'Cancel',
    fromLine: (line: number) => `From line ${line}`,
    line: (line: number) => `Line ${formatNumber(line)}`,
  },
  goBack: {
    undoQuestion: 'Undo this prompt?',
    toStepQuestion: (step: number) => `Go back to the moment before step ${step}?`,
    fork: 'The conversation continues in a new session that ends before this step. This session stays as it is.',
    stay: 'Stay here',
    keep: 'Keep it',
    sendAgain: 'Send it again',
    go: 'Go back',
    undo: 'Undo',
    undoLabel: 'Undo this prompt and edit it',
    toStep: (step: number) => `Go back to the moment before step ${step}`,
    restore: 'Restore files',
    scope: 'What to restore',
    onlyConversation: 'Only the conversation',
    conversationAnd: (files: string) => `The conversation and ${files}`,
    only: (files: string) => `Only ${files}`,
    alsoChanged: (files: number) =>
      `Also ${countText(files, 'file')} changed by something else since`,
    undone: (steps: number) => `Undone${steps === 0 ? '' : ` with ${countText(steps, 'step')}`}`,
    restorePrompt: RESTORE_PROMPT,
  },
  returning: {
    choices: {
      continue: {
        label: 'Continue',
        hint: 'Tells the model how long the pause was and which of its files changed',
      },
      summary: {
        label: 'Continue from a summary',
        hint: 'First replaces everything before the newest turns with a summary',
      },
      new: { label: 'New session', hint: 'Starts a new session; this one stays as it is' },
    },
    remember: 'Remember my answer',
    changed: 'What changed',
    deleted: 'deleted',
    known: 'known to the agent',
    more: (files: number) => `and ${formatNumber(files)} more`,
  },
  notices: {
    dismiss: 'Dismiss',
    attempt: (attempt: number, tries: number) => `Try ${attempt} of ${tries}`,
    tryNow: 'Try now',
    silence: 'The server has sent nothing for',
    asksAgain: (after: string) => `After ${after} Plimsoll sends the request again.`,
    review: 'A pass waits for your review: see what it would remove.',
    showReview: 'Review',
    compactFirst: 'Compact first',
    continue: 'Continue',
    restored: (files: number) =>
      files === 1 ? '1 file was restored.' : `${formatNumber(files)} files were restored.`,
    undoRestore: 'Undo',
  },
  todo: {
    progress: (done: number, all: number) => `${done} of ${all} done`,
    states: { open: 'to do', doing: 'in progress', done: 'done' },
  },
  commands: {
    running: (running: number) =>
      running === 0
        ? 'No background commands running'
        : `${countText(running, 'background command')} running`,
    hint: 'These commands run until the session ends; stopping the turn does not stop them. Their file changes count as made by someone else, or by a command that runs at that time.',
    isRunning: 'running',
    output: 'Show output',
    outputOf: (handle: string) => `Show output of ${handle}`,
    type: 'Type',
    typeInto: (handle: string) => `Type into ${handle}`,
    typeHint: 'Enter sends it. The agent is not told.',
    stop: 'Stop',
    stopCommand: (handle: string) => `Stop ${handle}`,
  },
  rules: {
    allow: 'Allowed',
    deny: 'Denied',
    revoke: 'Revoke',
    revokeRule: (subject: string) => `Revoke: ${subject}`,
  },
} as const;

/** Longest path in a line, characters; a longer one is cut in the middle. */
const LONGEST_PATH = 60;

const RESTORED = { changes: 'changes', comes: 'is created again', goes: 'is deleted' } as const;

/** What a restore would do to a file. */
export function restoreWords({ path, how, isChangedSince, problem }: FileToRestore): string {
  const shown = visiblePath(path, LONGEST_PATH);
  if (problem !== undefined) return `${shown} stays as it is: ${problem}`;
  return `${shown} ${RESTORED[how]}${isChangedSince === true ? ' (changed by something else since)' : ''}`;
}

/** What undoing a prompt removes, and what it does not undo. */
export function promptEffectsWords(effects: PromptEffectsView): string {
  const { prompts, steps, files, commands, restore } = effects;
  const later = prompts === 0 ? '' : `${countText(prompts, 'later prompt')} and `;
  const removed = `This also removes ${later}${countText(steps, 'step')} from the context window. The log keeps everything.`;
  if (restore.length > 0) return removed;
  const changed =
    files.length === 0
      ? ''
      : ` ${countText(files.length, 'changed file')} ${files.length === 1 ? 'stays as it is' : 'stay as they are'}: ${files.join(', ')}.`;
  const ran =
    commands === 0 ? '' : ` The effects of ${countText(commands, 'command')} are not undone.`;
  return `${removed}${changed}${ran}`;
}

const TRIGGERS: ReadonlyMap<string, string> = new Map([
  ['highWatermark', 'high watermark'],
  ['overflow', 'request was too long'],
  ['manual', 'on request'],
  ['cap', 'turn or message limit'],
  ['coldCache', 'cold prompt cache'],
  ['byHand', 'by you'],
  ['recorded', 'by the recorded agent'],
]);

/** What the agent is doing; '' when it is idle. */
export function activityWords(conversation: Conversation): string {
  const { activity, offline } = conversation;
  switch (activity.state) {
    case 'idle':
      return '';
    case 'asking':
      return activity.note ?? (offline ? 'Asking the script' : 'Asking the model');
    case 'waiting':
      return 'Waiting to try again';
    case 'runningTool':
      return runningWords(findTool(conversation, activity.toolUseId));
    case 'awaitingApproval':
      return 'Waiting for your answer';
    case 'compacting':
      return 'Running a pass on the context window';
    case 'awaitingReview':
      return 'Waiting for you to review a pass';
    case 'stopping':
      return 'Stopping';
  }
}

/** The running call in a sentence: "Running npm test", "Reading src/a.js". */
function runningWords(tool: ToolView | undefined): string {
  if (tool === undefined) return 'Running a tool';
  const { verb, subject } = sentenceOf({ ...tool, state: 'running' });
  return verb === undefined ? `Running ${tool.label}` : `${verb} ${subject}`;
}

/** Why a pass ran; shows an unknown trigger as it is. */
export function triggerWords(trigger: string): string {
  return TRIGGERS.get(trigger) ?? trigger;
}

/** How full the window is: "46 % full: 12,480 / 26,880 tokens, counted by the server". */
export function gaugeWords({ usedTokens, exact, inputBudget }: GaugeView): string {
  const used = formatTokens({ tokens: usedTokens, exact });
  const percent = `${exact ? '' : `${ESTIMATE_MARK}\u00a0`}${formatShare(usedTokens, inputBudget)}`;
  return `${percent} full: ${used} / ${formatNumber(inputBudget)} tokens, ${originOfTokens(exact)}`;
}

/** Calls that only look, in a sentence: "Read 4 files, searched twice". */
export function readsWords(tools: readonly ToolView[]): string {
  const parts = (['read', 'search', 'list'] as const).flatMap((kind) => {
    const calls = tools.filter((tool) => tool.kind === kind);
    if (calls.length === 0) return [];
    const named = new Set(calls.map(({ path, label }) => path ?? label)).size;
    if (kind === 'search') return [`searched ${timesWords(calls.length)}`];
    return kind === 'read'
      ? [`read ${countText(named, 'file')}`]
      : [`listed ${countText(named, 'folder')}`];
  });
  const sentence = parts.join(', ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function timesWords(times: number): string {
  return times === 1 ? 'once' : times === 2 ? 'twice' : `${formatNumber(times)} times`;
}

/** What a turn has used so far, each number with its unit; nothing before the first answer. */
export function usageWords(usage: UsageView): readonly string[] {
  const { inputTokens, cacheReadTokens, outputTokens, cost, isEstimate = false } = usage;
  if (inputTokens + outputTokens === 0) return [];
  const amount = (tokens: number) => formatTokens({ tokens, exact: !isEstimate });
  return [
    `${amount(inputTokens)} tokens in`,
    ...(cacheReadTokens > 0 ? [`${amount(cacheReadTokens)} of them from cache`] : []),
    `${amount(outputTokens)} out`,
    cost,
  ];
}

/**
 * The cost of the newest turn and of the session, the share read from the cache, and the tokens
 * that passes removed.
 */
export function costsWords({
  turn,
  session,
  fork,
  cacheReadShare,
  saved,
}: CostsView): readonly string[] {
  return [
    ...(turn === session
      ? [`turn and session: ${session}`]
      : [`turn ${turn}`, `session ${session}`]),
    ...(fork === undefined ? [] : [`${fork.spent} since the fork, ${fork.inherited} inherited`]),
    ...(cacheReadShare === null ? [] : [`${formatShare(cacheReadShare, 1)} from cache`]),
    ...(saved === undefined
      ? []
      : [
          `${formatNumber(saved.passes)} ${saved.passes === 1 ? 'pass' : 'passes'} removed ${formatTokens(saved)} tokens`,
        ]),
  ];
}
