import { describe, expect, it } from 'vitest';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import { fold } from '../../../../src/contextWindow/fold';
import type { Estimate } from '../../../../src/contextWindow/truncate';
import {
  triedPlan,
  whatIfSettings,
  whatIfView,
  whyNotInForce,
} from '../../../../src/editor/contextPanel/whatIf/derive';
import { withoutBad, settingName } from '../../../../src/settings/readSettings';
import { SettingsInForce } from '../../../../src/editor/model/settingsInForce';
import type { WhatIfSettings, WhatIfView } from '../../../../src/editor/contextPanel/whatIf/state';
import type { ValidSettings } from '../../../../src/settings/windowBudget';
import { countDots, dated, drawnEvents } from '../../../support/drawing';
import { inspecting, lookedAt, SMALL, validWith } from '../support/inspecting';
import { withSettings } from '../../../support/packageSettings';
import { VALID } from '../support/triedWindow';

const IN_FORCE = whatIfSettings(VALID.settings.context, 'ladder');

/** A session whose blocks have this weight in total. */
function drawn(tokens: number) {
  const rows = Array.from({ length: 9 }, (_, index) => `1 step f${index}.ts ${index + 40}`);
  const rest = tokens - 30 - 396;
  const events = dated(
    drawnEvents(['1 anchor task 30', ...rows, `1 step last.ts ${rest}`].join('\n')),
  );
  return { events, window: fold(events) };
}

/** The result of other settings if no file is read. */
function whatIf(
  window: ContextWindow,
  inForce: ValidSettings,
  wished: WhatIfSettings,
  estimate: Estimate,
): WhatIfView {
  return whatIfView(triedPlan(window, inForce, wished, estimate, undefined), window, wished);
}

function tryIn(tokens: number, change: Partial<WhatIfSettings>) {
  return whatIf(drawn(tokens).window, VALID, { ...IN_FORCE, ...change }, countDots);
}

/** The settings editor's own reading of the same values. */
async function editorsProblem(
  change: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { context } = VALID.settings;
  const named = Object.entries({ ...context, ...change }).map(([name, value]) => [
    settingName(['context', name]),
    value,
  ]);
  const raw = withSettings(Object.fromEntries(named) as Record<string, unknown>);
  const settings = new SettingsInForce(
    { readSettings: (good) => withoutBad(raw, good) },
    { limitsOf: async () => ({}) },
    () => undefined,
  );
  await settings.refresh();
  const { problems } = settings;
  return problems.length === 0 ? undefined : problems.map(({ message }) => message).join(' ');
}

describe('a window that would still not fit', () => {
  it('is reported before settings are applied, with the blocks that stay', () => {
    const pinned = Array.from({ length: 20 }, (_, index) => `1 step f${index}.ts 150 !`);
    const window = fold(dated(drawnEvents(['1 anchor task 30', ...pinned].join('\n'))));
    const tried = whatIf(window, VALID, IN_FORCE, countDots);
    expect(tried.ok && tried.whyTooFull).toMatch(
      /^It would still not fit: after a pass ≈ 3,\d+ tokens would stay, and the input budget would be 1,000\. Heaviest: read_file f\d+\.ts: ≈ 150; /,
    );
    const fits = tryIn(900, {});
    expect(fits.ok && fits.whyTooFull).toBeUndefined();
  });
});

describe('what if', () => {
  it('begins with the current settings, and then agrees with the panel', async () => {
    const { events, window } = drawn(700);
    const { inspection } = inspecting(() => lookedAt({ events, window }, VALID), countDots);
    const view = inspection.view();
    expect(view.settings).toEqual(IN_FORCE);
    expect(await inspection.whatIf(view.settings)).toMatchObject({
      ok: true,
      marks: { inputBudget: 1_000, highTokens: 800, lowTokens: 500 },
      balance: view.balance,
      due: false,
      plan: { before: { tokens: 700 }, decisions: (await inspection.preview())!.decisions },
    });
  });

  it('changes neither the window nor the settings', async () => {
    const { events, window } = drawn(900);
    const inForce = structuredClone(VALID);
    const { inspection } = inspecting(() => lookedAt({ events, window }, inForce), countDots);
    const before = JSON.stringify([window, inspection.view(), inForce]);
    await inspection.whatIf({
      ...IN_FORCE,
      highWatermark: 0.3,
      lowWatermark: 0.1,
      policy: 'salience',
    });
    await inspection.whatIf({ ...IN_FORCE, highWatermark: 3 });
    expect(JSON.stringify([window, inspection.view(), inForce])).toBe(before);
  });

  it.each<[number, number, boolean]>([
    [0.8, 799, false],
    [0.8, 800, false],
    [0.8, 801, true],
    [0.6, 601, true],
    [0.999, 999, false],
    [0.999, 1_000, true],
  ])('with a high watermark of %d and %i tokens of 1,000, a pass is due: %s', (high, used, due) => {
    expect(tryIn(used, { highWatermark: high })).toMatchObject({ ok: true, due });
  });

  it.each<[number, number]>([
    [0.5, 500],
    [0.001, 1],
    [0.799, 799],
  ])('with a low watermark of %d a pass goes down to %i tokens of 1,000', (low, target) => {
    const tried = tryIn(900, { lowWatermark: low });
    expect(tried).toMatchObject({ ok: true, due: true, plan: { target } });
  });

  it('uses the window travelled to', async () => {
    const { inspection } = inspecting(() => lookedAt(drawn(900), VALID), countDots);
    await inspection.travelTo(2);
    expect(await inspection.whatIf(IN_FORCE)).toMatchObject({
      ok: true,
      balance: { used: { tokens: 70 } },
    });
  });

  it.each<Partial<WhatIfSettings>>([
    { highWatermark: 1 },
    { highWatermark: 0 },
    { highWatermark: 0.5 },
    { highWatermark: Number.NaN },
    { lowWatermark: 0 },
    { lowWatermark: 0.8 },
    { lowWatermark: 0.9, highWatermark: 0.7 },
    { lowWatermark: -1, highWatermark: 2 },
    { windowTokens: 1_000 },
    { windowTokens: 0 },
    { windowTokens: 1_200.5 },
    { maxMessages: 1 },
    { keepTurns: 0 },
    { maxHistoryTurns: -1 },
    { policy: 'lastTurns', keepTurns: 20, maxHistoryTurns: 10 },
  ])('says of %j what the settings editor would say', async (change) => {
    const tried = tryIn(700, change);
    const problem = await editorsProblem(change);
    expect(problem).toMatch(/^plimsoll\.(?:context|advanced)\./);
    expect(tried).toEqual({ ok: false, settings: { ...IN_FORCE, ...change }, message: problem });
  });

  it('accepts the exact limits of valid values', () => {
    for (const change of [
      { highWatermark: 0.999 },
      { lowWatermark: 0.001 },
      { highWatermark: 0.501 },
      { lowWatermark: 0.799 },
      { windowTokens: 1_001 },
      { windowTokens: null },
    ]) {
      expect(tryIn(700, change)).toMatchObject({ ok: true });
    }
  });

  it('accepts a watermark in tokens, and draws its line there', () => {
    const valid = validWith(SMALL);
    const now = whatIfSettings(valid.settings.context, 'ladder');
    const wished = { ...now, highWatermark: 7_001, lowWatermark: 6_999 };
    expect(whatIf(drawn(700).window, valid, wished, countDots)).toMatchObject({
      ok: true,
      settings: wished,
      marks: { inputBudget: 10_000, highTokens: 7_001, lowTokens: 6_999 },
      balance: { highTokens: 7_001, lowTokens: 6_999 },
    });
  });

  it('shows the values of automatic watermarks', () => {
    const valid = validWith({ windowTokens: 1_000_000 });
    const now = whatIfSettings(valid.settings.context, 'ladder');
    const tried = (change: Partial<WhatIfSettings>) =>
      whatIf(drawn(700).window, valid, { ...now, ...change }, countDots).marks;
    expect(tried({})).toEqual({ inputBudget: 949_808, highTokens: 200_000, lowTokens: 120_000 });
    expect(tried({ lowWatermark: 0.4 })).toMatchObject({ highTokens: 759_846 });
    expect(tried({ windowTokens: 200_000 })).toMatchObject({ highTokens: 131_808 });
  });

  it("replaces the model's own settings, and names them if it cannot", () => {
    const valid = validWith({ ...SMALL, models: { 'claude-*': { highWatermark: 7_000 } } });
    const now = whatIfSettings(valid.settings.context, 'ladder');
    const { window } = drawn(700);
    expect(whatIf(window, valid, now, countDots)).toMatchObject({ balance: { highTokens: 7_000 } });
    expect(whatIf(window, valid, { ...now, highWatermark: 0.6 }, countDots)).toMatchObject({
      balance: { highTokens: 6_000 },
    });
    const problem = (highWatermark: number) =>
      whatIf(window, valid, { ...now, highWatermark }, countDots);
    expect(problem(80)).toMatchObject({
      message:
        'plimsoll.context.models["claude-*"].highWatermark must be a fraction of the input ' +
        'budget below 1, for example 0.8, or a number of tokens of at least 1,000, not 80.',
    });
    expect(problem(10_000)).toMatchObject({
      message:
        'plimsoll.context.models["claude-*"].highWatermark must be below the input budget of ' +
        '10,000 tokens, not 10000.',
    });
  });

  it('begins with the current policy if a replay used one that only measures', () => {
    const { context } = VALID.settings;
    expect(whatIfSettings(context, 'clairvoyant').policy).toBe(context.policy);
    expect(whatIfSettings(context, 'recorded').policy).toBe('recorded');
  });

  it('says that a policy that only replays use plans nothing for a session', () => {
    expect(tryIn(700, { policy: 'recorded' })).toMatchObject({
      ok: false,
      message: 'recorded exists only in replays: apply it to see what it would have done.',
    });
  });
});

describe('whether scratch settings can be applied to a session', () => {
  const why = (changed: Partial<WhatIfSettings>) =>
    whyNotInForce(VALID, { ...IN_FORCE, ...changed });

  it('is answered like their plan, without one', () => {
    expect(why({ highWatermark: 0.9, policy: 'salience' })).toBeUndefined();
    for (const changed of [{ highWatermark: 80 }, { policy: 'recorded' }] as const) {
      const tried = tryIn(700, changed);
      expect(tried.ok).toBe(false);
      expect(why(changed)).toBe(tried.ok ? '' : tried.message);
    }
  });
});
