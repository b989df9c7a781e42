import { createHash } from 'node:crypto';
import { promptTokens, type Usage } from '../contextWindow/account/spending';

/**
 * Every attribute that Plimsoll sends, with its type. The `gen_ai` ones are those of OpenTelemetry's
 * conventions for generative AI, version 0.1.0. None can hold text of a session: strings are names
 * of Plimsoll's own, ids, or names in the form of `modelName` or `toolName`.
 */
export const ATTRIBUTES = {
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
  'plimsoll.ask.purpose': 'string',
  'plimsoll.count.source': 'string',
  'plimsoll.input_budget': 'int',
  'plimsoll.pass.blocks_removed': 'int',
  'plimsoll.pass.number': 'int',
  'plimsoll.pass.policy': 'string',
  'plimsoll.pass.summaries': 'int',
  'plimsoll.pass.tokens_after': 'int',
  'plimsoll.pass.tokens_before': 'int',
  'plimsoll.pass.trigger': 'string',
  'plimsoll.step': 'int',
  'plimsoll.turn': 'int',
} as const;

type AttributeTypes = typeof ATTRIBUTES;
interface TypeOf {
  readonly string: string;
  readonly int: number;
  readonly double: number;
  readonly boolean: boolean;
  readonly 'string[]': string[];
}
type Attributes = {
  readonly [K in keyof AttributeTypes]?: TypeOf[AttributeTypes[K]];
};

/** Seconds or counts that histograms sort into. */
const SECONDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const LONG_SECONDS = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6];
const CALLS = [1, 2, 4, 8, 16, 32, 64, 128];

/** Every metric that Plimsoll sends; one with limits is a histogram, the others are counters. */
export const METRICS = {
  'gen_ai.client.inference.duration': { unit: 's', limits: SECONDS },
  'gen_ai.client.inference.usage.input_tokens': { unit: '{token}' },
  'gen_ai.client.inference.usage.output_tokens': { unit: '{token}' },
  'gen_ai.client.inference.usage.cache_read.input_tokens': { unit: '{token}' },
  'gen_ai.client.inference.usage.cache_write.input_tokens': { unit: '{token}' },
  'gen_ai.client.inference.usage.reasoning.output_tokens': { unit: '{token}' },
  'gen_ai.execute_tool.duration': { unit: 's', limits: SECONDS },
  'gen_ai.invoke_agent.duration': { unit: 's', limits: LONG_SECONDS },
  'gen_ai.invoke_agent.inference_calls': { unit: '{inference_call}', limits: CALLS },
  'gen_ai.invoke_agent.tool_calls': { unit: '{tool_call}', limits: CALLS },
  'plimsoll.counts': { unit: '{request}' },
  'plimsoll.needed_again': { unit: '{block}' },
  'plimsoll.pass.tokens_removed': { unit: '{token}' },
  'plimsoll.passes': { unit: '{pass}' },
} as const satisfies Readonly<Record<string, { unit: string; limits?: readonly number[] }>>;
export type MetricName = keyof typeof METRICS;

/** An operation that took place; times in ms since the epoch. */
export interface SpanSignal {
  readonly type: 'span';
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the root of a trace. */
  readonly parentId?: string;
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
}

/** A value of a metric. */
interface MetricSignal {
  readonly type: 'metric';
  readonly name: MetricName;
  readonly value: number;
  readonly attributes: Attributes;
}

export type Signal = SpanSignal | MetricSignal;

/** A session as signals name it: nothing of its title, folder or file. */
export interface SignalledSession {
  readonly conversationId: string;
  readonly agent: string;
  readonly version?: string;
}

/** An id of `digits` hexadecimal digits; the same names give the same id. */
export function idOf(digits: 16 | 32, ...names: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, digits);
}

/** Names of models come from servers and files: another form may be a text or a path. */
const MODEL =
  /^(?:(?:anthropic|openai|google|meta-llama|mistralai|qwen|deepseek|x-ai)\/)?[\w.:-]{1,80}$/;

/** The end of a file's name, such as that of a local model. */
const FILE_END =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|c|cc|cpp|h|cs|rb|php|md|txt|json|ya?ml|toml|sh|html?|css|sql|csv|pdf|gguf|bin|safetensors)$/i;

/** A model's name as it is sent; `_OTHER` for a text in the form of no name. */
export function modelName(name: string): string {
  return MODEL.test(name) && !FILE_END.test(name) ? name : '_OTHER';
}

/** The form that the models' APIs demand of a tool's name. */
const TOOL = /^[\w-]{1,64}$/;

/** A tool's name as it is sent; `_OTHER` for a text in the form of no name. */
export function toolName(name: string): string {
  return TOOL.test(name) ? name : '_OTHER';
}

const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:anthropic\/)?claude/, 'anthropic'],
  [/^(?:openai\/)?(?:gpt|o\d|codex)/, 'openai'],
  [/^(?:google\/)?gemini/, 'gcp.gen_ai'],
  [/^(?:x-ai\/)?grok/, 'x_ai'],
  [/^(?:deepseek\/)?deepseek/, 'deepseek'],
  [/^(?:mistralai\/)?(?:mistral|devstral|codestral)/, 'mistral_ai'],
  [/^plimsoll/, 'plimsoll'],
];

/** The provider as far as the model's name says; the server may be another company's. */
function providerOf(model: string): string {
  return PROVIDERS.find(([names]) => names.test(model))?.[1] ?? '_OTHER';
}

interface Answer {
  readonly model: string;
  readonly usage?: Usage | undefined;
  readonly start: number;
  readonly end: number;
  /** Whether start and end were measured; a recording has only the moment. */
  readonly isTimed: boolean;
  readonly attributes?: Attributes;
}

interface Place {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
}

/** The signals of one answer: its span, its tokens and its time. */
export function answerSignals(
  { conversationId, agent }: SignalledSession,
  place: Place,
  { model, usage, start, end, isTimed, attributes = {} }: Answer,
): readonly Signal[] {
  const name = modelName(model);
  const common = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerOf(model),
    'gen_ai.request.model': name,
    'gen_ai.response.model': name,
  } as const;
  const span: SpanSignal = {
    type: 'span',
    name: `chat ${name}`,
    kind: 'client',
    ...place,
    start,
    end,
    attributes: {
      ...common,
      'gen_ai.agent.name': agent,
      'gen_ai.conversation.id': conversationId,
      ...(usage === undefined ? {} : usageAttributes(usage)),
      ...attributes,
    },
  };
  const counted = { ...common, 'gen_ai.token.modality': 'unknown' } as const;
  return [
    span,
    ...(usage === undefined ? [] : usageMetrics(usage, counted)),
    ...(isTimed ? [metric('gen_ai.client.inference.duration', (end - start) / 1_000, common)] : []),
  ];
}

function usageAttributes(usage: Usage): Attributes {
  const { outputTokens, cacheReadTokens, cacheCreationTokens, thinkingTokens } = usage;
  return {
    'gen_ai.usage.input_tokens': promptTokens(usage),
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
    'gen_ai.usage.cache_write.input_tokens': cacheCreationTokens,
    ...(thinkingTokens === undefined
      ? {}
      : { 'gen_ai.usage.reasoning.output_tokens': thinkingTokens }),
  };
}

function usageMetrics(usage: Usage, attributes: Attributes): readonly MetricSignal[] {
  const { outputTokens, cacheReadTokens, cacheCreationTokens, thinkingTokens = 0 } = usage;
  const values: readonly (readonly [MetricName, number])[] = [
    ['gen_ai.client.inference.usage.input_tokens', promptTokens(usage)],
    ['gen_ai.client.inference.usage.output_tokens', outputTokens],
    ['gen_ai.client.inference.usage.cache_read.input_tokens', cacheReadTokens],
    ['gen_ai.client.inference.usage.cache_write.input_tokens', cacheCreationTokens],
    ['gen_ai.client.inference.usage.reasoning.output_tokens', thinkingTokens],
  ];
  return values
    .filter(([, value]) => value > 0)
    .map(([name, value]) => metric(name, value, attributes));
}

interface ToolCall {
  readonly name: string;
  readonly callId: string;
  readonly start: number;
  readonly end: number;
  readonly isTimed: boolean;
  /** Why it has no result of its own; absent for a result without an error. */
  readonly error?: string | undefined;
}

/** The signals of one call of a tool; never its arguments or result. */
export function toolSignals(
  { conversationId, agent }: SignalledSession,
  place: Place,
  { name, callId, start, end, isTimed, error }: ToolCall,
): readonly Signal[] {
  const common = {
    'gen_ai.tool.name': toolName(name),
    'gen_ai.tool.type': 'function',
    ...(error === undefined ? {} : { 'error.type': error }),
  } as const;
  const span: SpanSignal = {
    type: 'span',
    name: `execute_tool ${toolName(name)}`,
    kind: 'internal',
    ...place,
    start,
    end,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      ...common,
      'gen_ai.agent.name': agent,
      'gen_ai.conversation.id': conversationId,
      'gen_ai.tool.call.id': idOf(16, callId),
    },
  };
  return [
    span,
    ...(isTimed ? [metric('gen_ai.execute_tool.duration', (end - start) / 1_000, common)] : []),
  ];
}

/** One pass, or a compaction of a recorded agent. */
interface PassMade {
  readonly at: number;
  readonly attributes: Attributes;
}

export function passSignals(
  { conversationId, agent }: SignalledSession,
  place: Place,
  { at, attributes }: PassMade,
): readonly Signal[] {
  const { 'plimsoll.pass.tokens_before': before = 0, 'plimsoll.pass.tokens_after': after = 0 } =
    attributes;
  const { 'plimsoll.pass.trigger': trigger = '', 'plimsoll.pass.policy': policy } = attributes;
  const kind = {
    'gen_ai.agent.name': agent,
    'plimsoll.pass.trigger': trigger,
    ...(policy === undefined ? {} : { 'plimsoll.pass.policy': policy }),
  };
  const span: SpanSignal = {
    type: 'span',
    name: 'plimsoll.pass',
    kind: 'internal',
    ...place,
    start: at,
    end: at,
    attributes: {
      'gen_ai.agent.name': agent,
      'gen_ai.conversation.id': conversationId,
      ...attributes,
    },
  };
  return [
    span,
    metric('plimsoll.passes', 1, kind),
    ...(before > after ? [metric('plimsoll.pass.tokens_removed', before - after, kind)] : []),
  ];
}

/** One turn: a prompt and everything until the agent stopped. */
export interface Turn {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly isTimed: boolean;
  readonly answers: number;
  readonly calls: number;
  readonly model: string;
  /** How it ended, if not well. */
  readonly error?: string | undefined;
}

/** The trace of a turn, and the id of its root. */
export function traceOf({ conversationId }: SignalledSession, turn: number) {
  return {
    traceId: idOf(32, conversationId, 'turn', turn),
    spanId: idOf(16, conversationId, 'turn', turn),
  };
}

/** The signals of a whole turn: the root of its trace. */
export function turnSignals(session: SignalledSession, turn: Turn): readonly Signal[] {
  const { conversationId, agent, version } = session;
  const { number, start, end, isTimed, answers, calls, model, error } = turn;
  const common = {
    'gen_ai.agent.name': agent,
    ...(error === undefined ? {} : { 'error.type': error }),
  } as const;
  const span: SpanSignal = {
    type: 'span',
    name: `invoke_agent ${agent}`,
    kind: 'internal',
    ...traceOf(session, number),
    start,
    end,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': providerOf(model),
      'gen_ai.request.model': modelName(model),
      ...common,
      ...(version === undefined ? {} : { 'gen_ai.agent.version': version }),
      'gen_ai.conversation.id': conversationId,
      'plimsoll.turn': number,
    },
  };
  return [
    span,
    ...(isTimed ? [metric('gen_ai.invoke_agent.duration', (end - start) / 1_000, common)] : []),
    metric('gen_ai.invoke_agent.inference_calls', answers, common),
    metric('gen_ai.invoke_agent.tool_calls', calls, common),
  ];
}

export function metric(name: MetricName, value: number, attributes: Attributes): MetricSignal {
  return { type: 'metric', name, value, attributes };
}
