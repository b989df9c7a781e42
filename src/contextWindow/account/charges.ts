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
    case 'sessionStarted':
    case 'preambleSet':
    case 'memoryListed':
    case 'memoryAnswered':
    case 'modelSet':
    case 'promptSubmitted':
    case 'toolFinished':
    case 'scratchpadUpdated':
    case 'noteAdded':
    case 'stateSet':
    case 'windowCounted':
    case 'recordedCounted':
    case 'countFailed':
    case 'passPostponed':
    case 'passUndone':
    case 'blockPinned':
    case 'blockUnpinned':
    case 'anchorMoved':
    case 'fileChosen':
    case 'budgetSteppedDown':
    case 'approvalAsked':
    case 'filesChanged':
    case 'turnFiles':
    case 'filesRestored':
    case 'commandStarted':
    case 'commandEnded':
    case 'ruleSet':
    case 'ruleRevoked':
    case 'approvalAnswered':
    case 'turnEnded':
    case 'turnContinued':
    case 'queueChanged':
    case 'sessionSummarised':
    case 'handedOver':
    case 'closeCommandRan':
    case 'sessionClosed':
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
