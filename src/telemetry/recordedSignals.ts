import { promptTokens } from '../contextWindow/account/spending';
import { recordedChargesOf, type Transcript, type TranscriptEntry } from '../sessions/transcript';
import {
  answerSignals,
  idOf,
  passSignals,
  type Signal,
  type SignalledSession,
  toolSignals,
  traceOf,
  type Turn,
  turnSignals,
} from './signal';

type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;

/** The id of a recorded session; `name` is the path of its file, and cannot be found from it. */
export function recordedId({ format }: Pick<Transcript, 'format'>, name: string): string {
  return idOf(32, format, name);
}

/**
 * The signals of another agent's recorded session, entry by entry, from a step on. `name` identifies the session; only
 * its hash is sent. An entry without a time has that of the entry before it, and `now` if there is none. Turns up to
 * `countedTurns` are not counted again.
 */
export function* recordedSignals(
  { format, entries }: Pick<Transcript, 'format' | 'entries'>,
  name: string,
  {
    fromStep = 1,
    countedTurns = 0,
    now,
  }: { readonly fromStep?: number; readonly countedTurns?: number; readonly now: number },
): Generator<readonly Signal[]> {
  const conversationId = recordedId({ format }, name);
  const session: SignalledSession = { conversationId, agent: format };
  let turn: Turn | undefined;
  let [step, turns, passes, at, lastTokens] = [0, 0, 0, 0, 0];
  let [isCompacted, firstStep] = [false, 1];
  const place = (kind: string, ...names: readonly (string | number)[]) => {
    const { traceId, spanId } = traceOf(session, turns);
    const own = idOf(16, session.conversationId, kind, ...names);
    return { traceId, spanId: own, parentId: spanId };
  };
  /** Whether the newest reply called tools: then its turn goes on. */
  let isGoingOn = false;
  /** A turn is counted once, when it has ended; its span is sent again with what was added. */
  const turnSoFar = (hasEnded: boolean): readonly Signal[] => {
    if (turn === undefined || firstStep > step) return [];
    const isGrown = step >= fromStep;
    // Only the next prompt shows that a turn was interrupted after the steps sent before.
    const isCounted = hasEnded && turn.number > countedTurns;
    if (!isGrown && !isCounted) return [];
    return turnSignals(session, turn).filter(({ type }) => (type === 'span' ? isGrown : isCounted));
  };
  for (const [index, entry] of entries.entries()) {
    at = entry.at ?? (at === 0 ? now : at);
    switch (entry.type) {
      case 'prompt':
        yield turnSoFar(true);
        turns += 1;
        firstStep = step + 1;
        turn = {
          number: turns,
          start: at,
          end: at,
          isTimed: false,
          answers: 0,
          calls: 0,
          model: '',
        };
        break;
      case 'reply': {
        step += 1;
        isGoingOn = entry.results.length > 0;
        const charges = recordedChargesOf(entry);
        if (step >= fromStep) yield replySignals(session, place, entry, { step, at, isCompacted });
        lastTokens = promptTokens(charges.at(-1)?.usage ?? NONE);
        turn = turn && {
          ...turn,
          end: Math.max(at, turn.start),
          answers: turn.answers + Math.max(1, charges.length),
          calls: turn.calls + entry.results.length,
          model: entry.model,
        };
        break;
      }
      case 'compacted': {
        passes += 1;
        if (entry.summary !== undefined) isCompacted = true;
        // It is sent with the request after it, so that both sizes are known.
        const after = tokensAfter(entries, index);
        if (after === undefined || step + 1 < fromStep) break;
        const sized = lastTokens > 0 && after > 0;
        yield passSignals(session, place('pass', passes), {
          at,
          attributes: {
            'plimsoll.pass.number': passes,
            'plimsoll.pass.trigger': 'recorded',
            'plimsoll.pass.summaries': entry.summary === undefined ? 0 : 1,
            ...(sized
              ? { 'plimsoll.pass.tokens_before': lastTokens, 'plimsoll.pass.tokens_after': after }
              : {}),
          },
        });
        break;
      }
    }
  }
  yield turnSoFar(!isGoingOn);
}

/** How many turns of a recording have ended; the last one may go on all the same. */
export function endedTurns(entries: Transcript['entries']): number {
  const prompts = entries.filter(({ type }) => type === 'prompt').length;
  const newest = entries.findLast(({ type }) => type === 'prompt' || type === 'reply');
  const hasEnded = newest?.type === 'reply' && newest.results.length === 0;
  return hasEnded ? prompts : Math.max(0, prompts - 1);
}

const NONE = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

/**
 * Tokens of the first request after an entry, by its server's count: 0 if it is not known, undefined
 * if none follows.
 */
function tokensAfter(entries: Transcript['entries'], index: number): number | undefined {
  const next = entries.slice(index + 1).find(({ type }) => type === 'reply');
  if (next?.type !== 'reply') return undefined;
  return next.usage === undefined ? 0 : promptTokens(next.usage);
}

/** The answers of a step and the calls of its tools. */
function replySignals(
  session: SignalledSession,
  place: (
    kind: string,
    ...names: readonly (string | number)[]
  ) => {
    readonly traceId: string;
    readonly spanId: string;
    readonly parentId: string;
  },
  entry: ReplyEntry,
  {
    step,
    at,
    isCompacted,
  }: { readonly step: number; readonly at: number; readonly isCompacted: boolean },
): readonly Signal[] {
  const { model, usage, otherCharges = [], parts, results } = entry;
  const names = new Map(
    parts.flatMap((part) => (part.type === 'toolUse' ? [[part.use.id, part.use.name]] : [])),
  );
  const moment = { start: at, end: at, isTimed: false } as const;
  const attributes = {
    'plimsoll.step': step,
    ...(isCompacted ? { 'gen_ai.conversation.compacted': true } : {}),
  };
  return [
    ...otherCharges.flatMap((charge, order) =>
      answerSignals(session, place('other', step, order), { ...charge, ...moment }),
    ),
    ...answerSignals(session, place('step', step), { model, usage, ...moment, attributes }),
    ...results.flatMap(({ toolUseId, isError, origin }) =>
      toolSignals(session, place('call', step, toolUseId), {
        name: names.get(toolUseId) ?? '_OTHER',
        callId: toolUseId,
        ...moment,
        error: origin === 'interrupted' ? origin : isError ? 'tool_error' : undefined,
      }),
    ),
  ];
}
