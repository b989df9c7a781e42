import { tokenText } from '../contextWindow/amountText';
import type { Budget } from '../contextWindow/budget';
import type { Share } from '../replay/grounding';
import type { ReplayReport } from '../replay/report';
import { alignedColumns } from './alignedColumns';
import { replayWarnings } from './replayWarnings';
import { reportRows, type ReportRow } from './reportRows';

const HEADINGS = [
  'policy',
  'requests',
  'passes',
  'max',
  'input',
  'over',
  'invalid',
  'no task',
  'no ask',
  'edits visible',
  'paths visible',
  'refaults',
  'reuse',
  'cost',
  'plan ms',
];

const LEGEND = `≈ marks estimates. max, input: tokens of the largest request, and of all. over: requests over the input
budget. no task, no ask: requests without the task anchor that is pinned, without the newest prompt.
edits, paths visible: the texts that edits replaced and the paths that calls named, as far as the
request before showed them. refaults: what had left and was read again. reuse: share of the input a
prompt cache can serve. cost: US dollars at list price with that cache; ≥ where a file's model has
none. plan ms: what planning a pass took on this computer, median / 95 of 100. none: nothing evicted,
which every policy is held against.`;

/** Draws the reports as a table for people, with what is to be known of each file under it. */
export function replayTable(reports: readonly ReplayReport[], budget: Budget): string {
  const warnings = replayWarnings(reports);
  const parts = [
    budgetLine(budget),
    tableOf(reports),
    LEGEND,
    ...(warnings.length > 0 ? [warnings.join('\n')] : []),
  ];
  return parts.join('\n\n');
}

/** A file's name stands on a line of its own: paths are long, and rows are to stay narrow. */
function tableOf(reports: readonly ReplayReport[]): string {
  const groups = reportRows(reports);
  const rows = groups.flatMap((group) => group.rows.map(cellsOf));
  const [heading = '', ...lines] = alignedColumns([HEADINGS, ...rows], 1).split('\n');
  const blocks = groups.map(({ name, rows: own }) =>
    [name, ...lines.splice(0, own.length)].join('\n'),
  );
  return [heading, ...blocks].join('\n\n');
}

function budgetLine(budget: Budget): string {
  const { contextWindowTokens, inputBudget, highTokens, lowTokens } = budget;
  return `Window ${tokenText(contextWindowTokens)} tokens, input budget ${tokenText(inputBudget)}; a pass starts above ${tokenText(highTokens)} and stops at or below ${tokenText(lowTokens)}.`;
}

function cellsOf(row: ReportRow): readonly string[] {
  return [
    row.policy,
    tokenText(row.requests),
    tokenText(row.passes.length),
    `≈ ${tokenText(row.maxTokens)}`,
    `≈ ${tokenText(row.inputTokensTotal)}`,
    tokenText(row.overBudget),
    tokenText(row.invalid),
    tokenText(row.anchorMissing),
    tokenText(row.latestAskMissing),
    shareText(row.groundedEdits),
    shareText(row.groundedPaths),
    tokenText(row.refaults),
    percent(row.prefixReuse),
    costText(row),
    planText(row),
  ];
}

function costText({ cost, isCostPart }: ReportRow): string {
  if (cost === null) return 'unknown';
  return `${isCostPart === true ? '≥' : '≈'} ${cost.toFixed(2)}`;
}

function planText({ planMs }: ReportRow): string {
  if (planMs === undefined || planMs.p95 === 0) return '-';
  return `${planMs.median.toFixed(1)}/${planMs.p95.toFixed(1)}`;
}

function shareText({ visible, total }: Share): string {
  return total === 0 ? '-' : `${percent(visible / total)} ${visible}/${total}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
