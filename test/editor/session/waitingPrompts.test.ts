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

describe('waiting prompts', () => {
  it('are shown as waiting until they are in the log', async () => {
    const { runTurn } = gate();
    const { current } = scene(runTurn);
    current.run.submit('one');
    expect(current.run.queued).toEqual([{ text: 'one' }]);
    await settled();
    expect([current.run.queued, current.run.window.turn]).toEqual([[], 1]);
  });

  it('are sent once if typed during a compaction', async () => {
    let typed = () => {};
    const runTurn: RunTurn = async function* (_deps, prompt) {
      if (prompt.text === 'one') {
        yield { type: 'passStarted', trigger: 'highWatermark' };
        typed();
      }
      return FINISHED;
    };
    const { current, seen } = scene(runTurn);
    typed = () => {
      expect(current.run.live.activity.state).toBe('compacting');
      current.run.submit('two');
    };
    current.run.submit('one');
    await settled();
    expect(seen.prompts).toEqual(['one', 'two']);
  });

  it('are held if a turn does not finish, while another prompt is sent', async () => {
    const { runTurn, end } = gate();
    const { current, seen } = scene(runTurn);
    current.run.submit('one');
    await settled();
    current.run.submit('two');
    end({ type: 'failed', failure: 'network', message: 'No network.' });
    await settled();
    expect([seen.prompts, textsOf(current.run.queued), current.run.turns.queue.held]).toEqual([
      ['one'],
      ['two'],
      'ended',
    ]);
    current.run.submit('three');
    await settled();
    end();
    await settled();
    expect([seen.prompts, textsOf(current.run.queued)]).toEqual([['one', 'three'], ['two']]);
    expect(current.run.turns.sendQueued()).toBeUndefined();
    await settled();
    expect([seen.prompts, current.run.queued]).toEqual([['one', 'three', 'two'], []]);
  });

  it('are held after Stop, until the user sends them', async () => {
    const { runTurn, end } = gate();
    const { current, seen } = scene(runTurn);
    current.run.submit('one');
    await settled();
    current.run.submit('two');
    current.run.stop();
    await settled();
    expect([seen.prompts, current.run.turns.queue.held]).toEqual([['one'], 'stopped']);
    current.run.turns.resume();
    await settled();
    expect(seen.prompts).toEqual(['one']);
    current.run.turns.sendQueued();
    await settled();
    end();
    await settled();
    expect([seen.prompts, current.run.queued]).toEqual([['one', 'two'], []]);
  });

  it('can be edited, moved, deleted, or sent now', async () => {
    const { runTurn, end } = gate();
    const { current, seen } = scene(runTurn);
    current.run.submit('one');
    await settled();
    for (const prompt of ['two', 'three', 'four']) current.run.submit(prompt);
    const [two, three, four] = current.run.queued.map(({ id }) => id!);
    const { turns } = current.run;
    expect(turns.change((queue) => queue.edit(two!, 'two, but other'))).toBeUndefined();
    expect(turns.change((queue) => queue.move(four!, 0))).toBeUndefined();
    expect(turns.change((queue) => queue.remove(three!))).toBeUndefined();
    expect(turns.change((queue) => queue.remove(three!))).toMatch(/no longer waits/);
    expect(textsOf(current.run.queued)).toEqual(['four', 'two, but other']);
    // The running turn is stopped for it; later prompts are not held because of that.
    expect(turns.sendNow(two!)).toBeUndefined();
    await settled();
    expect([seen.prompts, textsOf(current.run.queued)]).toEqual([
      ['one', 'two, but other'],
      ['four'],
    ]);
    end();
    await settled();
    end();
    await settled();
    expect([seen.prompts, current.run.queued]).toEqual([['one', 'two, but other', 'four'], []]);
  });

  it('stay with their session, in its log', async () => {
    const { runTurn, end } = gate();
    const { current, seen } = scene(runTurn);
    for (const prompt of ['one', 'two', 'three']) current.run.submit(prompt);
    await settled();
    end({ type: 'failed', failure: 'network', message: 'No network.' });
    await settled();
    const events = [...current.run.events];
    current.startNew();
    expect(current.run.queued).toEqual([]);
    current.run.submit('of another');
    await settled();
    end();
    await settled();
    expect(seen.prompts).toEqual(['one', 'of another']);

    current.openSession(new Session({ append: () => undefined }, () => 0, events));
    await settled();
    expect([textsOf(current.run.queued), current.run.turns.queue.held]).toEqual([
      ['two', 'three'],
      'left',
    ]);
    expect(seen.prompts).toEqual(['one', 'of another']);
  });

  it('are kept if the log fails, and sent when the log is opened again', async () => {
    const { current, seen } = scene(finishes);
    const full = () => {
      throw new SessionLogError('The log takes no more.');
    };
    current.openSession(new Session({ append: full }, () => 0));
    current.run.submit('one');
    await settled();
    expect([seen.bugs.length, textsOf(current.run.queued)]).toEqual([1, ['one']]);
    current.openSession(new Session({ append: () => undefined }, () => 0));
    current.run.turns.sendQueued();
    await settled();
    expect([current.run.window.turn, current.run.queued]).toEqual([1, []]);
  });

  it('pass to the next window, which sends none automatically', async () => {
    const { current, seen } = scene(gate().runTurn);
    for (const prompt of ['one', 'two', 'three']) current.run.submit(prompt);
    await settled();
    await current.stop();
    expect(seen.prompts).toEqual(['one']);

    const next = scene(finishes);
    const log = [...current.run.events];
    next.current.openSession(new Session({ append: () => undefined }, () => 0, log));
    await settled();
    expect([next.seen.prompts, textsOf(next.current.run.queued)]).toEqual([[], ['two', 'three']]);
  });

  it('leave the queue once they are sent and in the log', async () => {
    const { current } = scene(gate().runTurn);
    const { current: other } = scene(finishes);
    current.run.submit('one');
    await settled();
    current.run.submit('two');
    current.run.turns.sendNow(current.run.queued[0]!.id!);
    await settled();
    expect(current.run.window.turn).toBe(2);
    const log = [...current.run.events];
    other.openSession(new Session({ append: () => undefined }, () => 0, log));
    expect(other.run.queued).toEqual([]);
  });
});
