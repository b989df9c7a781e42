import type { Attachment } from '../contextWindow/block';
import type { Usage } from '../contextWindow/account/spending';
import type { LeftOut } from './leftOut';
import { parsed } from './readJson';
import { isObject } from '../contextWindow/json';

/** Counts an attachment by the published formula. */
export type AttachmentTokens = (attachment: Omit<Attachment, 'tokens'>) => number;

const DATA_URL = /^data:([^;,]+);base64,/;

/** Reads base64 data as an attachment; undefined if the recording does not hold the data. */
export function readAttachment(
  type: Attachment['type'],
  mediaType: unknown,
  data: unknown,
  tokensOf: AttachmentTokens,
): Attachment | undefined {
  if (typeof mediaType !== 'string' || typeof data !== 'string' || data === '') return undefined;
  const attachment = { type, mediaType, data };
  return { ...attachment, tokens: tokensOf(attachment) };
}

/** Reads a data URL as the source the Messages API has; any other address holds no data. */
export function sourceOfDataUrl(url: unknown): {
  readonly media_type?: string;
  readonly data?: string;
} {
  const match = typeof url === 'string' ? DATA_URL.exec(url) : null;
  if (typeof url !== 'string' || match?.[1] === undefined) return {};
  return { media_type: match[1], data: url.slice(match[0].length) };
}

/** Reads the arguments of a call written as a JSON text; anything but an object is kept as it is. */
export function readCallArguments(
  written: unknown,
  leftOut: LeftOut,
): Readonly<Record<string, unknown>> {
  if (isObject(written)) return written;
  if (written === undefined || written === null || written === '') return {};
  const input = typeof written === 'string' ? parsed(written) : undefined;
  if (isObject(input)) return input;
  leftOut.add('unreadableInput');
  return { arguments: written };
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * The API takes only the schema of an object for a tool; other servers also take one that does not
 * say so.
 */
export function objectSchema(schema: Schema, leftOut: LeftOut): Schema {
  if (schema['type'] === 'object') return schema;
  leftOut.add('openSchema');
  return { ...schema, type: 'object' };
}

/** Reads usage fields that a recording may lack; undefined when all of them are missing or zero. */
export function recordedUsage(fields: {
  readonly input: unknown;
  readonly cacheCreation: unknown;
  readonly cacheRead: unknown;
  readonly output: unknown;
}): Usage | undefined {
  const usage = {
    inputTokens: amount(fields.input),
    cacheCreationTokens: amount(fields.cacheCreation),
    cacheReadTokens: amount(fields.cacheRead),
    outputTokens: amount(fields.output),
  };
  return Object.values(usage).some((tokens) => tokens > 0) ? usage : undefined;
}

/** The same, where the recorded input includes cache reads and writes. */
export function usageOfWholeInput(fields: Parameters<typeof recordedUsage>[0]): Usage | undefined {
  const cached = amount(fields.cacheCreation) + amount(fields.cacheRead);
  return recordedUsage({ ...fields, input: Math.max(0, amount(fields.input) - cached) });
}

/** The same, where the input includes the cache with some models and not with others. */
export function usageOfUnclearInput(
  fields: Parameters<typeof recordedUsage>[0],
): Usage | undefined {
  const cached = amount(fields.cacheCreation) + amount(fields.cacheRead);
  return amount(fields.input) < cached ? recordedUsage(fields) : usageOfWholeInput(fields);
}

function amount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
