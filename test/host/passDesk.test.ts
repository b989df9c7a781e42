import { describe, expect, it } from 'vitest';
import type { ProposedPass } from '../../src/agent/agentDeps';
import { PassDesk } from '../../src/host/passDesk';

const PROPOSED = { plan: {}, summaries: [] } as unknown as ProposedPass;
const APPLY = { type: 'apply', spared: [], summaries: {} } as const;

describe('the desk for a pass', () => {
  it('holds the pass until the user has given their word, and takes that once', async () => {
    const desk = new PassDesk();
    const review = desk.ask(PROPOSED, new AbortController().signal);
    expect(desk.pending).toEqual({ id: 1, proposed: PROPOSED });
    expect(desk.answer(1, APPLY)).toBe(true);
    expect(await review).toEqual(APPLY);
    expect([desk.pending, desk.answer(1, APPLY)]).toEqual([undefined, false]);
  });

  it('takes no word that was given on another pass', async () => {
    const desk = new PassDesk();
    const first = desk.ask(PROPOSED, new AbortController().signal);
    desk.answer(1, { type: 'postpone' });
    await first;
    const second = desk.ask(PROPOSED, new AbortController().signal);
    expect([desk.pending?.id, desk.answer(1, APPLY), desk.answer(2, APPLY)]).toEqual([
      2,
      false,
      true,
    ]);
    expect(await second).toEqual(APPLY);
  });

  it('takes a stop for a postponement, also one that came before the question', async () => {
    const desk = new PassDesk();
    const stop = new AbortController();
    const review = desk.ask(PROPOSED, stop.signal);
    stop.abort();
    expect(await review).toEqual({ type: 'postpone' });
    expect(await desk.ask(PROPOSED, stop.signal)).toEqual({ type: 'postpone' });
    expect(desk.pending).toBeUndefined();
  });
});
