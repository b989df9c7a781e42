import { createHash } from 'node:crypto';

/** What a signature of the double says about the thinking block it came with. */
export interface SignedThinking {
  readonly model: string;
  /** Hashes of what stood before the block. */
  readonly system: string;
  readonly tools: string;
  readonly prefix: string;
  /** Id of the thinking block before it, '' for the first one in its conversation. */
  readonly previous: string;
  /** Hash that names the reply the block is part of, and how many thinking blocks that reply has. */
  readonly reply: string;
  readonly blocksInReply: number;
  readonly thinking: string;
  /** Tokens of the whole thinking, also where its text was left out of the answer. */
  readonly tokens: number;
}

// Not a secret: it only keeps a test from making up a signature by accident.
const salt = 'plimsoll-offline-double';

/** Hashes text to 32 hexadecimal digits. */
export function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}

/** Signs a thinking block; the text is hashed, all else is carried along. */
export function signThinking(signed: SignedThinking): string {
  const payload = Buffer.from(JSON.stringify({ ...signed, thinking: hash(signed.thinking) }));
  const encoded = payload.toString('base64url');
  return `${encoded}.${hash(salt, encoded)}`;
}

/** Reads a signature back, its `thinking` being the hash of the text; undefined when the double never made it. */
export function readSignature(signature: string): SignedThinking | undefined {
  const [encoded = '', mac = ''] = signature.split('.');
  if (mac === '' || hash(salt, encoded) !== mac) return undefined;
  return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')) as SignedThinking;
}

/** Names a thinking block by its signature. */
export function thinkingId(signature: string): string {
  return hash(signature);
}
