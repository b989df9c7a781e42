import fc from 'fast-check';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ContextWish } from '../../../../src/protocol/contextWishes';
import type { WhatIfSettings, WhatIfView } from '../../../../src/protocol/whatIf';
import { unsentOf } from '../../../../webview/context/store/unsent';
import { watermarkTokens } from '../../../../src/protocol/contextPanel';
import { withMark } from '../../../../webview/context/whatIf/whatIfFields';
import { commit } from '../commit';
import {
  balanceOf,
  sampleBlocks,
  sampleContext,
  samplePlan,
  sampleRecording,
  SAMPLE_SETTINGS,
} from '../contextViews';
import { drawPanel, keptOf } from '../drawnPanel';

// @vitest-environment happy-dom

let frames: (() => void)[] = [];

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => void (frames[id - 1] = () => undefined));
});

afterEach(() => void vi.unstubAllGlobals());

const nextFrame = () => void act(() => frames.splice(0).forEach((frame) => frame()));

type Made = Partial<Extract<WhatIfView, { ok: true }>>;

const viewOf = (changes: Partial<WhatIfSettings> = {}, made: Made = {}): WhatIfView => ({
  settings: { ...SAMPLE_SETTINGS, ...changes },
  marks: { inputBudget: 26_880, highTokens: 21_504, lowTokens: 13_440 },
  ok: true,
  balance: balanceOf(sampleBlocks()),
  due: false,
  plan: samplePlan(),
  ...made,
});

const opened = (whatIf = viewOf()) => {
  const panel = drawPanel(sampleContext());
  panel.one('what-if').focus();
  panel.click(panel.one('what-if'));
  panel.answer({ type: 'answered', data: whatIf });
  panel.wishes.length = 0;
  const field = (name: string) => panel.one(`number-${name}`) as HTMLInputElement;
  const slider = (name: string) => panel.one(`slider-${name}`) as HTMLInputElement;
  const asked = (): readonly ContextWish[] => {
    nextFrame();
    return panel.wishes;
  };
  const choosePolicy = (policy: string): void => {
    const select = panel.one('policy') as HTMLSelectElement;
    select.value = policy;
    commit(select);
  };
  return { ...panel, field, slider, asked, choosePolicy };
};

const wished = (changes: Partial<WhatIfSettings>): ContextWish => ({
  type: 'whatIf',
  settings: { ...SAMPLE_SETTINGS, ...changes },
});

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

  it('push one that is automatic', () => {
    const automatic = { ...SET, lowWatermark: null };
    expect(withMark(automatic, 'highWatermark', 0.7, MARKS).lowWatermark).toBeNull();
    expect(withMark(automatic, 'highWatermark', 0.4, MARKS).lowWatermark).toBe(0.36);
  });

  it('stay in order, wherever one is moved', () => {
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

describe('what if', () => {
  it('opens with the settings in force, and nothing to apply', () => {
    const { one, field } = opened();
    const names = [
      'windowTokens',
      'highWatermark',
      'lowWatermark',
      'keepRecentTurns',
      'maxHistoryTurns',
    ];
    expect(names.map((name) => field(name).value)).toEqual(['32768', '80', '50', '2', '50']);
    expect((one('policy') as HTMLSelectElement).value).toBe('ladder');
    expect(one('what-if-apply').title).toBe('These are the settings in force');
  });

  it('asks under the ladder alone whether files are shown, and how far they fill the window', () => {
    const { one, field, type, asked, choosePolicy } = opened();
    expect((one('fileViews') as HTMLInputElement).checked).toBe(true);
    expect(field('fileViewShare').value).toBe('90');
    type('75', field('fileViewShare'));
    expect(asked()).toEqual([wished({ fileViewShare: 0.75 })]);
    type('90', field('fileViewShare'));
    choosePolicy('compact');
    expect(document.querySelector('[data-testid="fileViews"]')).toBeNull();
    expect(document.querySelector('[data-testid="number-fileViewShare"]')).toBeNull();
  });

  it('says what a watermark is in tokens of the scratch budget', () => {
    expect(opened().one('try-highWatermark').textContent).toMatch(/ · 21,504 tokens$/);
  });

  it('offers every policy', () => {
    const options = [...opened().one('policy').querySelectorAll('option')];
    expect(options.map(({ value }) => value)).toEqual([
      'ladder',
      'slidingWindow',
      'lastTurns',
      'headTail',
      'tokenBudget',
      'salience',
      'compact',
      'server',
    ]);
  });

  it('asks once a frame, for what was dragged last', () => {
    const { slider, type, asked } = opened();
    type('70', slider('highWatermark'));
    type('65', slider('highWatermark'));
    type('61', slider('highWatermark'));
    expect(asked()).toEqual([wished({ highWatermark: 0.61 })]);
  });

  it('has one question on its way at a time, then asks for the newest settings', () => {
    const { slider, type, asked, answer } = opened();
    const drag = (percent: string) => {
      type(percent, slider('highWatermark'));
      return asked();
    };
    expect(drag('70')).toHaveLength(1);
    expect(drag('65')).toHaveLength(1);
    expect(drag('61')).toHaveLength(1);
    answer({ type: 'answered', data: viewOf({ highWatermark: 0.7 }) });
    expect(asked()).toEqual([wished({ highWatermark: 0.7 }), wished({ highWatermark: 0.61 })]);
    answer({ type: 'answered', data: viewOf({ highWatermark: 0.61 }) });
    expect(asked()).toHaveLength(2);
  });

  it('asks on after a refusal', () => {
    const { slider, type, asked, refuse } = opened();
    type('70', slider('highWatermark'));
    asked();
    type('61', slider('highWatermark'));
    refuse('The recording is being read.');
    expect(asked().at(-1)).toEqual(wished({ highWatermark: 0.61 }));
  });

  it('offers over a recording what was done and what was needed, and no edits by the API', () => {
    const { one, tell, asked } = opened();
    tell({ type: 'contextChanged', context: sampleContext({ source: sampleRecording() }) });
    const options = [...one('policy').querySelectorAll('option')];
    expect(options.slice(-5).map(({ value, textContent }) => [value, textContent])).toEqual([
      ['compact', 'compact'],
      ['recorded', 'recorded: what the other agent did'],
      ['ladderNoViews', 'ladderNoViews: the ladder without file views'],
      ['clairvoyant', 'clairvoyant: keeps what is needed later'],
      ['clairvoyantViews', 'clairvoyantViews: keeps what is needed later, or shows it again'],
    ]);
    (one('policy') as HTMLSelectElement).value = 'recorded';
    commit(one('policy'));
    expect(asked()).toEqual([wished({ policy: 'recorded' })]);
  });

  it("offers over a session of Plimsoll's own nothing that another agent did", () => {
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
    expect(values().at(-1)).toBe('clairvoyantViews');
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
  ] as const)('takes %s typed as "%s"', (name, text, changes) => {
    const { field, type, asked, choosePolicy } = opened();
    if ('policy' in changes) choosePolicy(changes.policy);
    type(text, field(name));
    expect(asked()).toEqual([wished(changes)]);
  });

  it.each([
    ['ladder', 'keepRecentTurns'],
    ['compact', 'keepRecentTurns'],
    ['lastTurns', 'keepTurns', 'keepRecentTurns'],
    ['headTail', 'maxMessages', 'keepRecentTurns'],
    ['salience', 'keepRecentTurns'],
  ] as const)('asks under %s only for what counts, beside what always does: %s %s', (...given) => {
    const [policy, ...names] = given;
    const { all, choosePolicy } = opened();
    choosePolicy(policy);
    const shown = ['keepRecentTurns', 'keepTurns', 'maxMessages'].filter(
      (name) => all(`try-${name}`).length > 0,
    );
    // The sample has a limit on turns, which keeps the newest of them under every policy.
    expect(new Set(shown)).toEqual(new Set(names));
    expect(all('try-windowTokens')).toHaveLength(1);
  });

  it('keeps in sight what was changed, though it does not count any more', () => {
    const { all, field, type, choosePolicy } = opened();
    choosePolicy('lastTurns');
    type('4', field('keepTurns'));
    choosePolicy('ladder');
    expect(all('try-keepTurns')).toHaveLength(1);
  });

  it('takes a policy', () => {
    const { one, asked } = opened();
    (one('policy') as HTMLSelectElement).value = 'salience';
    commit(one('policy'));
    expect(asked()).toEqual([wished({ policy: 'salience' })]);
  });

  it('keeps a number that was emptied, except for the window and the watermarks', () => {
    const { field, type, one } = opened();
    type('', field('keepRecentTurns'));
    expect(one('what-if-apply').title).toBe('These are the settings in force');
  });

  it('marks what differs, with what is in force', () => {
    const { field, type, one } = opened();
    type('60', field('highWatermark'));
    expect(one('try-highWatermark').className).toBe('try changed');
    expect(one('try-highWatermark').textContent).toContain('changed, in force: 80\u00a0%');
    expect(one('try-lowWatermark').className).toBe('try');
  });

  it('draws the window of the scratch copy, and what would go and stay', () => {
    const { one, all } = opened(viewOf({}, { due: true }));
    const result = one('what-if-result');
    expect(one('what-if-words').textContent).toBe(
      'A pass would begin before the next step. It would change 9 blocks.',
    );
    expect(all('bar-segment', result).length).toBeGreaterThan(5);
    expect(one('plan-kept').querySelector('summary')?.textContent).toContain('Would stay: 8');
    expect(all('decision-row', result)).toHaveLength(17);
  });

  it('says how far off a pass is where none is due', () => {
    expect(opened().one('what-if-words').textContent).toBe(
      'No pass would be due: ≈\u00a04,318 tokens to the high watermark. ' +
        'Asked for, one would change 9 blocks.',
    );
  });

  it('names what is wrong with the settings, and does not apply them', () => {
    const problem = 'The low watermark must lie below the high one.';
    const settings = { ...SAMPLE_SETTINGS, windowTokens: 1_000 };
    const { one, field, type, click, asked, answer, wishes } = opened();
    type('1000', field('windowTokens'));
    expect(asked()).toHaveLength(1);
    answer({ type: 'answered', data: { settings, ok: false, message: problem } });
    expect(one('what-if-problem').textContent).toBe(problem);
    click(one('what-if-apply'));
    expect([one('what-if-apply').title, wishes.length]).toEqual([problem, 1]);
  });

  it('applies on purpose alone', () => {
    const { one, field, type, click, wishes, asked } = opened();
    type('60', field('highWatermark'));
    expect(asked().map(({ type: kind }) => kind)).toEqual(['whatIf']);
    click(one('what-if-apply'));
    const settings = { ...SAMPLE_SETTINGS, highWatermark: 0.6 };
    expect(wishes.at(-1)).toEqual({ type: 'applyWhatIf', settings });
  });

  it('goes back to the settings in force', () => {
    const { one, field, type, click, answer, asked } = opened();
    type('60', field('highWatermark'));
    asked();
    answer({ type: 'answered', data: viewOf({ highWatermark: 0.6 }) });
    click(one('what-if-reset'));
    expect(field('highWatermark').value).toBe('80');
    expect(asked()).toEqual([wished({ highWatermark: 0.6 }), wished({})]);
  });

  it('asks again when the session has gone on', () => {
    const { tell, asked } = opened();
    tell({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect(asked()).toEqual([]);
    tell({ type: 'contextChanged', context: sampleContext({ revision: '2' }) });
    expect(asked()).toEqual([wished({})]);
  });

  it('says why settings were not applied, and can be applied again', () => {
    const { one, all, field, type, click, refuse } = opened();
    type('60', field('highWatermark'));
    click(one('what-if-apply'));
    expect(one('what-if-apply').getAttribute('aria-disabled')).toBe('true');
    refuse('The settings are managed by your organisation.');
    expect(one('what-if-refusal').textContent).toContain('managed by your organisation');
    expect(all('refusal')).toEqual([]);
    click(one('what-if-apply'));
    expect(all('what-if-refusal')).toEqual([]);
  });

  it('says nothing of what else was refused: that stands in the frame', () => {
    const { one, all, store, refuse } = opened();
    store.wish({ type: 'undoPass', number: 2 });
    refuse('Pass 2 is undone already.');
    expect(all('what-if-refusal')).toEqual([]);
    expect(one('refusal').textContent).toContain('Pass 2 is undone already.');
  });

  it('leaves a refusal that comes after it was closed to the frame', () => {
    const { one, all, field, type, click, refuse } = opened();
    type('60', field('highWatermark'));
    click(one('what-if-apply'));
    click(one('what-if-close'));
    refuse('Nothing was stored: the settings are as they were.');
    expect(one('refusal').textContent).toContain('Nothing was stored');
    click(one('what-if'));
    expect(all('what-if-refusal')).toEqual([]);
  });

  it('takes the focus, gives it back, and asks nothing more once closed', () => {
    const { one, all, field, type, click, asked } = opened();
    expect(document.activeElement).toBe(one('policy'));
    type('60', field('highWatermark'));
    click(one('what-if-close'));
    expect([all('what-if-dialog'), asked()]).toEqual([[], []]);
    expect(document.activeElement).toBe(one('what-if'));
  });

  it('stays closed when an answer comes late, which says nothing of what is tried next', () => {
    const { one, all, field, type, click, answer, posts, asked } = opened();
    type('60', field('highWatermark'));
    asked();
    const late = posts.at(-1)!;
    click(one('what-if-close'));
    click(one('what-if'));
    answer({ type: 'answered', data: viewOf({}, { due: true }) }, late);
    expect(all('what-if-words')).toEqual([]);
    answer({ type: 'answered', data: viewOf() });
    expect(one('what-if-words').textContent).toContain('No pass would be due');
    click(one('what-if-close'));
    answer({ type: 'answered', data: viewOf() }, late);
    expect(all('what-if-dialog')).toEqual([]);
  });

  it('comes back after hiding and reloading with what was tried, and asks again', () => {
    const { field, type, store } = opened();
    type('60', field('highWatermark'));
    type('', field('windowTokens'));
    const again = drawPanel(sampleContext(), undefined, keptOf(store));
    expect((again.one('number-highWatermark') as HTMLInputElement).value).toBe('60');
    const settings = { ...SAMPLE_SETTINGS, highWatermark: 0.6, windowTokens: null };
    expect(again.wishes).toEqual([{ type: 'whatIf', settings }]);
    expect(again.one('what-if-waits').textContent).toBe('Working out the result…');
    again.answer({ type: 'answered', data: viewOf(settings) });
    expect(again.all('what-if-result')).toHaveLength(1);
  });

  it('is not opened by a reload once it was closed, nor in another session', () => {
    const { one, all, field, type, click, tell, store } = opened();
    type('60', field('highWatermark'));
    const kept = keptOf(store);
    click(one('what-if-close'));
    expect(drawPanel(sampleContext(), undefined, keptOf(store)).all('what-if-dialog')).toEqual([]);
    const other = sampleContext({ session: 'session-2' });
    const there = drawPanel(other, undefined, kept);
    expect([there.all('what-if-dialog'), there.wishes]).toEqual([[], []]);
    there.tell({ type: 'contextChanged', context: sampleContext() });
    expect(there.all('what-if-dialog')).toHaveLength(1);
    tell({ type: 'contextChanged', context: sampleContext({ revision: '2' }) });
    expect(all('what-if-dialog')).toEqual([]);
  });

  it('takes nothing that was kept in another form', () => {
    const settings = { ...SAMPLE_SETTINGS, policy: 'no longer there' };
    const { whatIf } = unsentOf({ whatIf: { session: 'session-1', settings } });
    expect(whatIf).toBeUndefined();
    const { policy: _, ...rest } = SAMPLE_SETTINGS;
    expect(unsentOf({ whatIf: { session: 'session-1', settings: rest } }).whatIf).toBeUndefined();
    expect(unsentOf({ whatIf: { settings: SAMPLE_SETTINGS } }).whatIf).toBeUndefined();
  });
});
