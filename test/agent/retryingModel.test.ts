import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Model,
  ModelEvent,
  ModelFailure,
  ModelRequest,
  ModelResult,
  Patience,
} from '../../src/agent/model';
import { FOR_A_STEP, RetryingModel } from '../../src/agent/retryingModel';
import { fakeClock } from '../support/fakeClock';

const REQUEST: ModelRequest = { model: 'm', maxTokens: 1, system: [], tools: [], messages: [] };
const DONE: ModelResult = {
  ok: true,
  reply: {
    model: 'm',
    parts: [],
    stopReason: 'end_turn',
    usage: { inputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 1 },
  },
};
const BUSY: ModelFailure = {
  type: 'overloaded',
  status: 529,
  message: 'The API is overloaded. Wait.',
};

type Waited = Extract<ModelEvent, { type: 'retrying' }>;

interface Scene {
  readonly random?: number;
  readonly patience?: Patience;
  /** What happens in each pause; by default, it runs to its end. */
  readonly inPause?: (event: Waited, scene: { readonly stop: AbortController }) => void;
}

/** Asks a model that fails as scripted, and then answers. */
async function asked(failures: readonly ModelFailure[], scene: Scene = {}) {
  const clock = fakeClock(scene.random);
  const stop = new AbortController();
  const script = [...failures];
  let sent = 0;
  const model: Model = {
    // eslint-disable-next-line require-yield -- this model streams nothing
    async *ask() {
      sent += 1;
      const failure = script.shift();
      return failure === undefined ? DONE : { ok: false, failure };
    },
  };
  const asking = new RetryingModel(model, clock).ask(
    REQUEST,
    stop.signal,
    scene.patience ?? FOR_A_STEP,
  );
  const pauses: number[] = [];
  const events: ModelEvent[] = [];
  for (;;) {
    const began = clock.now();
    const next = await asking.next();
    if (next.done === true) return { result: next.value, sent, pauses, events, clock };
    events.push(next.value);
    if (next.value.type !== 'retrying') continue;
    pauses.push(next.value.until - began);
    if (scene.inPause === undefined) clock.advance(next.value.until - began);
    else scene.inPause(next.value, { stop });
  }
}

const times = (count: number, failure: ModelFailure = BUSY) =>
  Array.from({ length: count }, () => failure);

describe('a request that fails temporarily', () => {
  it.each(['rateLimited', 'overloaded', 'server', 'network', 'streamCut'] as const)(
    'is sent again after an announced wait: %s',
    async (type) => {
      const { result, sent, events } = await asked([{ type, message: 'It failed. Do this.' }]);
      expect(result.ok).toBe(true);
      expect(sent).toBe(2);
      expect(events).toEqual([
        {
          type: 'retrying',
          attempt: 2,
          tries: 10,
          message: 'It failed.',
          until: 1_000_500,
          tryNow: expect.any(Function),
        },
        { type: 'askedAgain', attempt: 2 },
      ]);
    },
  );

  it('is sent ten times; each pause is twice as long, up to a minute', async () => {
    const { result, sent, pauses } = await asked(times(20), { random: 0.999_999 });
    expect(sent).toBe(10);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
    expect(result).toMatchObject({
      ok: false,
      failure: {
        type: 'overloaded',
        message: 'The API is overloaded. Wait. Plimsoll tried 10 times.',
      },
    });
  });

  it('waits for a random time between half of the pause and all of it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        async (random) => {
          const { pauses } = await asked(times(20), { random });
          for (const [index, pause] of pauses.entries()) {
            const most = Math.min(60_000, 1_000 * 2 ** index);
            expect(pause).toBeGreaterThanOrEqual(most / 2);
            expect(pause).toBeLessThanOrEqual(most);
          }
        },
      ),
    );
  });

  it('waits for as long as the server asks, never less', async () => {
    const limited = { type: 'rateLimited', message: 'Slow.', retryAfterMs: 3_600_000 } as const;
    expect((await asked([limited])).pauses).toEqual([3_600_000]);
    expect((await asked([limited], { random: 0.5 })).pauses).toEqual([3_605_000]);
  });

  it('is not sent again if the server wants more than a day', async () => {
    const far = { type: 'rateLimited', message: 'Slow.', retryAfterMs: 90_000_000 } as const;
    const { result, sent } = await asked([far]);
    expect(sent).toBe(1);
    expect(result).toMatchObject({
      failure: { message: 'Slow. The server asks to wait 1500 min.' },
    });
  });

  it('is sent three times by default, with a short pause or none', async () => {
    const patience = { tries: 3, longestPauseMs: 20_000 };
    expect((await asked(times(20), { patience })).sent).toBe(3);
    const limited = { type: 'rateLimited', message: 'Slow.', retryAfterMs: 21_000 } as const;
    expect((await asked([limited], { patience })).sent).toBe(1);
  });

  it('is sent immediately when the user says so, and leaves no timer running', async () => {
    const { result, sent, clock } = await asked(times(3), {
      inPause: ({ tryNow }) => tryNow(),
    });
    expect(result.ok).toBe(true);
    expect(sent).toBe(4);
    expect(clock.now()).toBe(1_000_000);
    expect(clock.due).toEqual([]);
  });

  it('is not sent again after a stop', async () => {
    const { result, sent, clock } = await asked(times(3), {
      inPause: (_, { stop }) => stop.abort(),
    });
    expect(result).toMatchObject({ ok: false, failure: { type: 'aborted' } });
    expect(sent).toBe(1);
    expect(clock.due).toEqual([]);
  });
});

describe('a request that fails permanently', () => {
  it.each([
    'overflow',
    'invalidRequest',
    'authentication',
    'billing',
    'permission',
    'notFound',
    'requestTooLarge',
    'redirected',
    'aborted',
  ] as const)('is sent once: %s', async (type) => {
    const { sent, events } = await asked([{ type, message: 'No.' }]);
    expect(sent).toBe(1);
    expect(events).toEqual([]);
  });

  it('is one that the server marks as permanent, whatever its type', async () => {
    expect((await asked([{ ...BUSY, isPassing: false }])).sent).toBe(1);
    expect((await asked([{ type: 'permission', message: 'No.', isPassing: true }])).sent).toBe(2);
  });
});

it.each([
  [
    { type: 'overloaded', status: 529, message: 'The API is overloaded. Wait. (Busy)' },
    'The API is overloaded (529).',
  ],
  [
    { type: 'network', message: 'Could not reach http://127.0.0.1:9: ECONNREFUSED. Check it.' },
    'Could not reach http://127.0.0.1:9: ECONNREFUSED.',
  ],
  [
    { type: 'streamCut', message: 'The reply broke off: the connection was lost. No call.' },
    'The reply broke off: the connection was lost.',
  ],
  [{ type: 'server', message: 'Odd' }, 'Odd.'],
] as const)(
  'has a message that says what happened, not what to do: %j',
  async (failure, message) => {
    const { events } = await asked([failure]);
    expect(events[0]).toMatchObject({ message });
  },
);
