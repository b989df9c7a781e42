import { describe, expect, it } from 'vitest';
import { calls, echo, says, scriptedAgent, steps } from '../support/scriptedAgent';
import { dated, promptEvent } from '../support/drawing';
import { resultsOf } from './support/resultsOf';

describe('a turn', () => {
  it('asks, runs the tools, and asks again until the model calls none', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('toolu_1', { text: 'found' })]), says('It is there.')],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.requests).toHaveLength(2);
    expect(JSON.stringify(agent.requests[1]!.messages)).toContain('found');
    expect(agent.session.events.at(-1)).toMatchObject({ type: 'turnEnded' });
  });

  it('sends the model the denied call with the user’s text verbatim', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('toolu_1', { ask: true })]), says('Then not.')],
      approve: () => Promise.resolve({ approved: false, feedback: 'no, use v2' }),
    });
    await agent.run('look');
    expect(resultsOf(agent)[0]).toMatchObject({
      origin: 'denied',
      isError: true,
      text: 'Denied by the user. Not done: the echo. Nothing was changed.\nThe user says: no, use v2',
    });
  });

  it('sends the model the text that the user typed when approving', async () => {
    const agent = scriptedAgent({
      script: [
        calls([echo('toolu_1', { ask: true, text: 'found' }), echo('toolu_2', { text: 'free' })]),
        says('Done.'),
      ],
      approve: () => Promise.resolve({ approved: true, feedback: ' but only once ' }),
    });
    await agent.run('look');
    expect(resultsOf(agent).map(({ text, origin }) => [text, origin])).toEqual([
      ['found\n\nThe user allowed this and says: but only once', 'ran'],
      ['free', 'ran'],
    ]);
  });

  it('B2: has exactly one result for each call of a batch, after approve, deny or stop', async () => {
    const agent = scriptedAgent({
      script: [
        calls([
          echo('toolu_a'),
          echo('toolu_b', { ask: true }),
          echo('toolu_c', { hang: true }),
          echo('toolu_d'),
        ]),
        says('Going on.'),
      ],
      approve: () => Promise.resolve({ approved: false }),
      onEvent: (event) => {
        if (event.type === 'toolStarted' && event.use.id === 'toolu_c') agent.stop.abort();
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'stopped' });
    expect(resultsOf(agent).map(({ toolUseId, origin }) => `${toolUseId} ${origin}`)).toEqual([
      'toolu_a ran',
      'toolu_b denied',
      'toolu_c stopped',
      'toolu_d stopped',
    ]);
    const next = scriptedAgent({ script: [says('Going on.')], events: agent.session.events });
    expect(await next.run('continue')).toEqual({ type: 'finished' });
    expect(next.requests[0]!.messages.at(-1)!.content.map(({ type }) => type)).toEqual([
      'tool_result',
      'tool_result',
      'tool_result',
      'tool_result',
      'text',
    ]);
  });

  it('turns the exception of a tool into a result for the model', async () => {
    const agent = scriptedAgent({
      script: [calls([{ id: 'toolu_1', name: 'nope' }]), says('Ah.')],
    });
    await agent.run('look');
    expect(resultsOf(agent)[0]).toMatchObject({
      isError: true,
      text: 'There is no tool "nope". Nothing was done. The tools are: echo.',
    });
  });

  it('B6: never executes a cut call', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('toolu_1'), echo('toolu_2')], 'max_tokens'), says('Smaller then.')],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.heard.some(({ type }) => type === 'toolStarted')).toBe(false);
    expect(resultsOf(agent).map(({ origin }) => origin)).toEqual(['cutReply', 'cutReply']);
  });

  it('runs no call of a reply that ends in a refusal', async () => {
    const agent = scriptedAgent({ script: [calls([echo('toolu_1')], 'refusal'), says('Fine.')] });
    expect(await agent.run('look')).toMatchObject({ type: 'refused' });
    expect(agent.heard.some(({ type }) => type === 'toolStarted')).toBe(false);
    expect(resultsOf(agent).map(({ isError }) => isError)).toEqual([true]);
    expect(await agent.run('something else')).toEqual({ type: 'finished' });
  });

  it('B6: ends after three cut replies in a row', async () => {
    const cut = (index: number) => calls([echo(`toolu_${index}`)], 'model_context_window_exceeded');
    const agent = scriptedAgent({ script: [cut(1), cut(2), cut(3)] });
    expect(await agent.run('look')).toMatchObject({ type: 'replyCut' });
  });

  it('ends at the step limit', async () => {
    const agent = scriptedAgent({ script: steps(5, 100), settings: { caps: { steps: 3 } } });
    expect(await agent.run('look')).toMatchObject({ type: 'capReached', cap: 'steps', most: 3 });
    expect(agent.requests).toHaveLength(3);
  });

  it('B3: answers a call without a result once after a crash, and the session continues', async () => {
    const dead = dated([
      { type: 'sessionStarted', version: 3, sessionId: 'test', pinTaskAnchor: true },
      promptEvent('start'),
    ]);
    const agent = scriptedAgent({
      script: [calls([echo('toolu_x', { hang: true })])],
      events: dead,
      onEvent: (event) => {
        if (event.type === 'toolStarted') throw new Error('the host died');
      },
    });
    await expect(agent.run('go')).rejects.toThrow('the host died');
    expect(resultsOf(agent).map(({ toolUseId, origin }) => `${toolUseId} ${origin}`)).toEqual([
      'toolu_x interrupted',
    ]);
    const next = scriptedAgent({ script: [says('Fine.')], events: agent.session.events });
    expect(await next.run('continue')).toEqual({ type: 'finished' });
  });
});
