import { describe, expect, it } from 'vitest';
import type { ProposedPass } from '../../../src/agent/agentDeps';
import { OpenReview } from '../../../src/editor/session/questions';

const PROPOSED = { plan: {}, summaries: [] } as unknown as ProposedPass;
const APPLY = { type: 'apply', spared: [], summaries: {} } as const;

/** The id that an answer to the open review needs. */
const idOf = ({ pending }: OpenReview): number => pending?.id ?? NaN;

describe('the review of a pass', () => {
  it("waits for the user's answer and accepts it once", async () => {
    const desk = new OpenReview();
    const review = desk.ask(PROPOSED, new AbortController().signal);
    expect(desk.pending?.proposed).toBe(PROPOSED);
    const id = idOf(desk);
    expect(desk.answer(id, APPLY)).toBe(true);
    expect(await review).toEqual(APPLY);
    expect([desk.pending, desk.answer(id, APPLY)]).toEqual([undefined, false]);
  });

  it('rejects an answer to an earlier pass', async () => {
    const desk = new OpenReview();
    const first = desk.ask(PROPOSED, new AbortController().signal);
    const before = idOf(desk);
    desk.answer(before, { type: 'postpone' });
    await first;
    const second = desk.ask(PROPOSED, new AbortController().signal);
    expect([desk.answer(before, APPLY), desk.answer(idOf(desk), APPLY)]).toEqual([false, true]);
    expect(await second).toEqual(APPLY);
  });

  it('rejects an answer to a pass of another session', async () => {
    const [here, there] = [new OpenReview(), new OpenReview()];
    void here.ask(PROPOSED, new AbortController().signal);
    void there.ask(PROPOSED, new AbortController().signal);
    expect(here.answer(idOf(there), APPLY)).toBe(false);
    expect(there.answer(idOf(here), APPLY)).toBe(false);
  });

  it('treats a stop as a postponement, even one before the question', async () => {
    const desk = new OpenReview();
    const stop = new AbortController();
    const review = desk.ask(PROPOSED, stop.signal);
    stop.abort();
    expect(await review).toEqual({ type: 'postpone' });
    expect(await desk.ask(PROPOSED, stop.signal)).toEqual({ type: 'postpone' });
    expect(desk.pending).toBeUndefined();
  });
});
