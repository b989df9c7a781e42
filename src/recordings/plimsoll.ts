import { type Budget, budgetInLog } from '../contextWindow/budget';
import { systemText } from '../contextWindow/request/request';
import type { ReplyPart } from '../contextWindow/block';
import type { EventOf, SessionEvent } from '../contextWindow/event';
import type { Usage } from '../contextWindow/account/spending';
import type { OwnSession } from './ownSession';
import type { Transcript } from '../sessions/transcript';
import { assembleEntries } from './assembleTranscript';
import { LeftOut } from './leftOut';
import type { RecordedItem, RecordedPart, Recording } from './recordedItem';
import { recordedUsage } from './recordedParts';

/**
 * Reads what was said and done in a session of Plimsoll's own, to be replayed as any recording: its
 * passes, changes by hand and notes are left out, since a replay makes its own.
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
  for (const event of events) {
    budget = budgetInLog(budget, event);
    switch (event.type) {
      case 'preambleSet':
        preamble = event;
        break;
      case 'promptSubmitted': {
        const { at, text, attachments = [] } = event;
        items.push({ type: 'prompt', at, text, attachments });
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
      // Everything else is about the window, or about how the session went, and nothing said in it.
    }
  }
  return {
    system: preamble === undefined ? '' : systemText(preamble),
    tools: preamble?.tools ?? [],
    ...(budget === undefined ? {} : { windowTokens: budget.contextWindowTokens }),
    items,
  };
}

function replyOf(
  { at, model, parts, usage, editedMeanwhile }: EventOf<'replyReceived'>,
  leftOut: LeftOut,
): RecordedItem {
  const sent = parts.flatMap((part) => partOf(part, leftOut));
  // Usage of bytes that the user changed meanwhile is no count of what the log holds.
  const counted = editedMeanwhile === true ? undefined : countedUsage(usage);
  const spent = counted === undefined ? {} : { usage: counted };
  return { type: 'reply', at, model, parts: sent, ...spent };
}

function countedUsage(usage: Usage): Usage | undefined {
  return recordedUsage({
    input: usage.inputTokens,
    cacheCreation: usage.cacheCreationTokens,
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
