import { blocksInWindow, type ContextWindow } from '../contextWindow/window';
import { contextEditsOf } from '../contextWindow/passes/policies/server';
import type { ContextEdit } from '../contextWindow/contextEditing';
import { effectiveBudget } from '../contextWindow/budget';
import type { AgentDeps, AgentSettings } from './agentDeps';
import type { ModelRequest } from './model';
import { withinReply } from '../contextWindow/reasoning';
import type { Session } from './session';
import { toRequest } from '../contextWindow/request/request';
import type { Message, MessagePart } from '../contextWindow/request/blockMessages';

/** The request that would be sent now. */
export function requestNow(
  deps: Pick<AgentDeps, 'session'>,
  settings: AgentSettings,
): ModelRequest {
  const { messages, ...rest } = toRequest(deps.session.window);
  const contextEdits = contextEditsNow(deps, settings);
  return {
    model: settings.model,
    maxTokens: settings.budget.maxReplyTokens,
    ...withinReply(settings.reasoning ?? {}, settings.budget.maxReplyTokens),
    ...rest,
    messages: asksToCompact(contextEdits) ? messages : withoutCompaction(messages),
    ...(contextEdits.length === 0 ? {} : { contextEdits }),
  };
}

/** What the API is asked to edit now: nothing under another policy, or where nothing may leave. */
export function contextEditsNow(
  { session }: { readonly session: Pick<Session, 'window'> },
  settings: Pick<AgentSettings, 'policy' | 'compaction' | 'contextEditing' | 'budget'>,
): readonly ContextEdit[] {
  if (settings.policy.policy !== 'server' || settings.compaction === 'off') return [];
  return contextEditsOf(settings.contextEditing, effectiveBudget(session.window, settings.budget));
}

/** Says whether edits let the API compact; a request may then hold its compaction blocks. */
export function asksToCompact(edits: readonly ContextEdit[]): boolean {
  return edits.some(({ type }) => type === 'compact_20260112');
}

/** Says whether the window holds a summary by the API, which may stand for everything before it. */
export function isCompactedByApi(window: ContextWindow): boolean {
  return blocksInWindow(window).some(
    (block) =>
      block.kind === 'step' &&
      block.parts.some((part) => part.type === 'compaction' && part.content !== null),
  );
}

/**
 * Says whether the last official number was counted with other edits than are asked for now, and so
 * is of no use.
 */
export function isCountOfOtherContextEdits(
  window: ContextWindow,
  edits: readonly ContextEdit[],
): boolean {
  const { baseline } = window;
  if (baseline === undefined) return false;
  const { contextEdits: counted } = baseline;
  // An older log says only whether there were any.
  if (counted === undefined) {
    return edits.length === 0 && (isCompactedByApi(window) || baseline.edited === true);
  }
  // Where there was no thinking to clear, the edit that clears it was asked for but not sent.
  const unthinking = edits.filter(({ type }) => type !== 'clear_thinking_20251015');
  return !isSame(counted, edits) && !isSame(counted, unthinking);
}

function isSame(one: readonly ContextEdit[], other: readonly ContextEdit[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Opens a summary by the API that is sent as text. */
const LABEL = '[Summary by the API of everything before it]';

/**
 * Sends the API's own summaries as text of the assistant, and leaves out those that failed: a
 * request that asks for no compaction may hold no compaction block. Thinking behind the first one
 * is bound to the block and leaves with it (I6).
 */
export function withoutCompaction(messages: readonly Message[]): readonly Message[] {
  let isBehind = false;
  const partsFor = (part: MessagePart): readonly MessagePart[] => {
    if (part.type === 'thinking' || part.type === 'redacted_thinking') {
      return isBehind ? [] : [part];
    }
    if (part.type !== 'compaction') return [part];
    isBehind = true;
    const summary = part.content?.trim() ?? '';
    return summary === '' ? [] : [{ type: 'text', text: `${LABEL}\n${summary}` }];
  };
  return messages
    .map((message) => ({ ...message, content: message.content.flatMap(partsFor) }))
    .filter(({ content }) => content.length > 0);
}
