import type { BlockView, ContextView } from '../../../../src/editor/contextPanel/state';
import type { FileLifeView } from '../../../../src/editor/contextPanel/blocks/state';
import type { ExcerptsView, ShownSizeView } from '../../../../src/editor/contextPanel/files/state';
import { balanceOf, sampleBlocks, sampleContext, samplePass } from '../contextViews';

/** The excerpts of the sample's second pass. */
export const SHOWS: ShownSizeView = { id: 'files-2', lines: 47, files: 2, tokens: 1_940 };

export const SHOWN: ExcerptsView = {
  ...SHOWS,
  step: 12,
  regions: [
    {
      path: 'src/loadLine.js',
      range: { first: 10, last: 33 },
      lines: 24,
      why: 'File edited 2 steps ago, near an edit of step 10 (3 lines away), last read or written at step 9',
      choice: 'auto',
    },
    {
      path: 'src/loadLine.js',
      range: { first: 61, last: 72 },
      lines: 12,
      why: 'You chose: always show',
      choice: 'always',
    },
    {
      path: 'src/zones.js',
      lines: 11,
      why: 'File read 4 steps ago, last read or written at step 8',
      choice: 'auto',
    },
  ],
  hidden: [
    { path: 'src/deckPlan.js', what: 'read at step 3' },
    { path: 'fixtures/ledger-2025.json', what: 'edited at step 5' },
  ],
};

const ROW: BlockView = {
  id: 'files-2',
  kind: 'excerpts',
  turn: 1,
  label: 'Excerpts as of step 12: src/loadLine.js, src/zones.js',
  reason:
    'Shows 47 lines of 2 files in work, the most likely to be needed, as they were after step 12',
  why: 'renewed at each pass',
  state: 'whole',
  pinned: false,
  keepable: true,
  category: 'excerpts',
  tokens: { tokens: 1_940, exact: true },
  tools: [],
  callKinds: [],
  canComeBack: false,
  salience: {
    salience: 0.6,
    recency: 0.6,
    reuse: 0.4,
    kind: 0.5,
    size: 0.9,
    errors: 0,
    decisions: 0,
  },
};

/** The sample's panel with excerpts in its window. */
export function contextWithView(changes: Partial<ContextView> = {}): ContextView {
  const blocks = sampleBlocks().toSpliced(2, 0, ROW);
  const rungs = [
    { rung: 'excerpts' as const, blocks: 3, tokens: 1_471 },
    { rung: 'summarise' as const, blocks: 6, tokens: 7_153 },
  ];
  return sampleContext({
    blocks,
    balance: balanceOf(blocks),
    passes: [samplePass({ shows: SHOWS, rungs })],
    ...changes,
  });
}

/** A file with choices for the whole file and for some lines. */
export const CHOSEN_FILE: FileLifeView = {
  title: 'src/loadLine.js',
  spans: [{ from: 2, to: 19, seen: 'part' }],
  moments: [],
  tokens: 1_400,
  reads: 2,
  edits: 1,
  again: 0,
  shown: 36,
  chosen: {
    choice: 'never',
    state: 'nextPass',
    lines: [
      { range: { first: 61, last: 72 }, choice: 'always', state: 'shown' },
      { range: { first: 90, last: 90 }, choice: 'always', state: 'nextPass' },
    ],
  },
};
