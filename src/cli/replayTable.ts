import { dollarAmountText, dollarText, percentText, tokenText } from '../contextWindow/amount';
import { policyLabel } from '../contextWindow/plan';
import { NO_SUMMARY_USES, plusSummaryUses } from '../contextWindow/summaryCheck/summaryUses';
import type { Budget } from '../contextWindow/budget';
import {
  NOTHING,
  plus,
  type Share,
  type Lost,
  NONE_LOST,
  plusLost,
} from '../replay/measures/grounding';
import {
  allIdentifiers,
  NO_IDENTIFIERS,
  plusIdentifiers,
} from '../replay/measures/statedIdentifiers';
import type { Measured, ReplayReport } from '../replay/replayReport';
import { type Compared, type Delta, deltaOf, type ReportNumberName } from '../replay/reportNumbers';
import { REWRITE_CAUSES } from '../replay/simulatedCache';
import { type CacheRewrites, NO_TIERS, plusRewrites, plusTiers } from '../replay/tally';
import { inOptions } from './options';

/** A column: its cell for a row, and the difference from the replay with nothing evicted. */
interface Column {
  readonly heading: string;
  readonly cell: (row: ReportRow) => string;
  readonly delta?: (delta: Delta) => string;
}

/** What the requests still showed of what the recording needed later. */
const KEPT: readonly Column[] = [
  share('edits visible', ({ groundedEdits }) => groundedEdits, 'editsVisible'),
  share('paths visible', ({ groundedPaths }) => groundedPaths, 'pathsVisible'),
  share('rules kept', ({ rulesKept }) => rulesKept, 'rulesKept'),
  share(
    'identifiers visible',
    ({ identifiers }) => allIdentifiers(identifiers),
    'identifiersVisible',
  ),
  count('refaults', ({ refaults }) => refaults, 'refaults'),
  {
    heading: 'summary',
    cell: ({ summaryUses: { kept, dropped } }) => `${kept}/${dropped}`,
    delta: ({ summaryDropped }) => signed(summaryDropped),
  },
  lost('repeated', ({ repeatedCalls }) => repeatedCalls, 'repeatedCalls'),
  lost('unanswered', ({ unansweredQuestions }) => unansweredQuestions, 'unansweredQuestions'),
  count('no task', ({ anchorMissing }) => anchorMissing, 'anchorMissing'),
  count('no ask', ({ latestAskMissing }) => latestAskMissing, 'latestAskMissing'),
  count('over', ({ overBudget }) => overBudget, 'overBudget'),
  count('invalid', ({ invalid }) => invalid, 'invalid'),
];

/** What the requests cost. */
const TOOK: readonly Column[] = [
  count('requests', ({ requests }) => requests, 'requests'),
  count('passes', ({ passes }) => passes.length, 'passes'),
  tokens('max', ({ maxTokens }) => maxTokens, 'maxTokens'),
  tokens('input', ({ inputTokensTotal }) => inputTokensTotal, 'inputTokensTotal'),
  tokens('system', ({ tiers }) => tiers.system, 'systemTokens'),
  tokens('working', ({ tiers }) => tiers.working, 'workingTokens'),
  tokens('archive', ({ tiers }) => tiers.archive, 'archiveTokens'),
  {
    heading: 'reuse',
    cell: ({ prefixReuse }) => percent(prefixReuse),
    delta: ({ prefixReuse }) => points(prefixReuse),
  },
  { heading: 'rewrites', cell: ({ cacheRewrites }) => rewritesText(cacheRewrites) },
  { heading: 'cost', cell: costText, delta: ({ cost }) => signed(cost, 2) },
  { heading: 'plan ms', cell: planText },
];

const LEGEND = `≈ marks estimates. delta: the difference from none, where nothing is evicted; shares differ in points.
edits, paths visible: texts that edits replaced and paths that calls named, if the request before showed
them. rules kept: standing rules of the prompts so far that the request had verbatim, in a prompt, the
rules block, a summary or project memory. identifiers visible: names, numbers, error texts and
constraints of earlier prompts, if the request showed them when a reply used them. refaults: evicted
content that was read again. summary: what later replies used of summarised blocks and nothing else
showed, kept by the summary / dropped. repeated: calls made again with the same result, and how many of
these first results were evicted. unanswered: questions, and how many were evicted before they were
answered. no task, no ask: requests without the pinned task anchor, without the newest prompt. over:
requests over the input budget. max, input: tokens of the largest request, and of all, by tier. reuse:
share of the input that a prompt cache serves; it forgets after 5 minutes, or after the hour that
Plimsoll asks for, by the times of the recording. rewrites: later requests that wrote more than half of
their window: cache expired / pass / model, tools or system prompt changed. cost: US dollars that
Plimsoll would have paid at list price with that cache; ≥ if a file's model has no list price.
laterNeeds: clairvoyant where it had more refaults than ladder, since it plans one pass at a time. plan
ms: time to plan a pass on this computer, median / 95th percentile.`;

/** How many requests wrote most of their window again, by cause; the first has nothing to read. */
function rewritesText(rewrites: CacheRewrites): string {
  const causes = REWRITE_CAUSES.filter((cause) => cause !== 'first');
  return causes.map((cause) => rewrites[cause]?.requests ?? 0).join('/');
}

/** Draws the reports as a table for people, with notes on each file below. */
export function replayTable(reports: readonly ReplayReport[], budget: Budget): string {
  const warnings = replayWarnings(reports);
  const groups = reportRows(reports);
  const parts = [
    budgetLine(budget),
    tableOf(groups, KEPT),
    tableOf(groups, TOOK),
    LEGEND,
    ...passPrices(reports),
    ...agentsBills(reports),
    ...(warnings.length > 0 ? [warnings.join('\n')] : []),
  ];
  return parts.join('\n\n');
}

/** What the passes cost and saved, a line a file and policy, by the simulated cache. */
function passPrices(reports: readonly ReplayReport[]): readonly string[] {
  const lines = reports.flatMap(({ file, policy, passes, refaults }) => {
    if (passes.length === 0) return [];
    const ladder = reports.find((other) => other.file === file && other.policy === 'ladder');
    const name = policyLabel(policy, refaults, ladder?.refaults ?? refaults);
    const costs = passes.flatMap(({ price }) => price.cost ?? []);
    const saved = passes.flatMap(({ price }) => price.saved ?? []);
    const repaid = passes.filter(({ price }) => price.repaidSince !== null).length;
    const isKnown = costs.length === passes.length;
    const money = isKnown
      ? `cost ${dollarAmountText(sumOfNumbers(costs))}, saved ${dollarAmountText(sumOfNumbers(saved))}`
      : 'at an unknown price';
    return [
      `${file}, ${name}: ${times(passes.length, 'pass', 'passes')}, ${money}; ${repaid} repaid`,
    ];
  });
  if (lines.length === 0) return [];
  return [
    [
      'Passes: what they cost (summaries, and cached text written again) and saved, until repaid:',
      ...lines,
    ].join('\n'),
  ];
}

function sumOfNumbers(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/**
 * What the recorded agents themselves paid, a line a file; not the price of Plimsoll's requests.
 */
function agentsBills(reports: readonly ReplayReport[]): readonly string[] {
  const lines = new Map(
    reports.flatMap(({ file, recordedBill }) => {
      if (recordedBill === null) return [];
      const { cost, cacheReadShare, replies, withoutUsage } = recordedBill;
      const of = withoutUsage > 0 ? ` (${replies} of ${replies + withoutUsage} replies)` : '';
      const paid = cost === null ? 'an unknown price' : dollarText(cost);
      return [
        [
          file,
          `${file}: ${paid}${of}, ${percent(cacheReadShare)} of the input read from the cache`,
        ],
      ] as const;
    }),
  );
  if (lines.size === 0) return [];
  return [
    ['Paid by the recorded agents, by the usage in the files:', ...lines.values()].join('\n'),
  ];
}

/** A file's name has its own line: paths are long, and rows stay narrow. */
function tableOf(groups: readonly RowGroup[], columns: readonly Column[]): string {
  const headings = ['policy', ...columns.map(({ heading }) => heading)];
  const linesOf = groups.map(({ rows }) => rows.flatMap((row) => cellsOf(row, rows, columns)));
  const drawn = alignedColumns([headings, ...linesOf.flat()], 1).split('\n');
  const [heading = '', ...lines] = drawn;
  const blocks = groups.map(({ name }, index) =>
    [name, ...lines.splice(0, linesOf[index]?.length)].join('\n'),
  );
  return [heading, ...blocks].join('\n\n');
}

/** The line of a policy, and below it the difference from none. */
function cellsOf(
  row: ReportRow,
  rows: readonly ReportRow[],
  columns: readonly Column[],
): readonly (readonly string[])[] {
  const { delta } = row;
  const ladder = rows.find(({ policy }) => policy === 'ladder') ?? row;
  const name = policyLabel(row.policy, row.refaults, ladder.refaults);
  const cells = [name, ...columns.map(({ cell }) => cell(row))];
  if (delta === undefined) return [cells];
  return [cells, ['  delta', ...columns.map((column) => column.delta?.(delta) ?? '')]];
}

/** Says how large the window is, and when passes run. */
export function budgetLine(budget: Budget): string {
  const { contextWindowTokens, inputBudget, highTokens, lowTokens } = budget;
  return `Window ${tokenText(contextWindowTokens)} tokens, input budget ${tokenText(inputBudget)}; a pass starts above ${tokenText(highTokens)} and stops at or below ${tokenText(lowTokens)}.`;
}

function count(heading: string, of: (row: ReportRow) => number, name: ReportNumberName): Column {
  return { heading, cell: (row) => tokenText(of(row)), delta: (delta) => signed(delta[name]) };
}

function tokens(heading: string, of: (row: ReportRow) => number, name: ReportNumberName): Column {
  return { ...count(heading, of, name), cell: (row) => `≈ ${tokenText(of(row))}` };
}

function share(heading: string, of: (row: ReportRow) => Share, name: ReportNumberName): Column {
  return { heading, cell: (row) => shareText(of(row)), delta: (delta) => points(delta[name]) };
}

function lost(heading: string, of: (row: ReportRow) => Lost, name: ReportNumberName): Column {
  const cell = (row: ReportRow) => `${of(row).lost}/${of(row).total}`;
  return { heading, cell, delta: (delta) => signed(delta[name]) };
}

/** A signed difference; '-' if there is none to show. */
function signed(value: number | null, digits = 0): string {
  if (value === null) return '-';
  const size = digits === 0 ? tokenText(Math.abs(value)) : Math.abs(value).toFixed(digits);
  if (Number(size.replaceAll(',', '')) === 0) return '0';
  return `${value > 0 ? '+' : '-'}${size}`;
}

/** A difference of shares, in percentage points. */
function points(value: number | null): string {
  return signed(value === null ? null : value * 100, 1);
}

function costText({ cost, isCostPart }: ReportRow): string {
  if (cost === null) return 'unknown';
  const text = isCostPart === true ? `≥ ${dollarText(cost)}` : dollarAmountText(cost);
  return text.replace('$', '');
}

function planText({ planMs }: ReportRow): string {
  if (planMs === undefined || planMs.p95 === 0) return '-';
  return `${planMs.median.toFixed(1)}/${planMs.p95.toFixed(1)}`;
}

function shareText({ visible, total }: Share): string {
  return total === 0 ? '-' : `${percent(visible / total)} ${visible}/${total}`;
}

function percent(share: number): string {
  return percentText(share, 1);
}

/** Aligns rows of cells in columns: the first `left` to the left, the others to the right. */
export function alignedColumns(rows: readonly (readonly string[])[], left: number): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const set = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return column < left ? cell.padEnd(width) : cell.padStart(width);
  };
  return rows.map((row) => row.map(set).join('  ').trimEnd()).join('\n');
}

/** Says what went wrong in the requests of each report, and what the importers left out. */
function replayWarnings(reports: readonly ReplayReport[]): readonly string[] {
  const warnings = reports.flatMap(warningsOf);
  const notes = reports.flatMap(({ file, notes: ofFile }) =>
    ofFile.map((note) => `${file}: ${note}`),
  );
  // The importer says the same under every policy.
  return [...warnings, ...new Set(notes)];
}

function warningsOf(report: ReplayReport): readonly string[] {
  const { file, policy, overBudget, firstOverBudget, invalid, firstRefusal } = report;
  const warn = (text: string) => `WARNING ${file}, ${policy}: ${text}`;
  const warnings: string[] = [];
  if (firstOverBudget !== undefined) {
    const { step, why } = firstOverBudget;
    warnings.push(
      warn(
        `${times(overBudget, 'request is', 'requests are')} over the input budget, the first at step ${step}. ${inOptions(why)}`,
      ),
    );
  }
  if (invalid > 0) {
    warnings.push(
      warn(
        `the API would refuse ${times(invalid, 'request')}, the first because: ${firstRefusal ?? ''}`,
      ),
    );
  }
  if (report.anchorMissing > 0) {
    warnings.push(warn(`${times(report.anchorMissing, 'request')} without the task anchor.`));
  }
  if (report.taskCut > 0) {
    const cut = tokenText(report.taskCut);
    warnings.push(warn(`the task was shortened: a request left out up to ≈ ${cut} of its tokens.`));
  }
  if (report.latestAskMissing > 0) {
    warnings.push(warn(`${times(report.latestAskMissing, 'request')} without the newest prompt.`));
  }
  return warnings;
}

function times(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

/** What a row of the table shows. */
type ReportRow = Pick<ReplayReport, 'policy' | 'cacheRewrites'> &
  Compared & {
    /** Absent in a sum: the times of several files have no common median. */
    readonly planMs?: Measured['planMs'];
    /** True for a sum that leaves out a file without a list price. */
    readonly isCostPart?: boolean;
    /** Every number minus that of `none`; absent for `none` itself. */
    readonly delta?: Delta;
  };

/** The rows under one name: those of a file, or the sums of all files. */
interface RowGroup {
  readonly name: string;
  readonly rows: readonly ReportRow[];
}

/** Groups the rows by file, with nothing evicted last, and adds up several files. */
function reportRows(reports: readonly ReplayReport[]): readonly RowGroup[] {
  const files = [...new Set(reports.map(({ file }) => file))];
  const groups = files.map((name) => ({
    name,
    rows: withBaseline(reports.filter(({ file }) => file === name)),
  }));
  if (groups.length < 2) return groups;
  const rows = groups.flatMap((group) => group.rows);
  const policies = [...new Set(rows.map(({ policy }) => policy))];
  const sums = policies.map((policy) => sumOf(rows.filter((row) => row.policy === policy)));
  const none = sums.find(({ policy }) => policy === 'none');
  const compared = sums.map((row) =>
    none === undefined || row === none ? row : { ...row, delta: deltaOf(row, none) },
  );
  return [...groups, { name: `all ${groups.length} files`, rows: compared }];
}

/** Every policy is compared with the same file and nothing evicted, so that row is always there. */
function withBaseline(reports: readonly ReplayReport[]): readonly ReportRow[] {
  const [first] = reports;
  const rows = reports.map(({ delta, ...row }) =>
    row.policy === 'none' ? row : { ...row, delta },
  );
  if (first === undefined || rows.some(({ policy }) => policy === 'none')) return rows;
  return [...rows, { policy: 'none', ...first.baseline }];
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
    taskCut: Math.max(...rows.map(({ taskCut }) => taskCut)),
    latestAskMissing: sum(({ latestAskMissing }) => latestAskMissing),
    groundedEdits: rows.reduce((all, { groundedEdits }) => plus(all, groundedEdits), NOTHING),
    groundedPaths: rows.reduce((all, { groundedPaths }) => plus(all, groundedPaths), NOTHING),
    rulesKept: rows.reduce((all, { rulesKept }) => plus(all, rulesKept), NOTHING),
    identifiers: rows.reduce(
      (all, { identifiers }) => plusIdentifiers(all, identifiers),
      NO_IDENTIFIERS,
    ),
    repeatedCalls: rows.reduce((all, row) => plusLost(all, row.repeatedCalls), NONE_LOST),
    unansweredQuestions: rows.reduce(
      (all, row) => plusLost(all, row.unansweredQuestions),
      NONE_LOST,
    ),
    refaults: sum(({ refaults }) => refaults),
    summaryUses: rows.reduce(
      (all, { summaryUses }) => plusSummaryUses(all, summaryUses),
      NO_SUMMARY_USES,
    ),
    prefixReuse: inputTokensTotal === 0 ? 0 : reused / inputTokensTotal,
    inputTokensTotal,
    cacheRewrites: rows.reduce((all, row) => plusRewrites(all, row.cacheRewrites), {}),
    tiers: rows.reduce((all, { tiers }) => plusTiers(all, tiers), NO_TIERS),
    cost: priced.length === 0 ? null : priced.reduce((total, cost) => total + cost, 0),
    isCostPart: priced.length < rows.length,
  };
}
