import { blocksInWindow, type ContextWindow } from '../contextWindow/window';
import { contextEditsOf } from '../contextWindow/passes/policies/server';
import type { ContextEdit } from '../contextWindow/contextEditing';
import { effectiveBudget } from '../contextWindow/budget';
import type { AgentDeps, AgentSettings } from './agentDeps';
import type { ModelRequest } from './model';
import { withinReply } from '../contextWindow/reasoning';
import { unmaskedIn } from './secrets/knownSecrets';
import type { Session } from './session';
import { toRequest } from '../contextWindow/request/request';
import type { Message, MessagePart } from '../contextWindow/request/blockMessages';

/** The request that would be sent now. Only here are the secrets that the user chose to send. */
export function requestNow(
  deps: Pick<AgentDeps, 'session'>,
  settings: AgentSettings,
): ModelRequest {
  const { messages: inWindow, ...rest } = toRequest(deps.session.window);
  const sent = new Set(deps.session.window.sentSecrets);
  const messages = sent.size === 0 ? inWindow : unmaskedIn(inWindow, (mark) => sent.has(mark));
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

/** The context edits to request now; none under another policy or with compaction off. */
export function contextEditsNow(
  { session }: { readonly session: Pick<Session, 'window'> },
  settings: Pick<AgentSettings, 'policy' | 'compaction' | 'contextEditing' | 'budget'>,
): readonly ContextEdit[] {
  if (settings.policy.policy !== 'server' || settings.compaction === 'off') return [];
  return contextEditsOf(settings.contextEditing, effectiveBudget(session.window, settings.budget));
}

/** Whether edits let the API compact; the request may then hold its compaction blocks. */
export function asksToCompact(edits: readonly ContextEdit[]): boolean {
  return edits.some(({ type }) => type === 'compact_20260112');
}

/** Whether the window holds a summary by the API, which replaces everything before it. */
export function isCompactedByApi(window: ContextWindow): boolean {
  return blocksInWindow(window).some(
    (block) =>
      block.kind === 'step' &&
      block.parts.some((part) => part.type === 'compaction' && part.content !== null),
  );
}

/** Whether the last official count was made with other edits than now, so that it is useless. */
export function isCountOfOtherContextEdits(
  window: ContextWindow,
  edits: readonly ContextEdit[],
): boolean {
  const { baseline } = window;
  if (baseline === undefined) return false;
  const { contextEdits: counted = [] } = baseline;
  // Without thinking to clear, the edit that clears it was requested but not sent.
  const unthinking = edits.filter(({ type }) => type !== 'clear_thinking_20251015');
  return !isSame(counted, edits) && !isSame(counted, unthinking);
}

function isSame(one: readonly ContextEdit[], other: readonly ContextEdit[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Precedes an API summary that is sent as text. */
const LABEL = '[Summary by the API of everything before it]';

/**
 * Sends the API's own summaries as assistant text and drops failed ones: a request without
 * compaction may hold no compaction block. Thinking after the first one is bound to that block, so
 * it is dropped too (I6).
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
