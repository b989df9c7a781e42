import { mayBeContextEdited } from '../../../contextWindow/contextEditing';
import type { ContextWindow } from '../../../contextWindow/window';
import type { WindowHistory } from '../../../contextWindow/history';
import { promptTokens } from '../../../contextWindow/account/spending';

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
