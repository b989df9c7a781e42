import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/agent/model';
import type { Session } from '../../src/agent/session';
import type { BlockId } from '../../src/contextWindow/block';
import { measure } from '../../src/contextWindow/account/measure';
import { clearByHand, excludeByHand, restoreByHand } from '../../src/contextWindow/passes/byHand';
import { pricePass } from '../../src/contextWindow/passes/price';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { scratchpadEvent } from '../support/drawing';
import { estimate } from '../support/player';
import {
  calls,
  echo,
  fails,
  says,
  scriptedAgent,
  steps,
  type Options,
  type Turn,
} from '../support/scriptedAgent';
import { smallBudget } from '../support/smallBudget';
import {
  agentSettings,
  bytes,
  inspecting,
  lookedAt,
  repliesOf,
  shownFor,
  SMALL,
  validWith,
} from './support/inspecting';

/** An agent with the requests that were answered, and the panel's look at its session. */
function watched({ script, ...options }: Options) {
  const answered: ModelRequest[] = [];
  const watch =
    (turn: Turn): Turn =>
    (request) => {
      const result = turn(request);
      if (result.ok) answered.push(request);
      return result;
    };
  const agent = scriptedAgent({ ...options, script: script.map(watch) });
  const { inspection } = inspecting(() => lookedAt(agent.session));
  return { agent, answered, inspection };
}

/** Every step shows, byte for byte, what was sent for it. */
function expectAsSent({ agent, answered, inspection }: ReturnType<typeof watched>): void {
  const replies = repliesOf(agent.session.events);
  expect(replies).toHaveLength(answered.length);
  for (const [index, { step }] of replies.entries()) {
    expect(shownFor(inspection, step)).toBe(bytes(answered[index]!));
    expect(inspection.requestAt(step)!.notes).toEqual([]);
  }
}

function changeByHand(
  session: Session,
  change: typeof excludeByHand,
  id: string | undefined,
): boolean {
  const { window } = session;
  const budget = smallBudget();
  const measured = measure(window, estimate);
  const changed = change(
    { window, measured, budget, estimate, settings: POLICY_SETTINGS },
    id ?? 'none',
  );
  const plan = changed.ok ? changed.plan : undefined;
  if (plan !== undefined) {
    session.append({
      type: 'passApplied',
      pass: pricePass(plan, [], window, estimate, 0.1),
    });
  }
  return plan !== undefined;
}

type Change = 'pin' | 'unpin' | 'exclude' | 'clear' | 'restore' | 'undo' | 'scratchpad' | 'told';

const CHANGES: readonly Change[] = [
  'pin',
  'unpin',
  'exclude',
  'clear',
  'restore',
  'undo',
  'scratchpad',
  'told',
];

/** Changes a session as its user, or the agent's own notes, would. */
function change(session: Session, how: Change, which: number): void {
  const { blocks, ledger } = session.window;
  const block = blocks.at(which % Math.max(1, blocks.length));
  switch (how) {
    case 'pin':
    case 'unpin':
      if (block === undefined) return;
      return session.append({
        type: how === 'pin' ? 'blockPinned' : 'blockUnpinned',
        blockId: block.id,
      });
    case 'exclude':
      return void changeByHand(session, excludeByHand, block?.id);
    case 'clear':
      return void changeByHand(session, clearByHand, block?.id);
    case 'restore':
      return void changeByHand(session, restoreByHand, block?.id);
    case 'undo': {
      const number = ledger.at(which % Math.max(1, ledger.length))?.pass.number;
      return number === undefined ? undefined : session.append({ type: 'passUndone', number });
    }
    case 'scratchpad':
    case 'told':
      return session.append(scratchpadEvent(`note ${which}`, how === 'told'));
  }
}

describe('the request of a step', () => {
  it('is, over random sessions with passes and changes by hand, the bytes that were sent', async () => {
    const turns = fc.array(
      fc.record({
        sizes: fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 12 }),
        changes: fc.array(
          fc.record({
            at: fc.nat(14),
            how: fc.constantFrom(...CHANGES),
            which: fc.nat(40),
          }),
          { maxLength: 5 },
        ),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const seen = { passes: 0, undone: 0 };
    await fc.assert(
      fc.asyncProperty(
        turns,
        fc.constantFrom('ladder' as const, 'salience' as const, 'headTail' as const),
        async (script, policy) => {
          let turn = 0;
          let step = 0;
          const scene = watched({
            script: script.flatMap(({ sizes }, number) => [
              ...sizes.map((chars, index) =>
                calls([echo(`t${number}_${index}`, { text: `line ${index}\n`, times: chars / 8 })]),
              ),
              says('Done.'),
            ]),
            settings: { policy: { ...POLICY_SETTINGS, policy } },
            onEvent: ({ type }) => {
              if (type !== 'toolFinished') return;
              step += 1;
              const now = script[turn]!.changes.filter(({ at }) => at === step);
              for (const { how, which } of now) change(scene.agent.session, how, which);
            },
          });
          for (const [number, { changes }] of script.entries()) {
            [turn, step] = [number, 0];
            for (const { at, how, which } of changes) {
              if (at === 0) change(scene.agent.session, how, which);
            }
            const outcome = await scene.agent.run(`Prompt ${number}.`);
            if (outcome.type !== 'finished') break;
          }
          expectAsSent(scene);
          const { ledger } = scene.agent.session.window;
          seen.passes += ledger.length;
          seen.undone += ledger.filter(({ undone }) => undone === true).length;
        },
      ),
      { numRuns: 20, seed: 20_261_122 },
    );
    expect(seen.passes).toBeGreaterThan(20);
    expect(seen.undone).toBeGreaterThan(1);
  }, 60_000);

  it('survives an overflow that lowers the budget: the answered request is shown, not the refused one', async () => {
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

  it('has the max_tokens that was lowered for it, and only for it', async () => {
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

  it('names the model of then, after another one was chosen', async () => {
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

  it('says so where the user changed the window while the reply was written', async () => {
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

  it('says so of a reply that was stopped, too', async () => {
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

  it('is shown as sent where a pin during the reply changed nothing of it', async () => {
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

  it('says of an older log that max_tokens is that of now', async () => {
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
      ['The log of this step does not hold max_tokens, so the present setting is shown.'],
    ]);
  });

  it('is none for a step there is not', async () => {
    const { agent, inspection } = watched({ script: steps(1, 100) });
    await agent.run('look');
    for (const step of [0, 3, -1, 1.5, Number.NaN]) {
      expect(inspection.requestAt(step)).toBeUndefined();
    }
  });
});

describe('the next request', () => {
  it('is what is sent when the turn goes on and nothing else comes in', async () => {
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

  it('asks the API for no edits where a recording is replayed under another policy', () => {
    const server = validWith({ ...SMALL, policy: 'server' });
    const agent = scriptedAgent({ script: [] });
    const session = lookedAt(agent.session, server);
    const edits = (policy: 'server' | 'ladder') =>
      inspecting(() => ({ ...session, policy })).inspection.requestAt('next')!.request.contextEdits;
    expect(edits('server')).not.toBeUndefined();
    expect(edits('ladder')).toBeUndefined();
  });
});
