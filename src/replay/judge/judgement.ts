import { weighBlock } from '../../contextWindow/account/guesses';
import { type Charge, NO_USAGE, plusUsage, type Usage } from '../../contextWindow/account/spending';
import type { WindowRequest } from '../../contextWindow/request/blockMessages';
import type { Estimate } from '../../contextWindow/truncate';
import { blocksInWindow, type ContextWindow } from '../../contextWindow/window';
import { costOf } from '../../model/pricing';
import { type Probe, PROBE_KINDS, type ProbeKind } from './probe';
import { type GradedSummary, summariesToGrade, type SummaryToGrade } from './rubric';

/** The number of questions, and the number of correct answers. */
export interface Recall {
  readonly asked: number;
  readonly right: number;
}

type RecallByKind = Readonly<Record<ProbeKind, Recall>>;

/** A question and its answer. */
export interface AnsweredProbe extends Probe {
  /** The step of the request, counted from 1. */
  readonly step: number;
  readonly answer: string;
  readonly isRight: boolean;
  /** What came after the answer's evidence with nothing evicted; null if only a prompt has it. */
  readonly depth: Depth | null;
}

/** How far back the evidence for an answer is. */
export interface Depth {
  readonly steps: number;
  /** An estimate. */
  readonly tokens: number;
}

/** Why some questions have no answer; a sentence. */
interface Unmeasured {
  readonly probes: number;
  readonly why: string;
}

interface Ungraded {
  readonly summaries: number;
  readonly why: string;
}

/** The model's recall from the windows of one replay, and its grades of the summaries in them. */
export interface Judgement {
  /** The requested model. */
  readonly model: string;
  /** The number of windows right after a pass, and the number of those that were asked. */
  readonly windows: { readonly asked: number; readonly all: number };
  readonly recall: RecallByKind;
  readonly probes: readonly AnsweredProbe[];
  /** The same questions at the same steps, answered from the window with nothing evicted. */
  readonly whole: readonly AnsweredProbe[];
  /** Null if everything was measured. */
  readonly unmeasured: Unmeasured | null;
  /** The number of summaries in the windows, and the grades of those that were graded. */
  readonly summaries: { readonly all: number; readonly graded: readonly GradedSummary[] };
  /** Why some summaries have no grades; null if each that was asked about has. */
  readonly ungraded: Ungraded | null;
  /** Usage of all answers, refusals included. */
  readonly usage: Usage;
  /** US dollars at list price for the questions; null if a model has no price. */
  readonly cost: number | null;
}

export const NO_RECALL: Recall = { asked: 0, right: 0 };

/** Adds up recalls. */
export function plusRecall(one: Recall, other: Recall): Recall {
  return { asked: one.asked + other.asked, right: one.right + other.right };
}

/** The recall of all kinds together. */
export function allRecall(recall: RecallByKind): Recall {
  return PROBE_KINDS.reduce((sum, kind) => plusRecall(sum, recall[kind]), NO_RECALL);
}

/** A question that both windows answered. */
export interface AnsweredPair {
  readonly trimmed: AnsweredProbe;
  readonly whole: AnsweredProbe;
}

/** The questions that both windows answered. */
export function pairsOf({
  probes,
  whole,
}: Pick<Judgement, 'probes' | 'whole'>): readonly AnsweredPair[] {
  const keyOf = ({ step, question }: AnsweredProbe) => `${step} ${question}`;
  const other = new Map(whole.map((probe) => [keyOf(probe), probe]));
  return probes.flatMap((trimmed) => {
    const same = other.get(keyOf(trimmed));
    return same === undefined ? [] : [{ trimmed, whole: same }];
  });
}

/** What came after a step in a window with nothing evicted. */
export function depthOf(window: ContextWindow, evidenceStep: number, estimate: Estimate): Depth {
  const blocks = blocksInWindow(window);
  const at = blocks.findIndex(({ id }) => id === `step-${evidenceStep}`);
  const tokens = blocks.slice(at + 1).reduce((sum, block) => sum + weighBlock(block, estimate), 0);
  return { steps: window.step - evidenceStep, tokens };
}

/** Adds up the answers and the usage of each. */
export function judgementOf(
  about: Pick<Judgement, 'model' | 'windows' | 'unmeasured' | 'summaries' | 'ungraded'>,
  { probes, whole }: Pick<Judgement, 'probes' | 'whole'>,
  charges: readonly Charge[],
): Judgement {
  const of = (sought: ProbeKind): Recall => {
    const asked = probes.filter(({ kind }) => kind === sought);
    return { asked: asked.length, right: asked.filter(({ isRight }) => isRight).length };
  };
  const costs = charges.map(({ model, usage }) => costOf(model, usage));
  const cost = costs.reduce<number | null>(
    (sum, one) => (sum === null || one === 'unknown' ? null : sum + one.usd),
    0,
  );
  return {
    ...about,
    recall: { file: of('file'), value: of('value'), decision: of('decision'), next: of('next') },
    probes,
    whole,
    usage: charges.map(({ usage }) => usage).reduce(plusUsage, NO_USAGE),
    cost: cost === null ? null : Number(cost.toFixed(4)),
  };
}

/** The first request after a pass, and its step. */
export interface PassedWindow {
  readonly step: number;
  readonly request: WindowRequest;
  readonly window: ContextWindow;
}

/** Most windows of one replay that are asked, and most summaries that are graded. */
export const MOST_WINDOWS = 8;

/** Collects the first request after each pass of a replay. */
export class PassedWindows {
  readonly #all: PassedWindow[] = [];
  readonly #summaries: SummaryToGrade[] = [];
  #passes = 0;

  take(request: WindowRequest, step: number, window: ContextWindow): void {
    const { length } = window.ledger;
    if (length > this.#passes) {
      this.#all.push({ step, request, window });
      this.#summaries.push(...summariesToGrade(window, step, length - this.#passes));
    }
    this.#passes = length;
  }

  /** The number of all summaries. */
  get summaryCount(): number {
    return this.#summaries.length;
  }

  /** The summaries to grade, chosen as the windows are. */
  get toGrade(): readonly SummaryToGrade[] {
    return spread(this.#summaries);
  }

  /** The number of all collected windows. */
  get count(): number {
    return this.#all.length;
  }

  /** The windows to ask: the first, the last, and others evenly between them. */
  get asked(): readonly PassedWindow[] {
    return spread(this.#all);
  }
}

/** At most `MOST_WINDOWS` of them: the first, the last, and others evenly between. */
function spread<T>(all: readonly T[]): readonly T[] {
  if (all.length <= MOST_WINDOWS) return all;
  const places = Array.from({ length: MOST_WINDOWS }, (_, index) =>
    Math.round((index * (all.length - 1)) / (MOST_WINDOWS - 1)),
  );
  return places.flatMap((place) => all.slice(place, place + 1));
}
