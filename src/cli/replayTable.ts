import { tokenText } from '../contextWindow/amountText';
import type { Budget } from '../contextWindow/budget';
import type { Share } from '../replay/grounding';
import type { ReplayReport } from '../replay/report';
import { alignedColumns } from './alignedColumns';
import { reportTotals, type ReportRow } from './reportTotals';
import { replayWarnings } from './replayWarnings';

const HEADINGS = [
  'file',
  'policy',
  'requests',
  'passes',
  'max tokens',
  'over',
  'invalid',
  'edits visible',
  'paths visible',
  'refaults',
  'prefix reuse',
  'cost',
];

/** A longer name of a file loses its beginning; characters. */
const LONGEST_FILE = 48;

const LEGEND = `≈ marks estimates. over: requests over the input budget. edits, paths visible: the texts that edits
replaced and the paths that calls named, as far as the request before showed them. refaults: what had
left and was read again. prefix reuse: share of the input a prompt cache can serve. cost: US dollars at
list price with that cache; ≥ where a file's model has none.`;

/** Draws the reports as a table for people, with what is to be known of each file under it. */
export function replayTable(reports: readonly ReplayReport[], budget: Budget): string {
  const rows = [...reports, ...reportTotals(reports)].map(cellsOf);
  const warnings = replayWarnings(reports);
  const parts = [
    budgetLine(budget),
    alignedColumns([HEADINGS, ...rows], 2),
    LEGEND,
    ...(warnings.length > 0 ? [warnings.join('\n')] : []),
  ];
  return parts.join('\n\n');
}

function budgetLine(budget: Budget): string {
  const { contextWindowTokens, inputBudget, highTokens, lowTokens } = budget;
  return `Window ${tokenText(contextWindowTokens)} tokens, input budget ${tokenText(inputBudget)}; a pass starts above ${tokenText(highTokens)} and stops at or below ${tokenText(lowTokens)}.`;
}

function cellsOf(row: ReportRow): readonly string[] {
  return [
    row.file.length <= LONGEST_FILE ? row.file : `…${row.file.slice(1 - LONGEST_FILE)}`,
    row.policy,
    tokenText(row.requests),
    tokenText(row.passes.length),
    `≈ ${tokenText(row.maxTokens)}`,
    tokenText(row.overBudget),
    tokenText(row.invalid),
    shareText(row.groundedEdits),
    shareText(row.groundedPaths),
    tokenText(row.refaults),
    percent(row.prefixReuse),
    costText(row),
  ];
}

function costText({ cost, isCostPart }: ReportRow): string {
  if (cost === null) return 'unknown';
  return `${isCostPart === true ? '≥' : '≈'} ${cost.toFixed(2)}`;
}

function shareText({ visible, total }: Share): string {
  return total === 0 ? '-' : `${percent(visible / total)} (${visible}/${total})`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
