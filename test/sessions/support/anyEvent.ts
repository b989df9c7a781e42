import { CACHE_LIFE_CHOICES, CACHE_LIVES } from '../../../src/contextWindow/account/promptCache';
import { EFFORTS } from '../../../src/contextWindow/reasoning';
import fc from 'fast-check';
import {
  ASK_PURPOSES,
  LEFT_OUT,
  type EventOf,
  type SessionEvent,
  type TurnOutcome,
  type WindowEvent,
} from '../../../src/contextWindow/event';
import type { ContextEdit } from '../../../src/contextWindow/contextEditing';
import {
  admission,
  anyText,
  attachments,
  blockId,
  json,
  jsonValue,
  memoryOrigin,
  noteSource,
  scratchpad,
  part,
  tokens,
  toolUseId,
  usage,
  wordOf,
} from './anyParts';
import { stopReason } from '../../../src/sessions/storedPass';
import { budget, pass, summaryWriter } from './anyPass';

/** A turn, step or note number; a damaged log may repeat or skip some. */
const number = fc.integer({ min: 1, max: 9 });

const outcome: fc.Arbitrary<TurnOutcome> = fc.oneof(
  fc.record({
    type: fc.constantFrom('finished' as const, 'stopped' as const, 'interrupted' as const),
  }),
  fc.record({
    type: fc.constantFrom('replyCut' as const, 'refused' as const, 'contextFull' as const),
    message: anyText,
  }),
  fc.record(
    {
      type: fc.constant('capReached' as const),
      cap: fc.constantFrom('steps' as const, 'tokens' as const, 'usd' as const),
      most: fc.nat(99),
      spent: fc.record(
        { steps: fc.nat(9), tokens: fc.nat(9), usd: fc.nat(9), isEstimate: fc.constant(true) },
        { requiredKeys: ['steps', 'tokens'] },
      ),
      nextUsd: fc.nat(9),
    },
    { requiredKeys: ['type', 'cap', 'most', 'spent'] },
  ),
  fc.record({ type: fc.constant('failed' as const), failure: anyText, message: anyText }),
);

const tokensOf = tokens.map((value) => ({ type: 'input_tokens' as const, value }));

const serverEdit: fc.Arbitrary<ContextEdit> = fc.oneof(
  fc.record(
    {
      type: fc.constant('clear_tool_uses_20250919' as const),
      trigger: tokensOf,
      keep: fc.record({ type: fc.constant('tool_uses' as const), value: fc.nat(9) }),
      clear_at_least: tokensOf,
      exclude_tools: fc.array(anyText, { maxLength: 2 }),
      clear_tool_inputs: fc.boolean(),
    },
    { requiredKeys: ['type', 'trigger', 'keep'] },
  ),
  fc.record({
    type: fc.constant('clear_thinking_20251015' as const),
    keep: fc.oneof(
      fc.constant('all' as const),
      fc.record({ type: fc.constant('thinking_turns' as const), value: fc.nat(9) }),
    ),
  }),
  fc.record(
    { type: fc.constant('compact_20260112' as const), trigger: tokensOf, instructions: anyText },
    { requiredKeys: ['type', 'trigger'] },
  ),
);

const rule = fc.record(
  {
    decision: fc.constantFrom('allow' as const, 'deny' as const),
    subject: fc.oneof(
      fc.constant({ kind: 'edits' as const }),
      fc.record(
        { kind: fc.constant('command' as const), pattern: anyText, folder: anyText },
        { requiredKeys: ['kind', 'pattern'] },
      ),
      fc.record({ kind: fc.constant('host' as const), host: anyText }),
      fc.constant({ kind: 'sandbox' as const }),
      fc.record({ kind: fc.constant('tool' as const), tool: anyText }),
    ),
    scope: fc.constantFrom('session' as const, 'workspace' as const, 'always' as const),
    workspace: anyText,
    by: anyText,
    at: fc.nat(),
  },
  { requiredKeys: ['decision', 'subject', 'scope'] },
);

const memoryFile = fc.record(
  {
    path: anyText,
    profile: fc.constant(true as const),
    skill: fc.record({ name: anyText, hash: anyText }),
    text: anyText,
    chars: fc.nat(),
    origin: memoryOrigin,
  },
  { requiredKeys: ['path', 'text', 'chars'] },
);
const lasting = fc.array(
  fc.record({
    path: anyText,
    how: fc.constantFrom('made' as const, 'changed' as const, 'gone' as const),
  }),
  { maxLength: 2 },
);
const handle = fc.constantFrom('cmd1', 'cmd2', 'cmd3');
const fileChange = fc.record({ path: anyText, before: anyText, after: anyText });
const turnFile = fc.record(
  {
    path: anyText,
    before: anyText,
    after: anyText,
    added: number,
    removed: number,
    answer: fc.constantFrom('kept' as const, 'undone' as const),
  },
  { requiredKeys: ['path', 'before', 'after'] },
);
const sessionLink = fc.record({ sessionId: anyText, title: anyText });

type Fields<T extends SessionEvent['type']> = {
  [K in keyof Omit<EventOf<T>, 'type' | 'at'>]-?: fc.Arbitrary<Exclude<EventOf<T>[K], undefined>>;
};

/** Fields an event can lack. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'memory',
  'attachments',
  'recalled',
  'lasting',
  'reportedEnds',
  'commandStarted.moved',
  'commandEnded.signal',
  'editedMeanwhile',
  'underreported',
  'uncounted',
  'leftOut',
  'tiers',
  'appliedEdits',
  'byUser',
  'scratchpadUpdated.handedOver',
  'unrecordedTokens',
  'scratchpadUpdated.note',
  'standingRuleAdded.given',
  'standingRuleAdded.note',
  'estimatedTokens',
  'maxTokens',
  'budget',
  'serverEdits',
  'compactionUsage',
  'edited',
  'filesRestored.undoes',
  'fileChosen.lines',
]);

const display = fc.constant('summarized' as const);

/** One arbitrary for every kind of event; leaving one out does not compile. */
const FIELDS: { [T in Exclude<WindowEvent['type'], 'sessionStarted'>]: Fields<T> } = {
  preambleSet: {
    system: anyText,
    tools: fc.array(
      fc.record(
        {
          name: anyText,
          description: anyText,
          inputSchema: json,
          provider: anyText,
          holds: fc.array(anyText, { maxLength: 2 }),
        },
        { requiredKeys: ['name', 'description', 'inputSchema'] },
      ),
      { maxLength: 2 },
    ),
    memory: fc.array(memoryFile, { maxLength: 2 }),
    unrecordedTokens: number,
  },
  memoryListed: { files: fc.array(fc.record({ path: anyText, hash: anyText }), { maxLength: 2 }) },
  memoryAnswered: { path: anyText, hash: anyText, allowed: fc.boolean() },
  modelSet: { model: anyText },
  filesChanged: {
    toolUseId: anyText as fc.Arbitrary<EventOf<'toolFinished'>['toolUseId']>,
    files: fc.array(fileChange, { maxLength: 2 }),
  },
  turnFiles: { turn: number, files: fc.array(turnFile, { maxLength: 2 }) },
  filesRestored: { files: fc.array(fileChange, { maxLength: 2 }), undoes: fc.constant(true) },
  promptSubmitted: {
    turn: number,
    text: anyText,
    admission,
    attachments,
    byAgent: fc.constant(true),
  },
  replyReceived: {
    step: number,
    model: anyText,
    parts: fc.array(part, { maxLength: 4 }),
    stopReason: wordOf(stopReason),
    usage,
    durationMs: fc.double({ min: 0, max: 1e9, noNaN: true }).map((ms) => ms || 0),
    firstTokenMs: fc.nat(),
    editedMeanwhile: fc.constant(true),
    underreported: fc.constant(true),
    uncounted: fc.constant(true),
    leftOut: fc.subarray([...LEFT_OUT]),
    tiers: fc.record(
      { system: tokens, working: tokens, archive: tokens, summary: tokens, exact: fc.boolean() },
      { requiredKeys: ['system', 'working', 'archive', 'exact'] },
    ),
    appliedEdits: fc.array(
      fc.record(
        {
          type: anyText,
          clearedToolUses: fc.nat(9),
          clearedThinkingTurns: fc.nat(9),
          clearedInputTokens: tokens,
        },
        { requiredKeys: ['type'] },
      ),
      { maxLength: 2 },
    ),
    estimatedTokens: tokens,
    maxTokens: tokens,
    thinking: fc.oneof(
      fc.record({ type: fc.constant('adaptive' as const), display }),
      fc.record({ type: fc.constant('enabled' as const), budget_tokens: tokens, display }),
      fc.record({ type: fc.constantFrom('disabled' as const, 'between_tools' as const) }),
    ),
    effort: fc.constantFrom(...EFFORTS),
    budget,
    serverEdits: fc.array(serverEdit, { maxLength: 3 }),
    compactionUsage: usage,
  },
  modelAsked: { purpose: fc.constantFrom(...ASK_PURPOSES), model: anyText, usage },
  toolFinished: {
    toolUseId,
    text: anyText,
    isError: fc.boolean(),
    origin: fc.constantFrom('ran', 'denied', 'stopped', 'interrupted', 'cutReply'),
    durationMs: fc.nat(),
    admission,
    attachments,
    shown: fc.array(
      fc.record(
        {
          path: anyText,
          first: fc.integer({ min: 1 }),
          text: anyText,
          changedOutside: fc.constant(true as const),
        },
        { requiredKeys: ['path', 'text'] },
      ),
      { maxLength: 2 },
    ),
    recalled: fc.array(anyText, { maxLength: 2 }),
    allowedBy: fc.array(anyText, { maxLength: 2 }),
    lasting,
    reportedEnds: fc.array(handle, { maxLength: 2 }),
  },
  commandStarted: { handle, command: anyText, moved: fc.constant(true as const) },
  commandEnded: {
    handle,
    because: fc.constantFrom(
      'exited',
      'agent',
      'user',
      'sessionEnded',
      'windowClosed',
      'lost',
      'forked',
    ),
    exitCode: fc.option(fc.nat(255)),
    signal: anyText,
    lasting,
  },
  scratchpadUpdated: {
    scratchpad,
    byUser: fc.constant(true),
    handedOver: fc.constant(true),
    note: number,
  },
  noteAdded: { note: number, source: noteSource, text: anyText, admission },
  stateSet: { key: fc.constantFrom('title', 'a', '__proto__'), value: jsonValue },
  windowCounted: {
    tokens,
    source: fc.constantFrom('countTokens', 'overflowError'),
    estimatedTokens: tokens,
    edited: fc.constant(true),
    beforeEdits: tokens,
    serverEdits: fc.array(serverEdit, { maxLength: 3 }),
  },
  recordedCounted: {
    tokens,
    sizes: fc.array(
      fc.record(
        {
          part: fc.oneof(fc.constantFrom('tools' as const, 'unrecorded' as const), blockId),
          unrecorded: tokens,
          share: fc.constantFrom(0, 0.5, 1),
        },
        { requiredKeys: ['part', 'unrecorded'] },
      ),
      { maxLength: 3 },
    ),
  },
  countFailed: { message: anyText },
  passApplied: { pass },
  passPostponed: { tokens },
  passUndone: { number: fc.nat(9) },
  blockPinned: { blockId, undoes: fc.constant(true as const) },
  blockUnpinned: { blockId, undoes: fc.constant(true as const) },
  secretsSent: { marks: fc.array(anyText) },
  anchorMoved: { blockId, undoes: fc.constant(true as const) },
  fileChosen: {
    path: anyText,
    lines: fc.record({ first: number, last: number }),
    choice: fc.constantFrom('always', 'never', 'auto'),
    undoes: fc.constant(true as const),
  },
  budgetSteppedDown: {
    attempt: fc.nat(3),
    contextWindowTokens: tokens,
    inputBudget: tokens,
    message: anyText,
  },
  cacheLifeSet: {
    life: fc.constantFrom(...CACHE_LIVES),
    choice: fc.constantFrom(...CACHE_LIFE_CHOICES),
    pauses: fc.nat(9),
    longPauses: fc.nat(9),
    requests: fc.nat(99),
    earlier: fc.record({
      sessions: fc.nat(9),
      requests: fc.nat(999),
      pauses: fc.nat(99),
      longPauses: fc.nat(9),
    }),
  },
  standingRulesSet: { on: fc.boolean() },
  standingRuleAdded: { text: anyText, given: fc.constant(true as const), note: number },
  standingRuleStruck: { text: anyText, note: number },
  modeSet: { mode: fc.constantFrom('ask', 'acceptEdits', 'plan') },
  ruleSet: { rule },
  ruleRevoked: { rule },
  approvalAsked: { toolUseId },
  approvalAnswered: { toolUseId, approved: fc.boolean() },
  turnEnded: { outcome },
  turnContinued: {},
  queueChanged: {
    prompts: fc.array(
      fc.record(
        { id: fc.nat(), text: anyText, attachments, atNextStep: fc.constant(true as const) },
        { requiredKeys: ['id', 'text'] },
      ),
    ),
  },
  sessionSummarised: { text: anyText, writtenBy: summaryWriter },
  handedOver: { to: sessionLink },
  closeCommandRan: { command: anyText, exitCode: fc.option(fc.nat(255)) },
  sessionClosed: { reason: fc.constantFrom('closed', 'expired', 'evicted', 'ended') },
};

/** Any event of each type that may follow the start of a log. */
export const EVENTS_BY_TYPE: ReadonlyMap<string, fc.Arbitrary<unknown>> = new Map(
  Object.entries(FIELDS).map(([type, fields]) => [
    type,
    fc.record({ at: fc.nat(), type: fc.constant(type), ...(fields as object) }, {
      requiredKeys: [
        'at',
        'type',
        ...Object.keys(fields).filter(
          (name) => !OPTIONAL.has(name) && !OPTIONAL.has(`${type}.${name}`),
        ),
      ],
    } as object),
  ]),
);

const anyWindowEvent = fc.oneof(...EVENTS_BY_TYPE.values()) as fc.Arbitrary<WindowEvent>;

const anyEvent: fc.Arbitrary<SessionEvent> = fc.oneof(
  { weight: 40, arbitrary: anyWindowEvent },
  {
    weight: 1,
    arbitrary: fc.record({
      at: fc.nat(),
      type: fc.constant('subAgentEvent' as const),
      toolUseId,
      event: anyWindowEvent,
    }),
  },
);

/** Any log a session could leave: its start, then anything in any order. */
export const anyLog: fc.Arbitrary<readonly SessionEvent[]> = fc
  .tuple(
    fc.record(
      {
        at: fc.nat(),
        type: fc.constant('sessionStarted' as const),
        version: fc.constant(3 as const),
        sessionId: anyText,
        pinTaskAnchor: fc.boolean(),
        standingRules: fc.boolean(),
        subAgent: anyText,
        forkedFrom: fc.record({ sessionId: anyText, step: fc.nat(9) }),
        handedOverFrom: sessionLink,
      },
      { requiredKeys: ['at', 'type', 'version', 'sessionId', 'pinTaskAnchor'] },
    ),
    fc.array(anyEvent, { maxLength: 30 }),
  )
  .map(([start, rest]) => [start, ...rest]);
