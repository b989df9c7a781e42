import { describe, expect, it } from 'vitest';
import { Session } from '../../../src/agent/session';
import type { ProposedPass, PassReview } from '../../../src/agent/agentDeps';
import { EMPTY_SCRATCHPAD } from '../../../src/contextWindow/scratchpad';
import { undoNewest } from '../../../src/editor/session/changesByHand';
import { contextWishReceiver, type ContextWish } from '../../../src/editor/contextPanel/wishes';
import { fakePanel } from './support/fakePanel';
import type { Answer } from '../../../src/editor/wish';
import { drawnEvents, evicting } from '../../support/drawing';
import {
  finishes,
  FINISHED,
  freesNothing,
  gate,
  NOT_READY,
  proposing,
  scene,
  settled,
  type MakeRoom,
  type RunTurn,
} from '../support/controllerScene';

const PROPOSED = { plan: {}, summaries: [] } as unknown as ProposedPass;

/** A panel whose session has two prompts, four steps and a pass that removed the first step. */
function panel(runTurn: RunTurn = finishes, compactNow: MakeRoom = freesNothing) {
  const { current, seen } = scene(runTurn, compactNow);
  const session = new Session({ append: () => undefined }, () => 0);
  const drawing =
    '1 anchor task 30\n1 step a.ts 40\n1 step b.ts 40\n2 prompt next 10\n2 step c.ts 9';
  for (const event of [...drawnEvents(drawing), evicting('step-1')]) session.append(event);
  current.openSession(session);
  const answers: Answer[] = [];
  let wished = 0;
  const fulfil = contextWishReceiver(
    fakePanel({
      current,
      session: 'drawn',
      whyReadOnly: undefined,
      scratchpadLists: ['API contracts'],
      post: (fact) => {
        if (fact.type === 'wishAnswered') answers.push(fact.answer);
      },
      log: (problem) => expect.fail(problem),
    }),
  );
  return {
    current,
    seen,
    answers,
    wish: (wish: ContextWish) => fulfil({ session: 'drawn', number: ++wished, wish }),
    refusals: () => answers.flatMap((said) => (said.type === 'refused' ? [said.message] : [])),
  };
}

describe('a pass in review', () => {
  it('is held until it is applied, with blocks spared and summaries edited', async () => {
    const reviews: PassReview[] = [];
    const { current, wish, seen, refusals } = panel(proposing(PROPOSED, reviews));
    current.run.submit('one');
    await settled();
    expect(current.run.live.activity.state).toBe('awaitingReview');
    expect(current.run.questions.pendingPass?.proposed).toBe(PROPOSED);
    const proposedPassId = current.run.questions.pendingPass?.id ?? NaN;
    wish({
      type: 'applyPass',
      proposedPassId,
      spared: ['step-2'],
      summaries: { 'summary-1': 'Mine.' },
    });
    await settled();
    expect(reviews).toEqual([
      { type: 'apply', spared: ['step-2'], summaries: { 'summary-1': 'Mine.' } },
    ]);
    expect([current.run.isBusy, seen.proposals]).toEqual([false, ['+pass', '-pass']]);
    wish({ type: 'postponePass', proposedPassId });
    expect(refusals()).toEqual([
      'This plan no longer waits for review: it was answered, or planned again.',
    ]);
  });

  it('is postponed by a stop and by the user', async () => {
    const reviews: PassReview[] = [];
    const { current, wish } = panel(proposing(PROPOSED, reviews));
    current.run.submit('one');
    await settled();
    current.run.stop();
    await settled();
    current.run.submit('two');
    await settled();
    wish({
      type: 'postponePass',
      proposedPassId: current.run.questions.pendingPass?.id ?? NaN,
    });
    await settled();
    expect(reviews).toEqual([{ type: 'postpone' }, { type: 'postpone' }]);
  });

  it('blocks all changes of the window', async () => {
    const { current, wish, answers } = panel(proposing(PROPOSED, []));
    current.run.submit('one');
    await settled();
    wish({ type: 'pinBlock', blockId: 'step-2' });
    wish({ type: 'moveAnchor', blockId: 'prompt-2' });
    wish({ type: 'fetchScratchpad' });
    expect(answers.map(({ type }) => type)).toEqual(Array(3).fill('refused'));
    current.run.stop();
    await settled();
  });
});

describe('a change of the notes', () => {
  it('is undone once, by another change that the agent is told', () => {
    const { current, wish, refusals } = panel();
    const objective = () => current.run.window.scratchpad.objective;
    const mine = { ...EMPTY_SCRATCHPAD, objective: 'mine' };
    wish({ type: 'updateScratchpad', scratchpad: mine, base: EMPTY_SCRATCHPAD });
    expect(objective()).toBe('mine');
    wish({ type: 'undoScratchpad', note: 'note-1' });
    expect(objective()).toBe('');
    expect(current.run.events.at(-1)).toMatchObject({
      type: 'scratchpadUpdated',
      byUser: true,
      note: 2,
    });
    expect(refusals()).toEqual([]);
    wish({ type: 'undoScratchpad', note: 'note-1' });
    expect(refusals()).toEqual([
      'You changed the notes again since then. Only the last change can be undone.',
    ]);
  });

  it('has the lists that the user added, empty until they are filled', () => {
    const { current, wish, answers, refusals } = panel();
    wish({ type: 'fetchScratchpad' });
    const base = { ...EMPTY_SCRATCHPAD, lists: [{ name: 'API contracts', items: [] }] };
    expect(answers).toEqual([{ type: 'answered', data: base }]);
    const lists = [{ name: 'API contracts', items: ['getVessel never throws'] }];
    wish({ type: 'updateScratchpad', scratchpad: { ...base, lists }, base });
    expect(current.run.window.scratchpad.lists).toEqual(lists);
    expect(refusals()).toEqual([]);
    // The agent's entry is not lost: both changed the same list.
    const other = [{ name: 'API contracts', items: ['another'] }];
    wish({ type: 'updateScratchpad', scratchpad: { ...base, lists: other }, base });
    expect(refusals()[0]).toContain('The agent changed the list “API contracts” while');
    expect(current.run.window.scratchpad.lists).toEqual(lists);
    // A change of another field does not affect it.
    wish({ type: 'updateScratchpad', scratchpad: { ...base, objective: 'mine' }, base });
    expect(current.run.window.scratchpad).toMatchObject({ objective: 'mine', lists });
  });

  it('is kept while a pass waits for the user', async () => {
    const { current, wish, refusals } = panel(proposing(PROPOSED, []));
    const mine = { ...EMPTY_SCRATCHPAD, objective: 'mine' };
    wish({ type: 'updateScratchpad', scratchpad: mine, base: EMPTY_SCRATCHPAD });
    current.run.submit('one');
    await settled();
    wish({ type: 'undoScratchpad', note: 'note-1' });
    expect(refusals()).toEqual(['A pass is waiting for your review: apply or postpone it first.']);
    current.run.stop();
    await settled();
  });
});

describe('Compact Now', () => {
  it('uses the resources of a turn, and informs the panel only if it freed nothing', async () => {
    const made: MakeRoom = async function* ({ session }) {
      yield { type: 'passStarted', trigger: 'manual' };
      session.append(evicting('step-2'));
      return { ok: true, message: 'Pass 2 took the window down.' };
    };
    const { current, wish, answers } = panel(finishes, made);
    wish({ type: 'compactNow', instructions: '' });
    expect(current.run.isBusy).toBe(true);
    await settled();
    expect([current.run.isBusy, current.run.window.ledger.length, answers]).toEqual([
      false,
      2,
      [{ type: 'done' }],
    ]);
    expect((await current.run.compactNow()).message).toBe('Pass 2 took the window down.');
  });

  it('says that there was nothing to gain, or why it did not start', async () => {
    const { wish, refusals, seen } = panel();
    wish({ type: 'compactNow', instructions: '' });
    await settled();
    seen.prepared = NOT_READY;
    wish({ type: 'compactNow', instructions: '' });
    await settled();
    expect(refusals()).toEqual(['There was nothing to gain.', 'There is no key.']);
  });

  it('is refused while a turn runs, as an undo is', async () => {
    const { runTurn, end } = gate();
    const { current, wish, refusals } = panel(runTurn);
    current.run.submit('one');
    await settled();
    wish({ type: 'compactNow', instructions: '' });
    await settled();
    wish({ type: 'undoPass', number: 1 });
    await settled();
    expect(refusals()).toEqual([
      'The agent is working. You can compact when its turn has ended.',
      'The agent is working. You can undo a pass when its turn has ended.',
    ]);
    end();
  });

  it('delays a prompt typed meanwhile until it is done; a stop ends it', async () => {
    const hangs: MakeRoom = async function* (_deps, signal) {
      yield { type: 'passStarted', trigger: 'manual' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { ok: false, message: 'Stopped.' };
    };
    const { current, seen } = panel(async function* () {
      yield { type: 'counting' };
      return FINISHED;
    }, hangs);
    const made = current.run.compactNow();
    await settled();
    current.run.submit('one');
    await settled();
    expect([seen.prompts, current.run.live.activity.state]).toEqual([[], 'compacting']);
    current.run.stop();
    expect((await made).message).toBe('Stopped.');
    await settled();
    expect(seen.prompts).toEqual(['one']);
  });

  it('reports its bugs and stays usable', async () => {
    // eslint-disable-next-line require-yield -- it breaks before it could
    const { current, seen } = panel(finishes, async function* () {
      throw new Error('a bug');
    });
    expect((await current.run.compactNow()).ok).toBe(false);
    expect([seen.bugs.length, current.run.isBusy]).toEqual([1, false]);
  });

  it('says that there is nothing before the first prompt', async () => {
    const { current } = scene(finishes);
    expect((await current.run.compactNow()).message).toBe('There is nothing in the window yet.');
  });
});

describe('the other wishes of the Context panel', () => {
  it('undo a pass once', () => {
    const { current, wish, refusals } = panel();
    wish({ type: 'undoPass', number: 1 });
    expect(current.run.window.ledger.at(0)?.undone).toBe(true);
    wish({ type: 'undoPass', number: 1 });
    expect(refusals()).toEqual(['Pass 1 is already undone.']);
  });

  it('undo the newest pass by command', () => {
    const { current } = panel();
    expect([undoNewest(current.run), undoNewest(current.run)]).toEqual([
      'Pass 1 was undone.',
      'There is no pass to undo.',
    ]);
  });

  it('move the task', () => {
    const { current, wish } = panel();
    wish({ type: 'moveAnchor', blockId: 'prompt-2' });
    expect(current.run.window.blocks.find(({ kind }) => kind === 'anchor')?.id).toBe('prompt-2');
  });

  it('fetch the notes and change them', () => {
    const { current, wish, answers } = panel();
    const scratchpad = { ...EMPTY_SCRATCHPAD, decisions: ['keep the API'] };
    wish({ type: 'updateScratchpad', scratchpad, base: EMPTY_SCRATCHPAD });
    wish({ type: 'fetchScratchpad' });
    const lists = [{ name: 'API contracts', items: [] }];
    expect(answers).toEqual([
      { type: 'done' },
      { type: 'answered', data: { ...scratchpad, lists } },
    ]);
    expect(current.run.window.blocks.at(-1)).toMatchObject({ kind: 'note' });
  });
});
