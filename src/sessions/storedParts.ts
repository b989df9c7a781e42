import { z } from 'zod';

export const text = z.string();

/** A number of tokens. */
export const tokens = z.number();

/** JSON that is passed on as it is: tool inputs and schemas, of which not a byte may change. */
export const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
);

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

export const replyPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('thinking'), thinking: text, signature: text }),
  z.object({ type: z.literal('redactedThinking'), data: text }),
  z.object({
    type: z.literal('toolUse'),
    use: z.object({ id: text, name: text, input: jsonObject }),
  }),
]);
