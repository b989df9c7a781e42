import type { SessionEvent } from '../event';
import type { Summary } from '../plan';
import type { Usage } from '../usage';

/** What one answer took, and which model gave it. */
export interface Charge {
  readonly model: string;
  readonly usage: Usage;
}

/**
 * Says what an event was charged. In the sum over a log every answer counts once, where it came: a
 * summary written ahead in one turn is not charged again when a pass applies it in the next.
 */
export function chargesOf(event: SessionEvent): readonly Charge[] {
  switch (event.type) {
    case 'replyReceived': {
      const { model, usage, compactionUsage } = event;
      const compacted = compactionUsage === undefined ? [] : [{ model, usage: compactionUsage }];
      return [{ model, usage }, ...compacted];
    }
    case 'modelAsked':
      return [{ model: event.model, usage: event.usage }];
    case 'passApplied':
      return event.pass.summaries.flatMap(chargesOfSummary);
    default:
      return [];
  }
}

/**
 * Says what a summary was charged where only its pass records it: in an older log, and in a replay.
 */
export function chargesOfSummary({ writtenBy }: Summary): readonly Charge[] {
  switch (writtenBy.by) {
    case 'model': {
      const { model, usage } = writtenBy;
      return usage === undefined ? [] : [{ model, usage }];
    }
    case 'workNote':
      return writtenBy.asked === undefined ? [] : [writtenBy.asked];
  }
}
