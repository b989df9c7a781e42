import type { ModelRequest } from '../../../agent/model';
import { LEFT_OUT_NAMES, leftOutOf, withoutParts } from '../../../agent/leftOut';
import { asksToCompact, contextEditsNow, withoutCompaction } from '../../../agent/nextRequest';
import { unrecordedTokens } from '../../../contextWindow/account/recordedSize';
import { promptTokens } from '../../../contextWindow/account/spending';
import { tokenText } from '../../../contextWindow/amount';
import { type ContextEdit, mayBeContextEdited } from '../../../contextWindow/contextEditing';
import type { EventOf, LeftOut } from '../../../contextWindow/event';
import type { WindowHistory } from '../../../contextWindow/history';
import { type Reasoning, withinReply } from '../../../contextWindow/reasoning';
import { toRequest } from '../../../contextWindow/request/request';
import type { ContextWindow } from '../../../contextWindow/window';
import { turnSettings } from '../../../settings/turnSettings';
import type { Inspected } from '../../session/inspected';

/**
 * A request as it was or would be sent; each note is a sentence about what is unknown or differs.
 */
export interface RequestAt {
  readonly request: ModelRequest;
  readonly notes: readonly string[];
  /** The window that it was made from. */
  readonly window: ContextWindow;
}

/** Builds the next request, as `server` gets it. */
export function requestNext(
  { window, inForce, policy }: Inspected,
  server?: { sent(request: ModelRequest): ModelRequest },
): RequestAt {
  const settings = turnSettings(inForce);
  // Under the setting `server`, a recording is replayed with another policy.
  const edits = policy === 'server' ? contextEditsNow({ session: { window } }, settings) : [];
  const request = formed(window, edits, {
    model: settings.model,
    maxTokens: settings.budget.maxReplyTokens,
    ...withinReply(settings.reasoning, settings.budget.maxReplyTokens),
  });
  const sent = server?.sent(request) ?? request;
  const notes = window.step === 0 ? [] : ['The next request, if nothing else is added before it.'];
  return {
    request: sent,
    notes: [...notes, ...leftOutNotes(leftOutOf(request, sent)), ...unrecordedNotes(window)],
    window,
  };
}

/** Rebuilds the request of a step from the window and the parameters at that time. */
export function requestOfStep(
  inspected: Inspected,
  window: ContextWindow,
  reply: EventOf<'replyReceived'> | undefined,
): RequestAt {
  const asked = window.model ?? reply?.model ?? inspected.model;
  const maxTokens = reply?.maxTokens ?? inspected.inForce.budget.maxReplyTokens;
  const request = formed(
    window,
    reply?.serverEdits ?? [],
    { model: asked, maxTokens, ...askedReasoning(reply) },
    reply?.leftOut,
  );
  const { source } = inspected;
  const isReplay = source.type === 'recording' && source.asItWas !== true;
  const notes = [
    ...(isReplay
      ? [
          'The request Plimsoll would have sent, reconstructed: the recording does not hold the request itself.',
        ]
      : []),
    ...leftOutNotes(reply?.leftOut),
    ...unrecordedNotes(window),
    ...(reply?.maxTokens === undefined && !isReplay
      ? ['The log of this step does not hold max_tokens, so the current setting is shown.']
      : []),
    ...(reply?.editedMeanwhile === true
      ? [
          'You changed the window while the reply was being written. The request is shown with that change.',
        ]
      : []),
  ];
  return { request, notes, window };
}

/** The request's thinking and effort settings, from the log. */
function askedReasoning(reply: EventOf<'replyReceived'> | undefined): Reasoning {
  const { thinking, effort } = reply ?? {};
  return {
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined ? {} : { effort }),
  };
}

/** Says what the request goes without. */
function leftOutNotes(leftOut: readonly LeftOut[] = []): readonly string[] {
  if (leftOut.length === 0) return [];
  const names = leftOut.map((part) => LEFT_OUT_NAMES[part]).join(', ');
  return [`Left out, because the server does not support it: ${names}.`];
}

/** Says that a replay cannot show unrecorded tokens, since they have no text. */
function unrecordedNotes(window: ContextWindow): readonly string[] {
  const tokens = unrecordedTokens(window);
  if (tokens === 0) return [];
  return [`The request lacks ≈ ${tokenText(tokens)} tokens that are missing from the recording.`];
}

function formed(
  window: ContextWindow,
  contextEdits: readonly ContextEdit[],
  asked: Pick<ModelRequest, 'model' | 'maxTokens'> & Reasoning,
  leftOut: readonly LeftOut[] = [],
): ModelRequest {
  const { messages, ...rest } = toRequest(window);
  const request = {
    ...asked,
    ...rest,
    messages: asksToCompact(contextEdits) ? messages : withoutCompaction(messages),
    ...(contextEdits.length === 0 ? {} : { contextEdits }),
  };
  return withoutParts(request, leftOut);
}

/**
 * The window whose request was sent for a step, with the API's count of it, since later estimates
 * are less exact. Undefined if there is no such step.
 */
export function windowSentAt(history: WindowHistory, step: number): ContextWindow | undefined {
  const window = history.windowBefore(step);
  const reply = history.replyOf(step);
  if (window === undefined || reply === undefined) return undefined;
  const tokens = promptTokens(reply.usage);
  // If the user or the API edited the request, its usage does not count this window.
  const isEdited = mayBeContextEdited(reply) || reply.compactionUsage !== undefined;
  const isOfWindow = reply.editedMeanwhile !== true && reply.underreported !== true && !isEdited;
  if (tokens === 0 || !isOfWindow) return window;
  const counted = COUNTED.get(window);
  if (counted?.baseline?.tokens === tokens) return counted;
  const { uncounted } = reply;
  const baseline = { tokens, source: 'usage', uncounted, blocks: window.blocks.length } as const;
  const made = { ...window, baseline };
  COUNTED.set(window, made);
  return made;
}

/** A window is a value: the same moment always gets the same object. */
const COUNTED = new WeakMap<ContextWindow, ContextWindow>();
