import type { ReplayReport } from '../replay/report';
import { inOptions } from './optionNames';

/** Says what went wrong in the requests of each report, and what its files' importers left out. */
export function replayWarnings(reports: readonly ReplayReport[]): readonly string[] {
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
  if (report.latestAskMissing > 0) {
    warnings.push(warn(`${times(report.latestAskMissing, 'request')} without the newest prompt.`));
  }
  return warnings;
}

function times(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
