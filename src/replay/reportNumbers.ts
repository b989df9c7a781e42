import { percentText } from '../contextWindow/amount';
import type { Measured } from './replayReport';
import type { Share, Lost } from './measures/grounding';
import { allIdentifiers } from './measures/statedIdentifiers';

/** The numbers of a report that are compared: no times and no lists. */
export type Compared = Omit<
  Measured,
  'planMs' | 'tiersOfSteps' | 'editsLost' | 'passes' | 'cacheRewrites'
> & {
  readonly passes: readonly unknown[];
};

/** One number of a report that can be compared with the same number of another replay. */
interface ReportNumber {
  /** Its name in the table. */
  readonly name: string;
  /** Null if there is nothing to measure: no price, or no occurrence. */
  readonly of: (measured: Compared) => number | null;
  /** Its wording for people when it got worse. */
  readonly textOf: (measured: Compared) => string;
  /** Absent if neither more nor less is worse. */
  readonly worse?: 'more' | 'less';
  /** Worse only by more than this share of the number; absent: any difference counts. */
  readonly tolerance?: number;
}

/** Wordings change tokens a little: a smaller difference does not count as worse. */
const TOLERANCE = 0.01;

/** Every number that is compared, by its name in a delta. */
const REPORT_NUMBERS = {
  // Fewer requests: a part of the recording is no longer measured.
  requests: { ...plain('requests', ({ requests }) => requests), worse: 'less' },
  passes: plain('passes', ({ passes }) => passes.length),
  maxTokens: plain('max', ({ maxTokens }) => maxTokens),
  inputTokensTotal: {
    ...plain('input', ({ inputTokensTotal }) => inputTokensTotal),
    worse: 'more',
    tolerance: TOLERANCE,
  },
  systemTokens: plain('system', ({ tiers }) => tiers.system),
  workingTokens: plain('working', ({ tiers }) => tiers.working),
  archiveTokens: plain('archive', ({ tiers }) => tiers.archive),
  overBudget: atMost('over', ({ overBudget }) => overBudget),
  invalid: atMost('invalid', ({ invalid }) => invalid),
  anchorMissing: atMost('no task', ({ anchorMissing }) => anchorMissing),
  taskCut: atMost('task cut', ({ taskCut }) => taskCut),
  latestAskMissing: atMost('no ask', ({ latestAskMissing }) => latestAskMissing),
  editsVisible: visible('edits visible', ({ groundedEdits }) => groundedEdits),
  pathsVisible: visible('paths visible', ({ groundedPaths }) => groundedPaths),
  rulesKept: visible('rules kept', ({ rulesKept }) => rulesKept),
  identifiersVisible: visible('identifiers visible', ({ identifiers }) =>
    allIdentifiers(identifiers),
  ),
  namesVisible: visible('names visible', ({ identifiers }) => identifiers.names),
  numbersVisible: visible('numbers visible', ({ identifiers }) => identifiers.numbers),
  errorTextsVisible: visible('error texts visible', ({ identifiers }) => identifiers.errorTexts),
  constraintsVisible: visible('constraints visible', ({ identifiers }) => identifiers.constraints),
  refaults: atMost('refaults', ({ refaults }) => refaults),
  summaryDropped: {
    name: 'summary dropped',
    of: ({ summaryUses }) => summaryUses.dropped,
    textOf: ({ summaryUses: { kept, dropped } }) => `${dropped}/${kept + dropped}`,
    worse: 'more',
  },
  repeatedCalls: lost('repeated', ({ repeatedCalls }) => repeatedCalls),
  unansweredQuestions: lost('unanswered', ({ unansweredQuestions }) => unansweredQuestions),
  prefixReuse: {
    name: 'reuse',
    of: ({ prefixReuse }) => prefixReuse,
    textOf: ({ prefixReuse }) => percentText(prefixReuse, 1),
    worse: 'less',
    tolerance: TOLERANCE,
  },
  cost: {
    name: 'cost',
    of: ({ cost }) => cost,
    textOf: ({ cost }) => cost?.toFixed(4) ?? 'unknown',
    worse: 'more',
    tolerance: TOLERANCE,
  },
} satisfies Readonly<Record<string, ReportNumber>>;

export type ReportNumberName = keyof typeof REPORT_NUMBERS;

/** Every number minus that of the baseline; shares as 0..1, null if either has none. */
export type Delta = Readonly<Record<ReportNumberName, number | null>>;

/** Compares a replay with the same recording and nothing evicted. */
export function deltaOf(measured: Compared, baseline: Compared): Delta {
  const entries = Object.entries<ReportNumber>(REPORT_NUMBERS).map(([name, number]) => {
    const [now, before] = [number.of(measured), number.of(baseline)];
    return [name, now === null || before === null ? null : rounded(now - before)] as const;
  });
  return Object.fromEntries(entries) as Delta;
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}

function plain(name: string, of: (measured: Compared) => number) {
  return { name, of, textOf: (measured: Compared) => String(of(measured)) } as const;
}

function atMost(name: string, of: (measured: Compared) => number) {
  return { ...plain(name, of), worse: 'more' } as const;
}

function visible(name: string, shareOf: (measured: Compared) => Share) {
  return {
    name,
    of: (measured: Compared) => {
      const { visible: seen, total } = shareOf(measured);
      return total === 0 ? null : seen / total;
    },
    textOf: (measured: Compared) => `${shareOf(measured).visible}/${shareOf(measured).total}`,
    worse: 'less',
  } as const;
}

function lost(name: string, lostOf: (measured: Compared) => Lost) {
  return {
    name,
    of: (measured: Compared) => lostOf(measured).lost,
    textOf: (measured: Compared) => `${lostOf(measured).lost}/${lostOf(measured).total}`,
    worse: 'more',
  } as const;
}

/** A number of a report that got worse, in words. */
interface Worse {
  readonly name: string;
  readonly before: string;
  readonly now: string;
}

/** Finds the numbers that got worse or are no longer measured. */
export function worseNumbers(now: Compared, before: Compared): readonly Worse[] {
  return Object.values<ReportNumber>(REPORT_NUMBERS)
    .filter((number) => isWorse(number, number.of(now), number.of(before)))
    .map(({ name, textOf }) => ({ name, before: textOf(before), now: textOf(now) }));
}

function isWorse(
  { worse, tolerance = 0 }: ReportNumber,
  now: number | null,
  before: number | null,
) {
  if (before === null || worse === undefined) return false;
  if (now === null) return true;
  const allowed = Math.abs(before) * tolerance;
  return worse === 'more' ? now > before + allowed : now < before - allowed;
}
