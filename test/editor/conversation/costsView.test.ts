import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withInputBudget } from '../../../src/contextWindow/budget';
import { isByHand } from '../../../src/contextWindow/passes/passName';
import { fold } from '../../../src/contextWindow/fold';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { costsView } from '../../../src/editor/conversation/derive';
import { SessionCosts } from '../../../src/editor/session/sessionCosts';
import { TurnViews } from '../../../src/editor/conversation/turns';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { dated, promptEvent } from '../../support/drawing';
import { actions, play } from '../../support/randomSession';
import { runs } from '../../support/runs';
import { costWords } from '../../../webview/contextPanel/timeline/words';
import { usageWords } from '../../../webview/conversation/words';
import { DEMO, inspecting, lookedAt, SMALL, validWith } from '../contextPanel/support/inspecting';

const VALID = validWith(SMALL);
const BUDGET = withInputBudget(VALID.budget, 3_000);

const reply = (
  step: number,
  model: string,
  [uncached, written, read, out]: readonly [number, number, number, number],
): SessionEvent =>
  ({
    at: step,
    type: 'replyReceived',
    step,
    model,
    parts: [{ type: 'text', text: 'Done.' }],
    stopReason: 'end_turn',
    usage: {
      inputTokens: uncached,
      cacheCreationTokens: written,
      cacheReadTokens: read,
      outputTokens: out,
    },
    durationMs: 1,
  }) as SessionEvent;

function costsOf(events: readonly SessionEvent[], offline = false) {
  const window = fold(events);
  const facts = { events, window, offline };
  return costsView(new SessionCosts(DEMO).of(facts), turnsOf(events, offline));
}

function turnsOf(events: readonly SessionEvent[], offline = false) {
  const facts = { events, window: fold(events), offline };
  return new TurnViews(DEMO).of({ ...facts, activity: { state: 'idle' }, now: 0 });
}

describe('the cost of a session', () => {
  it('covers its newest turn and the whole session at list price, with the share from the cache', () => {
    const events = dated([
      promptEvent('One'),
      reply(1, 'claude-sonnet-5-5', [100_000, 0, 0, 10_000]),
      promptEvent('Two'),
      reply(2, 'claude-sonnet-5-5', [0, 0, 100_000, 1_000]),
    ]);
    expect(costsOf(events)).toEqual({
      turn: '$0.02',
      session: '$0.32',
      cacheReadShare: 0.5,
    });
  });

  it('is unknown if a price is, and none if the scripted model answers', () => {
    const asked = (model: string) =>
      dated([promptEvent('One'), reply(1, model, [1_000, 0, 0, 10])]);
    const unknown = { turn: 'price unknown', session: 'price unknown' };
    expect(costsOf(asked('qwen3-coder'))).toMatchObject(unknown);
    const free = { turn: 'no charge (offline)', session: 'no charge (offline)' };
    expect(costsOf(asked(DEMO), true)).toMatchObject(free);
  });

  it('is an estimate where the server does not count reliably, for the turn and the session', () => {
    const sure = reply(1, 'claude-sonnet-5-5', [100_000, 0, 0, 10_000]);
    for (const doubt of ['uncounted', 'underreported']) {
      const unsure = { ...reply(2, 'claude-sonnet-5-5', [0, 0, 100_000, 1_000]), [doubt]: true };
      const events = dated([promptEvent('One'), sure, promptEvent('Two'), unsure]);
      expect(costsOf(events)).toMatchObject({ turn: '≈ $0.02', session: '≈ $0.32' });
      const window = fold(events);
      const { inspection } = inspecting(() => lookedAt({ events, window }, VALID));
      const { points, totals } = inspection.timeline();
      expect(totals.cost).toBe('≈ $0.32');
      expect(points.map(costWords)).toEqual([
        '0\u00A0% from cache · $0.30',
        '100\u00A0% from cache · ≈ $0.02',
      ]);
      const [first, second] = turnsOf(events).map(({ usage }) => usageWords(usage));
      expect(first).toEqual(['100,000 tokens in', '10,000 out', '$0.30']);
      expect(second).toEqual([
        '≈\u00A0100,000 tokens in',
        '≈\u00A0100,000 of them from cache',
        '≈\u00A01,000 out',
        '≈ $0.02',
      ]);
    }
  });

  it('is absent before the first answer', () => {
    expect(costsOf([])).toBeUndefined();
    expect(costsOf(dated([promptEvent('One')]))).toBeUndefined();
  });

  it('agrees in any session with the totals and passes of the Context panel', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const { events } = play(script, BUDGET, POLICY_SETTINGS);
        const window = fold(events);
        const { inspection } = inspecting(() => lookedAt({ events: [...events], window }, VALID));
        const { offline } = inspection.inspected;
        const costs = new SessionCosts(DEMO);
        const of = (count: number) => {
          const first = events.slice(0, count);
          return costs.of({ events: first, window: fold(first), offline });
        };
        // A growing log has the same sums as a complete log.
        of(Math.floor(events.length / 2));
        const { session, cacheReadShare, saved } = of(events.length);
        const { totals } = inspection.timeline();
        expect({ session, cacheReadShare }).toEqual({
          session: totals.cost,
          cacheReadShare: totals.cacheReadShare,
        });
        const hand = new Set(
          [...window.ledger].flatMap(({ pass }) => (isByHand(pass) ? [pass.number] : [])),
        );
        const shown = inspection
          .view()
          .passes.filter(({ number, undone }) => undone !== true && !hand.has(number));
        const sum = shown.reduce((all, { before, after }) => all + before.tokens - after.tokens, 0);
        expect([saved?.passes ?? 0, saved?.tokens ?? 0]).toEqual([shown.length, sum]);
      }),
      { numRuns: runs(20, 1_000) },
    );
  });
});
