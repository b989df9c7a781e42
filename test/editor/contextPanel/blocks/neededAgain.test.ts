import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { neededAgain } from '../../../../src/editor/contextPanel/blocks/neededAgain';
import { dots, foldNew, passThat, promptEvent, stepEvents } from '../../../support/drawing';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { estimate, Player } from '../../../support/player';
import { SMALL, validWith } from '../support/inspecting';

const reads = (id: string, path: string) => stepEvents([{ id, name: path, tokens: 100 }]);

const pass = (number: number, beforeStep: number, ...ids: readonly string[]): NewEvent => {
  const event = passThat('evict', ids) as Extract<NewEvent, { type: 'passApplied' }>;
  return { ...event, pass: { ...event.pass, number, beforeStep } };
};

describe('blocks needed again', () => {
  it('are listed with the pass that removed them and the cost of reading them again', () => {
    const window = foldNew([
      promptEvent('go'),
      ...reads('t1', 'a.ts'),
      ...reads('t2', 'b.ts'),
      pass(1, 3, 'step-1'),
      pass(2, 3, 'step-2'),
      ...reads('t3', 'a.ts'),
      ...reads('t4', 'c.ts'),
    ]);
    expect(neededAgain(window, estimate)).toEqual([
      { blockId: 'step-1', step: 3, what: 'a.ts', tokens: estimate(dots(100)), pass: 1 },
    ]);
  });

  it('do not include blocks that the user restores', () => {
    const budget = validWith(SMALL).budget;
    const player = new Player(budget, { ...POLICY_SETTINGS, keepRecentTurns: 0 });
    for (const event of [promptEvent('go'), ...reads('t1', 'a.ts'), ...reads('t2', 'b.ts')]) {
      player.append(event);
    }
    player.append(pass(1, 3, 'step-1'));
    player.changeByHand('restore', 'step-1');
    expect(player.window.ledger).toHaveLength(2);
    expect(neededAgain(player.window, estimate)).toEqual([]);
  });

  it('have no tokens until their result arrives', () => {
    const asked = reads('t2', 'a.ts').slice(0, 1);
    const events = [promptEvent('go'), ...reads('t1', 'a.ts'), pass(1, 2, 'step-1'), ...asked];
    expect(neededAgain(foldNew(events), estimate)).toMatchObject([{ step: 2, tokens: 0 }]);
    const answered = foldNew([...events, ...reads('t2', 'a.ts').slice(1)]);
    expect(neededAgain(answered, estimate)[0]?.tokens).toBe(estimate(dots(100)));
  });
});
