import * as z from 'zod/mini';
import {
  ATTACHMENT_TYPES,
  BLOCK_KINDS,
  GO_ON_CAUSES,
  REMINDER_CAUSES,
  RULE_CHANGES,
  RESULT_ORIGINS,
} from '../contextWindow/block';
import { STOP_REASONS } from '../contextWindow/event';
import { isObject, type JsonValue } from '../contextWindow/json';
import { MODES } from '../contextWindow/mode';
import { ACTIONS, POLICY_NAMES, REPLAY_ONLY_NAMES, TRIGGERS } from '../contextWindow/plan';
import { scratchpadShape, TODO_STATES } from '../contextWindow/scratchpad';
import {
  CLEARED_OF,
  COMPARED_WITH,
  NO_GAINS,
  OTHERS_CLEARED,
  PLAIN_RULES,
} from '../contextWindow/reasons';
import { UNREAD_NOTES } from '../contextWindow/tier';
import { EFFORTS } from '../contextWindow/reasoning';

export const text = z.string();

export const tokens = z.number();

export const shownLines = z.object({
  path: text,
  first: z.optional(z.number()),
  text,
  changedOutside: z.optional(z.literal(true)),
});

const regionCause = z.object({
  chosen: z.optional(z.literal(true)),
  named: z.optional(z.literal(true)),
  editedAt: z.number(),
  readAt: z.number(),
  edit: z.optional(z.object({ step: z.number(), distance: z.number() })),
  seenAt: z.number(),
});

const excerptsSchema = z.object({
  id: text,
  step: z.number(),
  shown: z.array(
    z.extend(shownLines, {
      why: regionCause,
      score: z.number(),
      touch: z.number(),
      near: z.number(),
      seen: z.number(),
    }),
  ),
  hidden: z.array(
    z.object({
      path: text,
      readAt: z.number(),
      editedAt: z.number(),
      onDisk: z.optional(z.enum(['deleted', 'unreadable'])),
    }),
  ),
  tokens: z.number(),
  omitsUnlikely: z.optional(z.literal(true)),
});

/** JSON that is passed on byte for byte: tool inputs and schemas. */
export const jsonObject = z.custom<Record<string, unknown>>(isObject, 'expected an object');

/** Any JSON value. */
export const jsonValue = z.custom<JsonValue>((value) => value !== undefined, 'expected a value');

export const usage = z.object({
  inputTokens: tokens,
  cacheCreationTokens: tokens,
  cacheCreation1hTokens: z.optional(tokens),
  cacheReadTokens: tokens,
  outputTokens: tokens,
  thinkingTokens: z.optional(tokens),
});

export const stopReason = z.enum(STOP_REASONS);

export const effort = z.enum(EFFORTS);

const display = z.literal('summarized');

/** How a request asked the model to think. */
export const thinking = z.discriminatedUnion('type', [
  z.object({ type: z.literal('adaptive'), display }),
  z.object({ type: z.literal('enabled'), budget_tokens: tokens, display }),
  z.object({ type: z.enum(['disabled', 'between_tools']) }),
]);

export const admission = z.discriminatedUnion('form', [
  z.object({ form: z.literal('whole') }),
  z.object({
    form: z.literal('truncated'),
    headChars: z.number(),
    tailChars: z.number(),
    tokensBefore: tokens,
    tokensAfter: tokens,
    capTokens: tokens,
  }),
]);

export const resultOrigin = z.enum(RESULT_ORIGINS);

export const attachments = z.array(
  z.object({ type: z.enum(ATTACHMENT_TYPES), mediaType: text, data: text, tokens }),
);

export const memoryOrigin = z.discriminatedUnion('how', [
  z.object({ how: z.literal('begin') }),
  z.object({ how: z.literal('allowed'), step: z.number() }),
]);

export const noteSource = z.discriminatedUnion('from', [
  z.object({ from: z.literal('scratchpad'), handedOver: z.optional(z.literal(true)) }),
  z.object({ from: z.literal('handover'), title: text }),
  z.object({
    from: z.literal('memory'),
    path: text,
    origin: z.optional(memoryOrigin),
    globs: z.optional(z.array(text)),
  }),
  z.object({ from: z.literal('recall'), blockId: text, label: text }),
  z.object({ from: z.literal('return'), idleMs: z.number() }),
  z.object({ from: z.literal('said') }),
  z.object({ from: z.literal('rule'), how: z.enum(RULE_CHANGES) }),
  z.object({ from: z.literal('mode'), mode: z.enum(MODES) }),
  z.object({ from: z.literal('filesRestored') }),
  z.object({ from: z.literal('commandsEnded'), handles: z.array(text) }),
  z.object({
    from: z.literal('continue'),
    because: z.enum(GO_ON_CAUSES),
  }),
  z.object({
    from: z.literal('reminder'),
    because: z.enum(REMINDER_CAUSES),
    steps: z.number(),
  }),
]);

export const scratchpad = z.object({
  ...scratchpadShape(text, z.array(text)),
  lists: z.optional(z.array(z.object({ name: text, items: z.array(text) }))),
  todo: z.optional(z.array(z.object({ text, state: z.enum(TODO_STATES) }))),
});

export const replyPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('thinking'), thinking: text, signature: text }),
  z.object({ type: z.literal('redactedThinking'), data: text }),
  z.object({ type: z.literal('compaction'), content: z.nullable(text) }),
  z.object({
    type: z.literal('toolUse'),
    use: z.object({
      id: text,
      name: text,
      input: jsonObject,
      inputFault: z.optional(text),
      via: z.optional(text),
    }),
  }),
]);

const amount = z.object({ tokens, exact: z.boolean() });

export const budget = z.object({
  contextWindowTokens: tokens,
  maxReplyTokens: tokens,
  safetyHeadroomTokens: tokens,
  toolResultHeadroomTokens: tokens,
  highWatermark: z.number(),
  lowWatermark: z.number(),
  inputBudget: tokens,
  highTokens: tokens,
  lowTokens: tokens,
});

const summaryCredit = z.discriminatedUnion('by', [
  z.object({ by: z.literal('model'), model: text, editedByUser: z.optional(z.literal(true)) }),
  z.object({ by: z.literal('workNote'), because: text, editedByUser: z.optional(z.literal(true)) }),
]);

const cap = z.discriminatedUnion('of', [
  z.object({ of: z.literal('turns'), left: z.number(), most: z.optional(z.number()) }),
  z.object({ of: z.literal('messages'), left: z.number(), withHead: z.optional(z.literal(true)) }),
]);

const lack = z.discriminatedUnion('factor', [
  z.object({ factor: z.enum(['recency', 'kind']) }),
  z.object({ factor: z.literal('reuse'), steps: z.number() }),
  z.object({ factor: z.literal('size'), tokens }),
]);

/** Why a block was kept or changed, as `Reason` has it. */
const reason = z.discriminatedUnion('rule', [
  z.object({ rule: z.enum(PLAIN_RULES) }),
  z.object({ rule: z.literal('keep:openStep'), hasResults: z.boolean() }),
  z.object({ rule: z.literal('keep:unread'), note: z.enum(UNREAD_NOTES) }),
  z.object({ rule: z.literal('keep:recentTurns'), turns: z.number() }),
  z.object({ rule: z.literal('keep:recent'), steps: z.number() }),
  z.object({ rule: z.literal('keep:enough'), mark: z.enum(['lowWatermark', 'goal']), tokens }),
  z.object({ rule: z.literal('keep:neededAgain'), times: z.number() }),
  z.object({ rule: z.literal('keep:noGain'), because: z.enum(NO_GAINS) }),
  z.object({
    rule: z.literal('truncateAtAdmission'),
    cuts: z.array(z.object({ name: z.optional(text), tokens, capTokens: tokens })),
  }),
  z.object({ rule: z.enum(['shortenTask', 'shortenProtected']), tokens }),
  z.object({
    rule: z.literal('clearSuperseded'),
    shownBy: z.array(z.object({ call: text, step: z.number() })),
  }),
  z.object({
    rule: z.literal('clearOldResults'),
    of: z.enum(CLEARED_OF),
    beforeTurns: z.optional(z.number()),
    tokens,
    others: z.optional(z.array(z.enum(OTHERS_CLEARED))),
  }),
  z.object({ rule: z.literal('clearOversized'), tokens }),
  z.object({ rule: z.literal('clearHeldByExcerpts'), isShown: z.boolean() }),
  z.object({ rule: z.literal('trimThinking'), because: z.enum(['oldest', 'changedBefore']) }),
  z.object({
    rule: z.literal('summariseOldest'),
    olderThan: z.optional(z.number()),
    summary: z.optional(summaryCredit),
  }),
  z.object({
    rule: z.literal('summariseSpent'),
    isStep: z.boolean(),
    files: z.optional(z.enum(['clearedReads', 'oldEdits'])),
    summary: z.optional(summaryCredit),
  }),
  z.object({ rule: z.literal('summariseOverCap'), cap, summary: z.optional(summaryCredit) }),
  z.object({ rule: z.literal('recorded'), summary: z.optional(summaryCredit) }),
  z.object({
    rule: z.literal('evictLeastSalient'),
    of: z.enum(COMPARED_WITH),
    beforeTurns: z.optional(z.number()),
    relevance: z.number(),
    isRated: z.optional(z.literal(true)),
    lacks: z.array(lack),
  }),
  z.object({ rule: z.literal('evictOldest'), isOldest: z.boolean() }),
  z.object({ rule: z.literal('evictMiddle'), isInMiddle: z.boolean() }),
  z.object({ rule: z.literal('evictOverCap'), cap }),
  z.object({ rule: z.literal('evictShownNotes'), isReminder: z.boolean() }),
  z.object({ rule: z.literal('evictFormerExcerpts'), isReplaced: z.boolean() }),
  z.object({
    rule: z.literal('restoredByUser'),
    above: z.optional(
      z.object({
        mark: z.enum(['highWatermark', 'inputBudget']),
        usedTokens: tokens,
        markTokens: tokens,
      }),
    ),
  }),
  z.object({ rule: z.literal('undoneByUser'), isPrompt: z.boolean() }),
  z.object({
    rule: z.literal('undone'),
    pass: z.object({ trigger: z.enum(TRIGGERS), ordinal: z.number() }),
  }),
]);

const decision = z.object({
  blockId: text,
  label: text,
  kind: z.enum(BLOCK_KINDS),
  action: z.enum(ACTIONS),
  reason,
  recentTurn: z.optional(
    z.object({
      turn: z.number(),
      kept: z.number(),
      isNothingOlder: z.boolean(),
      withExcerpts: z.optional(z.literal(true)),
    }),
  ),
  before: amount,
  after: amount,
  salience: z.optional(
    z.object({
      salience: z.number(),
      recency: z.number(),
      reuse: z.number(),
      kind: z.number(),
      size: z.number(),
      errors: z.number(),
      decisions: z.number(),
      pinned: z.optional(z.literal(true)),
      rated: z.optional(z.number()),
    }),
  ),
  toolUseIds: z.optional(z.array(text)),
  heldByExcerpts: z.optional(z.array(text)),
  admissions: z.optional(z.array(z.object({ handle: text, admission }))),
  summaryId: z.optional(text),
  text: z.optional(text),
  wayBack: z.optional(z.object({ handle: text })),
});

export const summaryWriter = z.discriminatedUnion('by', [
  z.object({ by: z.literal('model'), model: text, usage: z.optional(usage) }),
  z.object({
    by: z.literal('workNote'),
    because: text,
    asked: z.optional(z.object({ model: text, usage })),
  }),
]);

const exchange = z.object({
  model: text,
  maxTokens: tokens,
  system: text,
  content: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text }),
      z.object({
        type: z.enum(ATTACHMENT_TYPES),
        source: z.object({ type: z.literal('base64'), media_type: text, data: text }),
      }),
    ]),
  ),
  answer: z.optional(text),
  correction: z.optional(z.object({ asked: text, answer: z.optional(text) })),
});

const summaryCheck = z.object({
  claims: z.number(),
  unfounded: z.array(text),
  removed: z.optional(z.array(z.object({ text, unfounded: z.array(text) }))),
  notCorrected: z.optional(text),
});

/** One finished pass, as stored in the log. */
export const pass = z.object({
  number: z.number(),
  ordinal: z.number(),
  beforeStep: z.number(),
  trigger: z.enum(TRIGGERS),
  policy: z.enum([...POLICY_NAMES, ...REPLAY_ONLY_NAMES]),
  budget,
  before: amount,
  after: amount,
  target: tokens,
  decisions: z.array(decision),
  overhead: z.object({
    summaries: tokens,
    scratchpad: tokens,
    gapLines: tokens,
    rules: z.optional(z.number()),
    excerpts: z.optional(tokens),
  }),
  excerpts: z.optional(excerptsSchema),
  summaries: z.array(
    z.object({
      id: text,
      covers: z.array(text),
      text,
      writtenBy: summaryWriter,
      editedByUser: z.optional(z.literal(true)),
      exchange: z.optional(exchange),
      check: z.optional(summaryCheck),
    }),
  ),
  cache: z.object({
    untouchedTokens: tokens,
    rewrittenTokens: tokens,
    addedTokens: tokens,
    freedTokens: tokens,
  }),
  undonePrompt: z.optional(
    z.object({
      scratchpad: z.optional(scratchpad),
      scratchpadAge: z.optional(
        z.object({ writtenAt: z.number(), isReminded: z.boolean(), isWarned: z.boolean() }),
      ),
      showsScratchpad: z.optional(z.literal(true)),
      through: z.optional(z.number()),
      turn: z.number(),
    }),
  ),
});
