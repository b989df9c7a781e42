import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { watermarkTokens } from '../../../../src/editor/contextPanel/state';
import { withMark } from '../../../../webview/contextPanel/whatIf/whatIfFields';
import { commit } from '../commit';
import { sampleContext, sampleRecording, SAMPLE_SETTINGS } from '../contextViews';
import { opened, wished } from './openedWhatIf';

// @vitest-environment happy-dom

describe('the watermarks', () => {
  const MARKS = { inputBudget: 20_000, highTokens: 16_000, lowTokens: 10_000 };
  const SET = { ...SAMPLE_SETTINGS, highWatermark: 0.8, lowWatermark: 0.5 };

  it.each([
    ['highWatermark', 0.6, { highWatermark: 0.6, lowWatermark: 0.5 }],
    ['highWatermark', 0.5, { highWatermark: 0.5, lowWatermark: 0.45 }],
    ['highWatermark', 8_000, { highWatermark: 8_000, lowWatermark: 7_200 }],
    ['lowWatermark', 0.7, { highWatermark: 0.8, lowWatermark: 0.7 }],
    ['lowWatermark', 0.85, { highWatermark: 0.944, lowWatermark: 0.85 }],
    ['lowWatermark', 0.95, { highWatermark: 0.99, lowWatermark: 0.95 }],
    ['lowWatermark', 18_500, { highWatermark: 19_999, lowWatermark: 18_500 }],
    ['highWatermark', null, { highWatermark: null, lowWatermark: 0.5 }],
  ] as const)('push each other: %s at %s', (name, mark, both) => {
    expect(withMark(SET, name, mark, MARKS)).toMatchObject(both);
  });

  it('push an automatic one', () => {
    const automatic = { ...SET, lowWatermark: null };
    expect(withMark(automatic, 'highWatermark', 0.7, MARKS).lowWatermark).toBeNull();
    expect(withMark(automatic, 'highWatermark', 0.4, MARKS).lowWatermark).toBe(0.36);
  });

  it('stay in order, whichever is moved', () => {
    const mark = fc.oneof(
      fc.integer({ min: 2, max: 98 }).map((percent) => percent / 100),
      fc.integer({ min: 1_000, max: 19_500 }),
    );
    const name = fc.constantFrom('highWatermark' as const, 'lowWatermark' as const);
    fc.assert(
      fc.property(name, mark, (which, to) => {
        const { highWatermark, lowWatermark } = withMark(SET, which, to, MARKS);
        const tokens = (set: number | null) => watermarkTokens(set!, MARKS.inputBudget);
        expect(tokens(lowWatermark)).toBeLessThan(tokens(highWatermark));
      }),
    );
  });
});

describe('the fields of what if', () => {
  it('ask only under the ladder whether excerpts are shown, and how far they fill the window', () => {
    const { one, field, type, asked, choosePolicy } = opened();
    expect((one('excerpts') as HTMLInputElement).checked).toBe(true);
    expect(field('excerptShare').value).toBe('90');
    type('75', field('excerptShare'));
    expect(asked()).toEqual([wished({ excerptShare: 0.75 })]);
    type('90', field('excerptShare'));
    choosePolicy('summarise');
    expect(document.querySelector('[data-testid="excerpts"]')).toBeNull();
    expect(document.querySelector('[data-testid="number-excerptShare"]')).toBeNull();
  });

  it('give a watermark in tokens of the scratch budget', () => {
    expect(opened().one('try-highWatermark').textContent).toMatch(/ · 21,504 tokens$/);
  });

  it.each([
    ['windowTokens', '64000', { windowTokens: 64_000 }],
    ['windowTokens', '', { windowTokens: null }],
    ['lowWatermark', '', { lowWatermark: null }],
    ['highWatermark', '62.5', { highWatermark: 0.625 }],
    ['lowWatermark', '33.3', { lowWatermark: 0.333 }],
    ['keepRecentTurns', '0', { keepRecentTurns: 0 }],
    ['keepTurns', '4', { keepTurns: 4, policy: 'lastTurns' }],
    ['maxMessages', '12', { maxMessages: 12, policy: 'slidingWindow' }],
    ['maxHistoryTurns', '0', { maxHistoryTurns: 0 }],
  ] as const)('read %s typed as "%s"', (name, text, changes) => {
    const { field, type, asked, choosePolicy } = opened();
    if ('policy' in changes) choosePolicy(changes.policy);
    type(text, field(name));
    expect(asked()).toEqual([wished(changes)]);
  });

  it.each([
    ['ladder', 'keepRecentTurns'],
    ['summarise', 'keepRecentTurns'],
    ['lastTurns', 'keepTurns', 'keepRecentTurns'],
    ['headTail', 'maxMessages', 'keepRecentTurns'],
    ['salience', 'keepRecentTurns'],
  ] as const)(
    'ask under %s only for the fields that apply, in addition to the common ones: %s %s',
    (...given) => {
      const [policy, ...names] = given;
      const { all, choosePolicy } = opened();
      choosePolicy(policy);
      const shown = ['keepRecentTurns', 'keepTurns', 'maxMessages'].filter(
        (name) => all(`try-${name}`).length > 0,
      );
      // The sample has a limit on turns, which keeps its newest turns under every policy.
      expect(new Set(shown)).toEqual(new Set(names));
      expect(all('try-windowTokens')).toHaveLength(1);
    },
  );

  it('keep a changed field visible, though it no longer applies', () => {
    const { all, field, type, choosePolicy } = opened();
    choosePolicy('lastTurns');
    type('4', field('keepTurns'));
    choosePolicy('ladder');
    expect(all('try-keepTurns')).toHaveLength(1);
  });

  it('accept a policy', () => {
    const { one, asked } = opened();
    (one('policy') as HTMLSelectElement).value = 'salience';
    commit(one('policy'));
    expect(asked()).toEqual([wished({ policy: 'salience' })]);
  });

  it('keep an emptied number, except for the window and the watermarks', () => {
    const { field, type, one } = opened();
    type('', field('keepRecentTurns'));
    expect(one('what-if-apply').title).toBe('These are the current settings');
  });

  it('mark what differs, with the current value', () => {
    const { field, type, one } = opened();
    type('60', field('highWatermark'));
    expect(one('try-highWatermark').className).toBe('try changed');
    expect(one('try-highWatermark').textContent).toContain('changed, current: 80\u00a0%');
    expect(one('try-lowWatermark').className).toBe('try');
  });
});

describe('the policies of what if', () => {
  it('include every policy', () => {
    const options = [...opened().one('policy').querySelectorAll('option')];
    expect(options.map(({ value }) => value)).toEqual([
      'ladder',
      'slidingWindow',
      'lastTurns',
      'headTail',
      'tokenBudget',
      'salience',
      'summarise',
      'server',
    ]);
  });

  it('include for a recording what its agent did, but neither edits by the API nor policies that only measure', () => {
    const { one, tell, asked } = opened();
    tell({ type: 'contextChanged', context: sampleContext({ source: sampleRecording() }) });
    const options = [...one('policy').querySelectorAll('option')];
    expect(options.slice(-2).map(({ value, textContent }) => [value, textContent])).toEqual([
      ['summarise', 'summarise'],
      ['recorded', 'recorded: what the other agent did'],
    ]);
    (one('policy') as HTMLSelectElement).value = 'recorded';
    commit(one('policy'));
    expect(asked()).toEqual([wished({ policy: 'recorded' })]);
  });

  it('include no policy of another agent for a recording of Plimsoll itself', () => {
    const { one, tell } = opened();
    const values = () => [...one('policy').querySelectorAll('option')].map(({ value }) => value);
    const show = (changes: Parameters<typeof sampleRecording>[0]) =>
      tell({
        type: 'contextChanged',
        context: sampleContext({ source: sampleRecording(changes) }),
      });
    show({ format: 'plimsoll', asItWas: true });
    expect(values()).toContain('server');
    expect(values()).not.toContain('recorded');
    show({ format: 'plimsoll' });
    expect(values()).not.toContain('server');
    expect(values().at(-1)).toBe('summarise');
  });
});
