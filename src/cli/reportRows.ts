import { NOTHING, plus } from '../replay/grounding';
import type { Measured, ReplayReport } from '../replay/report';

/** What a row of the table shows. */
export type ReportRow = Pick<ReplayReport, 'policy'> &
  Omit<Measured, 'planMs'> & {
    /** Missing in a sum: times of several files have no common median. */
    readonly planMs?: Measured['planMs'];
    /** True for a sum from which a file without a list price is missing. */
    readonly isCostPart?: boolean;
  };

/** The rows that belong under one name: a file's, or the sums of all. */
export interface RowGroup {
  readonly name: string;
  readonly rows: readonly ReportRow[];
}

/** Puts the rows of each file together, nothing evicted last, and adds up several files. */
export function reportRows(reports: readonly ReplayReport[]): readonly RowGroup[] {
  const files = [...new Set(reports.map(({ file }) => file))];
  const groups = files.map((name) => ({
    name,
    rows: withBaseline(reports.filter(({ file }) => file === name)),
  }));
  if (groups.length < 2) return groups;
  const rows = groups.flatMap((group) => group.rows);
  const policies = [...new Set(rows.map(({ policy }) => policy))];
  const sums = policies.map((policy) => sumOf(rows.filter((row) => row.policy === policy)));
  return [...groups, { name: `all ${groups.length} files`, rows: sums }];
}

/** Every policy is held against the same with nothing evicted: that row is there, asked for or not. */
function withBaseline(reports: readonly ReplayReport[]): readonly ReportRow[] {
  const [first] = reports;
  if (first === undefined || reports.some(({ policy }) => policy === 'none')) return reports;
  return [...reports, { policy: 'none', ...first.baseline }];
}

function sumOf(rows: readonly ReportRow[]): ReportRow {
  const sum = (of: (row: ReportRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const inputTokensTotal = sum((row) => row.inputTokensTotal);
  const reused = sum((row) => row.prefixReuse * row.inputTokensTotal);
  const priced = rows.flatMap(({ cost }) => cost ?? []);
  return {
    policy: rows[0]?.policy ?? 'none',
    requests: sum(({ requests }) => requests),
    passes: rows.flatMap(({ passes }) => passes),
    maxTokens: Math.max(...rows.map(({ maxTokens }) => maxTokens)),
    overBudget: sum(({ overBudget }) => overBudget),
    invalid: sum(({ invalid }) => invalid),
    anchorMissing: sum(({ anchorMissing }) => anchorMissing),
    latestAskMissing: sum(({ latestAskMissing }) => latestAskMissing),
    groundedEdits: rows.reduce((all, { groundedEdits }) => plus(all, groundedEdits), NOTHING),
    groundedPaths: rows.reduce((all, { groundedPaths }) => plus(all, groundedPaths), NOTHING),
    refaults: sum(({ refaults }) => refaults),
    prefixReuse: inputTokensTotal === 0 ? 0 : reused / inputTokensTotal,
    inputTokensTotal,
    cost: priced.length === 0 ? null : priced.reduce((total, cost) => total + cost, 0),
    isCostPart: priced.length < rows.length,
  };
}
