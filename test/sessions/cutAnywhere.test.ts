import fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionEvent } from '../../src/contextWindow/event';
import { toRequest } from '../../src/contextWindow/request/request';
import { startStrictServer } from '../../src/offline/strictServer';
import { openSession } from '../../src/sessions/openSession';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { httpAgent, refusals } from '../support/httpAgent';
import { actions, play } from '../support/randomSession';
import { runs } from '../support/runs';
import { says, scriptedAgent } from '../support/scriptedAgent';
import { smallBudget } from '../support/smallBudget';
import { tempFolder } from '../tools/support/tempFolder';
import { asLog } from './support/sampleEvents';

const BUDGET = smallBudget();

/** The events after the process was killed following these events, and the log was opened again. */
function reopened(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const file = join(tempFolder({ 'log.jsonl': asLog(events) }), 'log.jsonl');
  const opened = openSession(file, () => 1_000_000);
  if (!opened.ok) throw new Error(opened.message);
  opened.stored.close();
  return opened.stored.session.events;
}

describe('a session killed between any two events', () => {
  it('B3: continues with the next prompt, whatever it was doing', async () => {
    const script = actions.map((all) =>
      all.map((act) => (act.type === 'step' ? { ...act, thinking: false } : act)),
    );
    await fc.assert(
      fc.asyncProperty(script, fc.nat(), fc.boolean(), async (acts, at, compaction) => {
        const { events } = play(acts, BUDGET, { ...POLICY_SETTINGS, summaries: compaction });
        const cut = events.slice(0, 1 + (at % events.length));
        const agent = scriptedAgent({ script: [says('Fine.')], events: reopened(cut) });
        const outcome = await agent.run('Go on.');
        // Blocks that the random session pinned may fill the window: then nothing is sent, and the
        // turn says so.
        expect(['finished', 'contextFull']).toContain(outcome.type);
        if (outcome.type === 'contextFull') expect(agent.requests).toEqual([]);
      }),
      { seed: 20_261_122, numRuns: runs(20, 600) },
    );
  });

  it('B4: is accepted with all its thinking, and sends the request it would have sent', async () => {
    let said = 0;
    const server = await startStrictServer({
      respond: ({ system }) => {
        if (JSON.stringify(system).includes('Plimsoll summariser')) {
          return { content: [{ type: 'text', text: 'What was done so far.' }] };
        }
        said += 1;
        const thought = { type: 'thinking' as const, thinking: `Thought ${said}.` };
        return said > 40
          ? { content: [thought, { type: 'text', text: 'Done.' }] }
          : { content: [thought, { type: 'tool_use', name: 'echo', input: { times: 1_500 } }] };
      },
    });
    onTestFinished(() => server.close());
    const whole = httpAgent({ url: server.url });
    await whole.run('Do it.');
    const { events, window } = whole.session;
    expect(window.ledger.length).toBeGreaterThan(1);
    for (let at = 1; at <= events.length; at += 3) {
      const kept = events.slice(0, at);
      const again = reopened(kept);
      if (again.length === at) {
        const before = httpAgent({ url: server.url, events: kept }).session.window;
        const after = httpAgent({ url: server.url, events: again }).session.window;
        expect(JSON.stringify(toRequest(after))).toBe(JSON.stringify(toRequest(before)));
      }
      const agent = httpAgent({ url: server.url, events: again });
      expect(await agent.run('Go on.')).toEqual({ type: 'finished' });
    }
    expect(refusals(server.requests)).toEqual([]);
  });
});
