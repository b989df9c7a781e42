import type { StopReason, TurnOutcome } from '../event';
import type { StepPoint } from './timeline';

/** What can have gone wrong in a step or before it. */
export type Trouble = 'overflow' | 'toolError' | 'stopReason' | 'turnFailed';

/** Says what went wrong in a step and before it. */
export function troublesOf(point: StepPoint): readonly Trouble[] {
  const { overflows, toolErrors, stopReason, outcome, stepless } = point;
  return [
    ...(overflows > 0 ? (['overflow'] as const) : []),
    ...(toolErrors > 0 ? (['toolError'] as const) : []),
    ...(isOrdinary(stopReason) ? [] : (['stopReason'] as const)),
    ...([outcome, ...stepless].some(isFailure) ? (['turnFailed'] as const) : []),
  ];
}

/** The model wrote what it wanted to write. */
function isOrdinary(reason: StopReason): boolean {
  return reason === 'end_turn' || reason === 'tool_use' || reason === 'stop_sequence';
}

function isFailure(outcome: TurnOutcome | undefined): boolean {
  return outcome?.type === 'failed' || outcome?.type === 'contextFull';
}
