import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { tokenText } from '../contextWindow/amount';
import { refused, type Result } from '../contextWindow/result';
import { visiblePath } from '../contextWindow/visibleText';
import { NOTHING } from '../replay/measures/grounding';
import type { ReplayReport } from '../replay/replayReport';
import { worseNumbers } from '../replay/reportNumbers';
import { whyNotRead } from './files';
import type { ReplayOptions } from './replayOptions';
import type { Say } from './terminal';

const number = z.number();
const share = z.object({ visible: number, total: number });
const lost = z.object({ lost: number, total: number });

/** The part of a report that is compared. */
const storedReport = z.object({
  file: z.string(),
  policy: z.string(),
  inputBudget: number,
  /** Absent in older reports, which measured only the file. */
  fileOnly: z._default(z.boolean(), true),
  requests: number,
  passes: z.array(z.unknown()),
  maxTokens: number,
  inputTokensTotal: number,
  tiers: z.object({ system: number, working: number, archive: number }),
  overBudget: number,
  invalid: number,
  anchorMissing: number,
  /** Older reports did not measure it: no cut counts as worse. */
  taskCut: z._default(number, Infinity),
  latestAskMissing: number,
  groundedEdits: share,
  groundedPaths: share,
  /** Absent in older reports. */
  rulesKept: z._default(share, NOTHING),
  identifiers: z.object({ names: share, numbers: share, errorTexts: share, constraints: share }),
  refaults: number,
  /** Older reports did not measure it: nothing counts as worse. */
  summaryUses: z._default(z.object({ kept: number, dropped: number }), {
    kept: 0,
    dropped: Infinity,
  }),
  repeatedCalls: lost,
  unansweredQuestions: lost,
  prefixReuse: number,
  cost: z.nullable(number),
});

type StoredReport = z.infer<typeof storedReport>;

/** Says why the report of `--check` cannot be compared with; undefined if it can, or is absent. */
export function uncheckable({
  checkFile,
  files,
  policies,
  budget,
  fileOnly,
}: ReplayOptions): string | undefined {
  if (checkFile === undefined) return undefined;
  const read = readStored(checkFile);
  if (!read.ok) return read.message;
  for (const file of files) {
    for (const policy of policies) {
      const before = findStored(read.reports, file, policy);
      if (before === undefined) {
        return `--check ${visiblePath(checkFile)} has no report of ${visiblePath(file)} under ${policy}. Save one with --json.`;
      }
      if (before.fileOnly !== fileOnly) {
        return (
          `--check ${visiblePath(checkFile)} was made ${before.fileOnly ? 'with' : 'without'} --file-only, so its ` +
          `tokens differ. ${before.fileOnly ? 'Add' : 'Leave out'} --file-only.`
        );
      }
      if (before.inputBudget !== budget.inputBudget) {
        return (
          `--check ${visiblePath(checkFile)} was made with an input budget of ${tokenText(before.inputBudget)} ` +
          `tokens, not ${tokenText(budget.inputBudget)}. Use the same window.`
        );
      }
    }
  }
  return undefined;
}

/** Prints which numbers are worse than in the saved report, one a line; returns whether any is. */
export function reportWorse(
  reports: readonly ReplayReport[],
  checkFile: string,
  say: Say,
): boolean {
  const read = readStored(checkFile);
  if (!read.ok) throw new Error(read.message);
  const lines = reports.flatMap((report) => {
    const before = findStored(read.reports, report.file, report.policy);
    if (before === undefined) return [];
    return worseNumbers(report, before).map(
      (worse) =>
        `  ${visiblePath(report.file)}, ${report.policy}: ${worse.name} ${worse.now}, was ${worse.before}`,
    );
  });
  const count = lines.length === 0 ? 'no' : String(lines.length);
  const what = lines.length > 1 ? 'numbers are' : 'number is';
  say(`plimsoll: ${count} ${what} worse than in ${visiblePath(checkFile)}.`);
  for (const line of lines) say(line);
  return lines.length > 0;
}

/** Reports are matched by file, as it was named, and policy. */
function findStored(
  reports: readonly StoredReport[],
  file: string,
  policy: string,
): StoredReport | undefined {
  return reports.find((report) => report.file === file && report.policy === policy);
}

function readStored(file: string): Result<{ readonly reports: readonly StoredReport[] }> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return refused(`--check ${visiblePath(file)} cannot be read: ${whyNotRead(error)}`);
  }
  const read = z.array(storedReport).safeParse(jsonIn(text));
  if (read.success) return { ok: true, reports: read.data };
  const [issue] = read.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : ` (${issue.path.join('.')})`;
  return refused(
    `--check ${visiblePath(file)} is not a report that this version of plimsoll replay --json wrote${place}.`,
  );
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
