import { settingName } from '../settings/readSettings';
import { tokenText } from '../contextWindow/amount';
import type { Budget } from '../contextWindow/budget';
import type { Spread, TurnReport } from '../replay/turnSizes';
import { alignedColumns, budgetLine } from './replayTable';

/** Draws how long turns are, and says what limits follow from that and why. */
export function turnsText(report: TurnReport, budget: Budget): string {
  const rows = [
    ['', 'count', 'least', 'median', '90 of 100', 'most'],
    rowOf('turns of a file', report.turnsPerFile, ''),
    rowOf('steps of a turn', report.stepsPerTurn, ''),
    rowOf('tokens of a turn', report.tokensPerTurn, '≈ '),
  ];
  return [
    budgetLine(budget),
    alignedColumns(rows, 1),
    `${keepText(report, budget)}\n${maxText(report, budget)}`,
  ].join('\n\n');
}

function rowOf(name: string, { count, least, median, p90, most }: Spread, mark: string) {
  const texts = [least, median, p90, most].map((number) => `${mark}${tokenText(number)}`);
  return [name, tokenText(count), ...texts];
}

function keepText({ keepRecentTurns }: TurnReport, { lowTokens }: Budget): string {
  const limit = `the low watermark of ${tokenText(lowTokens)} tokens`;
  const cases = `Where not all turns fit below ${limit},\n `;
  if (keepRecentTurns === undefined)
    return proposal('keepRecentTurns', 'any number', allFit(limit));
  if (keepRecentTurns === 0) {
    const why = `${cases} not even the newest one does in 90 of 100 cases.`;
    return proposal('keepRecentTurns', '1', why);
  }
  const why = `${cases} the newest ${keepRecentTurns} do in 90 of 100 cases.`;
  return proposal('keepRecentTurns', String(keepRecentTurns), why);
}

function maxText({ maxHistoryTurns }: TurnReport, { highTokens }: Budget): string {
  const limit = `the high watermark of ${tokenText(highTokens)} tokens`;
  if (maxHistoryTurns === 0) return proposal('maxHistoryTurns', '0, no limit', allFit(limit));
  const why =
    `Where not all turns fit below ${limit},\n` +
    `  no more than the newest ${maxHistoryTurns} do in 90 of 100 cases.`;
  return proposal('maxHistoryTurns', String(maxHistoryTurns), why);
}

function allFit(limit: string): string {
  return `All turns of every file fit below ${limit}.`;
}

function proposal(setting: string, value: string, why: string): string {
  return `${settingName(['context', setting])}: ${value}\n  ${why}`;
}
