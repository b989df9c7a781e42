import { describe, expect, it } from 'vitest';
import { Session } from '../../../src/agent/session';
import { SessionLogError } from '../../../src/sessions/sessionLog';
import {
  finishes,
  FINISHED,
  gate,
  scene,
  settled,
  textsOf,
  type RunTurn,
} from '../support/controllerScene';

describe('prompts that wait', () => {
  it('shows a prompt as waiting until it is in the log', async () => {
    const { runTurn } = gate();
    const { controller } = scene(runTurn);
    controller.submit('one');
    expect(controller.queued).toEqual([{ text: 'one' }]);
    await settled();
    expect([controller.queued, controller.window.turn]).toEqual([[], 1]);
  });

  it('sends a prompt typed during a compaction once', async () => {
    let typed = () => {};
    const runTurn: RunTurn = async function* (_deps, prompt) {
      if (prompt.text === 'one') {
        yield { type: 'passStarted', trigger: 'highWatermark' };
        typed();
      }
      return FINISHED;
    };
    const { controller, seen } = scene(runTurn);
    typed = () => {
      expect(controller.live.activity.state).toBe('compacting');
      controller.submit('two');
    };
    controller.submit('one');
    await settled();
    expect(seen.prompts).toEqual(['one', 'two']);
  });

  it('holds what waits when a turn does not finish, while another prompt is sent', async () => {
    const { runTurn, end } = gate();
    const { controller, seen } = scene(runTurn);
    controller.submit('one');
    await settled();
    controller.submit('two');
    end({ type: 'failed', failure: 'network', message: 'No network.' });
    await settled();
    expect([seen.prompts, textsOf(controller.queued), controller.turns.queue.held]).toEqual([
      ['one'],
      ['two'],
      'ended',
    ]);
    controller.submit('three');
    await settled();
    end();
    await settled();
    expect([seen.prompts, textsOf(controller.queued)]).toEqual([['one', 'three'], ['two']]);
    expect(controller.turns.sendQueued()).toBeUndefined();
    await settled();
    expect([seen.prompts, controller.queued]).toEqual([['one', 'three', 'two'], []]);
  });

  it('holds what waits after Stop, until the user has it sent', async () => {
    const { runTurn, end } = gate();
    const { controller, seen } = scene(runTurn);
    controller.submit('one');
    await settled();
    controller.submit('two');
    controller.stop();
    await settled();
    expect([seen.prompts, controller.turns.queue.held]).toEqual([['one'], 'stopped']);
    controller.turns.resume();
    await settled();
    expect(seen.prompts).toEqual(['one']);
    controller.turns.sendQueued();
    await settled();
    end();
    await settled();
    expect([seen.prompts, controller.queued]).toEqual([['one', 'two'], []]);
  });

  it('has each prompt that waits edited, moved, deleted, or sent at once', async () => {
    const { runTurn, end } = gate();
    const { controller, seen } = scene(runTurn);
    controller.submit('one');
    await settled();
    for (const prompt of ['two', 'three', 'four']) controller.submit(prompt);
    const [two, three, four] = controller.queued.map(({ id }) => id!);
    const { turns } = controller;
    expect(turns.change((queue) => queue.edit(two!, 'two, but other'))).toBeUndefined();
    expect(turns.change((queue) => queue.move(four!, 0))).toBeUndefined();
    expect(turns.change((queue) => queue.remove(three!))).toBeUndefined();
    expect(turns.change((queue) => queue.remove(three!))).toMatch(/no longer waits/);
    expect(textsOf(controller.queued)).toEqual(['four', 'two, but other']);
    // The turn that runs is stopped for it, and what waits behind it is not held for that.
    expect(turns.sendNow(two!)).toBeUndefined();
    await settled();
    expect([seen.prompts, textsOf(controller.queued)]).toEqual([
      ['one', 'two, but other'],
      ['four'],
    ]);
    end();
    await settled();
    end();
    await settled();
    expect([seen.prompts, controller.queued]).toEqual([['one', 'two, but other', 'four'], []]);
  });

  it('leaves what waits to its session, whose log has it', async () => {
    const { runTurn, end } = gate();
    const { controller, seen } = scene(runTurn);
    for (const prompt of ['one', 'two', 'three']) controller.submit(prompt);
    await settled();
    end({ type: 'failed', failure: 'network', message: 'No network.' });
    await settled();
    const events = [...controller.events];
    controller.startNew();
    expect(controller.queued).toEqual([]);
    controller.submit('of another');
    await settled();
    end();
    await settled();
    expect(seen.prompts).toEqual(['one', 'of another']);

    controller.openSession(new Session({ append: () => undefined }, () => 0, events));
    await settled();
    expect([textsOf(controller.queued), controller.turns.queue.held]).toEqual([
      ['two', 'three'],
      'left',
    ]);
    expect(seen.prompts).toEqual(['one', 'of another']);
  });

  it('keeps a prompt the log did not take, and sends it when the log is opened again', async () => {
    const { controller, seen } = scene(finishes);
    const full = () => {
      throw new SessionLogError('The log takes no more.');
    };
    controller.openSession(new Session({ append: full }, () => 0));
    controller.submit('one');
    await settled();
    expect([seen.bugs.length, textsOf(controller.queued)]).toEqual([1, ['one']]);
    controller.openSession(new Session({ append: () => undefined }, () => 0));
    controller.turns.sendQueued();
    await settled();
    expect([controller.window.turn, controller.queued]).toEqual([1, []]);
  });

  it('leaves prompts that wait to the next window, which sends none by itself', async () => {
    const { controller, seen } = scene(gate().runTurn);
    for (const prompt of ['one', 'two', 'three']) controller.submit(prompt);
    await settled();
    await controller.dispose();
    expect(seen.prompts).toEqual(['one']);

    const next = scene(finishes);
    const log = [...controller.events];
    next.controller.openSession(new Session({ append: () => undefined }, () => 0, log));
    await settled();
    expect([next.seen.prompts, textsOf(next.controller.queued)]).toEqual([[], ['two', 'three']]);
  });

  it('has a prompt in the log once it is sent, and not among those that wait', async () => {
    const { controller } = scene(gate().runTurn);
    const { controller: other } = scene(finishes);
    controller.submit('one');
    await settled();
    controller.submit('two');
    controller.turns.sendNow(controller.queued[0]!.id!);
    await settled();
    expect(controller.window.turn).toBe(2);
    const log = [...controller.events];
    other.openSession(new Session({ append: () => undefined }, () => 0, log));
    expect(other.queued).toEqual([]);
  });
});
