import { labelOfCall } from '../contextWindow/label';
import { amountText, tokenText } from '../contextWindow/amountText';
import type { Pass } from '../contextWindow/plan';
import type { AgentEvent } from '../agent/agentEvent';

/** Writes what happens during a turn as lines for standard error. */
export function progressLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'toolStarted':
      return `  ${labelOfCall(event.use)}`;
    case 'approvalAnswered':
      return event.approved ? undefined : `  denied: ${labelOfCall(event.use)}`;
    case 'askStarted':
      return `step ${event.step}`;
    case 'retrying':
      return `  ${event.message}`;
    case 'passFinished':
      return passLine(event.pass);
    case 'notice':
      return `  note: ${event.message}`;
    case 'textDelta':
    case 'toolUseStreaming':
    case 'replyReceived':
    case 'approvalAsked':
    case 'toolOutput':
    case 'toolFinished':
    case 'counting':
    case 'passStarted':
      return undefined;
  }
}

function passLine({ number, trigger, before, after, rungs, target }: Pass): string {
  const gains = rungs
    .map(({ rung, blocks, tokens }) => `${rung} ${blocks} (-${tokenText(tokens)})`)
    .join(', ');
  return `pass ${number} (${trigger}): ${amountText(before)} -> ${amountText(after)} tokens, target ${tokenText(target)}: ${gains}`;
}
