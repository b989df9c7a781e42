import { describe, expect, it } from 'vitest';
import type { KeptView } from '../../../../src/editor/contextPanel/comparison/state';
import { keptWords } from '../../../../webview/contextPanel/comparison/words';
import { sampleContext, SAMPLE_SETTINGS } from '../contextViews';
import { drawPanel } from '../drawnPanel';
import { sampleComparison } from './comparisons';

// @vitest-environment happy-dom

const by = (...names: readonly string[]): KeptView => ({
  step: 1,
  what: 'a.ts',
  by: names as KeptView['by'],
});
const unknown: KeptView = { ...by(), isUnknown: true };

describe('which policy would have kept it', () => {
  it.each([
    [[], ''],
    [[by('ladder')], 'ladder would have kept it.'],
    [[by('server')], 'server (simulated) would have kept it.'],
    [[by()], 'No policy would have kept it.'],
    [[by(), by()], 'No policy would have kept any of these 2.'],
    [[by('ladder', 'summarise'), by('summarise')], 'summarise would have kept both.'],
    [[by('summarise'), by('summarise'), by('summarise')], 'summarise would have kept all 3.'],
    [[by('ladder'), by('summarise'), by()], 'ladder and summarise would have kept 1 of these 3.'],
    [
      [by('ladder', 'summarise', 'salience', 'headTail', 'server')],
      'ladder, summarise, salience and 2 more would have kept it.',
    ],
    [[unknown], 'No replay can say whether another policy would have kept it.'],
    [
      [by('ladder'), unknown, unknown],
      'ladder would have kept it. For the other 2, no replay can say.',
    ],
  ] as const)('puts %j into words', (kept, words) => {
    expect(keptWords(kept)).toBe(words);
  });

  it('is answered when the user asks, for each pass and for all', () => {
    const { one, all, click, wishes, answer } = drawPanel(sampleContext());
    const card = (pass: number) =>
      all('pass-card').find(({ dataset }) => dataset['pass'] === String(pass))!;
    expect(one('regret', card(2)).textContent).not.toContain('would have kept');
    expect(one('ask-kept').textContent).toBe('Which policy would have kept it?');
    click(one('ask-kept'));
    expect(wishes.at(-1)).toEqual({ type: 'comparePolicies', settings: SAMPLE_SETTINGS });
    expect(one('ask-kept').textContent).toBe('Stop the replays');
    answer({ type: 'answered', data: sampleComparison() });
    expect(one('regret', card(2)).textContent).toMatch(/ tokenBudget would have kept both\.$/);
    expect(one('regret', card(1)).textContent).toMatch(/ No policy would have kept it\.$/);
    expect(one('would-have-kept').textContent).toMatch(
      /^tokenBudget would have kept 2 of these 3\. Kept means: .* whole in the window /,
    );
    expect(all('ask-kept')).toEqual([]);
  });

  it('is asked again after the session or its settings changed', () => {
    const { one, all, click, answer, tell } = drawPanel(sampleContext());
    click(one('ask-kept'));
    answer({ type: 'answered', data: sampleComparison() });
    const { neededAgain, travel } = sampleContext();
    tell({ type: 'contextChanged', context: sampleContext({ travel: { ...travel, last: 18 } }) });
    expect(all('would-have-kept')).toEqual([]);
    const more = [
      ...neededAgain,
      { blockId: 'step-5', step: 17, what: 'b.ts', tokens: 9, pass: 2 },
    ];
    tell({ type: 'contextChanged', context: sampleContext({ neededAgain: more }) });
    expect(all('would-have-kept')).toEqual([]);
    const settings = { ...SAMPLE_SETTINGS, keepRecentTurns: 1 };
    tell({ type: 'contextChanged', context: sampleContext({ settings }) });
    expect(all('would-have-kept')).toEqual([]);
    // A different current policy changes no row.
    const other = { ...SAMPLE_SETTINGS, policy: 'summarise' } as const;
    tell({ type: 'contextChanged', context: sampleContext({ settings: other }) });
    expect(all('would-have-kept')).toHaveLength(1);
  });

  it('is answered at a past step too, for what had been needed by then', () => {
    const past = { at: 15, first: 1, last: 17 } as const;
    const neededAgain = sampleContext().neededAgain.slice(0, 1);
    const { one, click, answer } = drawPanel(sampleContext({ travel: past, neededAgain }));
    click(one('ask-kept'));
    answer({ type: 'answered', data: sampleComparison() });
    expect(one('would-have-kept').textContent).toMatch(
      /^tokenBudget and lastTurns would have kept it\./,
    );
  });

  it('is not asked if nothing was needed again', () => {
    expect(drawPanel(sampleContext({ neededAgain: [] })).all('ask-kept')).toEqual([]);
  });
});
