import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../../../src/contextWindow/block';
import { recallText } from '../../../../src/contextWindow/blockText';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { measure } from '../../../../src/contextWindow/account/measure';
import { toRequest } from '../../../../src/contextWindow/request/request';
import { pricePass } from '../../../../src/contextWindow/passes/pipeline';
import { drawnEvents, foldNew, promptEvent, resultEvent, usage } from '../../../support/drawing';
import { estimate } from '../../../support/player';
import { done, planned, reason, type Planned } from '../../support/planned';

const words = (name: string, tokens: number) => `${name} `.repeat((tokens * 3) / (name.length + 1));

const read = (id: string, ...texts: readonly string[]): readonly NewEvent[] => [
  {
    type: 'replyReceived',
    model: 'test',
    parts: texts.map((_, index) => ({
      type: 'toolUse',
      use: { id: `${id}_${index}` as ToolUseId, name: 'read_file', input: { path: id } },
    })),
    stopReason: 'tool_use',
    usage: usage(0),
    durationMs: 1,
  },
  ...texts.map((text, index) => resultEvent(`${id}_${index}`, text)),
];

/** The window after a pass that had to make it fit `inputBudget`. */
function fitted(events: readonly NewEvent[], inputBudget: number, more: Partial<Planned> = {}) {
  const all = [...drawnEvents(''), ...events];
  const window = foldNew(all);
  const plan = planned(window, { inputBudget, estimate, ...more });
  const pass = pricePass(plan, [], window, estimate);
  return { plan, window: foldNew([...all, { type: 'passApplied', pass }]) };
}

const used = (window: ContextWindow) => measure(window, estimate).used.tokens;

describe('a task out of proportion', () => {
  const small = { inputBudget: 40_000, keepRecentTurns: 2 };
  const session = [
    promptEvent(`BEGIN ${words('task', 45_000)} END`),
    ...read('old', words('old', 2_000)),
    promptEvent('next'),
    ...read('new', words('new', 3_000)),
    ...read('last', words('last', 500)),
    promptEvent('now'),
  ];

  it.each([20_000, 30_000])(
    'is cut to a quarter of the budget before anything of the newest turns leaves (low watermark %i)',
    (low) => {
      const { plan, window } = fitted(session, small.inputBudget, { ...small, low });
      expect(done(plan)).toEqual(['truncate prompt-1']);
      expect(reason(plan, 'prompt-1')).toMatch(
        /^Its 45,\d\d\d tokens would push out the newest turns: head and tail kept$/,
      );
      const task = measure(window, estimate).parts.find(({ part }) => part === 'prompt-1')!;
      expect(task.tokens).toBeLessThanOrEqual(10_000);
      expect(task.tokens).toBeGreaterThan(9_000);
      const [first] = toRequest(window).messages;
      expect(JSON.stringify(first)).toMatch(/BEGIN.*Plimsoll left out.*END/);
    },
  );

  it('stays whole as long as older turns make enough room, and if nothing else could stay', () => {
    const roomy = { ...small, inputBudget: 110_000 };
    const long = [
      ...session.slice(0, 1),
      ...read('old', words('old', 60_000)),
      ...session.slice(3),
    ];
    const { plan } = fitted(long, roomy.inputBudget, { ...roomy, trigger: 'manual' });
    expect(done(plan)).not.toContain('truncate prompt-1');
    const alone = fitted([promptEvent(words('task', 35_000))], small.inputBudget, small);
    expect(done(alone.plan)).toEqual([]);
  });

  it('is cut to half of the low watermark where that is far below the budget', () => {
    const large = { inputBudget: 949_000, low: 120_000, keepRecentTurns: 2 };
    const events = [
      promptEvent(words('task', 210_000)),
      ...read('old', words('old', 40_000)),
      promptEvent('next'),
      ...read('new', words('new', 40_000)),
      promptEvent('now'),
    ];
    const { plan, window } = fitted(events, large.inputBudget, large);
    // The older turn leaves as before; the newest ones stay.
    expect(done(plan)).toEqual(['truncate prompt-1', 'evict step-1']);
    expect(used(window)).toBeLessThanOrEqual(120_000);
    const task = measure(window, estimate).parts.find(({ part }) => part === 'prompt-1')!;
    expect(task.tokens).toBeLessThanOrEqual(60_000);
  });
});

describe('a protected block', () => {
  it('B9: an anchor of 60,000 tokens is cut visibly, head and tail kept, and can be recalled', () => {
    const task = `BEGIN ${words('task', 60_000)} END`;
    const { plan, window } = fitted([promptEvent(task)], 20_000);
    expect(done(plan)).toEqual(['truncate prompt-1']);
    expect(reason(plan, 'prompt-1')).toMatch(/may not leave, but its 60,\d\d\d tokens do not fit/);
    const text = JSON.stringify(toRequest(window).messages[0]);
    expect(text).toContain('<task_anchor');
    expect(text).toContain('BEGIN');
    expect(text).toContain('END');
    expect(text).toMatch(/Plimsoll left out \d+ of \d+ characters/);
    expect(recallText(window, 'prompt-1')).toBe(task);
    expect(used(window)).toBeLessThanOrEqual(20_000);
    expect(used(window)).toBeGreaterThan(4_000);
  });

  it('is left whole while the request fits, to the token', () => {
    const events = [promptEvent(words('task', 3_000))];
    const size = used(foldNew([...drawnEvents(''), ...events]));
    expect(done(fitted(events, size).plan)).toEqual([]);
    expect(done(fitted(events, size - 1).plan)).toEqual(['truncate prompt-1']);
  });

  it('is truncated in order: unread results, then the anchor, the newest prompt last', () => {
    const events = [
      promptEvent(words('task', 6_000)),
      promptEvent(words('now', 6_000)),
      ...read('tu', words('result', 6_000)),
    ];
    expect(done(fitted(events, 16_500).plan)).toEqual(['truncate step-1']);
    expect(done(fitted(events, 14_500).plan)).toEqual(['truncate prompt-1', 'truncate step-1']);
    const { plan, window } = fitted(events, 8_000);
    expect(done(plan)).toEqual(['truncate prompt-1', 'truncate prompt-2', 'truncate step-1']);
    expect(used(window)).toBeLessThanOrEqual(8_000);
  });

  it('shares the room among the results of one step and enlarges none that was cut before', () => {
    const long = words('result', 6_000);
    const cutBefore: NewEvent = {
      ...resultEvent('tu_1', long),
      admission: {
        form: 'truncated',
        headChars: 300,
        tailChars: 100,
        tokensBefore: 6_000,
        tokensAfter: 200,
        capTokens: 200,
      },
    } as NewEvent;
    const [asked, first] = read('tu', long, long);
    const { plan, window } = fitted([promptEvent('task'), asked!, first!, cutBefore], 4_000);
    const [decision] = plan.decisions.filter(({ blockId }) => blockId === 'step-1');
    expect(decision!.admissions?.map(({ handle }) => handle)).toEqual(['tu_0']);
    const step = window.blocks.find((block) => block.kind === 'step')!;
    const shown = step.pairs.map(({ result }) => result!.admission);
    expect(shown[1]).toMatchObject({ headChars: 300, tailChars: 100 });
    expect(recallText(window, 'tu_0')).toBe(long);
  });

  it('keeps the cuts of a first round if a second one need not go further', () => {
    const events = [
      promptEvent(words('task', 900)),
      ...read('tu', words('result', 2_600), words('other', 2_600)),
    ];
    const { plan, window } = fitted(events, 1_400);
    expect(used(window)).toBeLessThanOrEqual(1_400);
    expect(plan.estimatedAfter).toBe(used(window));
  });

  it('is not truncated if the user spared it', () => {
    const events = [promptEvent(words('task', 2_000)), promptEvent(words('now', 2_000))];
    const { plan } = fitted(events, 3_500, { spared: ['prompt-1'] });
    // The anchor is protected for good, even if the user spares it.
    expect(done(plan)).toEqual(['truncate prompt-1']);
    const step = [...events, ...read('tu', words('old', 500)), promptEvent('more')];
    expect(done(fitted(step, 3_500, { spared: ['step-1'] }).plan)).not.toContain('truncate step-1');
  });
});
