import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/agent/model';
import { windowClosing } from '../../src/agent/stopping';
import type { ApprovalAnswer } from '../../src/agent/tool';
import type { SessionEvent } from '../../src/contextWindow/event';
import { awaitedApproval } from '../../src/contextWindow/turnEnd';
import { closeInterruptedCalls } from '../../src/sessions/interruptedCalls';
import {
  calls,
  echo,
  fails,
  says,
  scriptedAgent,
  type Options,
  type ScriptedAgent,
} from '../support/scriptedAgent';

const NETWORK = fails({ type: 'network', message: 'Could not reach the server.' });

/** The same session after a reload of the window, with another script. */
function reloaded({ session }: ScriptedAgent, options: Options): ScriptedAgent {
  const again = scriptedAgent({
    ...options,
    events: JSON.parse(JSON.stringify(session.events)) as SessionEvent[],
  });
  closeInterruptedCalls(again.session);
  return again;
}

const lastOf = (request: ModelRequest | undefined) => JSON.stringify(request?.messages.at(-1));

const results = ({ session }: ScriptedAgent) =>
  session.events.flatMap((event) =>
    event.type === 'toolFinished' ? [`${event.origin}: ${event.text}`] : [],
  );

/** Never answers until the window closes. */
const unanswered = (agent: () => ScriptedAgent) => (): Promise<ApprovalAnswer> =>
  new Promise((resolve) => {
    agent().stop.signal.addEventListener('abort', () => resolve({ approved: false }));
  });

describe('continuing a turn', () => {
  it('sends the very same request again after a failure', async () => {
    const agent = scriptedAgent({ script: [calls([echo('a')]), NETWORK, says('Done.')] });
    expect(await agent.run('look')).toMatchObject({ type: 'failed', failure: 'network' });
    expect(await agent.continueTurn()).toEqual({ type: 'finished' });
    const [, second, third] = agent.requests;
    expect(JSON.stringify(third)).toBe(JSON.stringify(second));
    expect(agent.session.window.turn).toBe(1);
  });

  it('allows as many steps again after the step limit', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('a')]), calls([echo('b')]), says('Done.')],
      settings: { caps: { steps: 2 } },
    });
    expect(await agent.run('look')).toMatchObject({ type: 'capReached', most: 2 });
    expect(await agent.continueTurn()).toEqual({ type: 'finished' });
  });

  it('says so to the model if the user had stopped the turn', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('a')]), says('Done.')],
      onEvent: ({ type }) => {
        if (type === 'toolStarted') agent.stop.abort();
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'stopped' });
    const again = reloaded(agent, { script: [says('Done.')] });
    expect(await again.continueTurn()).toEqual({ type: 'finished' });
    expect(lastOf(again.requests[0])).toContain(
      '[Go on, no new request: the user stopped you and now asks you to go on where you were.]',
    );
  });

  it('asks once more after a refusal, with the refusal in the request', async () => {
    const agent = scriptedAgent({ script: [says('No.', 'refusal'), says('Done.')] });
    expect(await agent.run('look')).toMatchObject({ type: 'refused' });
    expect(await agent.continueTurn()).toEqual({ type: 'finished' });
    expect(lastOf(agent.requests[1])).toContain('The user asks you to try again.');
  });
});

describe('a turn that a reload interrupts', () => {
  it('is reported as interrupted to the user and to the model', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('a', { hang: true }), echo('b')])],
      onEvent: ({ type }) => {
        if (type === 'toolStarted') setImmediate(() => agent.stop.abort(windowClosing()));
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'interrupted' });
    const [ran, notBegun] = results(agent);
    expect(ran).toMatch(
      /^interrupted: ok\s+\[Interrupted by a reload of the window while it ran\./,
    );
    expect(notBegun).toMatch(
      /^interrupted: Interrupted by a reload of the window before it began\./,
    );
    expect(results(agent).join()).not.toMatch(/stopped by the user/i);
    const again = reloaded(agent, { script: [says('Done.')] });
    expect(await again.continueTurn()).toEqual({ type: 'finished' });
    expect(lastOf(again.requests[0])).toContain('Interrupted by a reload of the window');
  });

  it('asks again about a call that waited for approval, and runs it once', async () => {
    const script = [calls([echo('a'), echo('b', { ask: true }), echo('c', { text: 'third' })])];
    const agent: ScriptedAgent = scriptedAgent({
      script,
      approve: unanswered(() => agent),
      onEvent: ({ type }) => {
        if (type === 'approvalAsked') setImmediate(() => agent.stop.abort(windowClosing()));
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'interrupted' });
    expect([results(agent), awaitedApproval(agent.session.events)]).toEqual([['ran: ok'], 'b']);

    const asked: string[] = [];
    const again = reloaded(agent, {
      script: [says('Done.')],
      approve: async (id) => ({ approved: asked.push(id) > 0 }),
    });
    expect(await again.continueTurn()).toEqual({ type: 'finished' });
    expect([asked, results(again)]).toEqual([['b'], ['ran: ok', 'ran: ok', 'ran: third']]);
    expect(awaitedApproval(again.session.events)).toBeUndefined();
  });

  it('asks again after a crash, too', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('a', { ask: true })]), says('Done.')],
    });
    await agent.run('look');
    const { events } = agent.session;
    const crashed = events.slice(
      0,
      events.findIndex(({ type }) => type === 'approvalAnswered'),
    );
    const again = scriptedAgent({ script: [says('Done.')], events: crashed });
    expect(closeInterruptedCalls(again.session)).toEqual([]);
    expect(await again.continueTurn()).toEqual({ type: 'finished' });
    expect(results(again)).toEqual(['ran: ok']);
  });

  it('runs no unapproved call if the user continues with another prompt', async () => {
    const agent: ScriptedAgent = scriptedAgent({
      script: [calls([echo('a', { ask: true })])],
      approve: unanswered(() => agent),
      onEvent: ({ type }) => {
        if (type === 'approvalAsked') setImmediate(() => agent.stop.abort(windowClosing()));
      },
    });
    await agent.run('look');
    const again = reloaded(agent, { script: [says('Something else.')] });
    expect(await again.run('something else')).toEqual({ type: 'finished' });
    expect(results(again)).toEqual([expect.stringMatching(/^interrupted: Not run: /)]);
  });
});
