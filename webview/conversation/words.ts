import type { Conversation, CostsView, UsageView } from '../../src/editor/conversation/state';
import { formatNumber, formatShare, formatTokens } from '../kit/tokens';
import { findTool } from './inFlight';

/** What the agent is doing; '' when it is idle. */
export function activityWords(conversation: Conversation): string {
  const { activity, offline } = conversation;
  switch (activity.state) {
    case 'idle':
      return '';
    case 'asking':
      return activity.note ?? (offline ? 'Asking the script' : 'Asking the model');
    case 'waiting':
      return 'Waiting to try again';
    case 'runningTool':
      return `Running ${findTool(conversation, activity.toolUseId)?.label ?? 'a tool'}`;
    case 'awaitingApproval':
      return 'Waiting for your answer';
    case 'compacting':
      return 'Making room in the context window';
    case 'awaitingReview':
      return 'Waiting for you to review a pass';
    case 'stopping':
      return 'Stopping';
  }
}

const TRIGGERS: ReadonlyMap<string, string> = new Map([
  ['highWatermark', 'high watermark'],
  ['overflow', 'request was too long'],
  ['manual', 'on request'],
  ['cap', 'too many turns or messages'],
  ['byHand', 'by you'],
  ['recorded', 'the recorded agent made room'],
]);

/** Why a pass ran; shows an unknown trigger as it is. */
export function triggerWords(trigger: string): string {
  return TRIGGERS.get(trigger) ?? trigger;
}

/** What a turn has used so far, each number with its unit; nothing before the first answer. */
export function usageWords(usage: UsageView): readonly string[] {
  const { inputTokens, cacheReadTokens, outputTokens, cost } = usage;
  if (inputTokens + outputTokens === 0) return [];
  return [
    `${formatNumber(inputTokens)} tokens in`,
    ...(cacheReadTokens > 0 ? [`${formatNumber(cacheReadTokens)} of them from cache`] : []),
    `${formatNumber(outputTokens)} out`,
    cost,
  ];
}

export const COSTS_HINT = 'At list prices. Open the Context panel';

/**
 * The cost of the newest turn and of the session, the share read from the cache, and the tokens
 * that passes saved.
 */
export function costsWords({ turn, session, cacheReadShare, saved }: CostsView): readonly string[] {
  return [
    ...(turn === session
      ? [`turn and session: ${session}`]
      : [`turn ${turn}`, `session ${session}`]),
    ...(cacheReadShare === null ? [] : [`${formatShare(cacheReadShare, 1)} from cache`]),
    ...(saved === undefined
      ? []
      : [
          `${formatNumber(saved.passes)} ${saved.passes === 1 ? 'pass' : 'passes'} saved ${formatTokens(saved)} tokens`,
        ]),
  ];
}
