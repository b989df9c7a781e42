import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../../src/contextWindow/block';
import type { EventOf, NewEvent } from '../../../../src/contextWindow/event';
import type { Summary } from '../../../../src/contextWindow/plan';
import { passViews } from '../../../../src/editor/contextPanel/ledger/derive';
import { requestText } from '../../../../src/editor/contextPanel/request/derive';
import { exchangeAt } from '../../../../src/editor/contextPanel/ledger/summaryExchange';
import { drawnEvents, evicting, foldNew } from '../../../support/drawing';

const DRAWN = drawnEvents('1 anchor task 30\n1 step a.ts 40\n1 step b.ts 40');

const EXCHANGE = {
  model: 'claude-haiku-4-5',
  maxTokens: 900,
  system: 'Summarise.',
  content: [{ type: 'text', text: 'What happened: a.ts was read.' }],
} as const;

const BY_MODEL = { by: 'model', model: 'claude-haiku-4-5-20251001' } as const;
const NOTE = { by: 'workNote', because: 'the model call failed: busy' } as const;

const summary = (number: number, more: Partial<Summary>): Summary => ({
  id: `summary-${number}` as BlockId,
  covers: [`step-${number}` as BlockId],
  text: 'It read a.ts.',
  writtenBy: BY_MODEL,
  ...more,
});

/** A session whose pass has these summaries. */
function windowWith(...summaries: readonly Summary[]) {
  const { pass } = evicting('step-1') as EventOf<'passApplied'>;
  const event: NewEvent = { type: 'passApplied', pass: { ...pass, summaries } };
  return foldNew([...DRAWN, event]);
}

const answered = (more: Partial<Summary>) =>
  exchangeAt(windowWith(summary(1, more)), 'summary-1')?.answered;

describe('the request for a summary', () => {
  it('is shown like any request, one for each summary of a pass', () => {
    const other = { ...EXCHANGE, system: 'Summarise again.' };
    const window = windowWith(summary(1, { exchange: EXCHANGE }), summary(2, { exchange: other }));
    const texts = [1, 2].map((number) =>
      requestText(exchangeAt(window, `summary-${number}`)!.asked),
    );
    expect(texts[0]).toBe(`model: claude-haiku-4-5
max_tokens: 900
(Request for a summary of pass 1.)

══ System prompt

── text
Summarise.

══ Message 1, user

── text
What happened: a.ts was read.
`);
    expect(texts[1]).toContain('Summarise again.');
    const [view] = passViews(
      window,
      () => ({ by: { offline: true } }),
      () => undefined,
    );
    expect(view!.exchanges).toEqual([
      { summaryId: 'summary-1', covers: 1, hasAnswer: true },
      { summaryId: 'summary-2', covers: 1, hasAnswer: true },
    ]);
  });

  it('is not offered if the log does not have it', () => {
    const window = windowWith(summary(1, {}));
    expect(exchangeAt(window, 'summary-1')).toBeUndefined();
    expect(exchangeAt(window, 'summary-9')).toBeUndefined();
    const [view] = passViews(
      window,
      () => ({ by: { offline: true } }),
      () => undefined,
    );
    expect(view).not.toHaveProperty('exchanges');
  });
});

describe('the answer to it', () => {
  it('is the summary itself, verbatim', () => {
    expect(answered({ exchange: EXCHANGE })).toBe(`model: claude-haiku-4-5-20251001
(Pass 1 put it into the window as the summary, verbatim.)

It read a.ts.
`);
  });

  it('is distinguished from a summary that was cut or edited', () => {
    const exchange = { ...EXCHANGE, answer: 'It read a.ts, at length.' };
    expect(answered({ exchange })).toMatch(
      /\(It exceeded the maximum length.*\n\nIt read a.ts, at length.\n$/,
    );
    expect(answered({ exchange, editedByUser: true })).toMatch(/\(You edited it before pass 1/);
  });

  it('is followed by the request for a correction and its answer', () => {
    const correction = { asked: 'b.ts occurs nowhere.', answer: 'It read a.ts.' };
    const exchange = { ...EXCHANGE, answer: 'It read b.ts.', correction };
    const check = { claims: 1, unfounded: ['b.ts'] };
    expect(answered({ exchange, check })).toBe(`model: claude-haiku-4-5-20251001
(The corrected answer below is the summary.)

It read b.ts.

--- Request for a correction
b.ts occurs nowhere.

--- Corrected answer
It read a.ts.
`);
    const failed = { ...exchange, correction: { asked: 'b.ts occurs nowhere.' } };
    const removed = [{ text: 'It read b.ts.', unfounded: ['b.ts'] }];
    const first = answered({
      exchange: failed,
      check: { ...check, removed, notCorrected: 'the model call failed' },
    });
    expect(first).toContain('(It is the summary, without 1 removed text.)');
    expect(first).toContain('--- Corrected answer\n(No answer came.)\n');
  });

  it('is shown with the reason if it was rejected; a failure explains why there is none', () => {
    const exchange = { ...EXCHANGE, answer: 'API Error' };
    const because = 'the model answered with an error text';
    expect(answered({ exchange, writtenBy: { by: 'workNote', because } })).toMatch(
      /\(It was not used, because the model answered with an error text\.\)\n\nAPI Error\n$/,
    );
    const window = windowWith(summary(1, { exchange: EXCHANGE, writtenBy: NOTE }));
    const { asked, answered: none } = exchangeAt(window, 'summary-1')!;
    expect(none).toBeUndefined();
    expect(asked.notes.at(-1)).toBe('No answer came, because the model call failed: busy.');
    const [view] = passViews(
      window,
      () => ({ by: { offline: true } }),
      () => undefined,
    );
    expect(view!.exchanges).toEqual([{ summaryId: 'summary-1', covers: 1, hasAnswer: false }]);
  });
});
