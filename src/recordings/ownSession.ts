import { refused, type Result } from '../contextWindow/result';
import type { SessionEvent } from '../contextWindow/event';
import { parsed } from './readJson';
import { readLogBytes } from '../sessions/readSessionLog';
import { HISTORY_FORMAT } from '../sessions/exportSession';
import { EVENT_TYPES } from '../sessions/storedEvent';
import { isObject } from '../contextWindow/json';

/** A session of Plimsoll's own, as its log or an export of it holds it. */
export interface OwnSession {
  readonly events: readonly SessionEvent[];
  /** What of the file was left out, for the user. */
  readonly notes: readonly string[];
}

/** The lines that are looked at to recognise a log, of which any may be damaged. */
const LINES_LOOKED_AT = 20;

/**
 * Reads a session log or the JSON export of one; undefined where the text is neither. `name` is what
 * messages call the file. If it is still growing, an incomplete last line is left out silently.
 */
export function readOwnSession(
  text: string,
  name: string,
  { growing = false }: { readonly growing?: boolean } = {},
): Result<{ readonly own: OwnSession }> | undefined {
  if (isLog(text)) {
    const end = text.lastIndexOf('\n') + 1;
    const isTorn = growing && end > 0 && parsed(text.slice(end)) === undefined;
    return readLog(isTorn ? text.slice(0, end) : text, name);
  }
  if (!text.trimStart().startsWith('{') || !text.includes(HISTORY_FORMAT)) return undefined;
  const exported = parsed(text);
  if (!isObject(exported) || exported['format'] !== HISTORY_FORMAT) return undefined;
  const { events } = exported;
  if (!Array.isArray(events)) {
    return refused(
      `${name} cannot be read: this JSON export of a Plimsoll session holds no events. ` +
        'Export the session as JSONL and open that.',
    );
  }
  return readLog(events.map((event) => `${JSON.stringify(event)}\n`).join(''), name);
}

/** A line of a log has its time and a type that no other agent's lines have. */
function isLog(text: string): boolean {
  return text.split('\n', LINES_LOOKED_AT).some((line) => {
    if (!/^\uFEFF?\{.{0,80}"type":"/.test(line)) return false;
    const value = parsed(line.replace(/^\uFEFF/, ''));
    if (!isObject(value) || typeof value['at'] !== 'number') return false;
    return EVENT_TYPES.includes(String(value['type']));
  });
}

function readLog(text: string, name: string): Result<{ readonly own: OwnSession }> {
  const read = readLogBytes(name, Buffer.from(text));
  if (!read.ok) return refused(read.message);
  const { events, warning } = read;
  return { ok: true, own: { events, notes: warning === undefined ? [] : [warning] } };
}
