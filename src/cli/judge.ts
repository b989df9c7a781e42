import type { Model, ModelFailure, ModelRequest, ModelResult, Reply } from '../agent/model';
import { redacted } from '../agent/secrets/knownSecrets';
import { wordsOf } from '../agent/sideRequest';
import { transcriptOf } from '../agent/summariser';
import { type Charge, promptTokens } from '../contextWindow/account/spending';
import { countText, percentText, tokenText } from '../contextWindow/amount';
import type { WindowRequest } from '../contextWindow/request/blockMessages';
import { connect } from '../model/anthropicModel';
import {
  allRecall,
  type AnsweredProbe,
  type Judgement,
  judgementOf,
  NO_RECALL,
  type PassedWindows,
  plusRecall,
  type Recall,
} from '../replay/judge/judgement';
import {
  isRight,
  type Probe,
  PROBE_KINDS,
  type ProbeKind,
  probeRequest,
} from '../replay/judge/probe';
import {
  CRITERIA,
  type GradedSummary,
  gradeRequest,
  gradesIn,
  meanGrade,
  type SummaryToGrade,
} from '../replay/judge/rubric';
import { windowProbes } from '../replay/judge/windowProbes';
import type { ReplayReport } from '../replay/replayReport';
import type { Transcript } from '../sessions/transcript';
import { alignedColumns } from './replayTable';
import type { Say, Surroundings } from './terminal';

/** The server and the model that answer. */
interface JudgeOptions {
  readonly url: string;
  readonly model: string;
}

/** Most tokens of one answer, thinking included. */
const MOST_ANSWER_TOKENS = 4_096;

/** Failures that concern one window and say nothing about the next request. */
const OF_THIS_REQUEST: ReadonlySet<ModelFailure['type']> = new Set([
  'overflow',
  'replyTooLong',
  'requestTooLarge',
  'invalidRequest',
]);

/** The judge gives up on a replay after this many windows fail before any succeeds. */
const MOST_FAILED = 3;

/** A refusal says nothing about what the window holds. */
const REFUSED: ModelFailure = { type: 'invalidRequest', message: 'The model refused to answer.' };

/** One question, with the request of its window. */
interface Question {
  readonly step: number;
  readonly request: WindowRequest;
  readonly probe: Probe;
}

/** Asks a model what it knows from the windows of replays. */
export class Judge {
  readonly #model: Model;
  /** Why the server is no longer asked. */
  #away: string | undefined;

  constructor(
    private readonly options: JudgeOptions,
    private readonly around: Pick<Surroundings, 'apiKey' | 'signal'>,
    private readonly say: Say,
  ) {
    const { apiKey } = around;
    const { url: baseUrl } = options;
    this.#model = connect({ baseUrl, apiKey }).model;
  }

  /** Asks the windows of one replay. A failure is reported once, and the rest is not measured. */
  async judge(
    name: string,
    transcript: Transcript,
    windows: PassedWindows,
  ): Promise<Judgement | 'stopped'> {
    const { model } = this.options;
    const questions = windows.asked.flatMap(({ step, request }) =>
      windowProbes(transcript, step).map((probe): Question => ({ step, request, probe })),
    );
    const answered: AnsweredProbe[] = [];
    const charges: Charge[] = [];
    /** Steps whose windows cannot be asked, and why the first one cannot. */
    const failed = new Set<number>();
    let why = this.#away;
    if (questions.length > 0 && this.#away === undefined) {
      const { origin } = new URL(this.options.url);
      this.say(`${name}: ${questions.length} questions for ${model} at ${origin}`);
    }
    for (const question of questions) {
      const isHopeless = failed.size >= MOST_FAILED && answered.length === 0;
      if (this.#away !== undefined || isHopeless || failed.has(question.step)) continue;
      const { request, probe } = question;
      const result = await this.#ask(probeRequest(request, probe.question));
      if (this.around.signal.aborted) return 'stopped';
      if (result.ok) charges.push({ model: result.reply.model, usage: result.reply.usage });
      if (result.ok && result.reply.stopReason !== 'refusal') {
        answered.push(answerTo(question, result.reply));
        continue;
      }
      const { type, message } = result.ok ? REFUSED : result.failure;
      why ??= inJudgeOptions(message);
      failed.add(question.step);
      if (!OF_THIS_REQUEST.has(type)) this.#away = inJudgeOptions(message);
    }
    // A model that answered nothing grades nothing either.
    const isUseless = failed.size >= MOST_FAILED && answered.length === 0;
    const graded = await this.#gradeAll(name, windows.toGrade, isUseless ? why : undefined);
    if (graded === 'stopped') return 'stopped';
    charges.push(...graded.charges);
    const left = questions.length - answered.length;
    if (left > 0) {
      this.say(
        `plimsoll: ${name}: ${left} of ${questions.length} questions of --judge were not answered and not measured: ${why ?? ''}`,
      );
    }
    return judgementOf(
      {
        model,
        windows: { asked: windows.asked.length, all: windows.count },
        unmeasured: left === 0 ? null : { probes: left, why: why ?? '' },
        summaries: { all: windows.summaryCount, graded: graded.summaries },
        ungraded: graded.ungraded,
      },
      answered,
      charges,
    );
  }

  /** Asks for the grades of summaries. A failure is reported once, and the rest is not graded. */
  async #gradeAll(
    name: string,
    summaries: readonly SummaryToGrade[],
    useless: string | undefined,
  ): Promise<GradedAll | 'stopped'> {
    const graded: GradedSummary[] = [];
    const charges: Charge[] = [];
    let why = useless ?? this.#away;
    let failed = useless === undefined ? 0 : MOST_FAILED;
    for (const each of summaries) {
      if (this.#away !== undefined || (failed >= MOST_FAILED && graded.length === 0)) break;
      const result = await this.#ask(gradeRequest(each, sourceText(each)));
      if (this.around.signal.aborted) return 'stopped';
      if (!result.ok) {
        const { type, message } = result.failure;
        why ??= inJudgeOptions(message);
        failed += 1;
        if (!OF_THIS_REQUEST.has(type)) this.#away = inJudgeOptions(message);
        continue;
      }
      const { reply } = result;
      charges.push({ model: reply.model, usage: reply.usage });
      const grades = gradesIn(redacted(wordsOf(reply)));
      if (grades === undefined) {
        why ??= 'An answer had no grade for each criterion.';
        failed += 1;
        continue;
      }
      const { id: summaryId, writtenBy } = each.summary;
      graded.push({ step: each.step, summaryId, by: writtenBy.by, grades });
    }
    const left = summaries.length - graded.length;
    if (left === 0) return { summaries: graded, charges, ungraded: null };
    this.say(
      `plimsoll: ${name}: ${left} of ${summaries.length} summaries were not graded by --judge: ${why ?? ''}`,
    );
    return { summaries: graded, charges, ungraded: { summaries: left, why: why ?? '' } };
  }

  async #ask(asked: WindowRequest): Promise<ModelResult> {
    const body: ModelRequest = {
      ...asked,
      toolChoice: 'none',
      model: this.options.model,
      maxTokens: MOST_ANSWER_TOKENS,
    };
    const asking = this.#model.ask(body, this.around.signal);
    let next = await asking.next();
    while (next.done !== true) {
      if (next.value.type === 'retrying') {
        const { message, attempt, tries } = next.value;
        this.say(`  ${message} Retry ${attempt} of ${tries} follows.`);
      }
      next = await asking.next();
    }
    return next.value;
  }
}

interface GradedAll extends Pick<Judgement, 'ungraded'> {
  readonly summaries: readonly GradedSummary[];
  readonly charges: readonly Charge[];
}

/** Characters of a block that the judge reads at first, and of all of them together. */
const LONGEST_EXCERPT = 8_000;
const LONGEST_SOURCE = 400_000;

/** What a summary replaced, as text; many blocks are each shortened. */
function sourceText({ covered }: SummaryToGrade): string {
  for (let longest = LONGEST_EXCERPT; ; longest /= 2) {
    const text = transcriptOf(covered, longest);
    if (text.length <= LONGEST_SOURCE || longest < 2) return text;
  }
}

function answerTo({ step, probe }: Question, reply: Reply): AnsweredProbe {
  const answer = redacted(wordsOf(reply));
  return { ...probe, step, answer, isRight: isRight(probe, answer) };
}

/** Replaces the editor's settings in a message of the agent by the options of the judge. */
function inJudgeOptions(message: string): string {
  return message
    .replaceAll('plimsoll.baseUrl', '--judge')
    .replaceAll('plimsoll.model', '--judge-model');
}

const HEADINGS: Readonly<Record<ProbeKind, string>> = {
  file: 'which file',
  value: 'which value',
  decision: 'which decision',
  next: 'what next',
};

const LEGEND = `Correct answers, of the questions about the window after each pass. A correct answer contains what the
recording has. which file: which file a line is from that the next calls replace or read. which value: a
name or number in a line of a result that the next replies mention. which decision: the same in what the
agent said it would do or not do. what next: the file or command of the next call. all: every kind.
windows: the number asked, of those after a pass. tokens, cost: what the questions took, by the API's
usage; US dollars at list price.`;

type JudgedReport = ReplayReport & { readonly judged: Judgement };

/** Draws what a model knew from the windows of each replay; empty if none was asked. */
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
  return [
    `Judged by ${first.judged.model}:`,
    heading,
    ...blocks,
    LEGEND,
    ...gradesTable(judged),
    ...unmeasuredIn(judged),
  ];
}

const GRADES_LEGEND = `Grades of the summaries in these windows, from 1 to 5, on average; --json has each with its reason.
faithful: nothing invented. complete: what the agent still needs is in it. current: as things were at
the end. actionable: the agent can continue from it at once. graded: the number graded, of all.`;

/** Draws the grades of the summaries under each policy; nothing without a summary. */
function gradesTable(judged: readonly JudgedReport[]): readonly string[] {
  const policies = [...new Set(judged.map(({ policy }) => policy))];
  const rows = policies.flatMap((policy) => {
    const of = judged
      .filter((report) => report.policy === policy)
      .map((one) => one.judged.summaries);
    const graded = of.flatMap((one) => one.graded);
    const all = of.reduce((sum, one) => sum + one.all, 0);
    if (all === 0) return [];
    const means = CRITERIA.map((criterion) => meanGrade(graded, criterion)?.toFixed(1) ?? '-');
    return [[policy, ...means, `${graded.length}/${all}`]];
  });
  if (rows.length === 0) return [];
  return [alignedColumns([['policy', ...CRITERIA, 'graded'], ...rows], 1), GRADES_LEGEND];
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
  return asked === 0 ? '-' : `${percentText(right / asked, 1)} ${right}/${asked}`;
}

function unmeasuredIn(reports: readonly JudgedReport[]): readonly string[] {
  const lines = reports.flatMap(({ file, policy, judged: { unmeasured, ungraded } }) => [
    ...(unmeasured === null
      ? []
      : [`NOT MEASURED ${file}, ${policy}: ${unmeasured.probes} questions. ${unmeasured.why}`]),
    ...(ungraded === null
      ? []
      : [
          `NOT GRADED ${file}, ${policy}: ${countText(ungraded.summaries, 'summary', 'summaries')}. ${ungraded.why}`,
        ]),
  ]);
  return lines.length === 0 ? [] : [lines.join('\n')];
}
