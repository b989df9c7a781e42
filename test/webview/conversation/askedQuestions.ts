import type { Conversation } from '../../../src/editor/conversation/state';
import { approval, conversation, step, tool, turn } from './conversations';

/** A turn with a call that waits for an answer. */
export const turns = [turn({ items: [step(1, '', [tool('t1', { state: 'waiting' })])] })];

/** The turn while the model is asked, and while the user is. */
export const busy = conversation({ turns, activity: { state: 'asking', since: 0 } });

export const asked = conversation({ turns, activity: approval('t1') });

/** The question about a command. */
export function askedToRun(subject: string): Conversation {
  const approval = { toolUseId: 't1', kind: 'command', title: 'Run a command', subject } as const;
  return conversation({ turns, activity: { state: 'awaitingApproval', approval } });
}
