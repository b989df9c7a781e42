import { describe, expect, it } from 'vitest';
import { EMPTY_SCRATCHPAD } from '../../../src/contextWindow/scratchpad';
import { Session } from '../../../src/agent/session';
import type { ToolUseId } from '../../../src/contextWindow/block';
import {
  asking,
  finishes,
  FINISHED,
  gate,
  NOT_READY,
  READY,
  scene,
  settled,
  textsOf,
} from '../support/controllerScene';

describe('the controller', () => {
  it('sends prompts typed while it is busy in their order, each once', async () => {
    const { runTurn, end } = gate();
    const { controller, seen } = scene(runTurn);
    controller.submit('one');
    await settled();
    controller.submit('two');
    controller.submit('three');
    expect(textsOf(controller.queued)).toEqual(['two', 'three']);
    end();
    await settled();
    expect([seen.prompts, textsOf(controller.queued)]).toEqual([['one', 'two'], ['three']]);
    end();
    await settled();
    end();
    await settled();
    expect(seen.prompts).toEqual(['one', 'two', 'three']);
    expect([controller.isBusy, controller.live.activity.state, seen.sessions]).toEqual([
      false,
      'idle',
      1,
    ]);
  });

  it('ends the pause before a request is sent again, while there is one', async () => {
    let tries = 0;
    const tryNow = () => void (tries += 1);
    let end = () => undefined as void;
    const { controller } = scene(async function* () {
      const until = 60_000;
      yield { type: 'askStarted', step: 1 };
      yield { type: 'retrying', attempt: 2, tries: 10, message: 'Busy.', until, tryNow };
      await new Promise<void>((resolve) => (end = resolve));
      return FINISHED;
    });
    expect(controller.tryNow()).toBe('Nothing waits to be tried again.');
    controller.submit('one');
    await expect.poll(() => controller.live.activity.state).toBe('waiting');
    expect(controller.tryNow()).toBeUndefined();
    expect(tries).toBe(1);
    end();
    await expect.poll(() => controller.isBusy).toBe(false);
    expect(controller.tryNow()).toBe('Nothing waits to be tried again.');
  });

  it('has texts counted that come into the window without a request, and no others', () => {
    const { controller, seen } = scene(gate().runTurn);
    const session = controller.shown.begin();
    session.append({ type: 'stateSet', key: 'mode', value: 'any' });
    expect(seen.textsChanged).toBe(0);
    session.append({ type: 'scratchpadUpdated', scratchpad: EMPTY_SCRATCHPAD });
    session.append({ type: 'passUndone', number: 1 });
    expect(seen.textsChanged).toBe(2);
  });

  it('goes on with a turn that ended early, and with no other', async () => {
    const { runTurn, end } = gate();
    const { controller, seen } = scene(runTurn);
    expect(controller.turns.continueTurn()).toBe('There is no turn to go on with.');
    const session = new Session({ append: () => undefined }, () => 0);
    controller.openSession(session);
    controller.submit('one');
    await settled();
    expect(controller.turns.continueTurn()).toBe('The agent is at work already.');
    controller.stop();
    await settled();
    session.append({ type: 'turnEnded', outcome: { type: 'stopped' } });
    expect(controller.turns.continueTurn()).toBeUndefined();
    await settled();
    // The first of these is for the turn that was stopped.
    end();
    end();
    await settled();
    session.append({ type: 'turnEnded', outcome: FINISHED });
    expect([seen.prompts, seen.continued]).toEqual([['one'], 1]);
    expect(controller.turns.continueTurn()).toBe('There is no turn to go on with.');
  });

  it('asks again by itself about a call that waited for an answer', async () => {
    const first = scene(finishes);
    const toolUseId = 'toolu_1' as ToolUseId;
    const session = new Session({ append: () => undefined }, () => 0);
    first.controller.openSession(session);
    first.controller.submit('one');
    await settled();
    session.append({ type: 'approvalAsked', toolUseId });
    const { controller, seen } = scene(gate().runTurn);
    controller.openSession(session);
    controller.turns.askAgain();
    await settled();
    expect([seen.continued, controller.isBusy]).toEqual([1, true]);
    await controller.end();
  });

  it('lets a session that is open elsewhere be looked at, and nothing else', async () => {
    const { controller, seen } = scene(finishes);
    controller.openSession(new Session({ append: () => undefined }, () => 0), 'Open elsewhere.');
    const { turns } = controller;
    const why = 'Open elsewhere.';
    expect([controller.submit('one'), turns.continueTurn(), turns.sendQueued()]).toEqual([
      why,
      why,
      why,
    ]);
    expect(turns.change(() => undefined)).toBe(why);
    expect(await controller.compactNow()).toEqual({ ok: false, message: why });
    expect([controller.whyNoChange, seen.prompts]).toEqual([why, []]);
  });

  it('stops a turn, says so at once, and is idle after it', async () => {
    const { runTurn } = gate();
    const { controller, seen } = scene(runTurn);
    controller.submit('one');
    await settled();
    controller.stop();
    expect(controller.live.activity.state).toBe('stopping');
    await settled();
    expect([controller.live.activity.state, seen.outcomes]).toEqual([
      'idle',
      [{ type: 'stopped' }],
    ]);
  });

  it('keeps a prompt it could not begin with, and goes on with it when that is mended', async () => {
    const { controller, seen } = scene(finishes);
    seen.prepared = NOT_READY;
    controller.submit('one');
    await settled();
    expect([seen.prompts, textsOf(controller.queued), seen.refusals]).toEqual([
      [],
      ['one'],
      ['There is no key.'],
    ]);
    seen.prepared = READY;
    controller.turns.resume();
    await settled();
    expect([seen.prompts, controller.queued]).toEqual([['one'], []]);
  });

  it('hands the answer to the agent once, and shows the proposal only until then', async () => {
    const answers: unknown[] = [];
    const { controller, seen } = scene(asking(answers));
    controller.submit('one');
    await settled();
    expect(controller.live.activity).toMatchObject({
      state: 'awaitingApproval',
      approval: { kind: 'edit', title: 'Edit', subject: 'a.ts', added: 1, removed: 1 },
    });
    const no = { approved: false, feedback: 'not there' } as const;
    expect(controller.questions.answerApproval('toolu_2', no)).toBe(
      'This question has been answered already.',
    );
    expect(controller.questions.answerApproval('toolu_1', no)).toBeUndefined();
    expect(controller.questions.answerApproval('toolu_1', { approved: true })).toBeDefined();
    await settled();
    expect([answers, seen.proposals]).toEqual([[no], ['+toolu_1', '-toolu_1']]);
  });

  it('takes a stop for a no, and text typed meanwhile for a prompt, not for an answer', async () => {
    const answers: unknown[] = [];
    const { controller } = scene(asking(answers));
    controller.submit('one');
    await settled();
    controller.submit('yes');
    expect(answers).toEqual([]);
    controller.stop();
    await settled();
    expect(answers[0]).toEqual({ approved: false });
  });

  it('reports a bug of the turn, keeps no prompt that is in the log, and stays usable', async () => {
    let broken = true;
    const { controller, seen } = scene(async function* () {
      yield { type: 'counting' };
      if (broken) throw new Error('a bug');
      return FINISHED;
    });
    controller.submit('one');
    await settled();
    expect([seen.bugs.length, controller.queued, controller.isBusy]).toEqual([1, [], false]);
    broken = false;
    controller.submit('two');
    await settled();
    expect(seen.outcomes).toEqual([FINISHED]);
  });

  it('starts an empty session with its first prompt', async () => {
    const { controller, seen } = scene(finishes);
    controller.submit('one');
    await settled();
    controller.startNew();
    expect(controller.events).toEqual([]);
    controller.submit('two');
    await settled();
    expect(seen.sessions).toBe(2);
  });

  it('pins and unpins the task, as the setting says', async () => {
    const { controller } = scene(finishes);
    controller.submit('one');
    await settled();
    const isPinned = () => controller.window.blocks.at(0)?.pinned;
    expect(isPinned()).toBe(true);
    expect(controller.setAnchorPinned(false)).toBeUndefined();
    expect(isPinned()).toBe(false);
    controller.setAnchorPinned(true);
    expect(isPinned()).toBe(true);
    const before = controller.events.length;
    controller.setAnchorPinned(true);
    expect(controller.events.length).toBe(before);
  });

  it('says that it does not unpin the anchor during a pass, so that it is tried again', async () => {
    const { controller } = scene(async function* () {
      yield { type: 'passStarted', trigger: 'highWatermark' };
      expect(controller.setAnchorPinned(false)).toMatch(/A pass is running/);
      return FINISHED;
    });
    controller.submit('one');
    await settled();
    expect(controller.setAnchorPinned(false)).toBeUndefined();
    expect(controller.window.blocks.at(0)?.pinned).toBe(false);
  });

  it('refuses a blank prompt', () => {
    const { controller } = scene(gate().runTurn);
    expect(controller.submit(' \n')).toBe('There is nothing to send.');
    expect(controller.isBusy).toBe(false);
  });
});
