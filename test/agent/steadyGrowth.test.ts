import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestNow } from '../../src/agent/nextRequest';
import type { Attachment, Block } from '../../src/contextWindow/block';
import type { ContextWindow } from '../../src/contextWindow/window';
import { toRequest } from '../../src/contextWindow/request/request';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { actions, play } from '../support/randomSession';
import { says, scriptedAgent, steps } from '../support/scriptedAgent';
import { smallBudget } from '../support/smallBudget';
import { runs } from '../support/runs';

const PICTURE: Attachment = { type: 'image', mediaType: 'image/png', data: 'AAAA', tokens: 100 };

/** The same window with a picture in every prompt and every result. */
function illustrated(window: ContextWindow): ContextWindow {
  const attachments = [PICTURE];
  const blocks = window.blocks.mapped((block): Block => {
    if (block.kind === 'anchor' || block.kind === 'prompt') return { ...block, attachments };
    if (block.kind !== 'step') return block;
    const pairs = block.pairs.map((pair) =>
      pair.result === undefined ? pair : { ...pair, result: { ...pair.result, attachments } },
    );
    return { ...block, pairs };
  });
  return { ...window, blocks };
}

const breakpointsIn = (value: unknown) => JSON.stringify(value).split('"cache_control"').length - 1;

describe('the prompt cache', () => {
  it.each([300, 900, 1_400, 3_000, 5_000])(
    'B13: is never broken by the ladder on consecutive steps of %i characters',
    async (chars) => {
      const agent = scriptedAgent({ script: steps(70, chars) });
      expect(await agent.run('look')).toEqual({ type: 'finished' });
      const before = agent.session.window.ledger.map(({ pass }) => pass.beforeStep);
      before.slice(1).forEach((step, index) => expect(step - before[index]!).toBeGreaterThan(1));
    },
  );

  it('B13: is not broken by a summary written ahead either', async () => {
    const agent = scriptedAgent({
      script: steps(70, 1_400),
      summariser: says('What was done.'),
      settings: { policy: { ...POLICY_SETTINGS, policy: 'summarise' }, prepareTokens: 6_000 },
    });
    await agent.run('look');
    const before = agent.session.window.ledger.map(({ pass }) => pass.beforeStep);
    expect(before.length).toBeGreaterThan(1);
    before.slice(1).forEach((step, index) => expect(step - before[index]!).toBeGreaterThan(3));
  });

  it('B12: never has a fifth breakpoint, whatever the session contains', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const { sent, window } = play(script, smallBudget(), POLICY_SETTINGS);
        for (const each of [...sent.map((request) => request.window), window]) {
          expect(breakpointsIn(toRequest(each))).toBeLessThanOrEqual(4);
          expect(breakpointsIn(toRequest(illustrated(each)))).toBeLessThanOrEqual(4);
        }
      }),
      { numRuns: runs(10, 200), seed: 20_261_121 },
    );
  });

  it('B12: never has one with project memory and notes between the steps', async () => {
    const agent = scriptedAgent({
      script: steps(20, 1_400),
      deps: {
        projectMemory: {
          root: async () => [{ path: 'AGENTS.md', text: 'Use tabs.' }],
          of: async () => [],
          everywhere: async () => [{ path: 'AGENTS.md', text: 'Use tabs.' }],
        },
      },
      onEvent: (event) => {
        if (event.type !== 'toolFinished') return;
        agent.session.append({
          type: 'noteAdded',
          source: { from: 'memory', path: `src/${agent.session.window.step}/AGENTS.md` },
          text: 'Use spaces here.',
          admission: { form: 'whole' },
        });
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    for (const request of agent.requests) expect(breakpointsIn(request)).toBeLessThanOrEqual(4);
    expect(breakpointsIn(requestNow(agent.deps, agent.deps.settings()))).toBeGreaterThan(2);
  });
});
