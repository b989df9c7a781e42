import type { ContextView } from '../../../src/protocol/contextPanel';
import type { TimelineTotals } from '../../../src/protocol/timeline';
import { formatNumber, formatShare } from '../../ui/tokens';
import { formatPasses } from '../ledger/formatPasses';
import { refaultWords } from '../ledger/passWords';

/** One fact of the session, in words. */
export interface SessionFact {
  readonly name: string;
  readonly value: string;
}

/** What is to be told of a session or a recording; `totals` are absent until the host has told them. */
export function sessionFacts(
  context: ContextView,
  totals: TimelineTotals | undefined,
): readonly SessionFact[] {
  const { source, title, model, offline, windowSource, balance, policy, turn } = context;
  const { travel, passes, refaults } = context;
  const size = formatNumber(balance.contextWindowTokens);
  const steps = travel.last === 0 ? 'none yet' : formatNumber(travel.last);
  return [
    ...(source.type === 'recording'
      ? [{ name: 'File', value: `${source.file} (${source.format})` }]
      : []),
    { name: 'Title', value: title === '' ? 'No session yet' : title },
    { name: 'Model', value: offline ? `${model} (offline demo: scripted, no AI)` : model },
    { name: 'Context window', value: `${size} tokens, ${windowSource}` },
    { name: 'Policy', value: policy },
    { name: 'Turns', value: formatNumber(turn) },
    { name: 'Steps', value: steps },
    { name: 'Passes', value: passes.length === 0 ? 'none yet' : formatPasses(passes.length) },
    { name: 'Refaults', value: refaultWords(refaults) },
    ...(totals === undefined ? [] : totalFacts(totals)),
  ];
}

function totalFacts({ cacheReadShare, cost }: TimelineTotals): readonly SessionFact[] {
  return [
    {
      name: 'Read from the cache',
      value:
        cacheReadShare === null
          ? 'nothing billed yet'
          : `${formatShare(cacheReadShare, 1)} of the input tokens`,
    },
    { name: 'Cost', value: cost },
  ];
}
