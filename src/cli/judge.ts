import { redacted } from '../agent/secrets';
import { wordsOf } from '../agent/sideRequest';
import type { Model, ModelFailure, ModelRequest, ModelResult, Reply } from '../agent/model';
import type { Charge } from '../contextWindow/account/spending';
import { connect } from '../model/connect';
import { judgementOf, type AnsweredProbe, type Judgement } from '../replay/judge/judgement';
import type { PassedWindows } from '../replay/judge/passedWindows';
import { isRight, type Probe } from '../replay/judge/probe';
import { probeRequest } from '../replay/judge/probeRequest';
import { probesAt } from '../replay/judge/probesAt';
import type { Transcript } from '../sessions/transcript';
import type { Say, Surroundings } from './terminal';
import type { WindowRequest } from '../contextWindow/request/blockMessages';

/** The server that is asked, and for which model. */
export interface JudgeOptions {
  readonly url: string;
  readonly model: string;
}

/** Most tokens of one answer, the model's thinking included. */
const MOST_ANSWER_TOKENS = 4_096;

/** Failures of one request that say nothing of the next one, which is of another window. */
const OF_THIS_REQUEST: ReadonlySet<ModelFailure['type']> = new Set([
  'overflow',
  'replyTooLong',
  'requestTooLarge',
  'invalidRequest',
]);

/** A replay of which so many windows could not be asked, and none could, is not asked any more. */
const MOST_FAILED = 3;

/** A refusal is no answer: it says nothing of what the window holds. */
const REFUSED: ModelFailure = { type: 'invalidRequest', message: 'The model refused to answer.' };

/** One question, with the request of the window that it is asked. */
interface Question {
  readonly step: number;
  readonly request: WindowRequest;
  readonly probe: Probe;
}

/** Asks a model what it knows from the windows of replays. */
export class Judge {
  readonly #model: Model;
  /** Why the server is not asked any more. */
  #away: string | undefined;

  constructor(
    private readonly options: JudgeOptions,
    private readonly around: Pick<Surroundings, 'apiKey' | 'signal'>,
    private readonly say: Say,
  ) {
    const { apiKey } = around;
    const { url: baseUrl } = options;
    this.#model = connect({ baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }).model;
  }

  /** Asks the windows of one replay; what goes wrong is said once, and the rest is not measured. */
  async judge(
    name: string,
    transcript: Transcript,
    windows: PassedWindows,
  ): Promise<Judgement | 'stopped'> {
    const { model } = this.options;
    const questions = windows.asked.flatMap(({ step, request }) =>
      probesAt(transcript, step).map((probe): Question => ({ step, request, probe })),
    );
    const answered: AnsweredProbe[] = [];
    const charges: Charge[] = [];
    /** Steps whose windows cannot be asked, and why the first cannot. */
    const failed = new Set<number>();
    let why = this.#away;
    if (questions.length > 0 && this.#away === undefined) {
      const { origin } = new URL(this.options.url);
      this.say(`${name}: ${questions.length} questions for ${model} at ${origin}`);
    }
    for (const question of questions) {
      const isHopeless = failed.size >= MOST_FAILED && answered.length === 0;
      if (this.#away !== undefined || isHopeless || failed.has(question.step)) continue;
      const result = await this.#ask(question);
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
    const left = questions.length - answered.length;
    if (left > 0) {
      this.say(
        `plimsoll: ${name}: ${left} of ${questions.length} questions of --judge were not answered, and are not measured: ${why ?? ''}`,
      );
    }
    return judgementOf(
      {
        model,
        windows: { asked: windows.asked.length, all: windows.count },
        unmeasured: left === 0 ? null : { probes: left, why: why ?? '' },
      },
      answered,
      charges,
    );
  }

  async #ask({ request, probe }: Question): Promise<ModelResult> {
    const body: ModelRequest = {
      ...probeRequest(request, probe.question),
      toolChoice: 'none',
      model: this.options.model,
      maxTokens: MOST_ANSWER_TOKENS,
    };
    const asking = this.#model.ask(body, this.around.signal);
    let next = await asking.next();
    while (next.done !== true) {
      if (next.value.type === 'retrying') {
        const { message, attempt, tries } = next.value;
        this.say(`  ${message} Try ${attempt} of ${tries} follows.`);
      }
      next = await asking.next();
    }
    return next.value;
  }
}

function answerTo({ step, probe }: Question, reply: Reply): AnsweredProbe {
  const answer = redacted(wordsOf(reply));
  return { ...probe, step, answer, isRight: isRight(probe, answer) };
}

/** A message of the agent names the editor's settings: here the options of the judge. */
function inJudgeOptions(message: string): string {
  return message
    .replaceAll('plimsoll.baseUrl', '--judge')
    .replaceAll('plimsoll.model', '--judge-model');
}
