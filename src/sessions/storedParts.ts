import { z } from 'zod';
import type { JsonValue } from '../contextWindow/event';

export const text = z.string();

/** A number of tokens. */
export const tokens = z.number();

/** JSON that is passed on as it is: tool inputs and schemas, of which not a byte may change. */
export const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
);

/** Whatever JSON holds; what was read from a log is nothing else. */
export const jsonValue = z.custom<JsonValue>((value) => value !== undefined, 'expected a value');

export const usage = z.object({
  inputTokens: tokens,
  cacheCreationTokens: tokens,
  cacheReadTokens: tokens,
  outputTokens: tokens,
});

export const admission = z.discriminatedUnion('form', [
  z.object({ form: z.literal('whole') }),
  z.object({
    form: z.literal('truncated'),
    headChars: z.number(),
    tailChars: z.number(),
    tokensBefore: tokens,
    tokensAfter: tokens,
    capTokens: tokens,
  }),
]);

export const resultOrigin = z.enum(['ran', 'denied', 'stopped', 'interrupted', 'cutReply']);

export const attachments = z.array(
  z.object({ type: z.enum(['image', 'document']), mediaType: text, data: text, tokens }),
);

export const noteSource = z.discriminatedUnion('from', [
  z.object({ from: z.literal('scratchpad') }),
  z.object({ from: z.literal('memory'), path: text }),
  z.object({ from: z.literal('recall'), blockId: text, label: text }),
]);

export const scratchpad = z.object({
  objective: text,
  keyFacts: z.array(text),
  decisions: z.array(text),
  currentStep: text,
  blockers: z.array(text),
});

export const replyPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('thinking'), thinking: text, signature: text }),
  z.object({ type: z.literal('redactedThinking'), data: text }),
  z.object({ type: z.literal('compaction'), content: text.nullable() }),
  z.object({
    type: z.literal('toolUse'),
    use: z.object({ id: text, name: text, input: jsonObject }),
  }),
]);
