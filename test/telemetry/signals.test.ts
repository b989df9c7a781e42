import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../src/contextWindow/block';
import type { SessionEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import type { Transcript, TranscriptEntry } from '../../src/sessions/transcript';
import { OtlpSender } from '../../src/telemetry/otlpSender';
import { OwnSignals } from '../../src/telemetry/ownSignals';
import { endedTurns, recordedSignals } from '../../src/telemetry/recordedSignals';
import { ATTRIBUTES, METRICS, modelName, toolName, type Signal } from '../../src/telemetry/signal';
import { anyLog } from '../sessions/support/anyEvent';
import { dated, drawnEvents, evicting } from '../support/drawing';
import { runs } from '../support/runs';
import { otlpReceiver, typeOf, valuesOf } from './support/otlpReceiver';

/** OpenTelemetry's conventions for generative AI, version 0.1.0: what Plimsoll uses of them. */
const CONVENTIONS: Readonly<Record<string, string>> = {
  'error.type': 'string',
  'gen_ai.agent.name': 'string',
  'gen_ai.agent.version': 'string',
  'gen_ai.conversation.compacted': 'boolean',
  'gen_ai.conversation.id': 'string',
  'gen_ai.operation.name': 'string',
  'gen_ai.provider.name': 'string',
  'gen_ai.request.max_tokens': 'int',
  'gen_ai.request.model': 'string',
  'gen_ai.request.stream': 'boolean',
  'gen_ai.response.finish_reasons': 'string[]',
  'gen_ai.response.model': 'string',
  'gen_ai.response.time_to_first_chunk': 'double',
  'gen_ai.token.modality': 'string',
  'gen_ai.tool.call.id': 'string',
  'gen_ai.tool.name': 'string',
  'gen_ai.tool.type': 'string',
  'gen_ai.usage.cache_read.input_tokens': 'int',
  'gen_ai.usage.cache_write.input_tokens': 'int',
  'gen_ai.usage.input_tokens': 'int',
  'gen_ai.usage.output_tokens': 'int',
  'gen_ai.usage.reasoning.output_tokens': 'int',
};

/** What the conventions require of each operation; kind 1 is internal, 3 a client. */
const REQUIRED = {
  chat: {
    kind: 3,
    keys: ['gen_ai.provider.name', 'gen_ai.request.model'],
    named: 'gen_ai.request.model',
  },
  execute_tool: { kind: 1, keys: ['gen_ai.tool.name'], named: 'gen_ai.tool.name' },
  invoke_agent: { kind: 1, keys: ['gen_ai.provider.name'], named: 'gen_ai.agent.name' },
} as const;

const USAGE = {
  inputTokens: 10,
  cacheCreationTokens: 200,
  cacheReadTokens: 3_000,
  outputTokens: 70,
  thinkingTokens: 40,
};

/** Two turns; the first reads two files, then a pass removes one. Times in ms. */
const EVENTS: readonly SessionEvent[] = [
  ...dated([
    ...drawnEvents('1 anchor canary-task 30\n1 step canary-a.ts 40\n1 step canary-b.ts 30'),
    evicting('step-1'),
  ]),
]
  .map((event, at): SessionEvent => {
    const moment = { at: 1_790_000_000_000 + at * 1_000 };
    if (event.type !== 'replyReceived') return { ...event, ...moment };
    const times = { durationMs: 2_500, firstTokenMs: 400, maxTokens: 4_096 };
    return { ...event, ...moment, ...times, model: 'claude-sonnet-4-5', usage: USAGE };
  })
  .concat([
    {
      at: 1_790_000_060_000,
      type: 'modelAsked',
      purpose: 'summary',
      model: 'claude-haiku-4-5',
      usage: USAGE,
    },
    { at: 1_790_000_061_000, type: 'windowCounted', tokens: 900, source: 'countTokens' },
    {
      at: 1_790_000_062_000,
      type: 'turnEnded',
      outcome: { type: 'failed', failure: 'canary', message: 'canary' },
    },
  ]);

function signalsOf(events: readonly SessionEvent[]): readonly Signal[] {
  const own = new OwnSignals('canary-session', '1.2.3');
  const window = fold(events);
  return events.flatMap((event, at) =>
    own.take(event, at === events.length - 1 ? window : undefined),
  );
}

const call = (id: string, name = 'Bash') => ({
  type: 'toolUse' as const,
  use: { id: id as ToolUseId, name, input: { command: 'canary' } },
});

type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;

const RECORDED: Transcript = {
  format: 'claude-code',
  system: 'canary',
  tools: [],
  notes: ['canary'],
  entries: [
    { type: 'prompt', text: 'canary', at: 1_790_000_000_000 },
    {
      type: 'reply',
      at: 1_790_000_001_000,
      model: 'claude-sonnet-4-5',
      parts: [{ type: 'text', text: 'canary' }, call('toolu_1')],
      usage: USAGE,
      results: [
        { toolUseId: 'toolu_1' as ToolUseId, text: 'canary', isError: true, origin: 'ran' },
      ],
    },
    { type: 'compacted', summary: 'canary', at: 1_790_000_002_000 },
    { type: 'prompt', text: 'canary', at: 1_790_000_003_000 },
    {
      type: 'reply',
      at: 1_790_000_004_000,
      model: '/home/canary/model.gguf',
      parts: [call('a canary id', 'a canary\nname')],
      usage: { ...USAGE, cacheReadTokens: 0 },
      results: [],
    },
  ],
};

const recorded = (transcript = RECORDED, fromStep = 1, countedTurns = 0) => {
  const options = { fromStep, countedTurns, now: 1_790_000_009_000 };
  return [...recordedSignals(transcript, 'canary.jsonl', options)].flat();
};

/** Sends signals to a receiver on this computer. */
async function sent(signals: readonly Signal[]) {
  const receiver = await otlpReceiver();
  const problems: string[] = [];
  const { endpoint } = receiver;
  const sender = new OtlpSender({
    endpoint,
    version: '1.2.3',
    problem: (why) => problems.push(why),
  });
  sender.send(signals);
  await sender.stop(5_000);
  expect(problems).toEqual([]);
  return receiver;
}

describe('signals that a receiver gets', () => {
  it.each([
    ['a Plimsoll session', signalsOf(EVENTS)],
    ["another agent's recording", recorded()],
  ])('have the names and types of the conventions, and no text, for %s', async (_, signals) => {
    const { spans, metrics, text } = await sent(signals);
    expect(text).not.toMatch(/canary|\.gguf/i);
    expect(text).toContain('"service.name","value":{"stringValue":"plimsoll"}');
    for (const { name, kind, attributes, traceId, spanId, ...span } of spans) {
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
      const values = valuesOf(attributes);
      for (const attribute of attributes) {
        const { key } = attribute;
        const type = CONVENTIONS[key] ?? ATTRIBUTES[key as keyof typeof ATTRIBUTES];
        // A whole number of seconds arrives as an integer.
        const allowed = type === 'double' ? ['double', 'int'] : [type];
        expect(allowed, key).toContain(typeOf(attribute));
        if (!key.startsWith('plimsoll.')) expect(Object.keys(CONVENTIONS)).toContain(key);
      }
      const operation = values['gen_ai.operation.name'] as keyof typeof REQUIRED | undefined;
      if (operation === undefined) {
        expect(name).toBe('plimsoll.pass');
        continue;
      }
      const { kind: wanted, keys, named } = REQUIRED[operation];
      expect([kind, name]).toEqual([wanted, `${operation} ${String(values[named])}`]);
      for (const key of keys) expect(values).toHaveProperty([key]);
      expect(values['gen_ai.conversation.id']).toMatch(/^[0-9a-f]{32}$/);
      expect(span.status.code).toBe(values['error.type'] === undefined ? 0 : 2);
    }
    for (const { name, unit, sum, histogram } of metrics) {
      const known = METRICS[name as keyof typeof METRICS];
      expect(unit).toBe(known.unit);
      expect(sum?.isMonotonic ?? 'limits' in known).toBe(true);
      for (const { attributes, explicitBounds } of (sum ?? histogram)!.dataPoints) {
        if ('limits' in known) expect(explicitBounds).toEqual(known.limits);
        for (const attribute of attributes) {
          expect(ATTRIBUTES).toHaveProperty([attribute.key], typeOf(attribute));
        }
      }
    }
  });

  it('are one trace a turn: its steps, calls and passes below it, with their numbers', async () => {
    const { spans, metrics } = await sent(signalsOf(EVENTS));
    const root = spans.find(({ name }) => name === 'invoke_agent plimsoll')!;
    expect(root.parentSpanId).toBeUndefined();
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([root.traceId]));
    const others = spans.filter((span) => span !== root);
    expect(others.every(({ parentSpanId }) => parentSpanId === root.spanId)).toBe(true);
    const names = others.map(({ name }) => name);
    expect(names.filter((name) => name === 'chat claude-sonnet-4-5')).toHaveLength(2);
    expect(names).toContain('chat claude-haiku-4-5');
    expect(names.filter((name) => name === 'execute_tool read_file')).toHaveLength(2);
    expect(names).toContain('plimsoll.pass');
    expect(valuesOf(root.attributes)).toMatchObject({ 'error.type': 'failed', 'plimsoll.turn': 1 });
    const [chat] = spans.filter(({ name }) => name === 'chat claude-sonnet-4-5');
    expect(valuesOf(chat!.attributes)).toMatchObject({
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.usage.input_tokens': 3_210,
      'gen_ai.usage.cache_write.input_tokens': 200,
      'gen_ai.usage.cache_read.input_tokens': 3_000,
      'gen_ai.usage.reasoning.output_tokens': 40,
      'gen_ai.response.time_to_first_chunk': 0.4,
    });
    expect(Number(BigInt(chat!.endTimeUnixNano) - BigInt(chat!.startTimeUnixNano)) / 1e9).toBe(2.5);
    const total = (name: string) =>
      metrics
        .find((one) => one.name === name)
        ?.sum?.dataPoints.reduce((sum, { asDouble, asInt }) => sum + (asDouble ?? asInt ?? 0), 0);
    expect(total('gen_ai.client.inference.usage.input_tokens')).toBe(3 * 3_210);
    expect(total('gen_ai.client.inference.usage.output_tokens')).toBe(3 * 70);
    expect(total('plimsoll.passes')).toBe(1);
    expect(total('plimsoll.counts')).toBe(1);
  });

  it('are the same spans when a recording is sent again, and only new values when it grew', () => {
    const ids = (signals: readonly Signal[]) =>
      signals.flatMap((signal) => (signal.type === 'span' ? [signal.spanId] : []));
    expect(ids(recorded())).toEqual(ids(recorded()));
    const short = { ...RECORDED, entries: RECORDED.entries.slice(0, 3) };
    const both = [...recorded(short), ...recorded(RECORDED, 2)];
    expect(ids(both).toSorted()).toEqual(ids(recorded()).toSorted());
    const values = (signals: readonly Signal[]) =>
      signals.filter(({ type }) => type === 'metric').length;
    expect(values(both)).toBe(values(recorded()));
    expect(recorded(RECORDED, 3, 2)).toEqual([]);
  });

  it('count a turn of a followed recording when it has ended', () => {
    const [prompt, reply] = RECORDED.entries as [TranscriptEntry, ReplyEntry];
    const ended: ReplyEntry = { ...reply, parts: [], results: [] };
    const calls = (entries: Transcript['entries'], fromStep: number, countedTurns = 0) =>
      recorded({ ...RECORDED, entries }, fromStep, countedTurns).flatMap((signal) =>
        signal.type === 'metric' && signal.name === 'gen_ai.invoke_agent.inference_calls'
          ? [signal.value]
          : [],
      );
    expect(calls([prompt, reply], 1)).toEqual([]);
    expect(calls([prompt, reply, reply], 2)).toEqual([]);
    expect(calls([prompt, reply, reply, ended], 3)).toEqual([3]);
    expect(calls([prompt, reply, reply, ended, prompt, ended], 4, 1)).toEqual([1]);
    expect(calls([prompt, reply, prompt, ended], 2)).toEqual([1, 1]);
    const ends = [[], [prompt], [prompt, reply], [prompt, reply, ended], [prompt, ended, prompt]];
    expect(ends.map(endedTurns)).toEqual([0, 0, 0, 1, 1]);
  });

  it('never have a text of a session, whatever its events hold', () => {
    // Their schemas allow only fixed words under these keys.
    const words = new Set(
      ['type', 'kind', 'origin', 'stopReason', 'trigger', 'policy', 'source', 'purpose'].concat([
        'action',
        'from',
        'how',
        'by',
        'form',
        'rule',
        'cap',
        'choice',
        'life',
        'mode',
      ]),
    );
    const planted = (value: unknown, key = ''): unknown => {
      // Both a text and the form of a path.
      if (typeof value === 'string') {
        return words.has(key)
          ? value
          : `${value}${value.length % 2 === 0 ? ' canary' : '/canary.ts'}`;
      }
      if (Array.isArray(value)) return value.map((one) => planted(one, key));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, of]) => [name, planted(of, name)]),
      );
    };
    fc.assert(
      fc.property(anyLog, (log) => {
        const own = new OwnSignals('canary', '1');
        const signals = log.flatMap((event) => own.take(planted(event) as SessionEvent));
        expect(JSON.stringify(signals)).not.toContain('canary');
      }),
      { numRuns: runs(60, 2_000) },
    );
  });

  it('name no model or tool in the form of a text or a path', () => {
    for (const name of ['claude-sonnet-4-5', 'anthropic/claude', 'llama3.2:3b']) {
      expect(modelName(name)).toBe(name);
    }
    expect(toolName('mcp__git__log')).toBe('mcp__git__log');
    for (const name of [
      '/home/me/m.gguf',
      'models/m.gguf',
      'src/secret.ts',
      'secret.ts',
      'me@example.com',
      'C:\\m',
      'two words',
      '',
      'a/b/c',
      'x'.repeat(200),
    ]) {
      expect([modelName(name), toolName(name)]).toEqual(['_OTHER', '_OTHER']);
    }
  });
});

describe('a receiver in trouble', () => {
  it.each([
    ['refuses', 'error'],
    ['never answers', 'never'],
  ] as const)(
    'that %s is told once, and ending waits no longer than its limit',
    async (_, answer) => {
      const { endpoint } = await otlpReceiver(answer);
      const problems: string[] = [];
      const sender = new OtlpSender({
        endpoint,
        version: '1',
        problem: (why) => problems.push(why),
      });
      sender.send(signalsOf(EVENTS));
      const began = performance.now();
      await sender.stop(700);
      expect(performance.now() - began).toBeLessThan(3_000);
      expect(problems).toHaveLength(1);
    },
  );
});
