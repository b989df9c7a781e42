import { describe, expect, it } from 'vitest';
import type { ContextView, HandChangeView } from '../../../src/editor/contextPanel/state';
import { sampleBlocks, sampleContext, samplePass, sampleRecording } from './contextViews';
import { ALL, drawPanel } from './drawnPanel';

// @vitest-environment happy-dom

const PINNED: HandChangeView = {
  kind: 'pinned',
  label: 'read_file a.ts',
  beforeStep: 8,
  afterPass: 1,
  undo: { type: 'unpinBlock', blockId: 'step-1', undo: true },
};

const WHOLE = { tokens: 1_948, exact: false };

/** A panel with a removed block, a pass, and a change by hand. */
function drawn(more: Partial<ContextView>) {
  const blocks = sampleBlocks().map((block, index) =>
    index === 1
      ? {
          ...block,
          state: 'evicted' as const,
          canComeBack: true,
          left: { was: WHOLE, whole: WHOLE, pass: 1, name: 'Pass 1', beforeStep: 7 },
        }
      : block,
  );
  const passes = [samplePass(), samplePass({ number: 1, undone: true })];
  const context = sampleContext({ blocks, passes, edits: [PINNED], busy: false, ...more });
  return drawPanel(context as ContextView, ALL);
}

describe('a change', () => {
  it('has a button in a session', () => {
    const { all } = drawn({});
    expect(all('verb-restore').length).toBeGreaterThan(0);
    expect(all('undo-pass')).toHaveLength(1);
    expect(all('undo-edit')).toHaveLength(1);
  });

  it('has no dead button in a recording, which otherwise shows the same', () => {
    const whyReadOnly = 'A recording cannot be changed.';
    const { root, all } = drawn({ source: sampleRecording(), whyReadOnly });
    expect([...all('verb-restore'), ...all('undo-pass'), ...all('undo-edit')]).toEqual([]);
    const weights = [...root.querySelectorAll('.block.out .weight')];
    expect(weights.map(({ textContent }) => textContent)).toContain('≈\u00a01,948');
    expect(all('pass-card').map(({ textContent }) => textContent?.includes('undone'))).toEqual([
      false,
      true,
    ]);
  });
});
