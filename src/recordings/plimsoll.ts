import {
  type Charge,
  chargesOf,
  promptTokens,
  type Usage,
} from '../contextWindow/account/spending';
import type { ReplyPart } from '../contextWindow/block';
import { type Budget, budgetInLog } from '../contextWindow/budget';
import type { EventOf, SessionEvent } from '../contextWindow/event';
import { isObject } from '../contextWindow/json';
import { systemText } from '../contextWindow/request/request';
import { refused, type Result } from '../contextWindow/result';
import { HISTORY_FORMAT } from '../sessions/exportSession';
import { readLogBytes } from '../sessions/readSessionLog';
import { EVENT_TYPES } from '../sessions/storedEvent';
import type { Transcript } from '../sessions/transcript';
import { assembleEntries } from './assembleTranscript';
import {
  LeftOut,
  type RecordedItem,
  type RecordedPart,
  recordedUsage,
  type Recording,
  textIn,
} from './recordedItem';
import { parsed } from './readJson';

/**
 * Reads the conversation of a Plimsoll session for a replay. Leaves out its passes, changes by hand
 * and notes, since a replay makes its own.
 */
export function transcriptOfSession({ events, notes }: OwnSession): Transcript {
  const leftOut = new LeftOut();
  const { items, ...rest } = recordingOfSession(events, leftOut);
  const entries = assembleEntries(items, leftOut);
  return { format: 'plimsoll', ...rest, entries, notes: [...notes, ...leftOut.notes()] };
}

function recordingOfSession(events: readonly SessionEvent[], leftOut: LeftOut): Recording {
  const items: RecordedItem[] = [];
  let preamble: EventOf<'preambleSet'> | undefined;
  let budget: Budget | undefined;
  let subAgent: string | undefined;
  for (const event of events) {
    budget = budgetInLog(budget, event);
    for (const charge of sideChargesOf(event)) items.push({ type: 'charged', charge });
    switch (event.type) {
      case 'sessionStarted':
        subAgent = event.subAgent;
        // A replay keeps the rules of any session unless the user had switched them off.
        if (event.standingRules === false)
          items.push({ type: 'rules', change: { type: 'standingRulesSet', on: false } });
        break;
      case 'standingRulesSet':
        items.push({ type: 'rules', change: { type: event.type, on: event.on } });
        break;
      case 'standingRuleAdded':
        items.push({
          type: 'rules',
          change: { type: event.type, text: event.text, given: event.given },
        });
        break;
      case 'standingRuleStruck':
        items.push({ type: 'rules', change: { type: event.type, text: event.text } });
        break;
      case 'preambleSet':
        preamble = event;
        break;
      case 'promptSubmitted': {
        const { at, text, attachments = [], byAgent } = event;
        items.push({ type: 'prompt', at, text, attachments, ...(byAgent && { byAgent }) });
        break;
      }
      case 'replyReceived':
        items.push(replyOf(event, leftOut));
        break;
      case 'toolFinished': {
        const { toolUseId: callId, text, isError, attachments = [] } = event;
        items.push({ type: 'result', callId, text, isError, attachments });
        break;
      }
      case 'noteAdded':
        leftOut.add('ownNote');
        break;
      case 'passApplied':
        leftOut.add('ownPass');
        break;
      // Every other event is about the window or the course of the session, not the conversation.
    }
  }
  return {
    system: preamble === undefined ? '' : systemText(preamble),
    tools: preamble?.tools ?? [],
    ...(subAgent === undefined ? {} : { subAgent }),
    ...(budget === undefined ? {} : { windowTokens: budget.contextWindowTokens }),
    items,
  };
}

/** Charges apart from those that come with a reply's usage. */
function sideChargesOf(event: SessionEvent): readonly Charge[] {
  const all = chargesOf(event);
  const isOwn = event.type === 'replyReceived' && hasOwnUsage(event);
  const side = isOwn ? all.slice(1) : all;
  return side.filter(({ usage }) => promptTokens(usage) + usage.outputTokens > 0);
}

/** Whether the usage is an official count of what the log holds. */
function hasOwnUsage(event: EventOf<'replyReceived'>): boolean {
  const { editedMeanwhile, underreported, uncounted } = event;
  return editedMeanwhile !== true && underreported !== true && uncounted !== true;
}

function replyOf(event: EventOf<'replyReceived'>, leftOut: LeftOut): RecordedItem {
  const { at, model, parts, usage } = event;
  const sent = parts.flatMap((part) => partOf(part, leftOut));
  const counted = hasOwnUsage(event) ? countedUsage(usage) : undefined;
  const spent = counted === undefined ? {} : { usage: counted };
  return { type: 'reply', at, model, parts: sent, ...spent };
}

function countedUsage(usage: Usage): Usage | undefined {
  return recordedUsage({
    input: usage.inputTokens,
    cacheCreation: usage.cacheCreationTokens,
    cacheCreation1h: usage.cacheCreation1hTokens,
    cacheRead: usage.cacheReadTokens,
    output: usage.outputTokens,
  });
}

function partOf(part: ReplyPart, leftOut: LeftOut): readonly RecordedPart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'toolUse': {
      const { id, name, input } = part.use;
      return [{ type: 'call', id, name, input }];
    }
    case 'thinking':
    case 'redactedThinking':
      leftOut.add('thinking');
      return [];
    case 'compaction':
      leftOut.add('ownPass');
      return [];
  }
}

/** A Plimsoll session, from its log or an export. */
export interface OwnSession {
  readonly events: readonly SessionEvent[];
  /** For the user: the parts of the file that were left out. */
  readonly notes: readonly string[];
}

/** Lines searched to recognise a log, since any of them may be damaged. */
const LINES_LOOKED_AT = 20;

/**
 * Reads a session log or its JSON export; undefined if the text is neither. `name` names the file
 * in messages. If the file is still growing, silently leaves out an incomplete last line.
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

/** A log line has a time and a type that no other agent's lines have. */
function isLog(text: string): boolean {
  return text.split('\n', LINES_LOOKED_AT).some((line) => {
    if (!/^\uFEFF?\{.{0,80}"type":"/.test(line)) return false;
    const value = parsed(line.replace(/^\uFEFF/, ''));
    if (!isObject(value) || typeof value['at'] !== 'number') return false;
    return EVENT_TYPES.includes(textIn(value['type']));
  });
}

function readLog(text: string, name: string): Result<{ readonly own: OwnSession }> {
  const read = readLogBytes(name, Buffer.from(text));
  if (!read.ok) return refused(read.message);
  const { events, warning } = read;
  return { ok: true, own: { events, notes: warning === undefined ? [] : [warning] } };
}
