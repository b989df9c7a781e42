import type { Conversation } from '../../src/protocol/agentView';
import { findTool } from './streams';

/** Says in words what the agent is doing; nothing when it is idle. */
export function activityWords(conversation: Conversation): string {
  const { activity, offline } = conversation;
  switch (activity.state) {
    case 'idle':
      return '';
    case 'asking':
      return activity.note ?? (offline ? 'Asking the script' : 'Asking the model');
    case 'runningTool':
      return `Running ${findTool(conversation, activity.toolUseId)?.label ?? 'a tool'}`;
    case 'awaitingApproval':
      return 'Waiting for your answer';
    case 'compacting':
      return 'Making room in the context window';
    case 'awaitingReview':
      return 'Waiting for your word on a pass';
    case 'stopping':
      return 'Stopping';
  }
}
