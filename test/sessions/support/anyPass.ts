import fc from 'fast-check';
import type { SummaryWriter } from '../../../src/contextWindow/block';
import type { Budget } from '../../../src/contextWindow/budget';
import {
  POLICY_NAMES,
  REPLAY_ONLY_NAMES,
  type Decision,
  type Excerpts,
  type Pass,
} from '../../../src/contextWindow/plan';
import {
  CLEARED_OF,
  COMPARED_WITH,
  OTHERS_CLEARED,
  NO_GAINS,
  PLAIN_RULES,
  type Cap,
  type Lack,
  type Reason,
  type Rule,
} from '../../../src/contextWindow/reasons';
import { UNREAD_NOTES } from '../../../src/contextWindow/tier';
import { pass as storedPass } from '../../../src/sessions/storedPass';
import {
  admission,
  anyText,
  blockId,
  fraction,
  scratchpad,
  tokens,
  toolUseId,
  usage,
  wordOf,
} from './anyParts';

const amount = fc.record({ tokens, exact: fc.boolean() });
const stored = storedPass.shape;
const storedDecision = stored.decisions.def.element.shape;

const summaryCredit = fc.oneof(
  fc.record(
    {
      by: fc.constant('model' as const),
      model: anyText,
      editedByUser: fc.constant(true as const),
    },
    { requiredKeys: ['by', 'model'] },
  ),
  fc.record(
    {
      by: fc.constant('workNote' as const),
      because: anyText,
      editedByUser: fc.constant(true as const),
    },
    { requiredKeys: ['by', 'because'] },
  ),
);

const cap: fc.Arbitrary<Cap> = fc.oneof(
  fc.record(
    { of: fc.constant('turns' as const), left: fc.nat(9), most: fc.nat(9) },
    { requiredKeys: ['of', 'left'] },
  ),
  fc.record(
    { of: fc.constant('messages' as const), left: fc.nat(9), withHead: fc.constant(true as const) },
    { requiredKeys: ['of', 'left'] },
  ),
);

const lack: fc.Arbitrary<Lack> = fc.oneof(
  fc.record({ factor: fc.constantFrom('recency' as const, 'kind' as const) }),
  fc.record({ factor: fc.constant('reuse' as const), steps: fc.nat(9) }),
  fc.record({ factor: fc.constant('size' as const), tokens }),
);

/** The data of each rule that has some. */
const REASON_DATA: {
  [R in Exclude<Rule, (typeof PLAIN_RULES)[number]>]: fc.Arbitrary<
    Omit<Extract<Reason, { readonly rule: R }>, 'rule'>
  >;
} = {
  'keep:openStep': fc.record({ hasResults: fc.boolean() }),
  'keep:unread': fc.record({ note: fc.constantFrom(...UNREAD_NOTES) }),
  'keep:recentTurns': fc.record({ turns: fc.nat(9) }),
  'keep:recent': fc.record({ steps: fc.nat(9) }),
  'keep:enough': fc.record({
    mark: fc.constantFrom('lowWatermark' as const, 'goal' as const),
    tokens,
  }),
  'keep:neededAgain': fc.record({ times: tokens }),
  'keep:noGain': fc.record({ because: fc.constantFrom(...NO_GAINS) }),
  truncateAtAdmission: fc.record({
    cuts: fc.array(
      fc.record(
        { name: anyText, tokens, capTokens: tokens },
        { requiredKeys: ['tokens', 'capTokens'] },
      ),
      { maxLength: 2 },
    ),
  }),
  shortenTask: fc.record({ tokens }),
  shortenProtected: fc.record({ tokens }),
  clearSuperseded: fc.record({
    shownBy: fc.array(fc.record({ call: anyText, step: fc.nat(9) }), { maxLength: 2 }),
  }),
  clearOldResults: fc.record(
    {
      of: fc.constantFrom(...CLEARED_OF),
      beforeTurns: fc.nat(9),
      tokens,
      others: fc.subarray([...OTHERS_CLEARED], { minLength: 1 }),
    },
    { requiredKeys: ['of', 'tokens'] },
  ),
  clearOversized: fc.record({ tokens }),
  clearHeldByExcerpts: fc.record({ isShown: fc.boolean() }),
  trimThinking: fc.record({
    because: fc.constantFrom('oldest' as const, 'changedBefore' as const),
  }),
  summariseOldest: fc.record(
    { olderThan: fc.nat(9), summary: summaryCredit },
    { requiredKeys: [] },
  ),
  summariseSpent: fc.record(
    {
      isStep: fc.boolean(),
      files: fc.constantFrom('clearedReads' as const, 'oldEdits' as const),
      summary: summaryCredit,
    },
    { requiredKeys: ['isStep'] },
  ),
  summariseOverCap: fc.record({ cap, summary: summaryCredit }, { requiredKeys: ['cap'] }),
  recorded: fc.record({ summary: summaryCredit }, { requiredKeys: [] }),
  evictLeastSalient: fc.record(
    {
      of: fc.constantFrom(...COMPARED_WITH),
      beforeTurns: fc.nat(9),
      relevance: fraction,
      isRated: fc.constant(true as const),
      lacks: fc.array(lack, { maxLength: 2 }),
    },
    { requiredKeys: ['of', 'relevance', 'lacks'] },
  ),
  evictOldest: fc.record({ isOldest: fc.boolean() }),
  evictMiddle: fc.record({ isInMiddle: fc.boolean() }),
  evictOverCap: fc.record({ cap }),
  evictShownNotes: fc.record({ isReminder: fc.boolean() }),
  evictFormerExcerpts: fc.record({ isReplaced: fc.boolean() }),
  restoredByUser: fc.record(
    {
      above: fc.record({
        mark: fc.constantFrom('highWatermark' as const, 'inputBudget' as const),
        usedTokens: tokens,
        markTokens: tokens,
      }),
    },
    { requiredKeys: [] },
  ),
  undoneByUser: fc.record({ isPrompt: fc.boolean() }),
  undone: fc.record({
    pass: fc.record({ trigger: wordOf(stored.trigger), ordinal: fc.nat(9) }),
  }),
};

export const anyReason: fc.Arbitrary<Reason> = fc.oneof(
  {
    arbitrary: fc.constantFrom(...PLAIN_RULES).map((rule) => ({ rule })),
    weight: 2 * PLAIN_RULES.length,
  },
  ...Object.entries(REASON_DATA).map(([rule, data]: [string, fc.Arbitrary<object>]) => ({
    arbitrary: data.map((more) => ({ rule, ...more }) as Reason),
    weight: rule === 'evictLeastSalient' ? 8 : 2,
  })),
);

const decision: fc.Arbitrary<Decision> = fc.record(
  {
    blockId,
    label: anyText,
    kind: wordOf(storedDecision.kind),
    action: wordOf(storedDecision.action),
    reason: anyReason,
    recentTurn: fc.record(
      {
        turn: fc.nat(9),
        kept: fc.nat(9),
        isNothingOlder: fc.boolean(),
        withExcerpts: fc.constant(true),
      },
      { requiredKeys: ['turn', 'kept', 'isNothingOlder'] },
    ),
    before: amount,
    after: amount,
    salience: fc.record(
      {
        salience: fraction,
        recency: fraction,
        reuse: fraction,
        kind: fraction,
        size: fraction,
        errors: fraction,
        decisions: fraction,
        pinned: fc.constant(true as const),
        rated: fraction,
      },
      { requiredKeys: ['salience', 'recency', 'reuse', 'kind', 'size', 'errors', 'decisions'] },
    ),
    toolUseIds: fc.array(toolUseId, { maxLength: 2 }),
    heldByExcerpts: fc.array(toolUseId, { maxLength: 2 }),
    admissions: fc.array(fc.record({ handle: fc.oneof(blockId, toolUseId), admission }), {
      maxLength: 2,
    }),
    summaryId: blockId,
    text: anyText,
    wayBack: fc.record({ handle: anyText }),
  },
  {
    requiredKeys: ['blockId', 'label', 'kind', 'action', 'reason', 'before', 'after'],
  },
);

/** Any budget; its numbers need not fit each other. */
export const budget: fc.Arbitrary<Budget> = fc.record({
  contextWindowTokens: tokens,
  maxReplyTokens: tokens,
  safetyHeadroomTokens: tokens,
  toolResultHeadroomTokens: tokens,
  highWatermark: fraction,
  lowWatermark: fraction,
  inputBudget: tokens,
  highTokens: tokens,
  lowTokens: tokens,
});

export const summaryWriter: fc.Arbitrary<SummaryWriter> = fc.oneof(
  fc.record(
    { by: fc.constant('model' as const), model: anyText, usage },
    { requiredKeys: ['by', 'model'] },
  ),
  fc.record(
    {
      by: fc.constant('workNote' as const),
      because: anyText,
      asked: fc.record({ model: anyText, usage }),
    },
    { requiredKeys: ['by', 'because'] },
  ),
);

const step = fc.nat(9);

const excerptsSchema: fc.Arbitrary<Excerpts> = fc.record(
  {
    id: blockId,
    step,
    shown: fc.array(
      fc.record(
        {
          path: anyText,
          first: fc.integer({ min: 1, max: 99 }),
          text: anyText,
          changedOutside: fc.constant(true as const),
          why: fc.record(
            {
              chosen: fc.constant(true as const),
              named: fc.constant(true as const),
              editedAt: step,
              readAt: step,
              edit: fc.record({ step, distance: fc.nat(60) }),
              seenAt: step,
            },
            { requiredKeys: ['editedAt', 'readAt', 'seenAt'] },
          ),
          score: fraction,
          touch: fraction,
          near: fraction,
          seen: fraction,
        },
        { requiredKeys: ['path', 'text', 'why', 'score', 'touch', 'near', 'seen'] },
      ),
      { maxLength: 3 },
    ),
    hidden: fc.array(
      fc.record(
        {
          path: anyText,
          readAt: step,
          editedAt: step,
          onDisk: fc.constantFrom('deleted' as const, 'unreadable' as const),
        },
        { requiredKeys: ['path', 'readAt', 'editedAt'] },
      ),
      { maxLength: 2 },
    ),
    tokens,
    omitsUnlikely: fc.constant(true as const),
  },
  { requiredKeys: ['id', 'step', 'shown', 'hidden', 'tokens'] },
);

/** Any pass that a log can contain; its decisions need not fit its window. */
export const pass: fc.Arbitrary<Pass> = fc.record(
  {
    number: fc.nat(9),
    ordinal: fc.nat(9),
    beforeStep: fc.nat(99),
    trigger: wordOf(stored.trigger),
    policy: fc.constantFrom(...POLICY_NAMES, ...REPLAY_ONLY_NAMES),
    budget,
    before: amount,
    after: amount,
    target: tokens,
    decisions: fc.array(decision, { maxLength: 4 }),
    summaries: fc.array(
      fc.record(
        {
          id: blockId,
          covers: fc.array(blockId, { maxLength: 3 }),
          text: anyText,
          writtenBy: summaryWriter,
          editedByUser: fc.constant(true as const),
          exchange: fc.record(
            {
              model: anyText,
              maxTokens: tokens,
              system: anyText,
              content: fc.array(
                fc.oneof(
                  fc.record({ type: fc.constant('text' as const), text: anyText }),
                  fc.record({
                    type: fc.constantFrom('image' as const, 'document' as const),
                    source: fc.record({
                      type: fc.constant('base64' as const),
                      media_type: anyText,
                      data: anyText,
                    }),
                  }),
                ),
                { maxLength: 2 },
              ),
              answer: anyText,
              correction: fc.record(
                { asked: anyText, answer: anyText },
                { requiredKeys: ['asked'] },
              ),
            },
            { requiredKeys: ['model', 'maxTokens', 'system', 'content'] },
          ),
          check: fc.record(
            {
              claims: fc.nat(99),
              unfounded: fc.array(anyText, { maxLength: 2 }),
              removed: fc.array(
                fc.record({ text: anyText, unfounded: fc.array(anyText, { maxLength: 2 }) }),
                { maxLength: 2 },
              ),
              notCorrected: anyText,
            },
            { requiredKeys: ['claims', 'unfounded'] },
          ),
        },
        { requiredKeys: ['id', 'covers', 'text', 'writtenBy'] },
      ),
      { maxLength: 2 },
    ),
    overhead: fc.record(
      { summaries: tokens, scratchpad: tokens, gapLines: tokens, rules: tokens, excerpts: tokens },
      { requiredKeys: ['summaries', 'scratchpad', 'gapLines'] },
    ),
    excerpts: excerptsSchema,
    cache: fc.record({
      untouchedTokens: tokens,
      rewrittenTokens: tokens,
      addedTokens: tokens,
      freedTokens: tokens,
    }),
    undonePrompt: fc.record(
      {
        scratchpad,
        scratchpadAge: fc.record({
          writtenAt: fc.nat(9),
          isReminded: fc.boolean(),
          isWarned: fc.boolean(),
        }),
        showsScratchpad: fc.constant(true as const),
        through: fc.nat(9),
        turn: fc.nat(9),
      },
      { requiredKeys: ['turn'] },
    ),
  },
  {
    requiredKeys: [
      'number',
      'ordinal',
      'beforeStep',
      'trigger',
      'policy',
      'budget',
      'before',
      'after',
      'target',
      'decisions',
      'overhead',
      'summaries',
      'cache',
    ],
  },
);
