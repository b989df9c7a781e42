import { describe, expect, it } from 'vitest';
import type { PassView } from '../../../../src/editor/contextPanel/ledger/state';
import { sampleContext, sampleDecisions, samplePass } from '../contextViews';
import { drawn as drawnPass, textOf } from './drawnPass';

// @vitest-environment happy-dom

describe('the decisions of a pass', () => {
  /** A pass without a summary, whose findings would be fetched, too. */
  const drawn = (changes: Partial<PassView> = {}) => drawnPass({ rungs: [], ...changes });
  const open = (changes: Partial<PassView> = {}) => {
    const panel = drawn(changes);
    panel.unfold(panel.one('decisions'));
    return panel;
  };
  const fetched = () => {
    const panel = open();
    panel.answer({ type: 'answered', data: sampleDecisions() });
    return panel;
  };

  it('are counted, and fetched when opened', () => {
    const { one, all, unfold, wishes } = drawn();
    expect(textOf(one('decisions'), 'summary')).toBe('What and why: 9 changed, 8 kept');
    expect([all('decision-row'), wishes]).toEqual([[], []]);
    unfold(one('decisions'));
    expect(wishes).toEqual([{ type: 'fetchDecisions', number: 2 }]);
    expect(one('decisions').textContent).toContain('Fetching the decisions…');
  });

  it('are grouped: changed blocks, then kept blocks with their reasons', () => {
    const { all } = fetched();
    const groups = all('decision-group');
    expect(groups.map((group) => textOf(group, 'h4'))).toEqual(['Changed 9', 'Kept 8']);
    const [changed, kept] = groups.map((group) => all('decision-row', group));
    expect([changed?.length, kept?.length]).toEqual([9, 8]);
    expect(textOf(kept![0]!, '.reason')).toBe(
      'kept · The task: in every request, labelled as the original task',
    );
    expect(textOf(kept![0]!, '.number')).toBe('646');
  });

  it('give name, action, reason, tokens before and after, and relevance with its factors', () => {
    const { answer, all, one } = open();
    const evicted = sampleDecisions().find(({ action }) => action === 'evict')!;
    const salience = { salience: 0.08, recency: 0.1, reuse: 0, kind: 0.2, size: 0.9 };
    answer({ type: 'answered', data: [{ ...evicted, salience }] });
    const row = one('decision-row');
    // As the list says it.
    expect(textOf(row, '.label')).toBe('Listed src');
    expect(textOf(row, '.number')).toBe('≈\u00a01,312 → 0');
    expect(textOf(row, '.reason')).toBe(
      'removed · Least relevant of the older steps that may be removed (0.08): old, not used for 12 steps · relevance 0.08',
    );
    expect(row.querySelector<HTMLElement>('.salience')?.title).toBe(
      'Recency 0.10, Mentioned again 0.00, Kind of work 0.20, Smallness 0.90',
    );
    expect(all('decision-group')).toHaveLength(1);
  });

  it('stay unfolded when the next fact comes, and are not fetched again', () => {
    const { all, tell, wishes } = fetched();
    tell({
      type: 'contextChanged',
      context: sampleContext({ passes: [samplePass({ rungs: [] })] }),
    });
    expect([all('decision-row').length, wishes.length]).toEqual([17, 1]);
  });

  it('are fetched again for a pass of another session with the same number', () => {
    const { tell, wishes } = fetched();
    const passes = [samplePass({ beforeStep: 40, rungs: [] })];
    tell({ type: 'contextChanged', context: sampleContext({ passes }) });
    expect(wishes).toHaveLength(2);
  });

  it('open the block on a click', () => {
    const { all, click, wishes } = fetched();
    click(all('decision-row')[0]!.querySelector('button')!);
    expect(wishes.at(-1)).toEqual({ type: 'openBlock', blockId: 'step-3' });
  });

  it('are drawn a page at a time if there are thousands', () => {
    const { answer, all, one, click } = open();
    const template = sampleDecisions()[0]!;
    const decisions = Array.from({ length: 500 }, (_, n) => ({ ...template, blockId: `b-${n}` }));
    answer({ type: 'answered', data: decisions });
    expect(all('decision-row')).toHaveLength(200);
    click(one('more-decisions'));
    expect(all('decision-row')).toHaveLength(400);
  });
});
