import type { Model, ModelFailure, ModelRequest, ModelResult, Reply } from '../agent/model';
import { redacted } from '../agent/secrets/knownSecrets';
import { wordsOf } from '../agent/sideRequest';
import { transcriptOf } from '../agent/summariser';
import { measure } from '../contextWindow/account/measure';
import { type Charge, NO_USAGE, plusUsage, promptTokens } from '../contextWindow/account/spending';
import {
  dollarAmountText,
  dollarText,
  countText,
  percentText,
  tokenText,
} from '../contextWindow/amount';
import type { WindowRequest } from '../contextWindow/request/blockMessages';
import { toRequest } from '../contextWindow/request/request';
import type { Estimate } from '../contextWindow/truncate';
import type { ContextWindow } from '../contextWindow/window';
import { connect } from '../model/anthropicModel';
import { costOf } from '../model/pricing';
import {
  allRecall,
  type AnsweredPair,
  type AnsweredProbe,
  type Depth,
  depthOf,
  type Judgement,
  judgementOf,
  NO_RECALL,
  pairsOf,
  type PassedWindow,
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

/** One question, with the request that it is asked about. */
interface Question {
  readonly step: number;
  /** The window after a pass, or the same step with nothing evicted. */
  readonly of: 'trimmed' | 'whole';
  readonly request: WindowRequest;
  readonly probe: Probe;
  readonly depth: Depth | null;
}

/** Tokens of an answer in one line, for the estimate before the first question. */
const EXPECTED_ANSWER_TOKENS = 40;

/** The windows of a replay with nothing evicted, by the step that each asks for. */
type WholeWindows = ReadonlyMap<number, ContextWindow>;

/** Asks a model what it knows from the windows of replays. */
export class Judge {
  readonly #model: Model;
  /** Why the server is no longer asked. */
  #away: string | undefined;

  constructor(
    private readonly options: JudgeOptions,
    private readonly around: Pick<Surroundings, 'apiKey' | 'signal'>,
    private readonly say: Say,
    private readonly estimate: Estimate,
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
    wholes: WholeWindows,
  ): Promise<Judgement | 'stopped'> {
    const { model } = this.options;
    const questions = windows.asked.flatMap((passed) =>
      questionsOf(passed, windowProbes(transcript, passed.step), wholes, this.estimate),
    );
    const answered = { trimmed: new Array<AnsweredProbe>(), whole: new Array<AnsweredProbe>() };
    const answeredCount = () => answered.trimmed.length + answered.whole.length;
    const charges: Charge[] = [];
    /** Windows that cannot be asked, and why the first one cannot. */
    const failed = new Set<WindowRequest>();
    let why = this.#away;
    if (questions.length > 0 && this.#away === undefined) {
      const { origin } = new URL(this.options.url);
      const price = this.#priceOf(windows, questions, wholes);
      this.say(`${name}: ${questions.length} questions for ${model} at ${origin}, ${price}`);
    }
    for (const question of questions) {
      const isHopeless = failed.size >= MOST_FAILED && answeredCount() === 0;
      if (this.#away !== undefined || isHopeless || failed.has(question.request)) continue;
      const { request, probe } = question;
      const result = await this.#ask(probeRequest(request, probe.question));
      if (this.around.signal.aborted) return 'stopped';
      if (result.ok) charges.push({ model: result.reply.model, usage: result.reply.usage });
      if (result.ok && result.reply.stopReason !== 'refusal') {
        answered[question.of].push(answerTo(question, result.reply));
        continue;
      }
      const { type, message } = result.ok ? REFUSED : result.failure;
      why ??= inJudgeOptions(message);
      failed.add(request);
      if (!OF_THIS_REQUEST.has(type)) this.#away = inJudgeOptions(message);
    }
    // A model that answered nothing grades nothing either.
    const isUseless = failed.size >= MOST_FAILED && answeredCount() === 0;
    const graded = await this.#gradeAll(name, windows.toGrade, isUseless ? why : undefined);
    if (graded === 'stopped') return 'stopped';
    charges.push(...graded.charges);
    const left = questions.length - answeredCount();
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
      { probes: answered.trimmed, whole: answered.whole },
      charges,
    );
  }

  /** What the questions will take: each window is written to the cache once, then read. */
  #priceOf({ asked }: PassedWindows, questions: readonly Question[], wholes: WholeWindows): string {
    const { model } = this.options;
    let usage = NO_USAGE;
    for (const { step, window } of asked) {
      for (const of of ['trimmed', 'whole'] as const) {
        const count = questions.filter((one) => one.step === step && one.of === of).length;
        const shown = of === 'trimmed' ? window : wholes.get(step);
        if (count === 0 || shown === undefined) continue;
        const { tokens } = measure(shown, this.estimate).used;
        usage = plusUsage(usage, {
          inputTokens: 0,
          cacheCreationTokens: tokens,
          cacheReadTokens: tokens * (count - 1),
          outputTokens: EXPECTED_ANSWER_TOKENS * count,
        });
      }
    }
    const cost = costOf(model, usage);
    const money = cost === 'unknown' ? 'at an unknown price' : dollarAmountText(cost.usd);
    return `≈ ${tokenText(promptTokens(usage) + usage.outputTokens)} tokens, ${money}`;
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

/** The same questions about the window after a pass and about the one with nothing evicted. */
function questionsOf(
  { step, request }: PassedWindow,
  probes: readonly Probe[],
  wholes: WholeWindows,
  estimate: Estimate,
): readonly Question[] {
  const whole = wholes.get(step);
  const depthIn = ({ evidenceStep }: Probe) =>
    whole === undefined || evidenceStep === undefined
      ? null
      : depthOf(whole, evidenceStep, estimate);
  const about = probes.map((probe) => ({ step, probe, depth: depthIn(probe) }));
  const trimmed = about.map((one): Question => ({ ...one, of: 'trimmed', request }));
  if (whole === undefined) return trimmed;
  const ofWhole = toRequest(whole);
  return [...trimmed, ...about.map((one): Question => ({ ...one, of: 'whole', request: ofWhole }))];
}

function answerTo({ step, probe, depth }: Question, reply: Reply): AnsweredProbe {
  const answer = redacted(wordsOf(reply));
  return { ...probe, step, depth, answer, isRight: isRight(probe, answer) };
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
    ...pairsTable(judged),
    ...gradesTable(judged),
    ...unmeasuredIn(judged),
  ];
}

const PAIRS_LEGEND = `The same questions at the same steps, after the pass and with nothing evicted (whole), if both were
answered. By depth: the tokens that came after the evidence with nothing evicted; in a prompt: only a
prompt has it. control: questions about something that the recording never mentions; "not known" is
right, so less than all means that the model guesses.`;

/** The upper ends of the depths, in tokens; the last has none. */
const DEPTHS = [4_000, 16_000, 64_000, Number.POSITIVE_INFINITY] as const;

/** Draws how many of the same questions each of two windows answered, over the depth. */
function pairsTable(judged: readonly JudgedReport[]): readonly string[] {
  const isControl = ({ trimmed }: AnsweredPair) => trimmed.kind === 'control';
  const isPrompt = (pair: AnsweredPair) => !isControl(pair) && pair.trimmed.depth === null;
  const groups: readonly (readonly [string, (pair: AnsweredPair) => boolean])[] = [
    ['all', (pair) => !isControl(pair)],
    ...DEPTHS.map((end, index) => {
      const from = DEPTHS[index - 1] ?? 0;
      const range = from === 0 ? 'below' : `${tokenText(from)} to`;
      const isWithin = ({ trimmed: { depth } }: AnsweredPair) =>
        depth !== null && depth.tokens >= from && depth.tokens < end;
      const name = end === Infinity ? `${tokenText(from)} and more` : `${range} ${tokenText(end)}`;
      return [name, isWithin] as const;
    }),
    ['in a prompt', isPrompt],
    ['control', isControl],
  ];
  const policies = [...new Set(judged.map(({ policy }) => policy))];
  const rows = policies.flatMap((policy) => {
    const pairs = judged
      .filter((report) => report.policy === policy)
      .flatMap((report) => pairsOf(report.judged));
    if (pairs.length === 0) return [];
    return (['trimmed', 'whole'] as const).map((of) => [
      `${policy}, ${of}`,
      ...groups.map(([, isIn]) => {
        const asked = pairs.filter(isIn);
        return recallText({
          asked: asked.length,
          right: asked.filter((pair) => pair[of].isRight).length,
        });
      }),
    ]);
  });
  if (rows.length === 0) return [];
  const headings = ['policy, window', ...groups.map(([name]) => name)];
  return [alignedColumns([headings, ...rows], 1), PAIRS_LEGEND];
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
    isPriced ? dollarText(sum(({ cost }) => cost ?? 0)).replace('$', '') : 'unknown',
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
