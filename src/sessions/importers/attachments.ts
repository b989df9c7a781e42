import type { Attachment } from '../../contextWindow/block';

/** Counts an attachment by the published formula. */
export type AttachmentTokens = (attachment: Omit<Attachment, 'tokens'>) => number;

const DATA_URL = /^data:([^;,]+);base64,/;

/** Reads base64 data as an attachment; undefined where the recording does not hold the data. */
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
