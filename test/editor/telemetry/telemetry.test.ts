import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Session } from '../../../src/agent/session';
import type { ToolUseId } from '../../../src/contextWindow/block';
import { Telemetry, type TelemetryServices } from '../../../src/editor/telemetry/telemetry';
import type { Transcript, TranscriptEntry } from '../../../src/sessions/transcript';
import type { OtlpOptions } from '../../../src/telemetry/otlpSender';
import type { Signal } from '../../../src/telemetry/signal';
import { dated, drawnEvents } from '../../support/drawing';

type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;
type Heard = (run: { readonly session: Session | undefined }) => void;

/** The telemetry of a window whose setting is `endpoint`. */
function scene(endpoint: string) {
  const settings = { telemetry: { otlpEndpoint: endpoint } };
  const kept = new Map<string, unknown>();
  const told: string[] = [];
  const bugs: unknown[] = [];
  const sent: Signal[] = [];
  const senders: { readonly options: OtlpOptions; stopped: number }[] = [];
  let changed = (): void => undefined;
  let heard: Heard = () => undefined;
  const services: TelemetryServices = {
    now: () => 1_790_000_000_000,
    access: {
      settings: { valid: { settings } },
      onChange: (listener) => (changed = listener),
      tellOnce: (problem) => void (told.includes(problem) || told.push(problem)),
    },
    context: {
      globalState: {
        get: (key) => kept.get(key),
        update: async (key, value) => void kept.set(key, value),
      },
      extension: { packageJSON: { version: '1.2.3' } },
    },
    report: {
      run: (work) =>
        void Promise.resolve()
          .then(work)
          .catch((error: unknown) => bugs.push(error)),
      warn: () => undefined,
    },
  };
  const load = vi.fn(async (options: OtlpOptions) => {
    const sender = { options, stopped: 0 };
    senders.push(sender);
    return {
      send: (signals: readonly Signal[]) => void sent.push(...signals),
      stop: async () => void (sender.stopped += 1),
    };
  });
  const follow = ({ heard: listener }: { readonly heard?: unknown }) => (heard = listener as Heard);
  const telemetry = new Telemetry(services, { follow }, load);
  return {
    telemetry,
    load,
    sent,
    senders,
    told,
    bugs,
    set(to: string) {
      settings.telemetry.otlpEndpoint = to;
      changed();
    },
    hear: (session: Session) => heard({ session }),
  };
}

const session = (): Session =>
  new Session(
    { append: () => undefined },
    () => 1_790_000_000_000,
    dated(drawnEvents('1 anchor t 5')),
  );

const answered = (session: Session, step = 1) => {
  session.append({
    type: 'replyReceived',
    model: 'claude-sonnet-4-5',
    parts: [{ type: 'text', text: `step ${step}` }],
    stopReason: 'end_turn',
    usage: { inputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 1 },
    durationMs: 5,
  });
};

const spans = (signals: readonly Signal[]) =>
  signals.flatMap((signal) => (signal.type === 'span' ? [signal.name] : []));

const RECORDING: Transcript = {
  format: 'codex',
  system: '',
  tools: [],
  notes: [],
  entries: [
    { type: 'prompt', text: 'Go.' },
    {
      type: 'reply',
      model: 'gpt-5',
      parts: [{ type: 'toolUse', use: { id: 'c1' as ToolUseId, name: 'shell', input: {} } }],
      results: [{ toolUseId: 'c1' as ToolUseId, text: '', isError: false, origin: 'ran' }],
    },
  ],
};

describe('telemetry in the editor', () => {
  it('loads and sends nothing unless an endpoint is set', async () => {
    const { load, sent, hear, telemetry } = scene('');
    const own = session();
    hear(own);
    answered(own);
    telemetry.inspected(RECORDING, 'a.jsonl');
    await sleep(20);
    expect([load.mock.calls.length, sent]).toEqual([0, []]);
    await telemetry.stop();
  });

  it('sends what a session does from the moment of its setting, and ends with it', async () => {
    const { sent, senders, hear, set, telemetry } = scene('');
    const own = session();
    answered(own);
    set('http://localhost:4318');
    hear(own);
    hear(own);
    answered(own, 2);
    own.append({ type: 'turnEnded', outcome: { type: 'finished' } });
    await sleep(20);
    expect(spans(sent)).toEqual(['chat claude-sonnet-4-5', 'invoke_agent plimsoll']);
    expect(senders[0]?.options).toMatchObject({
      endpoint: 'http://localhost:4318',
      version: '1.2.3',
    });
    set('');
    answered(own, 3);
    await sleep(20);
    expect([spans(sent).length, senders[0]?.stopped]).toEqual([2, 1]);
    await telemetry.stop();
    expect(senders).toHaveLength(1);
  });

  it('sends nothing of a turn that happens while it is off, and goes on with the turn after', async () => {
    const { sent, senders, hear, set, bugs, telemetry } = scene('http://localhost:4318');
    const own = session();
    hear(own);
    answered(own, 1);
    await sleep(20);
    set('');
    answered(own, 2);
    await sleep(20);
    set('http://localhost:4318');
    answered(own, 3);
    own.append({ type: 'turnEnded', outcome: { type: 'finished' } });
    await sleep(20);
    const steps = sent.flatMap((signal) =>
      signal.type === 'span' && signal.name.startsWith('chat')
        ? [signal.attributes['plimsoll.step']]
        : [],
    );
    const first = Number(steps[0]);
    expect(steps).toEqual([first, first + 2]);
    expect(spans(sent).at(-1)).toBe('invoke_agent plimsoll');
    expect([senders.length, senders[0]?.stopped, bugs]).toEqual([2, 1, []]);
    await telemetry.stop();
  });

  it('sends each step of a recording once', async () => {
    const { sent, telemetry } = scene('http://localhost:4318');
    telemetry.inspected(RECORDING, 'a.jsonl');
    telemetry.inspected(RECORDING, 'a.jsonl');
    await sleep(50);
    expect(spans(sent)).toEqual(['chat gpt-5', 'execute_tool shell', 'invoke_agent codex']);
  });

  it('counts a turn once, though calls follow a reply that looked like its end', async () => {
    const { sent, telemetry } = scene('http://localhost:4318');
    const [prompt, called] = RECORDING.entries as [TranscriptEntry, ReplyEntry];
    const said: ReplyEntry = { ...called, parts: [{ type: 'text', text: 'I look.' }], results: [] };
    const counted = async (...entries: readonly TranscriptEntry[]) => {
      telemetry.inspected({ ...RECORDING, entries }, 'a.jsonl');
      await sleep(20);
      const values = sent.splice(0).flatMap((signal) => (signal.type === 'metric' ? signal : []));
      return values
        .filter(({ name }) => name === 'gen_ai.invoke_agent.inference_calls')
        .map(({ value }) => value);
    };
    expect(await counted(prompt, said)).toEqual([1]);
    // The call is in the next line of the same reply.
    expect(await counted(prompt, called, called)).toEqual([]);
    expect(await counted(prompt, called, called, said)).toEqual([]);
    expect(await counted(prompt, called, called, said, prompt, said)).toEqual([1]);
    expect(await counted(prompt, called, called, said, prompt, said, said)).toEqual([]);
  });

  it('sends recordings of one file name in two folders', async () => {
    const { sent, telemetry } = scene('http://localhost:4318');
    telemetry.inspected(RECORDING, '/one/events.jsonl');
    telemetry.inspected(RECORDING, '/two/events.jsonl');
    await sleep(50);
    expect(spans(sent)).toHaveLength(6);
    const ids = sent.flatMap((signal) => (signal.type === 'span' ? [signal.spanId] : []));
    expect(new Set(ids).size).toBe(6);
  });

  it('sends nothing to a receiver that the user left while it was loading', async () => {
    const { sent, senders, telemetry, set } = scene('http://localhost:4318');
    telemetry.inspected(RECORDING, '/one/events.jsonl');
    set('');
    await sleep(20);
    expect(senders).toMatchObject([{ stopped: 1 }]);
    expect(sent).toEqual([]);
  });

  it('tells the user once that the receiver got nothing, and what to do', async () => {
    const { senders, told } = scene('http://localhost:4318');
    await sleep(5);
    senders[0]?.options.problem('connect ECONNREFUSED', 'http://localhost:4318');
    senders[0]?.options.problem('connect ECONNREFUSED', 'http://localhost:4318');
    expect(told).toEqual([
      'Telemetry was not received by http://localhost:4318 (connect ECONNREFUSED). The agent is not affected, and later telemetry is tried again. ' +
        'Start the receiver, or change plimsoll.telemetry.otlpEndpoint.',
    ]);
  });
});
