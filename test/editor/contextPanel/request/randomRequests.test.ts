import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../src/agent/session';
import {
  clearByHand,
  excludeByHand,
  restoreByHand,
} from '../../../../src/contextWindow/passes/byHand';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { scratchpadEvent } from '../../../support/drawing';
import { calls, echo, says } from '../../../support/scriptedAgent';
import { changeByHand, watched, expectAsSent } from '../support/watchedAgent';
import { runs } from '../../../support/runs';

type Change = 'pin' | 'unpin' | 'exclude' | 'clear' | 'restore' | 'undo' | 'scratchpad' | 'told';

const CHANGES: readonly Change[] = [
  'pin',
  'unpin',
  'exclude',
  'clear',
  'restore',
  'undo',
  'scratchpad',
  'told',
];

/** Changes a session as its user or the agent's notes would. */
export function change(session: Session, how: Change, which: number): void {
  const { blocks, ledger } = session.window;
  const block = blocks.at(which % Math.max(1, blocks.length));
  switch (how) {
    case 'pin':
    case 'unpin':
      if (block === undefined) return;
      return session.append({
        type: how === 'pin' ? 'blockPinned' : 'blockUnpinned',
        blockId: block.id,
      });
    case 'exclude':
      return void changeByHand(session, excludeByHand, block?.id);
    case 'clear':
      return void changeByHand(session, clearByHand, block?.id);
    case 'restore':
      return void changeByHand(session, restoreByHand, block?.id);
    case 'undo': {
      const number = ledger.at(which % Math.max(1, ledger.length))?.pass.number;
      return number === undefined ? undefined : session.append({ type: 'passUndone', number });
    }
    case 'scratchpad':
    case 'told':
      return session.append(scratchpadEvent(`note ${which}`, how === 'told'));
  }
}

describe('the request of any step', () => {
  it('has the bytes that were sent, in random sessions with passes and changes by hand', async () => {
    const turns = fc.array(
      fc.record({
        sizes: fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 12 }),
        changes: fc.array(
          fc.record({
            at: fc.nat(14),
            how: fc.constantFrom(...CHANGES),
            which: fc.nat(40),
          }),
          { maxLength: 5 },
        ),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const seen = { passes: 0, undone: 0 };
    await fc.assert(
      fc.asyncProperty(
        turns,
        fc.constantFrom('ladder' as const, 'salience' as const, 'headTail' as const),
        async (script, policy) => {
          let turn = 0;
          let step = 0;
          const scene = watched({
            script: script.flatMap(({ sizes }, number) => [
              ...sizes.map((chars, index) =>
                calls([echo(`t${number}_${index}`, { text: `line ${index}\n`, times: chars / 8 })]),
              ),
              says('Done.'),
            ]),
            settings: { policy: { ...POLICY_SETTINGS, policy } },
            onEvent: ({ type }) => {
              if (type !== 'toolFinished') return;
              step += 1;
              const now = script[turn]!.changes.filter(({ at }) => at === step);
              for (const { how, which } of now) change(scene.agent.session, how, which);
            },
          });
          for (const [number, { changes }] of script.entries()) {
            [turn, step] = [number, 0];
            for (const { at, how, which } of changes) {
              if (at === 0) change(scene.agent.session, how, which);
            }
            const outcome = await scene.agent.run(`Prompt ${number}.`);
            if (outcome.type !== 'finished') break;
          }
          expectAsSent(scene);
          const { ledger } = scene.agent.session.window;
          seen.passes += ledger.length;
          seen.undone += ledger.filter(({ undone }) => undone === true).length;
        },
      ),
      { numRuns: runs(16, 200), seed: 20_261_122 },
    );
    expect(seen.passes).toBeGreaterThan(20);
    expect(seen.undone).toBeGreaterThan(0);
  });
});
