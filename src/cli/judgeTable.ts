import { tokenText } from '../contextWindow/amount';
import { promptTokens } from '../contextWindow/account/spending';
import {
  allRecall,
  NO_RECALL,
  plusRecall,
  type Judgement,
  type Recall,
} from '../replay/judge/judgement';
import { PROBE_KINDS, type ProbeKind } from '../replay/judge/probe';
import type { ReplayReport } from '../replay/report';
import { alignedColumns } from './replayTable';

const HEADINGS: Readonly<Record<ProbeKind, string>> = {
  file: 'which file',
  value: 'which value',
  decision: 'which decision',
  next: 'what next',
};

const LEGEND = `Answers that have what the recording has, of the questions that were asked of the window after passes.
which file: the file that a line is from which the next calls replace or read. which value: a name or
number in a line of a result that the next replies say. which decision: the same in what the agent said it
would do or not do. what next: the file or command of the next call. all: of every kind. windows: those
that were asked, of those after a pass. tokens, cost: what the asking itself took, by the API's usage; US
dollars at list price.`;

type JudgedReport = ReplayReport & { readonly judged: Judgement };

/** Draws what a model knew from the windows of each replay; nothing where none was asked. */
export function judgeTable(reports: readonly ReplayReport[]): readonly string[] {
  const judged = reports.filter((report): report is JudgedReport => report.judged !== undefined);
  const [first] = judged;
  if (first === undefined) return [];
  const files = [...new Set(judged.map(({ file }) => file))];
  const groups = files.map((name) => ({ name, of: judged.filter(({ file }) => file === name) }));
  if (files.length > 1) groups.push({ name: `all ${files.length} files`, of: judged });
  const lines = groups.map(({ of }) =>
    [...new Set(of.map(({ policy }) => policy))].map((policy) =>
      cellsOf(
        policy,
        of.filter((report) => report.policy === policy),
      ),
    ),
  );
  const headings = [...PROBE_KINDS.map((kind) => HEADINGS[kind]), 'all', 'windows', 'tokens'];
  const rows = [['policy', ...headings, 'cost'], ...lines.flat()];
  const [heading = '', ...drawn] = alignedColumns(rows, 1).split('\n');
  const blocks = groups.map(({ name }, index) =>
    [name, ...drawn.splice(0, lines[index]?.length)].join('\n'),
  );
  return [`Judged by ${first.judged.model}:`, heading, ...blocks, LEGEND, ...unmeasuredIn(judged)];
}

function cellsOf(policy: string, reports: readonly JudgedReport[]): readonly string[] {
  const judged = reports.map((report) => report.judged);
  const recalled = (of: (one: Judgement) => Recall) =>
    recallText(judged.map(of).reduce(plusRecall, NO_RECALL));
  const sum = (of: (one: Judgement) => number) => judged.reduce((all, one) => all + of(one), 0);
  const tokens = sum(({ usage }) => promptTokens(usage) + usage.outputTokens);
  const isPriced = judged.every(({ cost }) => cost !== null);
  return [
    policy,
    ...PROBE_KINDS.map((kind) => recalled(({ recall }) => recall[kind])),
    recalled(({ recall }) => allRecall(recall)),
    `${sum(({ windows }) => windows.asked)}/${sum(({ windows }) => windows.all)}`,
    tokenText(tokens),
    isPriced ? sum(({ cost }) => cost ?? 0).toFixed(2) : 'unknown',
  ];
}

function recallText({ asked, right }: Recall): string {
  return asked === 0 ? '-' : `${((right / asked) * 100).toFixed(1)} % ${right}/${asked}`;
}

function unmeasuredIn(reports: readonly JudgedReport[]): readonly string[] {
  const lines = reports.flatMap(({ file, policy, judged: { unmeasured } }) =>
    unmeasured === null
      ? []
      : [`NOT MEASURED ${file}, ${policy}: ${unmeasured.probes} questions. ${unmeasured.why}`],
  );
  return lines.length === 0 ? [] : [lines.join('\n')];
}
