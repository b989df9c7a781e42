import { describe, expect, it } from 'vitest';
import { leftOutOf, withoutParts } from '../../../../src/agent/leftOut';
import type { ModelRequest } from '../../../../src/agent/model';
import type { BlockId } from '../../../../src/contextWindow/block';
import { excludeByHand } from '../../../../src/contextWindow/passes/byHand';
import { requestNext } from '../../../../src/editor/contextPanel/request/requestAt';
import { requestText } from '../../../../src/editor/contextPanel/request/derive';
import { scratchpadEvent } from '../../../support/drawing';
import {
  calls,
  echo,
  fails,
  says,
  scriptedAgent,
  steps,
  type Turn,
} from '../../../support/scriptedAgent';
import {
  agentSettings,
  bytes,
  inspecting,
  lookedAt,
  repliesOf,
  shownFor,
  SMALL,
  validWith,
} from '../support/inspecting';
import { watched, expectAsSent, changeByHand } from '../support/watchedAgent';

describe('the request of a step', () => {
  it('is the answered one, not the refused one, after an overflow lowered the budget', async () => {
    const scene = watched({
      script: [
        ...steps(6, 1_400).slice(0, -1),
        fails({ type: 'overflow', message: 'prompt is too long' }),
        fails({
          type: 'overflow',
          message: 'too long',
          actualTokens: 9_500,
          limitTokens: 9_000,
        }),
        ...steps(3, 400, 'more'),
      ],
    });
    expect(await scene.agent.run('look')).toEqual({ type: 'finished' });
    expect(scene.agent.requests.length).toBe(scene.answered.length + 2);
    expect(scene.agent.session.window.ledger.length).toBeGreaterThan(0);
    expectAsSent(scene);
  });

  it('has the max_tokens that was lowered for this request only', async () => {
    const scene = watched({
      script: [
        calls([echo('t1', { text: 'x', times: 10 })]),
        fails({
          type: 'replyTooLong',
          message: 'input and max_tokens are too long',
          inputTokens: 11_300,
          maxTokens: 1_000,
          limitTokens: 12_000,
        }),
        calls([echo('t2')]),
        says('Done.'),
      ],
    });
    await scene.agent.run('look');
    expectAsSent(scene);
    const limits = [1, 2, 3].map((step) => scene.inspection.requestAt(step)!.request.maxTokens);
    expect(limits).toEqual([1_000, 700, 1_000]);
  });

  it('names the model of the step, after another one was chosen', async () => {
    const options: { model: string } = { model: 'claude-haiku-4-5' };
    const scene = watched({
      script: [...steps(2, 100), ...steps(2, 100, 'later')],
      settings: options,
    });
    await scene.agent.run('look');
    options.model = 'claude-sonnet-5-5';
    await scene.agent.run('go on');
    expectAsSent(scene);
    const models = [1, 4].map((step) => scene.inspection.requestAt(step)!.request.model);
    expect(models).toEqual(['claude-haiku-4-5', 'claude-sonnet-5-5']);
  });

  it('goes without what the server does not support, and says so, as does the next one', async () => {
    const { agent, inspection } = watched({
      script: [...steps(2, 100), says('Done.')],
      settings: { model: 'claude-sonnet-5-5', reasoning: { effort: 'low' } },
    });
    const { model } = agent.deps;
    const sent: ModelRequest[] = [];
    const leaving: typeof model = {
      async *ask(request, ...rest) {
        const asked = withoutParts(request, ['cacheControl', 'effort', 'images']);
        sent.push(asked);
        const result = yield* model.ask(asked, ...rest);
        if (!result.ok) return result;
        return { ok: true, reply: { ...result.reply, leftOut: leftOutOf(request, asked) } };
      },
    };
    Object.assign(agent.deps, { model: leaving });
    await agent.run('look');
    const note = 'Left out, because the server does not support it: prompt cache marks, effort.';
    for (const { step } of repliesOf(agent.session.events)) {
      const { request, notes, window } = inspection.requestAt(step)!;
      expect(bytes(request)).toBe(bytes(sent[step - 1]!));
      expect(notes).toEqual([note]);
      expect(requestText({ request, notes, window })).not.toMatch(/breakpoint|effort: /);
    }
    expect(sent.length).toBeGreaterThan(1);
    // What the server lacks is known before it has answered a request that has it.
    const server = {
      sent: (request: ModelRequest) =>
        withoutParts(request, ['cacheControl', 'effort', 'images', 'thinking']),
    };
    const next = requestNext(inspection.inspected, server);
    expect(next.notes.at(-1)).toMatch(/^Left out, because .*: prompt cache marks\b/);
    expect(bytes(next.request)).not.toContain('cache_control');
    const whole = requestNext(inspection.inspected);
    expect(whole.notes.join()).not.toContain('Left out');
    expect(bytes(whole.request)).toContain('cache_control');
  });

  it('goes without it as well if its reply was stopped', async () => {
    const { agent, inspection } = watched({ script: [] });
    Object.assign(agent.deps, {
      model: {
        async *ask() {
          yield { type: 'textDelta', text: 'I begin ' };
          const failure = { type: 'aborted', message: 'Stopped.' };
          return { ok: false, failure, leftOut: ['cacheControl'] };
        },
      },
    });
    await agent.run('look');
    const { request, notes } = inspection.requestAt(1)!;
    expect(bytes(request)).not.toContain('cache_control');
    expect(notes.at(-1)).toMatch(/^Left out, .*: prompt cache marks\.$/);
  });

  it('says that the user changed the window while the reply was written', async () => {
    const scene: ReturnType<typeof watched> = watched({
      script: [
        ...steps(3, 400).slice(0, -1),
        (request) => {
          changeByHand(scene.agent.session, excludeByHand, 'step-1');
          return says('Done.')(request);
        },
      ],
    });
    await scene.agent.run('look');
    expect(scene.agent.session.window.ledger).toHaveLength(1);
    const notes = [3, 4].map((step) => scene.inspection.requestAt(step)!.notes);
    expect(notes).toEqual([
      [],
      [
        'You changed the window while the reply was being written. The request is shown with that change.',
      ],
    ]);
  });

  it('also says so for a stopped reply', async () => {
    const scene = watched({ script: [says('Well.')] });
    const { agent, inspection } = scene;
    await agent.run('look');
    const stopping = scriptedAgent({
      script: [],
      events: agent.session.events,
      onEvent: ({ type }) => {
        if (type !== 'textDelta') return;
        stopping.session.append(scratchpadEvent('told by the user', true));
        stopping.stop.abort();
      },
    });
    Object.assign(stopping.deps, {
      model: {
        async *ask() {
          yield { type: 'textDelta', text: 'I begin ' };
          return { ok: false, failure: { type: 'aborted', message: 'Stopped.' } };
        },
      },
    });
    expect(await stopping.run('go on')).toEqual({ type: 'stopped' });
    const { inspection: later } = inspecting(() => lookedAt(stopping.session));
    expect(later.requestAt(2)!.notes).toHaveLength(1);
    expect(later.requestAt(1)).toEqual(inspection.requestAt(1));
  });

  it('counts as sent if a pin during the reply changed nothing in it', async () => {
    const scene: ReturnType<typeof watched> = watched({
      script: [
        ...steps(2, 400).slice(0, -1),
        (request) => {
          scene.agent.session.append({ type: 'blockPinned', blockId: 'step-1' as BlockId });
          return says('Done.')(request);
        },
      ],
    });
    await scene.agent.run('look');
    expectAsSent(scene);
  });

  it('says of an older log that max_tokens is the current value', async () => {
    const { agent } = watched({ script: steps(1, 100) });
    await agent.run('look');
    const old = agent.session.events.map((event) => {
      if (event.type !== 'replyReceived') return event;
      const { maxTokens: _, ...rest } = event;
      return rest;
    });
    const { inspection } = inspecting(() =>
      lookedAt({ events: old, window: agent.session.window }, validWith()),
    );
    const { request, notes } = inspection.requestAt(1)!;
    expect([request.maxTokens, notes]).toEqual([
      32_000,
      ['The log of this step does not hold max_tokens, so the current setting is shown.'],
    ]);
  });

  it('is absent for an unknown step', async () => {
    const { agent, inspection } = watched({ script: steps(1, 100) });
    await agent.run('look');
    for (const step of [0, 3, -1, 1.5, Number.NaN]) {
      expect(inspection.requestAt(step)).toBeUndefined();
    }
  });
});

describe('the next request', () => {
  it('is the one sent if the turn continues without new input', async () => {
    const valid = validWith(SMALL);
    const shown: string[] = [];
    const answered: string[] = [];
    const turns = steps(40, 1_400).map((turn): Turn => (request) => {
      answered.push(bytes(request));
      return turn(request);
    });
    const agent = scriptedAgent({
      script: turns,
      settings: agentSettings(validWith(SMALL, { model: 'claude-sonnet-5-5' })),
      onEvent: ({ type }) => {
        if (type === 'askStarted') shown.push(shownFor(inspection, 'next'));
      },
    });
    const { inspection } = inspecting(() => lookedAt(agent.session, valid));
    await agent.run('look');
    expect(agent.session.window.ledger.length).toBeGreaterThan(1);
    expect(shown).toEqual(answered);
  });

  it('asks the API for no edits if a recording is replayed with another policy', () => {
    const server = validWith({ ...SMALL, policy: 'server' });
    const agent = scriptedAgent({ script: [] });
    const session = lookedAt(agent.session, server);
    const edits = (policy: 'server' | 'ladder') =>
      inspecting(() => ({ ...session, policy })).inspection.requestAt('next')!.request.contextEdits;
    expect(edits('server')).not.toBeUndefined();
    expect(edits('ladder')).toBeUndefined();
  });
});
