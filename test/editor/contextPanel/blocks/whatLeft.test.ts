import { expect, it } from 'vitest';
import type { BlockId } from '../../../../src/contextWindow/block';
import type { EventOf, NewEvent } from '../../../../src/contextWindow/event';
import { whatLeft } from '../../../../src/editor/contextPanel/blocks/derive';
import { drawnEvents, evicting, foldNew } from '../../../support/drawing';

const DRAWN = drawnEvents('1 anchor task 30\n2 prompt next 10\n2 step a.ts 40\n2 step b.ts 20');

/** A pass that undoes a prompt; `before` are the tokens its blocks had then. */
function takingBack(before: Readonly<Record<string, number>>): NewEvent {
  const { pass } = evicting(...Object.keys(before)) as EventOf<'passApplied'>;
  const decisions = pass.decisions.map((decision) => ({
    ...decision,
    action: 'undoPrompt' as const,
    reason: { rule: 'undoneByUser' as const, isPrompt: true },
    before: { tokens: before[decision.blockId] ?? 0, exact: false },
  }));
  const own = { number: 2, beforeStep: 3, trigger: 'byHand', undonePrompt: { turn: 2 } } as const;
  return { type: 'passApplied', pass: { ...pass, ...own, decisions } };
}

it('an undone prompt keeps its description, even if a pass had removed it before', () => {
  const back = takingBack({ 'prompt-2': 10, 'step-1': 0, 'step-2': 20 });
  const { ledger } = foldNew([...DRAWN, evicting('step-1'), back]);
  const left = whatLeft({ ledger });
  const by = (id: string) => left.get(id as BlockId);
  expect(by('prompt-2')).toMatchObject({ was: { tokens: 10 }, beforeStep: 3 });
  expect(by('prompt-2')).not.toHaveProperty('pass');
  const evicted = whatLeft({ ledger: ledger.slice(0, 1) }).get('step-1' as BlockId)!;
  expect(by('step-1')!.was).toEqual(evicted.was);
  expect(evicted.was.tokens).toBeGreaterThan(0);
  const undone = ledger.withAll([[1, { ...ledger.at(1)!, undone: true }]]);
  expect(whatLeft({ ledger: undone }).get('step-2' as BlockId)).toBeUndefined();
});
