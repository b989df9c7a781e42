import { describe, expect, it } from 'vitest';
import { calls, fails, says, scriptedAgent, sizeOf, type Turn } from '../support/scriptedAgent';

const TOO_LONG = fails({ type: 'overflow', message: 'prompt is too long' });

function echo(id: string, input: object = {}) {
  return { id, name: 'echo', input };
}

function steps(count: number, chars: number): readonly Turn[] {
  return Array.from({ length: count }, (_, index) =>
    calls([echo(`toolu_${index}`, { text: `line ${index} of output ok\n`, times: chars / 20 })]),
  );
}

describe('the ids of tool calls', () => {
  it('are made unique if a model repeats one, in a reply or across replies', async () => {
    const agent = scriptedAgent({
      script: [
        calls([echo('call_0', { text: 'first' }), echo('call_0', { text: 'second' })]),
        calls([echo('call_0', { text: 'third' }), echo('functions.echo:1', { text: 'fourth' })]),
        says('Done.'),
      ],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const results = agent.requests
      .at(-1)!
      .messages.flatMap(({ content }) =>
        content.flatMap((part) =>
          part.type === 'tool_result' ? [`${part.tool_use_id} ${part.content}`] : [],
        ),
      );
    expect(results).toEqual([
      'call_0 first',
      'call_0_2 second',
      'call_0_3 third',
      'functions_echo_1 fourth',
    ]);
  });
});

describe('a window that is smaller than the settings say', () => {
  it('B6: lowers the budget when it ends a reply; a pass frees tokens, and the turn continues', async () => {
    const agent = scriptedAgent({
      script: [...steps(5, 3_000), says('Half a', 'model_context_window_exceeded'), says(' loaf.')],
      budget: { contextWindowTokens: 40_000 },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const sizes = agent.requests.map(sizeOf);
    expect(sizes.at(-1)!).toBeLessThan(sizes.at(-2)!);
    expect(agent.session.window.ledger).toHaveLength(1);
    const last = JSON.stringify(agent.requests.at(-1)!.messages.slice(-2));
    expect(last).toMatch(/Half a.*Go on, no new request: your reply was cut off at the end of the/);
  });

  it('is named as the limit that cut a reply, not a setting that did not', async () => {
    const cut = says('Half a', 'max_tokens');
    const full = scriptedAgent({ script: [cut, cut, cut, cut] });
    expect(await full.run('look')).toMatchObject({
      message:
        'The reply was cut off at its limit of 1000 tokens. Ask it to continue, or raise plimsoll.context.maxReplyTokens.',
    });
    const tooLong = fails({
      type: 'replyTooLong',
      message: '11500 + 1000 > 12000',
      inputTokens: 11_500,
      maxTokens: 1_000,
      limitTokens: 12_000,
    });
    const shortened = scriptedAgent({
      script: [tooLong, ...[1, 2, 3].flatMap(() => [cut, tooLong]), cut],
    });
    expect(await shortened.run('look')).toMatchObject({
      message: 'The reply was cut off at its limit of 500 tokens. Ask it to continue.',
    });
  });

  it('is reported as a refusal by the API, not as a request that was never sent', async () => {
    const agent = scriptedAgent({ script: [TOO_LONG] });
    const { message } = (await agent.run('look')) as { message: string };
    expect(message).toContain('The API refused the request of');
    expect(message).toContain('It was not sent again.');
    expect(message).not.toContain('raise plimsoll.context.windowTokens');
  });

  it('B5: does not keep a full session from continuing with fresh attempts at the next prompt', async () => {
    const agent = scriptedAgent({
      script: [
        ...steps(12, 3_000),
        TOO_LONG,
        TOO_LONG,
        TOO_LONG,
        TOO_LONG,
        TOO_LONG,
        says('Fits.'),
      ],
      budget: { contextWindowTokens: 60_000 },
    });
    expect(await agent.run('look')).toMatchObject({ type: 'contextFull' });
    const asked = agent.requests.length;
    expect(asked).toBe(12 + 4);
    expect(await agent.run('go on')).toEqual({ type: 'finished' });
    expect(agent.requests).toHaveLength(asked + 2);
  });
});

describe('a change of model', () => {
  it('counts again before any decision', async () => {
    const settings = { model: 'claude-sonnet-5-5' };
    const agent = scriptedAgent({
      script: [...steps(2, 300), says('Done.'), says('Done again.')],
      settings,
    });
    await agent.run('look');
    expect(agent.counted).toHaveLength(1);
    settings.model = 'claude-haiku-4-5';
    await agent.run('again');
    expect(agent.counted).toHaveLength(2);
    expect(agent.session.window.blocks.every(({ exactTokens }) => exactTokens === undefined)).toBe(
      true,
    );
  });
});

describe('a stop at any moment', () => {
  const script = (): readonly Turn[] => [
    ...steps(6, 4_500),
    calls([echo('toolu_x', { ask: true }), echo('toolu_y')]),
    TOO_LONG,
    ...steps(0, 0),
    says('Done.'),
  ];

  it('leaves every call with one result and a session that continues', async () => {
    const full = scriptedAgent({ script: script() });
    expect(await full.run('look')).toEqual({ type: 'finished' });
    expect(full.session.window.ledger.length).toBeGreaterThan(1);
    for (let at = 0; at < full.heard.length; at++) {
      let heard = 0;
      const agent = scriptedAgent({
        script: script(),
        onEvent: () => {
          if (heard++ === at) agent.stop.abort();
        },
      });
      const { type } = await agent.run('look');
      expect(at < full.heard.length - 1 ? type : 'stopped').toBe('stopped');
      const next = scriptedAgent({ script: [says('Fine.')], events: agent.session.events });
      expect(await next.run('continue')).toEqual({ type: 'finished' });
    }
  });

  it('ends the turn while tokens are counted or a summary is written, with nothing half done', async () => {
    for (const when of ['count', 'summary'] as const) {
      const agent = scriptedAgent({
        script: steps(100, 800),
        count: () => {
          if (when === 'count') agent.stop.abort();
          return { ok: false, message: 'The count was stopped.' };
        },
        summariser: (request) => {
          agent.stop.abort();
          return says('Summary.')(request);
        },
      });
      expect(await agent.run('look')).toEqual({ type: 'stopped' });
      const summaries = agent.session.window.ledger.flatMap(({ pass }) => pass.summaries);
      expect(summaries).toEqual([]);
    }
  });
});
