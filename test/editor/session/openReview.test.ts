import { describe, expect, it } from 'vitest';
import type { ProposedPass } from '../../../src/agent/agentDeps';
import { OpenReview } from '../../../src/editor/session/questions';

const PROPOSED = { plan: {}, summaries: [] } as unknown as ProposedPass;
const APPLY = { type: 'apply', spared: [], summaries: {} } as const;

/** The id that an answer to the open review needs. */
const idOf = ({ pending }: OpenReview): number => pending?.id ?? NaN;

describe('the review of a pass', () => {
  it("waits for the user's answer and accepts it once", async () => {
    const scene = new OpenReview();
    const review = scene.ask(PROPOSED, new AbortController().signal);
    expect(scene.pending?.proposed).toBe(PROPOSED);
    const id = idOf(scene);
    expect(scene.answer(id, APPLY)).toBe(true);
    expect(await review).toEqual(APPLY);
    expect([scene.pending, scene.answer(id, APPLY)]).toEqual([undefined, false]);
  });

  it('rejects an answer to an earlier pass', async () => {
    const scene = new OpenReview();
    const first = scene.ask(PROPOSED, new AbortController().signal);
    const before = idOf(scene);
    scene.answer(before, { type: 'postpone' });
    await first;
    const second = scene.ask(PROPOSED, new AbortController().signal);
    expect([scene.answer(before, APPLY), scene.answer(idOf(scene), APPLY)]).toEqual([false, true]);
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
    const scene = new OpenReview();
    const stop = new AbortController();
    const review = scene.ask(PROPOSED, stop.signal);
    stop.abort();
    expect(await review).toEqual({ type: 'postpone' });
    expect(await scene.ask(PROPOSED, stop.signal)).toEqual({ type: 'postpone' });
    expect(scene.pending).toBeUndefined();
  });
});
