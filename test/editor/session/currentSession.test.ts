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

describe('the current session', () => {
  it('sends prompts typed while it is busy in order, each once', async () => {
    const { runTurn, end } = gate();
    const { current, seen } = scene(runTurn);
    current.run.submit('one');
    await settled();
    current.run.submit('two');
    current.run.submit('three');
    expect(textsOf(current.run.queued)).toEqual(['two', 'three']);
    end();
    await settled();
    expect([seen.prompts, textsOf(current.run.queued)]).toEqual([['one', 'two'], ['three']]);
    end();
    await settled();
    end();
    await settled();
    expect(seen.prompts).toEqual(['one', 'two', 'three']);
    expect([current.run.isBusy, current.run.live.activity.state, seen.sessions]).toEqual([
      false,
      'idle',
      1,
    ]);
  });

  it('ends the pause before a retry, while there is one', async () => {
    let tries = 0;
    const tryNow = () => void (tries += 1);
    let end = () => undefined as void;
    const { current } = scene(async function* () {
      const until = 60_000;
      yield { type: 'askStarted', step: 1 };
      yield { type: 'retrying', attempt: 2, tries: 10, message: 'Busy.', until, tryNow };
      await new Promise<void>((resolve) => (end = resolve));
      return FINISHED;
    });
    expect(current.run.tryNow()).toBe('Nothing waits for a retry.');
    current.run.submit('one');
    await expect.poll(() => current.run.live.activity.state).toBe('waiting');
    expect(current.run.tryNow()).toBeUndefined();
    expect(tries).toBe(1);
    end();
    await expect.poll(() => current.run.isBusy).toBe(false);
    expect(current.run.tryNow()).toBe('Nothing waits for a retry.');
  });

  it('counts texts that enter the window without a request, and no others', () => {
    const { current, seen } = scene(gate().runTurn);
    const session = current.run.begin();
    session.append({ type: 'stateSet', key: 'mode', value: 'any' });
    expect(seen.textsChanged).toBe(0);
    session.append({ type: 'scratchpadUpdated', scratchpad: EMPTY_SCRATCHPAD });
    session.append({ type: 'passUndone', number: 1 });
    expect(seen.textsChanged).toBe(2);
  });

  it('continues a turn that ended early, and no other', async () => {
    const { runTurn, end } = gate();
    const { current, seen } = scene(runTurn);
    expect(current.run.turns.continueTurn()).toBe('There is no turn to continue.');
    const session = new Session({ append: () => undefined }, () => 0);
    current.openSession(session);
    current.run.submit('one');
    await settled();
    expect(current.run.turns.continueTurn()).toBe('The agent is at work already.');
    current.run.stop();
    await settled();
    session.append({ type: 'turnEnded', outcome: { type: 'stopped' } });
    expect(current.run.turns.continueTurn()).toBeUndefined();
    await settled();
    // The first of these is for the stopped turn.
    end();
    end();
    await settled();
    session.append({ type: 'turnEnded', outcome: FINISHED });
    expect([seen.prompts, seen.continued]).toEqual([['one'], 1]);
    expect(current.run.turns.continueTurn()).toBe('There is no turn to continue.');
  });

  it('asks again automatically about a call that waited for an answer', async () => {
    const first = scene(finishes);
    const toolUseId = 'toolu_1' as ToolUseId;
    const session = new Session({ append: () => undefined }, () => 0);
    first.current.openSession(session);
    first.current.run.submit('one');
    await settled();
    session.append({ type: 'approvalAsked', toolUseId });
    const { current, seen } = scene(gate().runTurn);
    current.openSession(session);
    current.run.turns.askAgain();
    await settled();
    expect([seen.continued, current.run.isBusy]).toEqual([1, true]);
    await current.run.end();
  });

  it('makes a session read-only if another window has it open', async () => {
    const { current, seen } = scene(finishes);
    current.openSession(new Session({ append: () => undefined }, () => 0), 'Open elsewhere.');
    const { turns } = current.run;
    const why = 'Open elsewhere. Here it is read-only.';
    expect([current.run.submit('one'), turns.continueTurn(), turns.sendQueued()]).toEqual([
      why,
      why,
      why,
    ]);
    expect(turns.change(() => undefined)).toBe(why);
    expect(await current.run.compactNow()).toEqual({ ok: false, message: why });
    expect([current.run.whyNoChange, seen.prompts]).toEqual([why, []]);
  });

  it('stops a turn and is idle after it', async () => {
    const { runTurn } = gate();
    const { current, seen } = scene(runTurn);
    current.run.submit('one');
    await settled();
    current.run.stop();
    expect(current.run.live.activity.state).toBe('stopping');
    await settled();
    expect([current.run.live.activity.state, seen.outcomes]).toEqual([
      'idle',
      [{ type: 'stopped' }],
    ]);
  });

  it('keeps a prompt that could not be sent, and sends it once the problem is solved', async () => {
    const { current, seen } = scene(finishes);
    seen.prepared = NOT_READY;
    current.run.submit('one');
    await settled();
    expect([seen.prompts, textsOf(current.run.queued), seen.refusals]).toEqual([
      [],
      ['one'],
      ['There is no key.'],
    ]);
    seen.prepared = READY;
    current.run.turns.resume();
    await settled();
    expect([seen.prompts, current.run.queued]).toEqual([['one'], []]);
  });

  it('gives the answer to the agent once, and shows the proposal until then', async () => {
    const answers: unknown[] = [];
    const { current, seen } = scene(asking(answers));
    current.run.submit('one');
    await settled();
    expect(current.run.live.activity).toMatchObject({
      state: 'awaitingApproval',
      approval: { kind: 'edit', title: 'Edit', subject: 'a.ts', added: 1, removed: 1 },
    });
    const no = { approved: false, feedback: 'not there' } as const;
    expect(current.run.questions.answerApproval('toolu_2', no)).toBe(
      'This question has been answered already.',
    );
    expect(current.run.questions.answerApproval('toolu_1', no)).toBeUndefined();
    expect(current.run.questions.answerApproval('toolu_1', { approved: true })).toBeDefined();
    await settled();
    expect([answers, seen.proposals]).toEqual([[no], ['+toolu_1', '-toolu_1']]);
  });

  it('treats a stop as a denial, and text typed meanwhile as a prompt', async () => {
    const answers: unknown[] = [];
    const { current } = scene(asking(answers));
    current.run.submit('one');
    await settled();
    current.run.submit('yes');
    expect(answers).toEqual([]);
    current.run.stop();
    await settled();
    expect(answers[0]).toEqual({ approved: false });
  });

  it('reports a bug of a turn, keeps no logged prompt, and stays usable', async () => {
    let broken = true;
    const { current, seen } = scene(async function* () {
      yield { type: 'counting' };
      if (broken) throw new Error('a bug');
      return FINISHED;
    });
    current.run.submit('one');
    await settled();
    expect([seen.bugs.length, current.run.queued, current.run.isBusy]).toEqual([1, [], false]);
    broken = false;
    current.run.submit('two');
    await settled();
    expect(seen.outcomes).toEqual([FINISHED]);
  });

  it('starts an empty session with its first prompt', async () => {
    const { current, seen } = scene(finishes);
    current.run.submit('one');
    await settled();
    current.startNew();
    expect(current.run.events).toEqual([]);
    current.run.submit('two');
    await settled();
    expect(seen.sessions).toBe(2);
  });

  it('pins and unpins the task as the setting says', async () => {
    const { current } = scene(finishes);
    current.run.submit('one');
    await settled();
    const isPinned = () => current.run.window.blocks.at(0)?.pinned;
    expect(isPinned()).toBe(true);
    expect(current.run.setAnchorPinned(false)).toBeUndefined();
    expect(isPinned()).toBe(false);
    current.run.setAnchorPinned(true);
    expect(isPinned()).toBe(true);
    const before = current.run.events.length;
    current.run.setAnchorPinned(true);
    expect(current.run.events.length).toBe(before);
  });

  it('refuses to unpin the anchor during a pass', async () => {
    const { current } = scene(async function* () {
      yield { type: 'passStarted', trigger: 'highWatermark' };
      expect(current.run.setAnchorPinned(false)).toMatch(/A pass is running/);
      return FINISHED;
    });
    current.run.submit('one');
    await settled();
    expect(current.run.setAnchorPinned(false)).toBeUndefined();
    expect(current.run.window.blocks.at(0)?.pinned).toBe(false);
  });

  it('refuses a blank prompt', () => {
    const { current } = scene(gate().runTurn);
    expect(current.run.submit(' \n')).toBe('There is nothing to send.');
    expect(current.run.isBusy).toBe(false);
  });
});
