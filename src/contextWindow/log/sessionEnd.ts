import type { EventOf, SessionEvent } from '../event';

const HOUSEKEEPING = [
  'stateSet',
  'queueChanged',
  'modelAsked',
  'sessionSummarised',
  'handedOver',
  'closeCommandRan',
  'commandEnded',
  'sessionClosed',
];

/** Says whether events of a type may follow the end of the work without going on with it. */
export function isHousekeeping(type: string): boolean {
  return HOUSEKEEPING.includes(type);
}

/** The newest event of a type that came after the work had ended as it ends now; undefined for none. */
export function foundAtEnd<T extends 'sessionSummarised' | 'closeCommandRan'>(
  events: readonly SessionEvent[],
  type: T,
): EventOf<T> | undefined {
  const worked = events.findLastIndex((event) => !isHousekeeping(event.type));
  const found = events.findLast(
    (event, index): event is EventOf<T> => index > worked && event.type === type,
  );
  return found;
}
