import { describe, expect, it } from 'vitest';
import type { SummaryFindingsView } from '../../../../src/editor/contextPanel/ledger/state';
import { drawn, textOf } from './drawnPass';

// @vitest-environment happy-dom

const FINDINGS: SummaryFindingsView = {
  checked: ['Checked: 1 of 9 names did not occur.'],
  removed: [{ text: 'It is in lost.ts.', why: 'Not found: lost.ts' }],
  droppedText: 'Not in the summary: 1 prompt.',
  dropped: [{ kind: 'Prompt', blockId: 'prompt-2', text: 'Keep the ports.' }],
  usedText: 'Needed later: 2 names that the summary kept, and 1 that it had dropped.',
  needed: [{ step: 14, text: 'Used at step 14: tideTable.ts' }],
};

describe('the findings about the summary of a pass', () => {
  const opened = (findings: SummaryFindingsView) => {
    const panel = drawn({ rungs: [{ rung: 'summarise', blocks: 6, tokens: 900 }] });
    expect(panel.all('summary-findings')).toEqual([]);
    panel.unfold(panel.one('decisions'));
    expect(panel.wishes).toContainEqual({ type: 'fetchSummaryFindings', number: 2 });
    const asked = panel.posts.find(({ wish }) => wish.type === 'fetchSummaryFindings');
    panel.answer({ type: 'answered', data: findings }, asked);
    return panel;
  };

  it('are fetched with the decisions: the check, removed and dropped texts, and later needs', () => {
    const { one } = opened(FINDINGS);
    expect(textOf(one('summary-findings'), '[data-testid="summary-checked"]')).toBe(
      FINDINGS.checked[0],
    );
    expect(one('summary-removed').textContent).toBe('It is in lost.ts. Not found: lost.ts');
    expect(one('summary-dropped').textContent).toBe(FINDINGS.droppedText);
    expect(one('summary-used').textContent).toBe(FINDINGS.usedText);
  });

  it('open the block that says what was dropped, and the step that needed it', () => {
    const { one, click, wishes } = opened(FINDINGS);
    click(one('dropped-text'));
    click(one('summary-need'));
    expect(wishes.slice(-2)).toEqual([
      { type: 'openBlock', blockId: 'prompt-2' },
      { type: 'travelTo', at: 14 },
    ]);
  });

  it('are not drawn if there are none', () => {
    const { all } = opened({
      checked: [],
      removed: [],
      droppedText: '',
      dropped: [],
      usedText: '',
      needed: [],
    });
    expect(all('summary-findings')).toEqual([]);
  });
});
