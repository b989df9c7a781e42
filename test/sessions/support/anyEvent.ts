import fc from 'fast-check';
import type { Admission, BlockId, ReplyPart, ToolUseId } from '../../../src/contextWindow/block';
import type { EventOf, SessionEvent, TurnOutcome } from '../../../src/contextWindow/event';
import type { Decision, Pass } from '../../../src/contextWindow/plan';

// Few ids, so that events refer to each other; any text, lone surrogates and line breaks included.
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('\ud800', 'a\udfff\n', '\u2028\r\n', '{"type":'),
);
const tokens = fc.nat(200_000);
const blockId = fc
  .constantFrom('prompt-1', 'prompt-2', 'step-1', 'step-2', 'step-3', 'summary-1', 'nothing')
  .map((id) => id as BlockId);
const toolUseId = fc.constantFrom('toolu_1', 'toolu_2', 'toolu_3').map((id) => id as ToolUseId);
const json = fc
  .dictionary(
    fc.oneof(fc.constantFrom('path', '__proto__', '10', '2', 'constructor'), anyText),
    fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown),
    { maxKeys: 4 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

const admission: fc.Arbitrary<Admission> = fc.oneof(
  fc.constant({ form: 'whole' as const }),
  fc.record({
    form: fc.constant('truncated' as const),
    headChars: fc.nat(20),
    tailChars: fc.nat(20),
    tokensBefore: tokens,
    tokensAfter: tokens,
    capTokens: tokens,
  }),
);

const part: fc.Arbitrary<ReplyPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: anyText }),
  fc.record({ type: fc.constant('thinking' as const), thinking: anyText, signature: anyText }),
  fc.record({ type: fc.constant('redactedThinking' as const), data: anyText }),
  fc.record({
    type: fc.constant('toolUse' as const),
    use: fc.record({ id: toolUseId, name: fc.constantFrom('read_file', 'recall'), input: json }),
  }),
);

const usage = fc.record({
  inputTokens: tokens,
  cacheCreationTokens: tokens,
  cacheReadTokens: tokens,
  outputTokens: tokens,
});

const amount = fc.record({ tokens, exact: fc.boolean() });
const trigger = fc.constantFrom('highWatermark' as const, 'overflow' as const, 'manual' as const);
const fraction = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value || 0);

const decision: fc.Arbitrary<Decision> = fc.record(
  {
    blockId,
    label: anyText,
    kind: fc.constantFrom('anchor', 'prompt', 'step', 'summary'),
    action: fc.constantFrom('keep', 'truncate', 'clear', 'compact', 'evict'),
    rule: fc.constantFrom('keep:anchor', 'clearOldResults', 'compactOldest', 'evictLeastSalient'),
    reason: anyText,
    before: amount,
    after: amount,
    salience: fc.record({
      salience: fraction,
      recency: fraction,
      reuse: fraction,
      kind: fraction,
    }),
    toolUseIds: fc.array(toolUseId, { maxLength: 2 }),
    summaryId: blockId,
    wayBack: fc.record({ handle: anyText }),
  },
  {
    requiredKeys: ['blockId', 'label', 'kind', 'action', 'rule', 'reason', 'before', 'after'],
  },
);

const pass: fc.Arbitrary<Pass> = fc.record({
  number: fc.nat(9),
  beforeStep: fc.nat(99),
  trigger,
  budget: fc.record({
    contextWindowTokens: tokens,
    maxReplyTokens: tokens,
    safetyHeadroomTokens: tokens,
    toolResultHeadroomTokens: tokens,
    highWatermark: fraction,
    lowWatermark: fraction,
    inputBudget: tokens,
    highTokens: tokens,
    lowTokens: tokens,
  }),
  before: amount,
  after: amount,
  target: tokens,
  decisions: fc.array(decision, { maxLength: 4 }),
  summaries: fc.array(
    fc.record({
      id: blockId,
      covers: fc.array(blockId, { maxLength: 3 }),
      text: anyText,
      writtenBy: fc.oneof(
        fc.record({ by: fc.constant('model' as const), model: anyText, usage }),
        fc.record({ by: fc.constant('workNote' as const), because: anyText }),
      ),
    }),
    { maxLength: 2 },
  ),
  rungs: fc.array(
    fc.record({
      rung: fc.constantFrom('clear' as const, 'compact' as const, 'evict' as const),
      blocks: fc.nat(9),
      tokens,
    }),
    { maxLength: 3 },
  ),
  cache: fc.record({
    rewrittenTokens: tokens,
    freedTokens: tokens,
    breakEvenRequests: fc.option(tokens),
  }),
});

const outcome: fc.Arbitrary<TurnOutcome> = fc.oneof(
  fc.record({ type: fc.constantFrom('finished' as const, 'stopped' as const) }),
  fc.record({
    type: fc.constantFrom('replyCut' as const, 'refused' as const, 'contextFull' as const),
    message: anyText,
  }),
  fc.record({ type: fc.constant('stepLimit' as const), steps: fc.nat(99) }),
  fc.record({ type: fc.constant('failed' as const), failure: anyText, message: anyText }),
);

type Fields<T extends SessionEvent['type']> = {
  [K in keyof Omit<EventOf<T>, 'type' | 'at'>]: fc.Arbitrary<EventOf<T>[K]>;
};

/** One arbitrary for every kind of event; leaving one out does not compile. */
const FIELDS: { [T in Exclude<SessionEvent['type'], 'sessionStarted'>]: Fields<T> } = {
  preambleSet: {
    system: anyText,
    tools: fc.array(fc.record({ name: anyText, description: anyText, inputSchema: json }), {
      maxLength: 2,
    }),
  },
  modelSet: { model: anyText },
  promptSubmitted: { text: anyText, admission },
  replyReceived: {
    model: anyText,
    parts: fc.array(part, { maxLength: 4 }),
    stopReason: fc.constantFrom('end_turn', 'tool_use', 'max_tokens', 'stopped'),
    usage,
    durationMs: fc.double({ min: 0, max: 1e9, noNaN: true }).map((ms) => ms || 0),
    editedMeanwhile: fc.constant(true),
  },
  toolFinished: {
    toolUseId,
    text: anyText,
    isError: fc.boolean(),
    origin: fc.constantFrom('ran', 'denied', 'stopped', 'interrupted', 'cutReply'),
    durationMs: fc.nat(),
    admission,
  },
  scratchpadUpdated: {
    scratchpad: fc.record({
      objective: anyText,
      keyFacts: fc.array(anyText, { maxLength: 2 }),
      decisions: fc.array(anyText, { maxLength: 2 }),
      currentStep: anyText,
      blockers: fc.array(anyText, { maxLength: 2 }),
    }),
  },
  windowCounted: { tokens, source: fc.constantFrom('countTokens', 'overflowError') },
  countFailed: { message: anyText },
  passApplied: { pass },
  blockPinned: { blockId },
  blockUnpinned: { blockId },
  budgetSteppedDown: {
    attempt: fc.nat(3),
    contextWindowTokens: tokens,
    inputBudget: tokens,
    message: anyText,
  },
  turnEnded: { outcome },
};

const anyEvent = fc.oneof(
  ...Object.entries(FIELDS).map(([type, fields]): fc.Arbitrary<unknown> =>
    fc.record({ at: fc.nat(), type: fc.constant(type), ...(fields as object) }),
  ),
) as fc.Arbitrary<SessionEvent>;

/** Any log a session could leave: its beginning, and whatever comes in whatever order. */
export const anyLog: fc.Arbitrary<readonly SessionEvent[]> = fc
  .tuple(
    fc.record({
      at: fc.nat(),
      type: fc.constant('sessionStarted' as const),
      version: fc.constant(1 as const),
      sessionId: anyText,
      pinTaskAnchor: fc.boolean(),
    }),
    fc.array(anyEvent, { maxLength: 30 }),
  )
  .map(([start, rest]) => [start, ...rest]);
