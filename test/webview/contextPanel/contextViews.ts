import { WHY_HELD } from '../../../src/contextWindow/reasons';
import { callKindOf } from '../../../src/contextWindow/callEffect';
import type {
  Balance,
  BlockView,
  Category,
  ContextView,
  Scratchpad,
} from '../../../src/editor/contextPanel/state';
import type { SourceView } from '../../../src/editor/session/state';
import type {
  DecisionView,
  PassView,
  ReviewView,
  PlanView,
} from '../../../src/editor/contextPanel/ledger/state';
import type { LossesView } from '../../../src/editor/contextPanel/losses/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import type { RequestView } from '../../../src/editor/contextPanel/request/state';
import type {
  TimelineMark,
  TimelinePoint,
  TimelineView,
} from '../../../src/editor/contextPanel/timeline/state';

/** Tokens in the window before the first block. */
const FIXED = {
  tools: 2_940,
  system: 1_012,
  unrecorded: 0,
  scratchpad: 214,
  gapLines: 0,
  excerpts: 0,
};

/** The sample's window of 32,768 tokens, with an input budget of 26,880. */
const RESERVED = { reply: 4_096, safety: 512, toolResults: 1_280, steppedDown: 0 };

type Row = readonly [label: string, reason: string, tokens: number, more?: Partial<BlockView>];

const OUT = { category: undefined, tokens: { tokens: 0, exact: true } } as unknown as object;
const summed = { state: 'summarised', ...OUT } as Partial<BlockView>;
const evicted = { state: 'evicted', ...OUT } as Partial<BlockView>;
const archived = (state: BlockView['state'] = 'whole'): Partial<BlockView> => ({
  state,
  category: 'archive',
});
const guessed = (tokens: number): Partial<BlockView> => ({ tokens: { tokens, exact: false } });

const COMPACTED = 'No file text in it: replaced by a summary';
const CLEARED =
  'Results cleared (640 tokens): of those that may be cleared, least likely to be needed for their size';

const ROWS: readonly Row[] = [
  [
    'Task: Two tests of the harbour module fail. Find out why, fix them, keep the API',
    'The task: in every request, labelled as the original task',
    646,
    { kind: 'anchor', pinned: true, whyHeld: WHY_HELD['keep:anchor'], category: 'anchor' },
  ],
  [
    'Summary of 6 blocks',
    'Replaces 6 blocks since pass 1, written by claude-haiku-5-5',
    874,
    { kind: 'summary', category: 'summary' },
  ],
  ['list_files .', COMPACTED, 0, summed],
  ['read_file package.json', COMPACTED, 0, summed],
  ['read_file src/loadLine.js', COMPACTED, 0, summed],
  ['run_command npm test', COMPACTED, 0, summed],
  ['search_text freeboard', COMPACTED, 0, summed],
  ['read_file fixtures/ledger-2025.json 1-400', COMPACTED, 0, summed],
  ['read_file src/zones.js', CLEARED, 58, archived('cleared')],
  ['run_command npm test -- loadLine', CLEARED, 64, archived('cleared')],
  [
    'list_files src',
    'Least relevant of the older steps that may be removed (0.08): old, not used for 12 steps',
    0,
    evicted,
  ],
  [
    'read_file src/deckPlan.js',
    'Kept: the low watermark (13,440 tokens) was reached without it',
    1_914,
    archived(),
  ],
  [
    'read_file fixtures/ledger-2025.json',
    'cut on arrival from ≈ 14,902 to 2,048 tokens; recall brings more',
    2_048,
    archived('truncated'),
  ],
  [
    'search_text tonnage, read_file src/tariff.js',
    'Pinned by you',
    1_208,
    { pinned: true, whyHeld: WHY_HELD['keep:pinned'], category: 'archive' },
  ],
  ['update_scratchpad', 'Older than the newest steps', 196, archived()],
  ['edit_file src/loadLine.js', 'Recent: one of the newest steps', 893],
  ['run_command npm test -- loadLine', 'Recent: newest result of this command', 3_120],
  [
    'Reply: The seasonal zone was read from the wrong column; fixed, 41 tests pass.',
    'Recent: one of the newest steps',
    212,
  ],
  [
    'Prompt: And why did nobody notice? Look at the report',
    'The newest prompt: what the agent was asked last',
    41,
    { kind: 'prompt', turn: 2, whyHeld: WHY_HELD['keep:latestPrompt'] },
  ],
  [
    'read_file src/report.js 1-120',
    'One of the 2 newest steps',
    1_344,
    { turn: 2, ...guessed(1_344) },
  ],
  [
    'create_file notes/why.md',
    'The newest step: the model has not read its results yet',
    402,
    { turn: 2, whyHeld: WHY_HELD['keep:openStep'], ...guessed(402) },
  ],
];

/**
 * Blocks of a session in the middle of its second turn: every kind, every state, estimates last.
 */
export function sampleBlocks(): readonly BlockView[] {
  let step = 0;
  return ROWS.map(([label, reason, tokens, more = {}], index): BlockView => {
    const kind = more.kind ?? 'step';
    const { category = 'working', ...rest } = more;
    const isOut = more.state === 'summarised' || more.state === 'evicted';
    return {
      id: `${kind}-${index + 1}`,
      kind,
      turn: 1,
      ...(kind === 'step' ? { step: ++step } : {}),
      label,
      reason,
      why: whyOf(reason),
      state: 'whole',
      pinned: false,
      keepable: !isOut && more.pinned !== true && more.whyHeld === undefined,
      tokens: { tokens, exact: true },
      tools: toolsIn(label),
      callKinds: toolsIn(label).map((name) => callKindOf({ name, input: {} })),
      canComeBack: isOut || more.state === 'cleared',
      ...(isOut ? {} : { category, salience: salienceAt(index) }),
      ...withoutUndefined(rest),
    };
  });
}

/** The first clause of a reason, as on a row. */
function whyOf(reason: string): string {
  const [clause = reason] = reason.split(/[:;.]|, /);
  return clause.charAt(0).toLowerCase() + clause.slice(1);
}

/** The relevance of the sample's block at `index`: later blocks matter more. */
function salienceAt(index: number): NonNullable<BlockView['salience']> {
  const recency = Math.round((100 * index) / ROWS.length) / 100;
  return { salience: recency, recency, reuse: 0.4, kind: 0.5, size: 0.9, errors: 0, decisions: 0 };
}

/** Any number of blocks, for measuring. */
export function manyBlocks(count: number): readonly BlockView[] {
  const sample = sampleBlocks();
  return Array.from({ length: count }, (_, index) => {
    const block = sample[index % sample.length]!;
    return { ...block, id: `many-${index + 1}`, label: `${block.label} #${index + 1}` };
  });
}

/** The balance of a window with these blocks. */
export function balanceOf(blocks: readonly BlockView[], changes: Partial<Balance> = {}): Balance {
  const categories: Record<Category, number> = {
    ...FIXED,
    anchor: 0,
    rules: 0,
    summary: 0,
    archive: 0,
    working: 0,
  };
  for (const { category, tokens } of blocks) {
    if (category !== undefined) categories[category] += tokens.tokens;
  }
  const used = Object.values(categories).reduce((sum, tokens) => sum + tokens, 0);
  const exact = blocks.every(({ tokens }) => tokens.exact);
  return {
    contextWindowTokens: 32_768,
    inputBudget: 26_880,
    highTokens: 21_504,
    lowTokens: 13_440,
    used: { tokens: used, exact },
    source: 'usage',
    categories,
    headroom: 26_880 - used,
    reserved: RESERVED,
    ...changes,
  };
}

/** A price with the sentence that pages show. */
export function samplePrice(text: string): NonNullable<PassView['price']> {
  return {
    number: 2,
    isEstimate: false,
    summary: {
      requests: 1,
      sentTokens: 1_000,
      receivedTokens: 90,
      cost: { usd: 0.004, inputTokens: 1_450 },
    },
    cache: { tokens: 5_310, hadExpired: false, cost: { usd: 0.014, inputTokens: 6_100 } },
    cost: { usd: 0.018, inputTokens: 7_550 },
    saved: { usd: 0.003, inputTokens: 1_300 },
    text,
  };
}

/** A pass like the two of the sample, with some `changes`. */
export function samplePass(changes: Partial<PassView> = {}): PassView {
  return {
    number: 2,
    name: `Pass ${changes.number ?? 2}`,
    beforeStep: 13,
    trigger: 'highWatermark',
    policy: 'ladder',
    undone: false,
    before: { tokens: 21_604, exact: true },
    after: { tokens: 12_980, exact: true },
    target: 13_440,
    reach: 'Aimed at 13,440 tokens, reached ≈ 12,980.',
    highTokens: 21_504,
    inputBudget: 26_880,
    rungs: [
      { rung: 'clear', blocks: 2, tokens: 3_411 },
      { rung: 'summarise', blocks: 6, tokens: 4_902 },
      { rung: 'evict', blocks: 1, tokens: 311 },
    ],
    changed: 9,
    kept: 8,
    price: samplePrice('Cost: $0.018 (summary $0.004, cache $0.014). Repaid so far: $0.003.'),
    ...changes,
  };
}

/** A decision for every block in the window at the second pass. */
export function sampleDecisions(): readonly DecisionView[] {
  return sampleBlocks()
    .filter(({ kind, turn }) => kind !== 'summary' && turn === 1)
    .map(({ id, label, reason, state, tokens }) => ({
      blockId: id,
      label,
      reason,
      action: ACTIONS[state],
      before: state === 'whole' ? tokens : { tokens: 1_312, exact: false },
      after: tokens,
    }));
}

const ACTIONS = {
  whole: 'keep',
  truncated: 'keep',
  trimmed: 'trim',
  cleared: 'clear',
  summarised: 'summarise',
  evicted: 'evict',
  excluded: 'evict',
} as const;

/** The settings of the sample's session. */
export const SAMPLE_SETTINGS: WhatIfSettings = {
  windowTokens: 32_768,
  highWatermark: 0.8,
  lowWatermark: 0.5,
  policy: 'ladder',
  maxMessages: 40,
  keepTurns: 20,
  keepRecentTurns: 2,
  maxHistoryTurns: 50,
  excerpts: true,
  excerptShare: 0.9,
};

/** The notes of the sample's agent. */
export const SAMPLE_SCRATCHPAD: Scratchpad = {
  objective: 'Make the harbour tests pass without changing the API',
  keyFacts: ['The seasonal zone is read from the wrong column'],
  decisions: ['Mend loadLine.js, leave zones.js as it is'],
  currentStep: 'Find out why nobody noticed',
  blockers: [],
};

/** Another agent's transcript as the panel's source, with some `changes`. */
export function sampleRecording(
  changes: Partial<Extract<SourceView, { type: 'recording' }>> = {},
): SourceView {
  return {
    type: 'recording',
    file: 'session.jsonl',
    format: 'Claude Code',
    following: false,
    notes: ['3 lines could not be read and were left out.'],
    ...changes,
  };
}

/** What a compaction of a recorded agent lost. */
export function sampleLosses(): LossesView {
  return {
    text: 'The recorded agent compacted once; 2 things were needed again.',
    limits: 'Only what the file shows counts.',
    cards: [
      {
        number: 1,
        name: 'Compaction 1',
        beforeStep: 101,
        size: '154,505 → 34,866 tokens',
        sentences: [
          '119 blocks replaced by a summary, 1 kept.',
          'The summary (≈ 4,672 tokens) repeats 13 of 20 prompts verbatim and names 7 of 21 files.',
          'The next request wrote 27,461 tokens to the prompt cache: $0.171.',
        ],
        blocks: 119,
        neededText: 'Needed again: 2 times, ≈ 2,491 tokens.',
        needed: [
          {
            step: 101,
            text: 'Read again at step 101: /work/cli/strategy/content_overlap.go (≈ 2,491 tokens, ≈ $0.016)',
          },
          {
            step: 116,
            text: 'Edited without its text in the window at step 116: /work/cli/rewind.go (failed)',
          },
        ],
      },
    ],
  };
}

/** A plan that would clear and evict what the sample's second pass did. */
export function samplePlan(changes: Partial<PlanView> = {}): PlanView {
  const decisions = sampleDecisions();
  return {
    trigger: 'manual',
    policy: 'ladder',
    before: { tokens: 17_186, exact: false },
    after: { tokens: 12_980, exact: false },
    target: 13_440,
    reach: 'Aimed at 13,440 tokens, reached ≈ 12,980.',
    rungs: [
      { rung: 'clear', blocks: 2, tokens: 2_411 },
      { rung: 'evict', blocks: 1, tokens: 311 },
    ],
    decisions: decisions.filter(({ action }) => action !== 'keep'),
    kept: decisions.filter(({ action }) => action === 'keep'),
    ...changes,
  };
}

/** A pass that waits for review, with the effects of the sample's second one. */
export function sampleReview(): ReviewView {
  return {
    proposedPassId: 4,
    reviewId: 4,
    isPlanning: false,
    spared: [],
    toWrite: 0,
    trigger: 'highWatermark',
    policy: 'ladder',
    before: { tokens: 21_604, exact: true },
    after: { tokens: 12_980, exact: false },
    target: 13_440,
    reach: 'Aimed at 13,440 tokens, reached ≈ 12,980.',
    highTokens: 21_504,
    inputBudget: 26_880,
    decisions: sampleDecisions().filter(({ action }) => action !== 'keep'),
    summaries: [
      {
        id: 'summary-2',
        covers: 6,
        text: 'Read the harbour.',
        writtenBy: 'written by claude-haiku',
        checked: 'Checked: all 3 names of the summary occur.',
      },
    ],
  };
}

/** A request with one of every section, with some `changes`. */
export function sampleRequest(changes: Partial<RequestView> = {}): RequestView {
  return {
    step: 'next',
    model: 'plimsoll-offline-demo',
    maxTokens: 4_096,
    notes: [],
    sections: [
      {
        id: 'tool-read_file',
        title: 'Tool read_file',
        role: 'tool',
        parts: [{ title: 'text', text: '{"name":"read_file"}' }],
        tokens: 1_914,
      },
      {
        id: 'system',
        title: 'System prompt',
        role: 'system',
        parts: [{ title: 'text', text: 'You are a coding agent.', breakpoint: true }],
      },
      {
        id: 'message-1',
        title: 'user, message 1',
        role: 'user',
        parts: [{ title: 'text', text: 'Two tests of the harbour module fail.' }],
      },
      {
        id: 'message-2',
        title: 'assistant, message 2',
        role: 'assistant',
        parts: [
          { title: 'text', text: 'I look at the tests.' },
          { title: 'calls read_file', text: '{"path":"src/zones.js"}' },
        ],
        tokens: 58,
        blocks: [{ id: 'step-9', label: 'read_file src/zones.js' }],
      },
      {
        id: 'message-3',
        title: 'user, message 3',
        role: 'user',
        parts: [
          { title: 'result of read_file', text: 'export const zones = [];', breakpoint: true },
        ],
      },
    ],
    ...changes,
  };
}

/**
 * A sawtooth of this many steps: a pass before every tenth, and a recall four steps after it. The
 * last step is estimated and not billed yet.
 */
export function sampleTimeline(steps: number): TimelineView {
  const points = Array.from({ length: steps }, (_, index) =>
    samplePoint(index + 1, index + 1 === steps),
  );
  const count = (kind: TimelineMark['kind']) =>
    points.flatMap(({ marks }) => marks).filter((mark) => mark.kind === kind).length;
  return {
    points,
    totals: {
      passes: count('pass'),
      changes: count('change'),
      refaults: count('recall'),
      cacheReadShare: steps < 2 ? null : 0.91,
      cost: '$1.84',
    },
    pace: [],
  };
}

function samplePoint(step: number, isLast: boolean): TimelinePoint {
  const sinceTen = step % 10;
  const marks: TimelineMark[] = [];
  if (sinceTen === 0) {
    const number = step / 10;
    marks.push({
      kind: 'pass',
      words: `Pass ${number}: 20,152 → 12,152 tokens`,
      name: `pass ${number}`,
    });
  }
  if (sinceTen === 4 && step > 10) marks.push({ kind: 'recall', words: 'Recall of one result' });
  return {
    step,
    turn: Math.ceil(step / 20),
    model: 'plimsoll-offline-demo',
    system: 4_152,
    archive: step < 10 ? 0 : 4_000,
    working: 4_000 + 1_000 * sinceTen,
    exact: !isLast,
    billed: isLast
      ? null
      : { fresh: 152, cacheWrite: 1_000, cacheRead: 7_000 + 1_000 * sinceTen, output: 300 },
    cost: isLast ? null : 0.031,
    budget: { inputBudget: 26_880, highTokens: 21_504, lowTokens: 13_440 },
    marks,
  };
}

/** The whole panel of a realistic session, with some `changes`. */
export function sampleContext(changes: Partial<ContextView> = {}): ContextView {
  const blocks = changes.blocks ?? sampleBlocks();
  return {
    session: 'session-1',
    events: 60,
    moves: {},
    undoMoves: {},
    revision: '1',
    reviewWaits: false,
    source: { type: 'session' },
    travel: { at: 'now', first: 1, last: 17 },
    showIntro: false,
    settings: SAMPLE_SETTINGS,
    title: 'fix the harbour tests',
    model: 'plimsoll-offline-demo',
    offline: true,
    windowSource: 'from a setting',
    policy: 'ladder',
    compaction: 'auto',
    passAbove: 21_504,
    handTarget: 10_311,
    tiers: { system: 4_812, archive: 6_362, working: 6_012, exact: false },
    turn: 2,
    step: 17,
    busy: true,
    balance: balanceOf(blocks),
    blocks,
    refaults: { recalls: 1, reads: 2 },
    neededAgain: [
      { blockId: 'step-9', step: 14, what: 'src/zones.js', tokens: 640, pass: 2 },
      { blockId: 'step-11', step: 15, what: 'toolu_9', tokens: 120, pass: 2 },
      { blockId: 'step-4', step: 16, what: 'package.json', tokens: 40, pass: 1 },
    ],
    next: {
      type: 'planned',
      due: true,
      afterTokens: 12_980,
      blocks: 3,
      shortens: false,
      largest: [
        {
          blockId: 'step-12',
          label: 'read_file src/deckPlan.js',
          tokens: { tokens: 1_914, exact: true },
        },
        {
          blockId: 'step-16',
          label: 'edit_file src/loadLine.js',
          tokens: { tokens: 612, exact: false },
        },
      ],
      freedTokens: 2_722,
    },
    findings: [],
    edits: [],
    scratchpad: SAMPLE_SCRATCHPAD,
    tools: { rows: [], total: { tokens: 0, exact: true } },
    memory: [],
    memoryOff: [],
    passes: [
      samplePass(),
      samplePass({
        number: 1,
        beforeStep: 7,
        before: { tokens: 22_018, exact: true },
        after: { tokens: 13_104, exact: false },
        rungs: [{ rung: 'clear', blocks: 4, tokens: 9_020 }],
        price: samplePrice(
          'Cost: $0.005 for 2,210 cached tokens written again. Repaid since step 10.',
        ),
      }),
    ],
    ...changes,
  };
}

function toolsIn(label: string): readonly string[] {
  return label.match(/\b[a-z]+_[a-z]+\b/g) ?? [];
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}
