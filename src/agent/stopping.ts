import type { TurnOutcome } from '../contextWindow/turnOutcome';

const CLOSING = 'WindowClosing';

/** Why a turn is stopped that the user did not stop: the window is reloaded or closed. */
export function windowClosing(): Error {
  const reason = new Error('The window is reloaded or closed.');
  reason.name = CLOSING;
  return reason;
}

/** Says whether a turn is stopped because its window goes, and not by the user. */
export function isClosing({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === CLOSING;
}

/** How a turn ends whose signal was aborted. */
export function endOf(signal: AbortSignal): TurnOutcome {
  return { type: isClosing(signal) ? 'interrupted' : 'stopped' };
}

/** Who or what stopped a call, for the model. */
export function stopperOf(signal: AbortSignal): string {
  return isClosing(signal) ? 'Interrupted by a reload of the window' : 'Stopped by the user';
}
