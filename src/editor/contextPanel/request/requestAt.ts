import type { ModelRequest } from '../../../agent/model';
import { asksToCompact, contextEditsNow, withoutCompaction } from '../../../agent/nextRequest';
import { unrecordedTokens } from '../../../contextWindow/account/recordedSize';
import { promptTokens } from '../../../contextWindow/account/spending';
import { tokenText } from '../../../contextWindow/amount';
import { type ContextEdit, mayBeContextEdited } from '../../../contextWindow/contextEditing';
import type { EventOf } from '../../../contextWindow/event';
import type { WindowHistory } from '../../../contextWindow/history';
import { type Reasoning, withinReply } from '../../../contextWindow/reasoning';
import { toRequest } from '../../../contextWindow/request/request';
import type { ContextWindow } from '../../../contextWindow/window';
import { turnSettings } from '../../../settings/turnSettings';
import type { Inspected } from '../../inspected';

/** A request as it was or would be sent, with what is not known about it; one sentence each. */
export interface RequestAt {
  readonly request: ModelRequest;
  readonly notes: readonly string[];
  /** The window it is of. */
  readonly window: ContextWindow;
}

/** The request that would be sent now. */
export function requestNext({ window, inForce, policy }: Inspected): RequestAt {
  const settings = turnSettings(inForce);
  // Where the settings say `server`, a recording is replayed by another policy.
  const edits = policy === 'server' ? contextEditsNow({ session: { window } }, settings) : [];
  const request = formed(window, edits, {
    model: settings.model,
    maxTokens: settings.budget.maxReplyTokens,
    ...withinReply(settings.reasoning, settings.budget.maxReplyTokens),
  });
  const notes = window.step === 0 ? [] : ['This is what would be sent if nothing else came in.'];
  return { request, notes: [...notes, ...unrecordedNotes(window)], window };
}

/** The request of a step: the window at that time, and what was asked along with it. */
export function requestOfStep(
  inspected: Inspected,
  window: ContextWindow,
  reply: EventOf<'replyReceived'> | undefined,
): RequestAt {
  const asked = window.model ?? reply?.model ?? inspected.model;
  const maxTokens = reply?.maxTokens ?? inspected.inForce.budget.maxReplyTokens;
  const request = formed(window, reply?.serverEdits ?? [], {
    model: asked,
    maxTokens,
    ...askedReasoning(reply),
  });
  const { source } = inspected;
  const isReplay = source.type === 'recording' && source.asItWas !== true;
  const notes = [
    ...(isReplay
      ? ['What Plimsoll would have sent: the recording does not hold the request itself.']
      : []),
    ...unrecordedNotes(window),
    ...(reply?.maxTokens === undefined && !isReplay
      ? ['The log of this step does not hold max_tokens, so the present setting is shown.']
      : []),
    ...(reply?.editedMeanwhile === true
      ? [
          'You changed the window while the reply was being written. The request is shown with that change.',
        ]
      : []),
  ];
  return { request, notes, window };
}

/** What a request said of thinking and effort, by the log. */
function askedReasoning(reply: EventOf<'replyReceived'> | undefined): Reasoning {
  const { thinking, effort } = reply ?? {};
  return {
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined ? {} : { effort }),
  };
}

/** Says that what takes room in a replay without a text cannot be shown. */
function unrecordedNotes(window: ContextWindow): readonly string[] {
  const tokens = unrecordedTokens(window);
  if (tokens === 0) return [];
  return [`The ≈ ${tokenText(tokens)} tokens that are not in the recording are missing.`];
}

function formed(
  window: ContextWindow,
  contextEdits: readonly ContextEdit[],
  asked: Pick<ModelRequest, 'model' | 'maxTokens'> & Reasoning,
): ModelRequest {
  const { messages, ...rest } = toRequest(window);
  return {
    ...asked,
    ...rest,
    messages: asksToCompact(contextEdits) ? messages : withoutCompaction(messages),
    ...(contextEdits.length === 0 ? {} : { contextEdits }),
  };
}

/**
 * The window as its request was sent for a step, with the number the API then reported of it, so
 * that the past is counted where the present can only estimate. Undefined for a step there is not.
 */
export function windowSentAt(history: WindowHistory, step: number): ContextWindow | undefined {
  const window = history.windowBefore(step);
  const reply = history.replyOf(step);
  if (window === undefined || reply === undefined) return undefined;
  const tokens = promptTokens(reply.usage);
  // Usage of other bytes, because the user or the API edited them, is no count of this window.
  const isEdited = mayBeContextEdited(reply) || reply.compactionUsage !== undefined;
  const isOfWindow = reply.editedMeanwhile !== true && !isEdited;
  if (tokens === 0 || !isOfWindow) return window;
  const counted = COUNTED.get(window);
  if (counted?.baseline?.tokens === tokens) return counted;
  const baseline = { tokens, source: 'usage', blocks: window.blocks.length } as const;
  const made = { ...window, baseline };
  COUNTED.set(window, made);
  return made;
}

/** A window is a value, and whoever looks at the same moment again is given the same one. */
const COUNTED = new WeakMap<ContextWindow, ContextWindow>();
