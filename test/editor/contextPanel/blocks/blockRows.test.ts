import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withInputBudget } from '../../../../src/contextWindow/budget';
import { applyEvent, EMPTY_WINDOW } from '../../../../src/contextWindow/fold';
import { POLICY_NAMES } from '../../../../src/contextWindow/plan';
import { accountOf } from '../../../../src/editor/session/derive';
import {
  drawnBlocks,
  drawnBlocksOfPast,
  type DrawnBlocks,
} from '../../../../src/editor/contextPanel/blocks/derive';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { estimate } from '../../../support/player';
import { actions, play } from '../../../support/randomSession';
import { lookedAt, SMALL, validWith } from '../support/inspecting';
import { runs } from '../../../support/runs';

const VALID = validWith(SMALL);

describe('the salience of the rows', () => {
  it('is shown in hundredths, with or without a planned pass', () => {
    fc.assert(
      fc.property(actions, fc.constantFrom(...POLICY_NAMES), (script, policy) => {
        const session = play(script, withInputBudget(VALID.budget, 3_000), POLICY_SETTINGS);
        const { window, inForce } = lookedAt(session, VALID);
        const account = accountOf(window, inForce.budget, estimate);
        const facts = { window, account, inForce, policy, estimate };
        const salienceIn = ({ blocks }: DrawnBlocks) => blocks.map(({ salience }) => salience);
        const told = salienceIn(drawnBlocks(facts));
        expect(told).toEqual(salienceIn(drawnBlocksOfPast(facts, [])));
        for (const { salience, recency, reuse, size } of told.flatMap((each) => each ?? [])) {
          for (const factor of [salience, recency, reuse, size]) {
            expect(Number(factor.toFixed(2))).toBe(factor);
          }
        }
      }),
      { numRuns: runs(15, 300) },
    );
  });
});

describe('the rows of a growing log', () => {
  it('equal rows derived from scratch, also after travelling back to a step', () => {
    fc.assert(
      fc.property(actions, fc.array(fc.nat(8), { minLength: 1 }), (script, looks) => {
        const session = play(script, withInputBudget(VALID.budget, 3_000), POLICY_SETTINGS);
        let window = EMPTY_WINDOW;
        let former: DrawnBlocks | undefined;
        for (const [at, event] of session.events.entries()) {
          window = applyEvent(window, event);
          const look = looks[at % looks.length] ?? 0;
          if (look === 0) continue;
          const account = accountOf(window, VALID.budget, estimate);
          const facts = { window, account, inForce: VALID, policy: 'ladder', estimate } as const;
          const ran = window.ledger.map(({ pass }) => pass).slice(-1);
          const draw = (known?: DrawnBlocks) =>
            look === 1 ? drawnBlocksOfPast(facts, ran, known) : drawnBlocks(facts, known);
          const drawn = draw(former);
          expect(drawn).toEqual(draw());
          former = drawn;
        }
      }),
      { numRuns: runs(12, 200) },
    );
  });
});
