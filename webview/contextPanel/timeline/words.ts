import { countText, dollarAmountText, ESTIMATE_MARK } from '../../../src/editor/coreForPages';
import type { MarkKind, TimelinePoint } from '../../../src/editor/contextPanel/timeline/state';
import type { BillView, TimelineTotals } from '../../../src/editor/session/state';
import { formatNumber, formatShare, formatTokens } from '../../kit/tokens';

/** The sign of each kind of mark and its name in the key: shape and word, not colour alone. */
export const MARKS: Readonly<Record<MarkKind, { readonly sign: string; readonly name: string }>> = {
  pass: { sign: '│', name: 'pass' },
  change: { sign: '○', name: 'change by you' },
  undo: { sign: '↶', name: 'undo' },
  recall: { sign: '▲', name: 'needed again' },
  error: { sign: '✕', name: 'error' },
  overflow: { sign: '■', name: 'overflow' },
  model: { sign: '◆', name: 'model change' },
  compacted: { sign: '▽', name: 'its own compaction' },
};

/** Sums up the session for the timeline's heading. */
export function totalsWords(totals: TimelineTotals): string {
  const { passes, changes, refaults } = totals;
  return [
    countText(passes, 'pass', 'passes'),
    ...(changes === 0 ? [] : [`${countText(changes, 'change')} by you`]),
    `${formatNumber(refaults)} needed again`,
    ...billsWords(totals),
  ].join(' · ');
}

/** Says what a session cost; for a recording, Plimsoll's simulated cost and the agent's own. */
function billsWords({ recordedBill, fork, ...own }: TimelineTotals): readonly string[] {
  if (recordedBill === undefined) return [...cacheWords(own), `${own.cost}${forkWords(fork)}`];
  return [
    `Plimsoll would have paid: ${[own.cost, ...cacheWords(own)].join(', ')}, simulated`,
    `the recorded agent's bill: ${[recordedBill.cost, ...cacheWords(recordedBill)].join(', ')}`,
  ];
}

/** Says what a fork took over and what it spent; '' for another session. */
function forkWords(fork: TimelineTotals['fork']): string {
  return fork === undefined ? '' : ` (${fork.inherited} inherited, ${fork.spent} since the fork)`;
}

function cacheWords({ cacheReadShare }: BillView): readonly string[] {
  return cacheReadShare === null ? [] : [`${formatShare(cacheReadShare, 1)} read from cache`];
}

export function stepWords({ step, turn }: TimelinePoint): string {
  return `Step ${formatNumber(step)} · turn ${formatNumber(turn)}`;
}

export function fillWords({ system, archive, working, exact }: TimelinePoint): string {
  return `${formatTokens({ tokens: system + archive + working, exact })} tokens`;
}

/** The parts of a step's request; the split is estimated, never counted. */
export function partsOf({ system, archive, working, summary }: TimelinePoint) {
  const ofSummary = summary === undefined ? '' : ` (summary ${formatNumber(summary)})`;
  return [
    { area: 'system', words: `system ${formatNumber(system)}` },
    { area: 'archive', words: `older ${formatNumber(archive)}${ofSummary}` },
    { area: 'working', words: `recent ${formatNumber(working)}` },
  ] as const;
}

/**
 * Says what a step cost, if the API reported it; otherwise ''. For a recording, Plimsoll's
 * simulated cost and the agent's own.
 */
export function costWords({ simulated, recordedBill, ...own }: TimelinePoint): string {
  if (simulated !== true) {
    const { cost, isEstimatedCost } = own;
    const charged =
      cost === 0 ? 'no charge (offline)' : dollarAmountText(cost ?? 0, isEstimatedCost !== true);
    return [...fromCache(own), ...(cost === null ? [] : [charged])].join(' · ');
  }
  const words = (bill: Bill, isBilled: boolean) =>
    [
      bill.cost === null ? 'price unknown' : dollarAmountText(bill.cost, isBilled),
      ...fromCache(bill),
    ].join(', ');
  return [
    ...(own.billed === null ? [] : [`Plimsoll would have paid: ${words(own, false)}, simulated`]),
    ...(recordedBill === undefined
      ? []
      : [`the recorded agent's bill: ${words(recordedBill, true)}`]),
  ].join(' · ');
}

type Bill = Pick<TimelinePoint, 'billed' | 'cost'>;

function fromCache({ billed }: Bill): readonly string[] {
  const input = billed === null ? 0 : billed.fresh + billed.cacheWrite + billed.cacheRead;
  return billed === null || input === 0
    ? []
    : [`${formatShare(billed.cacheRead, input)} from cache`];
}

/** Says how far the estimate was off; '' if there is no count, or if it was about right. */
export function driftWords({ drift = 0, system, archive, working }: TimelinePoint): string {
  const total = system + archive + working;
  // A difference that rounds to 0 % says nothing.
  if (Math.abs(drift) < total * 0.005) return '';
  return `estimated ${formatShare(Math.abs(drift), total)} too ${drift > 0 ? 'high' : 'low'}`;
}

/** Gives the recorded agent's own request next to Plimsoll's; '' if it has no count. */
export function recordedWords({ recordedTokens }: TimelinePoint): string {
  if (recordedTokens === undefined) return '';
  return `recorded request ${formatNumber(recordedTokens)} by its server's count`;
}

/** Says what happened before or in a step; '' if nothing did. */
export function marksWords({ marks }: TimelinePoint): string {
  return marks.map(({ words }) => words).join(' · ');
}

/** Describes a whole step; events come first, so that they are visible in little room. */
export function pointWords(point: TimelinePoint): string {
  const parts = partsOf(point).map(({ words }) => words);
  const fullness = `${fillWords(point)} (${ESTIMATE_MARK}\u00a0${parts.join(', ')})`;
  const words = [
    stepWords(point),
    marksWords(point),
    fullness,
    recordedWords(point),
    driftWords(point),
    costWords(point),
  ];
  return words.filter((each) => each !== '').join(' · ');
}
