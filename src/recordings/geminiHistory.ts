import { isObject } from '../contextWindow/json';
import type { JsonLine } from './readJson';

type Fields = Readonly<Record<string, unknown>>;

/** A message, and where its newest version is. */
export interface PlacedMessage {
  name: string;
  line: number | undefined;
  value: unknown;
}

/** A message, or what made the window smaller. */
export type GeminiEvent =
  | { readonly type: 'message'; readonly message: PlacedMessage }
  | {
      readonly type: 'compacted';
      readonly line: number;
      readonly summary: Fields;
      readonly kept: readonly PlacedMessage[];
    }
  | { readonly type: 'cleared'; readonly line: number; readonly callIds: readonly string[] };

/**
 * The messages of a session that count at the end, in order. A record with the id of an earlier one
 * replaces it, and `$rewindTo` undoes everything from a message on. `$set` with messages is what the
 * next request has: since version 0.61 it is also written when the session is resumed, then without
 * the tokens that were recorded before; when results are masked; and after a compaction, then with a
 * summary, and with other ids for the messages that stay.
 */
export class GeminiHistory {
  #events: GeminiEvent[] = [];
  /** The messages among the events. */
  #current = new Set<PlacedMessage>();
  /** Every message there ever was, by its ids. */
  readonly #known = new Map<string, PlacedMessage>();
  /** Ids of summaries and of the replies to them. */
  readonly #own = new Set<string>();
  /** Calls whose results are masked. */
  readonly #masked = new Set<string>();
  /** Results by the ids of their calls, as the newest request has them. */
  readonly #responses = new Map<string, Fields>();

  constructor(lines: readonly JsonLine[]) {
    const isValue = lines.length === 1;
    for (const { line, value } of lines) {
      const { id, $rewindTo: rewindTo, $set: set } = value;
      const list = value['messages'] ?? (isObject(set) ? set['messages'] : undefined);
      if (typeof rewindTo === 'string') this.#rewind(rewindTo);
      else if (Array.isArray(list)) this.#takeList(list, line, isValue);
      else if (typeof id === 'string') this.#take({ name: `line ${line}`, line, value }, id);
    }
  }

  get events(): readonly GeminiEvent[] {
    return this.#events;
  }

  /** Messages that left the conversation without a compaction. */
  get undone(): readonly PlacedMessage[] {
    return [...new Set(this.#known.values())].filter((message) => !this.#current.has(message));
  }

  /** The result of a call, for a reply without results of its own. */
  responseTo(callId: unknown): Fields | undefined {
    return typeof callId === 'string' ? this.#responses.get(callId) : undefined;
  }

  #take(taken: PlacedMessage, id: string): void {
    if (this.#own.has(id)) return;
    for (const response of responsesIn(taken.value)) this.#keepResponse(response);
    if (isResult(taken.value)) return;
    const known = this.#known.get(id);
    if (known !== undefined && typeOf(known.value) === typeOf(taken.value)) {
      Object.assign(known, taken);
      if (!this.#current.has(known)) this.#add(known);
    } else if (known === undefined) {
      this.#known.set(id, taken);
      this.#add(taken);
    }
  }

  #add(message: PlacedMessage): void {
    this.#events.push({ type: 'message', message });
    this.#current.add(message);
  }

  #replace(events: readonly GeminiEvent[]): void {
    this.#events = [...events];
    this.#current = new Set(
      events.flatMap((event) => (event.type === 'message' ? [event.message] : [])),
    );
  }

  #keepResponse(response: Fields): void {
    const { id } = response;
    if (typeof id === 'string') this.#responses.set(id, response);
  }

  /** Undoes everything from a message on. */
  #rewind(id: string): void {
    const message = this.#known.get(id);
    const at = this.#events.findIndex((one) => one.type === 'message' && one.message === message);
    this.#replace(this.#events.slice(0, Math.max(0, at)));
  }

  /** Takes the messages that the next request has. */
  #takeList(list: readonly unknown[], line: number, isValue: boolean): void {
    const said = list.flatMap((value, index): PlacedMessage[] => {
      const name = isValue ? `message ${index + 1}` : `line ${line}`;
      return isResult(value) ? [] : [{ name, line: isValue ? undefined : line, value }];
    });
    // A session that is resumed begins with the context alone; its messages follow in another record.
    const isContext = said.every(({ value }) => isSessionContext(textOf(value)));
    if (isContext && this.#events.length > 0) return;
    this.#mask(list, line);
    for (const response of list.flatMap(responsesIn)) this.#keepResponse(response);
    const at = summaryAt(said.map(({ value }) => value));
    const summary = said[at];
    const isNew =
      summary !== undefined && !this.#isKnown(summary) && !this.#own.has(idOf(summary.value) ?? '');
    if (isNew) this.#compact(said, at, line);
    else this.#keepOnly(said);
  }

  #isKnown({ value }: PlacedMessage): boolean {
    const known = this.#known.get(idOf(value) ?? '');
    return known !== undefined && typeOf(known.value) === typeOf(value);
  }

  /** Notes results that are shorter than they were recorded. */
  #mask(list: readonly unknown[], line: number): void {
    const now = new Map(
      list.flatMap(responsesIn).map((one) => [one['id'], lengthOf(one)] as const),
    );
    const callIds = [...this.#current]
      .flatMap(({ value }) => callResponses(value))
      .flatMap((response) => {
        const { id } = response;
        const length = now.get(id);
        const isMasked = length !== undefined && length < lengthOf(response);
        return typeof id === 'string' && isMasked && !this.#masked.has(id) ? [id] : [];
      });
    for (const id of callIds) this.#masked.add(id);
    if (callIds.length > 0) this.#events.push({ type: 'cleared', line, callIds });
  }

  /** Undoes the messages since the last compaction that are not listed, and adds new ones. */
  #keepOnly(said: readonly PlacedMessage[]): void {
    const last = this.#events.findLastIndex(({ type }) => type === 'compacted');
    const before = this.#events.slice(0, last + 1);
    const listed = new Set(
      said.flatMap((one) => {
        const id = idOf(one.value);
        if (id === undefined) return [one];
        if (this.#own.has(id)) return [];
        if (this.#isKnown(one)) return this.#known.get(id) ?? [];
        if (this.#known.has(id)) return [];
        this.#known.set(id, one);
        return [one];
      }),
    );
    for (const event of before) if (event.type === 'message') listed.delete(event.message);
    const since = this.#events
      .slice(last + 1)
      .filter((event) => event.type !== 'message' || listed.has(event.message));
    for (const event of since) if (event.type === 'message') listed.delete(event.message);
    this.#replace([...before, ...since]);
    for (const message of listed) this.#add(message);
  }

  #compact(said: readonly PlacedMessage[], at: number, line: number): void {
    const [summary, answer] = [said[at]?.value, said[at + 1]];
    const isAnswered = answer !== undefined && typeOf(answer.value) === 'gemini';
    for (const value of [summary, isAnswered ? answer.value : undefined]) {
      const id = idOf(value);
      if (id !== undefined) this.#own.add(id);
    }
    // Those that stay are the newest ones, in the same order.
    const earlier = [...this.#current];
    const prints = earlier.map(({ value }) => printOf(value));
    let end = earlier.length;
    const kept: PlacedMessage[] = [];
    const added: PlacedMessage[] = [];
    for (const one of said.slice(at + (isAnswered ? 2 : 1)).toReversed()) {
      const found = prints.lastIndexOf(printOf(one.value), end - 1);
      const message = end === 0 ? undefined : earlier[found];
      const id = idOf(one.value);
      if (id !== undefined) this.#known.set(id, message ?? one);
      if (message === undefined) added.push(one);
      else {
        kept.push(message);
        end = found;
      }
    }
    if (isObject(summary)) this.#events.push({ type: 'compacted', line, summary, kept });
    for (const one of added.toReversed()) this.#add(one);
  }
}

/** Whether a message is Gemini CLI's own about the folder and the machine, and no prompt. */
export function isSessionContext(text: string): boolean {
  return text.startsWith('<session_context>') && text.trimEnd().endsWith('</session_context>');
}

/**
 * The index of the summary of a compaction in what the next request has; -1 without one. It is the
 * first message after the session context: a prompt further on may quote one.
 */
export function summaryAt(messages: readonly unknown[]): number {
  const at = messages.findIndex((one) => typeOf(one) === 'user' && !isSessionContext(textOf(one)));
  return textOf(messages[at]).includes('<state_snapshot>') ? at : -1;
}

/** The calls in a message that has them among its text, as a request does. */
export function callsAmongText(content: unknown): readonly Fields[] {
  return partsIn(content).flatMap((part) => {
    const { functionCall: call } = part;
    return isObject(call) ? [call] : [];
  });
}

function idOf(message: unknown): string | undefined {
  const id = isObject(message) ? message['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function typeOf(message: unknown): unknown {
  return isObject(message) ? message['type'] : undefined;
}

function partsIn(content: unknown): readonly Fields[] {
  return (Array.isArray(content) ? content : [content]).filter(isObject);
}

function textOf(message: unknown): string {
  const content = isObject(message) ? message['content'] : undefined;
  if (typeof content === 'string') return content;
  return partsIn(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

/** Whether a message sends results alone: since version 0.61 they are recorded also next to their calls. */
function isResult(message: unknown): boolean {
  const parts = isObject(message) && message['type'] === 'user' ? partsIn(message['content']) : [];
  return parts.length > 0 && parts.every((part) => 'functionResponse' in part);
}

/** The results that a message sends. */
function responsesIn(message: unknown): readonly Fields[] {
  if (!isObject(message)) return [];
  return partsIn(message['content']).flatMap(({ functionResponse: one }) =>
    isObject(one) ? [one] : [],
  );
}

/** The results that are recorded next to calls. */
function callResponses(message: unknown): readonly Fields[] {
  const calls = isObject(message) ? message['toolCalls'] : undefined;
  return (Array.isArray(calls) ? calls.filter(isObject) : []).flatMap(({ result }) =>
    partsIn(result).flatMap(({ functionResponse: one }) => (isObject(one) ? [one] : [])),
  );
}

function lengthOf({ response }: Fields): number {
  return JSON.stringify(response)?.length ?? 0;
}

/** A cache: every compaction compares all messages. */
const PRINTS = new WeakMap<object, string>();

/** Tells a message from others by its text and its calls, whatever its id. */
function printOf(message: unknown): string {
  if (!isObject(message)) return '';
  const known = PRINTS.get(message);
  if (known !== undefined) return known;
  const { toolCalls: calls, content, type } = message;
  const listed = Array.isArray(calls) ? calls.filter(isObject) : callsAmongText(content);
  const print = JSON.stringify([type, textOf(message).trim(), listed.map(({ id }) => id)]);
  PRINTS.set(message, print);
  return print;
}
