import { describe, expect, it } from 'vitest';
import type { EventOf, NewEvent } from '../../../../src/contextWindow/event';
import { decisionViews, passViews } from '../../../../src/editor/contextPanel/ledger/derive';
import { PersistentList } from '../../../../src/contextWindow/persistentList';
import { Scene, SESSION } from '../../../contextWindow/support/undoPromptScene';
import { drawnEvents, evicting, foldNew, promptEvent, usage } from '../../../support/drawing';

const PASS = evicting('step-1') as EventOf<'passApplied'>;

/** A pass before step 3 that made the API write this many tokens again. */
const pass = (rewrittenTokens: number): NewEvent => ({
  type: 'passApplied',
  pass: {
    ...PASS.pass,
    beforeStep: 3,
    cache: { ...PASS.pass.cache, rewrittenTokens },
  },
});

const DRAWN = drawnEvents('1 anchor task 30\n1 step a.ts 40\n1 step b.ts 40');

const windowWith = (rewritten = 1_000_000) => foldNew([...DRAWN, pass(rewritten)]);

const answeredBy = (model: string) => () => ({ by: { offline: false, model } }) as const;

describe('the cost of a pass', () => {
  it('is measured only after the next step has reported its usage', () => {
    const window = windowWith();
    const { by } = answeredBy('claude-sonnet-5-5')();
    const measured = (used: ReturnType<typeof usage> | undefined) =>
      passViews(
        window,
        (step) => ({
          by,
          ...(step !== 3 ? { usage: usage(77) } : used === undefined ? {} : { usage: used }),
        }),
        () => undefined,
      )[0]!.measured;
    expect(measured(undefined)).toBeUndefined();
    expect(measured(usage(0))).toBeUndefined();
    expect(measured(usage(5, { cacheReadTokens: 30, cacheCreationTokens: 900 }))).toEqual({
      cacheRead: 30,
      cacheWrite: 900,
    });
  });

  it('has its decisions by number, and none for an unknown pass', () => {
    const window = windowWith();
    expect(decisionViews(window, 1)!.map(({ blockId, action }) => [blockId, action])).toEqual([
      ['step-1', 'evict'],
    ]);
    expect(decisionViews(window, 2)).toBeUndefined();
  });
});

describe('the count after a change', () => {
  const counted = (tokens: number, estimatedTokens?: number): NewEvent => ({
    type: 'windowCounted',
    tokens,
    source: 'countTokens',
    estimatedTokens,
  });
  const textOf = (...events: readonly NewEvent[]) =>
    passViews(foldNew([...DRAWN, ...events]), answeredBy('claude-sonnet-5-5'), () => undefined)[0]!
      .counted;
  const CHANGED = [counted(110), pass(0), promptEvent('next')];

  it('is in the ledger next to the estimate that the change had promised', () => {
    expect(textOf(...CHANGED)).toBeUndefined();
    expect(textOf(...CHANGED, counted(13_290, 13_240))).toEqual({
      isOther: true,
      text: 'The API counted 13,290 tokens after it, 50 more than estimated.',
    });
    expect(textOf(...CHANGED, counted(900, 912))?.text).toBe(
      'The API counted 900 tokens after it, 12 fewer than estimated.',
    );
    expect(textOf(...CHANGED, counted(900, 900))).toEqual({
      isOther: false,
      text: 'The API counted 900 tokens after it, as estimated.',
    });
  });

  it('is the first one: later counts say nothing about the change', () => {
    expect(textOf(...CHANGED, counted(900, 912), counted(950, 990))?.text).toContain('900 tokens');
    expect(textOf(...CHANGED, counted(900))).toBeUndefined();
  });

  it('is that of its undo once it was undone', () => {
    const undo: NewEvent = { type: 'passUndone', number: 1 };
    const undone = [...CHANGED, counted(900, 912), undo];
    expect(textOf(...undone)).toBeUndefined();
    expect(textOf(...undone, counted(1_900, 1_890))?.text).toBe(
      'The API counted 1,900 tokens after its undo, 10 more than estimated.',
    );
  });
});

describe('a pass that undid a prompt', () => {
  it('names the later undo of an earlier prompt, also if it was drawn before that', () => {
    const scene = new Scene(SESSION).add(promptEvent('And the docs.'));
    scene.window = { ...scene.window, ledger: PersistentList.of([], 1) };
    const answered = answeredBy('claude-sonnet-5-5')();
    const why = () =>
      passViews(
        scene.undoPrompt().window,
        () => answered,
        () => undefined,
      ).at(-1)!.whyNotUndone;
    expect(why()).toBeUndefined();
    scene.add(promptEvent('And the tests.'));
    expect(why()).toBeUndefined();
    expect(why()).toContain('undid an earlier prompt since');
  });
});
