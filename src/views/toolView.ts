import type { ToolUse } from '../contextWindow/block';
import { callKindOf } from '../contextWindow/callEffect';
import type { EventOf } from '../contextWindow/event';
import { labelOfCall } from '../contextWindow/label';
import type { Activity, ToolView } from '../protocol/agentView';

/** Longest arguments shown, in characters. */
const LONGEST_ARGUMENTS = 4_000;

/** Draws one tool call; `activity` is undefined when its turn is over. */
export function toolView(
  use: ToolUse,
  result: EventOf<'toolFinished'> | undefined,
  activity: Activity | undefined,
): ToolView {
  return {
    toolUseId: use.id,
    name: use.name,
    kind: callKindOf(use),
    label: labelOfCall(use),
    argumentsText: argumentsText(use),
    state: result === undefined ? stateWithoutResult(use, activity) : stateOf(result),
    ...(result === undefined
      ? {}
      : { elapsedMs: result.durationMs, resultChars: result.text.length }),
  };
}

function argumentsText(use: ToolUse): string {
  const text = JSON.stringify(use.input, null, 2);
  if (text.length <= LONGEST_ARGUMENTS) return text;
  return `${text.slice(0, LONGEST_ARGUMENTS)}\n… (${text.length} characters in all)`;
}

function stateWithoutResult(use: ToolUse, activity: Activity | undefined): ToolView['state'] {
  if (activity === undefined) return 'stopped';
  return activity.state === 'runningTool' && activity.toolUseId === use.id ? 'running' : 'waiting';
}

function stateOf({ origin, isError }: EventOf<'toolFinished'>): ToolView['state'] {
  switch (origin) {
    case 'ran':
      return isError ? 'failed' : 'done';
    case 'denied':
      return 'denied';
    case 'stopped':
    case 'interrupted':
      return 'stopped';
    case 'cutReply':
      return 'failed';
  }
}
