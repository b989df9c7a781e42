import type { DecisionView, PassView } from '../../src/protocol/contextPanel';
import { formatNumber, formatTokens } from '../ui/tokens';
import { formatCount } from './formatCount';

/** Says why the pass ran, with the numbers that made it run. */
export function triggerWords({ trigger, before, highTokens }: PassView): string {
  switch (trigger) {
    case 'highWatermark':
      return `high watermark crossed: ${formatTokens(before)} > ${formatNumber(highTokens)}`;
    case 'overflow':
      return 'the API said the request was too long';
    case 'manual':
      return `asked for by you at ${formatTokens(before)}`;
  }
}

/** Names what a rung of the ladder did. */
export function rungWords(rung: PassView['rungs'][number]['rung']): string {
  switch (rung) {
    case 'clear':
      return 'Old tool results cleared';
    case 'compact':
      return 'Compacted into a summary';
    case 'evict':
      return 'Evicted';
  }
}

/** Names what was done to a block. */
export function actionWords(action: DecisionView['action']): string {
  switch (action) {
    case 'keep':
      return 'kept';
    case 'truncate':
      return 'truncated';
    case 'clear':
      return 'cleared';
    case 'compact':
      return 'compacted';
    case 'evict':
      return 'evicted';
  }
}

/** Says what the lost prompt-cache prefix costs, and when the pass has paid for itself. */
export function priceWords(pass: PassView): string {
  const { rewrittenTokens, breakEvenRequests: needed, requestsSince: since } = pass;
  if (rewrittenTokens === 0) return 'Prompt cache: nothing behind the change to write again.';
  const lost = `Prompt cache: ${formatNumber(rewrittenTokens)} tokens of prefix re-written.`;
  if (needed === null) return `${lost} Frees too little to pay back.`;
  if (since >= needed) return `${lost} Paid back after ${formatCount(needed, 'request')}.`;
  return `${lost} Pays back after ${formatCount(needed, 'request')}; ${since} since.`;
}
