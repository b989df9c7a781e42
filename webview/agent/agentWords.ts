import type { Conversation, UsageView } from '../../src/protocol/agentView';
import { formatNumber } from '../ui/tokens';
import { findTool } from './inFlight';

/** Says in words what the agent is doing; nothing when it is idle. */
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

/** Says why a pass ran; an unknown trigger is shown as it is. */
export function triggerWords(trigger: string): string {
  return TRIGGERS.get(trigger) ?? trigger;
}

/** Says what a turn has used so far, each number with its unit; nothing before the first answer. */
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
