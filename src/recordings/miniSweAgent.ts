import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';
import type { ImportAids } from './messages';
import { readContent } from './messages';
import { chatMessage, isSystemRole, readChatMessage } from './openhands';
import { type JsonValue, shapedFile } from './readJson';
import {
  readChatUsage,
  type Read,
  recordedPrice,
  type RecordedItem,
  type Recording,
} from './recordedItem';

/** The last message says how the run ended; it is not sent. */
const exit = z.looseObject({ role: z.literal('exit') });

/**
 * A trajectory of mini-swe-agent (`*.traj.json`; seen in versions 1 and 1.1 of the format): messages
 * in the chat form, an assistant's with `extra.response`, the whole answer of the API, and its cost.
 * Version 1 has no calls: each reply is a text with one command in it, and its result is a user's
 * message.
 */
const trajectory = z.looseObject({ messages: z.array(z.union([chatMessage, exit])) });

/** Reads a trajectory of mini-swe-agent. */
export function readMiniSweAgent(value: JsonValue, aids: ImportAids): Read<Recording> {
  const read = shapedFile(trajectory, value, 'mini-swe-agent');
  if (!read.ok) return read;
  const messages = read.value.messages.flatMap((one) => (one.role === 'exit' ? [] : [one]));
  const start = messages.findIndex(({ role }) => !isSystemRole(role));
  const opening = messages.slice(0, start === -1 ? messages.length : start);
  if (!messages.some(({ role }) => role === 'tool')) aids.leftOut.add('toolsAsText');
  const items = messages.slice(opening.length).flatMap((one): readonly RecordedItem[] => {
    const extra = isObject(one['extra']) ? one['extra'] : {};
    const { response, cost, timestamp, returncode } = extra;
    const { model, usage: counted } = isObject(response) ? response : {};
    const at = typeof timestamp === 'number' ? { at: timestamp * 1_000 } : {};
    const usage = isObject(counted) ? readChatUsage(counted) : undefined;
    const spent = usage === undefined ? {} : { usage, ...recordedPrice(cost) };
    const isError = typeof returncode === 'number' && returncode !== 0;
    const name = typeof model === 'string' ? model : '';
    return readChatMessage(one, name, aids).map((item) => {
      if (item.type === 'reply') return { ...item, ...at, ...spent };
      return item.type === 'result' ? { ...item, isError } : item;
    });
  });
  const system = opening.map((one) => readContent(one.content ?? '', aids).text).join('\n\n');
  return { ok: true, value: { system, tools: [], items } };
}
