import { describe, expect, it } from 'vitest';
import type { HandChangeView } from '../../../../src/editor/contextPanel/state';
import type { PassView } from '../../../../src/editor/contextPanel/ledger/state';
import { sampleBlocks, sampleContext, samplePass } from '../contextViews';
import { drawPanel } from '../drawnPanel';
import { textOf } from './drawnPass';

// @vitest-environment happy-dom

/** The list names the calls of a block in words, and so does the ledger. */
const BLOCKS = sampleBlocks().map((block) =>
  block.id === 'step-9'
    ? { ...block, label: 'read_file a.ts', tools: ['read_file'], callKinds: ['read'] as const }
    : block,
);

describe('the count after a change by hand', () => {
  const drawn = (counted: PassView['counted']) =>
    drawPanel(sampleContext({ passes: [samplePass({ trigger: 'byHand', counted })] }));

  it('is in its line if it differs from the estimate', () => {
    const text = 'The API counted 13,290 tokens after it, 50 more than estimated.';
    expect(drawn({ isOther: true, text }).one('counted').textContent).toBe(` ${text}`);
    expect(drawn({ isOther: false, text: 'As estimated.' }).all('counted')).toEqual([]);
    expect(drawn(undefined).all('counted')).toEqual([]);
  });
});

describe('a change by hand without a pass', () => {
  const PINNED: HandChangeView = {
    kind: 'pinned',
    label: 'read_file a.ts',
    blockId: 'step-9',
    beforeStep: 8,
    afterPass: 1,
    undo: { type: 'unpinBlock', blockId: 'step-1' },
  };
  const edits: readonly HandChangeView[] = [
    {
      kind: 'scratchpadBack',
      beforeStep: 15,
      afterPass: 2,
      undo: { type: 'undoScratchpad', note: 'note-2' },
    },
    PINNED,
    { kind: 'recall', label: 'read_file b.ts', beforeStep: 3, afterPass: 0 },
  ];

  it('has a line between the passes, newest first', () => {
    const { root } = drawPanel(sampleContext({ edits, blocks: BLOCKS }));
    const lines = [...root.querySelectorAll<HTMLElement>('.ledger > article')].map(
      (entry) => entry.dataset['pass'] ?? entry.getAttribute('aria-label'),
    );
    expect(lines).toEqual([
      'You restored the former notes, before step 15',
      '2',
      'You pinned “Read a.ts”, before step 8',
      '1',
      'You restored “read_file b.ts” as a note at the end, before step 3',
    ]);
  });

  it('is undone by the wish that came with it, if there is one', () => {
    const { all, click, wishes } = drawPanel(sampleContext({ edits, blocks: BLOCKS }));
    const buttons = all('undo-edit');
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Undo: You restored the former notes, before step 15',
      'Undo: You pinned “Read a.ts”, before step 8',
    ]);
    click(buttons[1]!);
    expect(wishes).toEqual([{ type: 'unpinBlock', blockId: 'step-1' }]);
  });

  it('says in its line that it was undone, and no longer offers that', () => {
    const { undo: _, ...left } = PINNED;
    const { all } = drawPanel(
      sampleContext({ edits: [{ ...left, undone: true }], blocks: BLOCKS }),
    );
    const [line] = all('hand-edit');
    expect(line!.getAttribute('aria-label')).toBe('You pinned “Read a.ts”, before step 8, undone');
    expect(line!.textContent).toBe('You pinned “Read a.ts”, before step 8undone');
    expect(all('undo-edit')).toEqual([]);
  });

  it('says why it cannot be undone in the past, and keeps the focus when its button is removed', () => {
    const past = drawPanel(sampleContext({ edits, whyReadOnly: 'Step 4 is past.' }));
    const [button] = past.all('undo-edit');
    expect([button!.getAttribute('aria-disabled'), button!.title]).toEqual([
      'true',
      'Step 4 is past.',
    ]);
    const { all, tell } = drawPanel(sampleContext({ edits: [PINNED], blocks: BLOCKS }));
    all('undo-edit')[0]!.focus();
    const { undo: _, ...left } = PINNED;
    const unpinned: HandChangeView = { ...left, kind: 'unpinned' };
    tell({
      type: 'contextChanged',
      context: sampleContext({ edits: [unpinned, left], blocks: BLOCKS }),
    });
    expect(document.activeElement?.textContent).toBe('You pinned “Read a.ts”, before step 8');
  });
});

describe('a pass by hand', () => {
  const excluded = (changes: Partial<PassView> = {}) =>
    drawPanel(
      sampleContext({
        busy: false,
        blocks: BLOCKS,
        passes: [
          samplePass({
            trigger: 'byHand',
            name: 'Change 1',
            before: { tokens: 9_914, exact: true },
            after: { tokens: 7_000, exact: true },
            byHand: {
              blockId: 'step-9',
              label: 'read_file a.ts',
              action: 'evict',
              reason: 'Excluded by you',
              before: { tokens: 2_914, exact: true },
              after: { tokens: 0, exact: true },
            },
            ...changes,
          }),
        ],
      }),
    );

  it('is one line: the change, its result, and an undo', () => {
    const { one, all, click, wishes } = excluded();
    expect(all('pass-card')).toEqual([]);
    expect(one('hand-pass').textContent).toBe('You excluded “Read a.ts”: −2,914 tokensUndo');
    click(one('undo-pass'));
    expect(wishes).toEqual([{ type: 'undoPass', number: 2 }]);
  });

  it.each([
    ['restore', 'You restored “Read a.ts”: ≈\u00a0+1,204 tokens'],
    ['rewrite', 'You rewrote “Read a.ts”: ≈\u00a0+1,204 tokens'],
    ['clear', 'You cleared the results of “Read a.ts”: ≈\u00a0+1,204 tokens'],
  ] as const)('names %s, and marks estimates', (action, words) => {
    const byHand = {
      blockId: 'step-9',
      label: 'read_file a.ts',
      action,
      reason: '',
      before: { tokens: 0, exact: true },
      after: { tokens: 1_204, exact: false },
    };
    const [before, after] = [
      { tokens: 7_000, exact: true },
      { tokens: 8_204, exact: false },
    ];
    expect(textOf(excluded({ byHand, before, after }).one('hand-pass'), '.what')).toBe(words);
  });

  it('gives the change of the whole window if it exceeds that of the block', () => {
    const after = { tokens: 6_275, exact: false };
    const { one } = excluded({ after });
    expect(textOf(one('hand-pass'), '.what')).toBe(
      'You excluded “Read a.ts”: ≈\u00a0−3,639 tokens (the block itself −2,914 tokens)',
    );
    expect(one('hand-pass').getAttribute('aria-label')).toBe('Change 1, by hand');
  });

  it('names an undone prompt, counts the blocks after it, and offers to restore it', () => {
    const byHand = {
      blockId: 'prompt-2',
      label: 'Prompt: next',
      action: 'undoPrompt',
      reason: '',
      before: { tokens: 10, exact: false },
      after: { tokens: 0, exact: true },
    } as const;
    const numbers = {
      byHand,
      before: { tokens: 9_000, exact: false },
      after: { tokens: 8_000, exact: false },
    };
    expect(excluded(numbers).one('undo-pass').textContent).toBe('Restore the prompt');
    const words = (changed: number) =>
      textOf(excluded({ ...numbers, changed }).one('hand-pass'), '.what');
    expect(words(4)).toBe(
      'You undid “Prompt: next” and the 3 blocks after it: ≈\u00a0−1,000 tokens',
    );
    expect(words(1)).toBe('You undid “Prompt: next”: ≈\u00a0−1,000 tokens');
  });

  it('is marked once undone', () => {
    const { one, all } = excluded({ undone: true });
    expect(one('hand-pass').getAttribute('aria-label')).toBe('Change 1, by hand, undone');
    expect([textOf(one('hand-pass'), '.pill'), all('undo-pass')]).toEqual(['undone', []]);
  });
});
