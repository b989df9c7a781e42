import type { APIError } from '@anthropic-ai/sdk';
import { isObject } from './wholeMembers';

/** Most characters of the server's own words in a message for the user. */
const LONGEST = 500;

/** A shorter key is a placeholder for a server that needs none; its letters may be those of any word. */
const SHORTEST_SECRET = 8;

/** Takes the server's own words out of an error: its message, or a short text; never a web page. */
export function wordsOf(error: APIError): string {
  const words = error.apiMessage ?? plainWords(error);
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

function plainWords(error: APIError): string {
  // Compatible servers answer {"message": ...}, {"detail": ...} or {"error": "..."}.
  if (isObject(error.error)) {
    const { message, detail, error: inner } = error.error;
    const said = [message, detail, inner].find((value) => typeof value === 'string');
    return typeof said === 'string' ? said : '';
  }
  const text = error.message.replace(/^\d{3} /, '').trim();
  return text.startsWith('<') || text === 'status code (no body)' ? '' : text;
}

/** Blots out the key, and anything that looks like one. */
export function withoutSecrets(text: string, secret: string | undefined): string {
  const blotted = text.replaceAll(/\bsk-ant-[\w-]+/g, '[key]');
  return secret === undefined || secret.length < SHORTEST_SECRET
    ? blotted
    : blotted.replaceAll(secret, '[key]');
}
