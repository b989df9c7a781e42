import { describe, expect, it } from 'vitest';
import { Session } from '../../../src/agent/session';
import type { BlockId } from '../../../src/contextWindow/block';
import type { NewEvent } from '../../../src/contextWindow/event';
import { displayState } from '../../../src/editor/contextPanel/blocks/derive';
import {
  contextWishReceiver,
  parseContextPost,
  type ContextWish,
} from '../../../src/editor/contextPanel/wishes';
import type { Answer } from '../../../src/editor/wish';
import { fakePanel } from '../contextPanel/support/fakePanel';
import { drawnEvents, foldNew } from '../../support/drawing';
import { passed } from '../../contextWindow/support/planned';
import {
  finishes,
  gate,
  proposing,
  scene,
  settled,
  type RunTurn,
} from '../support/controllerScene';

const SESSION = drawnEvents(`
  1 anchor task 10
  1 read   a.ts 400
  1 read   b.ts 300
  2 prompt next 10
  2 read   c.ts 10
  2 read   d.ts 10
`);

const COMPACTED = passed(SESSION, { policy: 'summarise', inputBudget: 800, summaries: true });

/** A panel of a session that accepts wishes as the page posts them. */
function panel(events: readonly NewEvent[], runTurn: RunTurn = finishes) {
  const { current, seen } = scene(runTurn);
  const session = new Session({ append: () => undefined }, () => 0);
  for (const event of events) session.append(event);
  current.openSession(session);
  const answers: Answer[] = [];
  const fulfil = contextWishReceiver(
    fakePanel({
      current,
      session: 'drawn',
      whyReadOnly: undefined,
      post: (fact) => {
        if (fact.type === 'wishAnswered') answers.push(fact.answer);
      },
      log: (problem) => expect.fail(problem),
    }),
  );
  const wish = async (message: ContextWish) => {
    void fulfil({ session: 'drawn', number: 1, wish: message });
    await settled();
  };
  return { current, seen, answers, wish };
}

const isTaken = (wish: unknown) =>
  parseContextPost({ session: 'drawn', number: 1, wish }).type === 'post';

const stateOf = ({ current }: ReturnType<typeof panel>, id: string) =>
  current.run.window.blocks.find((block) => block.id === id)?.state;

describe('changes of a block by hand', () => {
  it('exclude, clear and restore, each as a logged pass that can be undone', async () => {
    const shown = panel(SESSION);
    await shown.wish({ type: 'excludeBlock', blockId: 'step-1' });
    await shown.wish({ type: 'clearBlock', blockId: 'step-2' });
    expect([stateOf(shown, 'step-1'), stateOf(shown, 'step-2')]).toEqual(['evicted', 'cleared']);
    await shown.wish({ type: 'restoreBlock', blockId: 'step-1' });
    await shown.wish({ type: 'undoPass', number: 2 });
    expect([stateOf(shown, 'step-1'), stateOf(shown, 'step-2')]).toEqual(['whole', 'whole']);
    expect(shown.answers).toEqual(Array(4).fill({ type: 'done' }));
    const { ledger } = shown.current.run.window;
    expect(ledger.map(({ pass }) => [pass.trigger, pass.policy, pass.budget.inputBudget])).toEqual(
      Array(3).fill(['byHand', 'ladder', 1_000]),
    );
    expect(shown.current.run.events.slice(-4).map(({ type }) => type)).toEqual([
      'passApplied',
      'passApplied',
      'passApplied',
      'passUndone',
    ]);
  });

  it('restore as a recall: a note at the end, no pass', async () => {
    const shown = panel(COMPACTED);
    await shown.wish({ type: 'recallBlock', blockId: 'step-1' });
    expect(shown.current.run.window.blocks.at(-1)).toMatchObject({
      kind: 'note',
      source: { from: 'recall', blockId: 'step-1' },
    });
    expect(shown.current.run.window.ledger).toHaveLength(1);
  });

  it('fetch a summary and rewrite it', async () => {
    const shown = panel(COMPACTED);
    await shown.wish({ type: 'fetchSummary', blockId: 'summary-1' });
    expect(shown.answers).toEqual([{ type: 'answered', data: 'Done so far.' }]);
    await shown.wish({ type: 'rewriteSummary', blockId: 'summary-1', text: 'Mine.' });
    expect(shown.answers.at(-1)).toEqual({ type: 'done' });
    expect(shown.current.run.window.blocks.find(({ id }) => id === 'summary-1')).toMatchObject({
      text: 'Mine.',
      editedByUser: true,
    });
    await shown.wish({ type: 'fetchSummary', blockId: 'step-1' });
    expect(shown.answers.at(-1)).toEqual({
      type: 'refused',
      message: 'There is no such summary any more.',
    });
  });

  it('are refused with a reason and change nothing', async () => {
    const shown = panel(SESSION);
    await shown.wish({ type: 'excludeBlock', blockId: 'prompt-1' });
    await shown.wish({ type: 'clearBlock', blockId: 'step-4' });
    await shown.wish({ type: 'restoreBlock', blockId: 'step-1' });
    await shown.wish({ type: 'recallBlock', blockId: 'step-1' });
    await shown.wish({ type: 'rewriteSummary', blockId: 'step-1', text: 'x' });
    expect(shown.answers.map(({ type }) => type)).toEqual(Array(5).fill('refused'));
    expect(shown.current.run.window.ledger).toHaveLength(0);
  });

  it('are allowed while the agent is at work', async () => {
    const { runTurn, end } = gate();
    const shown = panel(SESSION, runTurn);
    shown.current.run.submit('go on');
    await settled();
    await shown.wish({ type: 'excludeBlock', blockId: 'step-1' });
    expect([stateOf(shown, 'step-1'), shown.current.run.isBusy]).toEqual(['evicted', true]);
    end();
    await settled();
  });

  it('wait while a pass waits for review', async () => {
    const proposed = { plan: {}, summaries: [] } as unknown as Parameters<typeof proposing>[0];
    const shown = panel(COMPACTED, proposing(proposed, []));
    shown.current.run.submit('go on');
    await settled();
    await shown.wish({ type: 'excludeBlock', blockId: 'summary-1' });
    await shown.wish({ type: 'fetchSummary', blockId: 'summary-1' });
    expect(shown.answers).toEqual(
      Array(2).fill({
        type: 'refused',
        message: 'A pass is waiting for your review: apply or postpone it first.',
      }),
    );
    shown.current.run.stop();
    await settled();
  });

  it('apply to their own session, even if another one was opened meanwhile', async () => {
    const { current } = panel(SESSION);
    const other = new Session({ append: () => undefined }, () => 0);
    const started = { ...SESSION[0]!, sessionId: 'other' } as NewEvent;
    for (const event of [started, ...SESSION.slice(1)]) other.append(event);
    const { session } = current.run;
    const refusal = current.run.byHand.change('exclude', 'step-1');
    current.openSession(other);
    expect(await refusal).toBeUndefined();
    expect(session?.window.ledger).toHaveLength(1);
    expect(other.window.ledger).toHaveLength(0);
  });

  it('are accepted in no other form', () => {
    expect(isTaken({ type: 'restoreBlock' })).toBe(false);
    expect(isTaken({ type: 'excludeBlock' })).toBe(false);
    expect(isTaken({ type: 'rewriteSummary', blockId: 'summary-1' })).toBe(false);
  });
});

describe('the state of a block as it is shown', () => {
  it('distinguishes blocks removed by the user from evicted ones', async () => {
    const shown = panel(passed(SESSION, { policy: 'salience', inputBudget: 500 }));
    const evicted = shown.current.run.window.blocks.find(({ state }) => state === 'evicted')!;
    await shown.wish({ type: 'excludeBlock', blockId: 'step-3' });
    const { window } = shown.current.run;
    const stateShown = (id: BlockId) =>
      displayState(
        window,
        window.blocks.find((block) => block.id === id)!,
      );
    expect(stateShown(evicted.id)).toBe('evicted');
    expect(stateShown('step-3' as BlockId)).toBe('excluded');
    expect(stateShown('prompt-1' as BlockId)).toBe('whole');
    expect(displayState(foldNew(SESSION), foldNew(SESSION).blocks.at(1)!)).toBe('whole');
  });
});
