import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import type { PolicyComparison } from '../../../../src/editor/contextPanel/comparison/state';
import type { WhatIfSettings } from '../../../../src/editor/contextPanel/whatIf/state';
import { commit } from '../commit';
import {
  balanceOf,
  sampleBlocks,
  sampleContext,
  samplePlan,
  sampleRecording,
} from '../contextViews';
import { SAMPLE_SETTINGS } from '../contextViews';
import { drawPanel } from '../drawnPanel';
import { sampleComparison } from './comparisons';

// @vitest-environment happy-dom

const answerOf = (settings: WhatIfSettings) => ({
  type: 'answered' as const,
  data: {
    settings,
    marks: { inputBudget: 26_880, highTokens: 21_504, lowTokens: 13_440 },
    ok: true as const,
    balance: balanceOf(sampleBlocks()),
    due: false,
    plan: samplePlan(),
  },
});

/** The scratch copy, opened for a session. */
function opened(context: ContextView = sampleContext()) {
  const panel = drawPanel(context);
  panel.click(panel.one('what-if'));
  panel.answer(answerOf(context.settings));
  panel.wishes.length = 0;
  const button = () => panel.one('compare-policies');
  return {
    ...panel,
    button,
    compare: (comparison: PolicyComparison = sampleComparison()) => {
      panel.click(button());
      panel.answer({ type: 'answered', data: comparison });
    },
    row: (policy: string) =>
      panel.all('policy-row').find((row) => row.dataset['policy'] === policy)!,
    cells: (policy: string) =>
      [...panel.root.querySelectorAll(`[data-policy="${policy}"] td`)].map(
        (cell) => cell.textContent,
      ),
  };
}

describe('the comparison of all policies', () => {
  it('runs when the user asks, with the settings being tried', () => {
    const { button, click, wishes, all, one } = opened();
    expect(wishes).toEqual([]);
    expect(all('policy-table')).toEqual([]);
    expect(button().textContent).toBe('Compare all policies over this session');
    const field = one('number-maxHistoryTurns') as HTMLInputElement;
    field.value = '30';
    act(() => void field.dispatchEvent(new Event('input', { bubbles: true })));
    wishes.length = 0;
    click(button());
    expect(wishes).toEqual([
      { type: 'comparePolicies', settings: { ...SAMPLE_SETTINGS, maxHistoryTurns: 30 } },
    ]);
  });

  it('shows its progress, can be stopped, and ends with the dialog', () => {
    const { button, click, wishes, all, one, tell, answer, posts } = opened();
    click(button());
    const asked = posts.at(-1)!;
    const bar = () => one('comparison-progress').querySelector('progress')!;
    expect(one('comparison-progress').textContent).toBe('Replaying the session…');
    const learning = { done: 9, of: 2_304 };
    tell({ type: 'comparisonProgressed', session: 'session-1', progress: learning });
    expect(one('comparison-progress').textContent).toBe(
      'Reading the counts of its API: 9 of 2,304 requests',
    );
    const progress = { policy: 'headTail', done: 1_060, of: 2_304 };
    tell({ type: 'comparisonProgressed', session: 'another', progress });
    expect(bar().value).toBe(9);
    tell({ type: 'comparisonProgressed', session: 'session-1', progress });
    expect([bar().value, bar().max, bar().getAttribute('aria-label')]).toEqual([
      1_060,
      2_304,
      'Replays of the session',
    ]);
    expect(one('comparison-progress').textContent).toBe(
      'Replaying under headTail: 1,060 of 2,304 requests',
    );
    expect(button().textContent).toBe('Stop comparing');
    click(button());
    expect(wishes.at(-1)).toEqual({ type: 'stopComparing' });
    answer({ type: 'answered', data: 'stopped' }, asked);
    expect([...all('comparison-progress'), ...all('policy-table')]).toEqual([]);
    click(button());
    click(one('what-if-close'));
    expect(wishes.at(-1)).toEqual({ type: 'stopComparing' });
  });

  it('has a row for each policy (passes, needed again, cost and peak), and marks the current one', () => {
    const { compare, cells, row, all } = opened();
    compare();
    const guess = (text: string) => `≈\u00a0${text}`;
    expect(cells('ladder')).toEqual(['2', '3', guess('$0.842'), guess('21,604')]);
    expect(cells('slidingWindow')).toEqual(['9', '5', guess('$1.73'), guess('21,604')]);
    expect(cells('server')).toEqual([
      '1',
      '≥\u00a00',
      guess('$0.842'),
      `${guess('27,940')}3 over budget`,
    ]);
    expect(row('ladder').querySelector('th')!.textContent).toBe('laddercurrent');
    const marked = all('policy-row').filter(({ dataset }) => dataset['inForce'] === 'true');
    expect(marked).toEqual([row('ladder')]);
  });

  it('never shows 0 for an unknown price, and says why a policy was not replayed', () => {
    const { compare, cells } = opened();
    const [first, second, ...rest] = sampleComparison().rows;
    const message = 'keepTurns must be at most maxHistoryTurns.';
    compare(
      sampleComparison({
        rows: [
          { ...first!, cost: null } as typeof first & object,
          { ok: false, policy: second!.policy, message },
          ...rest,
        ],
      }),
    );
    expect(cells('ladder')[2]).toBe('not known');
    expect(cells('slidingWindow')).toEqual([message]);
  });

  it('explains its numbers, and gives those of the session itself', () => {
    const { compare, one } = opened();
    compare();
    const table = one('policy-table');
    const notes = one('comparison-notes');
    expect(table.getAttribute('aria-describedby')).toBe(notes.id);
    expect(table.querySelector('caption')!.textContent).toMatch(/^The whole session, 17 steps, /);
    expect(notes.textContent).toContain('at list price, with a simulated prompt cache');
    expect(notes.textContent).toContain(
      'The session itself had 2 passes, and content was needed again 3 times.',
    );
    compare(sampleComparison({ asShown: { isReplay: true, passes: 1, neededAgain: 0 } }));
    expect(notes.textContent).toContain(
      "The replay that is shown has 1 pass, and nothing was needed again: it uses this editor's ",
    );
    expect(notes.textContent).toContain('server: content that the API cleared');
    expect(one('table-kept').textContent).toContain('tokenBudget would have kept 2 of these 3.');
  });

  it('tries a policy on a click: the fields and the result change', () => {
    const { compare, row, click, one, store, wishes, answer } = opened();
    compare();
    const button = (policy: string) => one('try-row', row(policy));
    expect(button('ladder').getAttribute('aria-pressed')).toBe('true');
    click(button('lastTurns'));
    expect((one('policy') as HTMLSelectElement).value).toBe('lastTurns');
    expect((one('number-keepTurns') as HTMLInputElement).value).toBe('20');
    expect(button('lastTurns').getAttribute('aria-pressed')).toBe('true');
    expect(button('ladder').getAttribute('aria-pressed')).toBe('false');
    const settings = { ...SAMPLE_SETTINGS, policy: 'lastTurns' } as const;
    expect(store.begun.value.whatIf?.settings).toEqual(settings);
    // The same numbers as before: each row has its own policy.
    expect(one('comparison-outdated').textContent).toBe('');
    expect(wishes.filter(({ type }) => type === 'comparePolicies')).toHaveLength(1);
    answer(answerOf(settings));
  });

  it('says when it is out of date, and runs again on request', () => {
    const { compare, one, tell, button, click, wishes } = opened();
    compare();
    const outdated = () => one('comparison-outdated').textContent;
    tell({
      type: 'contextChanged',
      context: sampleContext({ travel: { at: 'now', first: 1, last: 18 } }),
    });
    expect(outdated()).toBe('These numbers end at step 17; the session has continued since.');
    const select = one('number-maxHistoryTurns') as HTMLInputElement;
    select.value = '30';
    act(() => void select.dispatchEvent(new Event('input', { bubbles: true })));
    commit(select);
    expect(outdated()).toBe('These numbers are for other settings than those above.');
    expect(button().textContent).toBe('Compare again');
    click(button());
    expect(wishes.at(-1)).toMatchObject({ settings: { maxHistoryTurns: 30 } });
  });

  it('has no button for a policy that cannot be tried in a recording', () => {
    const { compare, row, all } = opened(sampleContext({ source: sampleRecording() }));
    const [first] = sampleComparison().rows;
    compare(
      sampleComparison({
        rows: [
          ...sampleComparison().rows,
          { ...first!, policy: 'clairvoyant' } as typeof first & object,
        ],
      }),
    );
    expect(row('clairvoyant').querySelector('th')!.textContent).toBe(
      'clairvoyantknows what is needed later and keeps it',
    );
    expect(all('try-row', row('server'))).toEqual([]);
    expect(all('try-row', row('clairvoyant'))).toEqual([]);
    expect(row('server').textContent).toMatch(/^server/);
    expect(all('try-row', row('summarise'))).toHaveLength(1);
  });

  it('says why it failed, and is forgotten with the session', () => {
    const { button, click, refuse, one, all, tell, compare } = opened();
    click(button());
    refuse('There is nothing to compare yet: the session has no step.');
    expect(one('comparison-refusal').textContent).toMatch(/nothing to compare yet/);
    compare();
    expect(all('comparison-refusal')).toEqual([]);
    tell({ type: 'contextChanged', context: sampleContext({ session: 'session-2' }) });
    click(one('what-if'));
    expect(all('policy-table')).toEqual([]);
  });
});
