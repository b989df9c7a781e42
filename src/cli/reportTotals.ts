import { plus, NOTHING } from '../replay/grounding';
import type { Measured, ReplayReport } from '../replay/report';

/** What a row of the table shows. */
export type ReportRow = Pick<ReplayReport, 'file' | 'policy'> &
  Omit<Measured, 'planMs'> & {
    /** True for a sum from which a file without a list price is missing. */
    readonly isCostPart?: boolean;
  };

/** Adds up the reports of several files, one row for each policy; none for a single file. */
export function reportTotals(reports: readonly ReplayReport[]): readonly ReportRow[] {
  const files = new Set(reports.map(({ file }) => file));
  if (files.size < 2) return [];
  const policies = [...new Set(reports.map(({ policy }) => policy))];
  return policies.map((policy) => totalOf(reports.filter((report) => report.policy === policy)));
}

function totalOf(reports: readonly ReplayReport[]): ReportRow {
  const sum = (of: (report: ReplayReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const inputTokensTotal = sum(({ inputTokensTotal }) => inputTokensTotal);
  const reused = sum(({ prefixReuse, inputTokensTotal }) => prefixReuse * inputTokensTotal);
  const priced = reports.flatMap(({ cost }) => cost ?? []);
  return {
    file: `all ${reports.length} files`,
    policy: reports[0]?.policy ?? 'none',
    requests: sum(({ requests }) => requests),
    passes: reports.flatMap(({ passes }) => passes),
    maxTokens: Math.max(...reports.map(({ maxTokens }) => maxTokens)),
    overBudget: sum(({ overBudget }) => overBudget),
    invalid: sum(({ invalid }) => invalid),
    anchorMissing: sum(({ anchorMissing }) => anchorMissing),
    latestAskMissing: sum(({ latestAskMissing }) => latestAskMissing),
    groundedEdits: reports.reduce((all, { groundedEdits }) => plus(all, groundedEdits), NOTHING),
    groundedPaths: reports.reduce((all, { groundedPaths }) => plus(all, groundedPaths), NOTHING),
    refaults: sum(({ refaults }) => refaults),
    prefixReuse: inputTokensTotal === 0 ? 0 : reused / inputTokensTotal,
    inputTokensTotal,
    cost: priced.length === 0 ? null : priced.reduce((total, cost) => total + cost, 0),
    isCostPart: priced.length < reports.length,
  };
}
