import { excerptsSize, type ExcerptsSize } from './files/regions';
import { type Budget, budgetInLog } from './budget';
import type { ContextWindow, Refault } from './window';
import {
  type Charge,
  chargesOf,
  chargesOfSummary,
  promptTokens,
  type TierTokens,
  type Usage,
} from './account/spending';
import type { EventOf, SessionEvent, StopReason, TurnOutcome } from './event';
import { mayBeContextEdited } from './contextEditing';
import type { ToolUseId } from './block';
import { PersistentList } from './persistentList';
import { PersistentMap } from './persistentMap';
import { isAnswer, repeatKeyOf } from './repeatedCalls';
import { isByHand } from './passes/passName';
import { passThatTook } from './passes/refault';
import type { Amount, Pass } from './plan';

type CopiedOfPass = 'number' | 'ordinal' | 'trigger' | 'policy' | 'before' | 'after' | 'cache';

/** A pass on the timeline; `after` is the API's count if there was one right after the pass. */
export interface PassPoint extends Pick<Pass, CopiedOfPass> {
  /** The size of its excerpts; absent for none. */
  readonly shows?: ExcerptsSize;
  /** The pass was undone later. */
  readonly undone?: true;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The charges of its summaries and ratings, refused and unused ones included. */
  readonly asked: readonly Charge[];
  /** What it restored of the blocks that earlier passes had removed. */
  readonly restored: readonly Restored[];
}

/** Tokens that a pass removed and a later change restored; `of` is the number of the former. */
interface Restored {
  readonly of: number;
  readonly tokens: number;
}

/** Everything between two steps; it belongs to the request of the later one. */
interface BetweenSteps {
  readonly passes: readonly PassPoint[];
  readonly undone: readonly PassPoint[];
  /** How often the API refused the request as too long. */
  readonly overflows: number;
  /** The charge of every answer, each once; the step's own comes last. */
  readonly charges: readonly Charge[];
  /** Turns that ended without any step. */
  readonly stepless: readonly TurnOutcome[];
}

/** One step of a session: the size of its request, its cost, and what went wrong. */
export interface StepPoint extends BetweenSteps {
  readonly step: number;
  readonly turn: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly model: string;
  /** The previous step came from another model. */
  readonly modelChanged: boolean;
  /** As the API reported it; all zero if it did not. */
  readonly usage: Usage;
  /** Tokens of the request by tier; absent in recordings. */
  readonly tiers?: TierTokens;
  /** Tokens of the request: as reported, else the sum of the tiers; absent if neither is known. */
  readonly input?: Amount;
  /** The estimate for the same request; absent if the usage belongs to other bytes. */
  readonly estimatedTokens?: number;
  /** The budget of its request; absent before the first known one. */
  readonly budget?: Budget;
  readonly stopReason: StopReason;
  /** Time of the reply, 0 if unknown, and until its first part; ms. */
  readonly durationMs: number;
  readonly firstTokenMs?: number | undefined;
  /** Number of calls, of results that are errors, and of calls that repeat an earlier one. */
  readonly calls: number;
  readonly toolErrors: number;
  readonly repeatedCalls: number;
  /** Removed content that was needed again, by the step or by the user right after it. */
  readonly refaults: readonly Refault[];
  /** How its turn ended; only on the last step of a finished turn. */
  readonly outcome?: TurnOutcome;
}

/** What a call returned, and the step that made it first with this answer. */
interface Answer {
  readonly text: string;
  readonly step: number;
}

/** The course of a session, step by step. */
export interface Timeline {
  readonly points: PersistentList<StepPoint>;
  /** Everything since the newest step. */
  readonly next: BetweenSteps;
  /** The current turn; 0 before the first prompt. */
  readonly turn: number;
  /** Calls of the newest step without a result so far, with what identifies a repeated one. */
  readonly open: ReadonlyMap<ToolUseId, string | undefined>;
  /** The newest answer of each call. */
  readonly answers: PersistentMap<string, Answer>;
  /** The window's refaults that are already in the points. */
  readonly refaults: PersistentList<Refault>;
  /** Charges of summaries and ratings for the next pass. */
  readonly asked: readonly Charge[];
  /** The newest budget in the log. */
  readonly budget?: Budget;
}

const NOTHING: BetweenSteps = {
  passes: [],
  undone: [],
  overflows: 0,
  charges: [],
  stepless: [],
};

export const EMPTY_TIMELINE: Timeline = {
  points: PersistentList.of(),
  next: NOTHING,
  turn: 0,
  open: new Map(),
  answers: PersistentMap.of(),
  refaults: PersistentList.of(),
  asked: [],
};

/**
 * The window of the same events, which already knows the refaults and which counts certify a pass.
 */
type Known = Pick<ContextWindow, 'refaults' | 'ledger'>;

/** Adds new events to a timeline; `window` is the one after the last of them. */
export function extendTimeline(
  timeline: Timeline,
  events: Iterable<SessionEvent>,
  window: Known,
): Timeline {
  const drawing = new Drawing(timeline, window.ledger);
  for (const event of events) drawing.take(event);
  const { refaults } = window;
  const known = timeline.refaults.length;
  // An undone pass takes its refaults with it, wherever they were in the list.
  const isLonger = known === 0 || refaults.at(known - 1) === timeline.refaults.at(known - 1);
  if (!isLonger) drawing.dropRefaults();
  drawing.takeRefaults(refaults.slice(isLonger ? known : 0));
  const { points, next, turn, open, answers, budget, asked } = drawing;
  return {
    points,
    next,
    turn,
    open,
    answers,
    refaults,
    asked,
    budget,
  };
}

/** A timeline to which events are being added. */
class Drawing {
  points: PersistentList<StepPoint>;
  next: BetweenSteps;
  turn: number;
  open: Timeline['open'];
  answers: Timeline['answers'];
  budget: Budget | undefined;
  asked: readonly Charge[];
  readonly #ledger: Known['ledger'];
  /** The API's count right after each pass, by its number. */
  #certified: ReadonlyMap<number, number | undefined> | undefined;

  constructor(timeline: Timeline, ledger: Known['ledger']) {
    this.#ledger = ledger;
    this.points = timeline.points;
    this.next = timeline.next;
    this.turn = timeline.turn;
    this.open = timeline.open;
    this.answers = timeline.answers;
    this.budget = timeline.budget;
    this.asked = timeline.asked;
  }

  take(event: SessionEvent): void {
    this.#charge(event);
    this.budget = budgetInLog(this.budget, event);
    const { next } = this;
    switch (event.type) {
      case 'promptSubmitted':
        this.turn = event.turn;
        return;
      case 'replyReceived':
        return this.#takeReply(event);
      case 'toolFinished':
        return this.#takeResult(event);
      case 'modelAsked': {
        const { model, purpose, usage } = event;
        // It costs the session, and no pass.
        if (purpose === 'commitMessage') return;
        this.asked = [...this.asked, { model, usage }];
        return;
      }
      case 'sessionSummarised':
        // Its last request was for the summary of the session, and for no pass.
        if (event.writtenBy.by === 'model') this.asked = this.asked.slice(0, -1);
        return;
      case 'passApplied':
        return this.#takePass(event);
      case 'windowCounted':
        return this.#certify(event.tokens);
      case 'passUndone':
        return this.#undo(event.number);
      case 'budgetSteppedDown':
        this.next = { ...next, overflows: next.overflows + 1 };
        return;
      case 'turnEnded':
        return this.#endTurn(event.outcome);
      default:
        return;
    }
  }

  #takePass({ at, pass }: EventOf<'passApplied'>): void {
    const { next } = this;
    const { number, ordinal, trigger, policy, before, after, excerpts, cache } = pass;
    const asked = [...this.asked, ...pass.summaries.flatMap(chargesOfSummary)];
    this.asked = isByHand(pass) ? this.asked : [];
    const point: PassPoint = {
      number,
      ordinal,
      trigger,
      policy,
      before,
      after,
      cache,
      at,
      shows: excerpts && excerptsSize(excerpts.shown),
      asked: isByHand(pass) ? [] : asked,
      restored: this.#restoredBy(pass),
    };
    this.next = { ...next, passes: [...next.passes, point] };
  }

  #restoredBy({ number, decisions }: Pass): readonly Restored[] {
    return decisions.flatMap(({ action, blockId, before, after }) => {
      if (action !== 'restore') return [];
      const of = passThatTook(this.#ledger, blockId, number)?.number;
      return of === undefined ? [] : [{ of, tokens: after.tokens - before.tokens }];
    });
  }

  takeRefaults(refaults: Iterable<Refault>): void {
    const found = new Map<number, Refault[]>();
    for (const refault of refaults) {
      const same = found.get(refault.step);
      if (same === undefined) found.set(refault.step, [refault]);
      else same.push(refault);
    }
    // Refaults belong to the newest steps, so a search from the end finds those first.
    for (let index = this.points.length - 1; index >= 0 && found.size > 0; index -= 1) {
      const point = this.points.at(index);
      const added = point === undefined ? undefined : found.get(point.step);
      if (point === undefined || added === undefined) continue;
      found.delete(point.step);
      this.#replace(index, { ...point, refaults: [...point.refaults, ...added] });
    }
  }

  #charge(event: SessionEvent): void {
    const charges = chargesOf(event);
    if (charges.length === 0) return;
    this.next = { ...this.next, charges: [...this.next.charges, ...charges] };
  }

  #takeReply(event: EventOf<'replyReceived'>): void {
    const { at, step, model, usage, stopReason, tiers, durationMs, firstTokenMs } = event;
    const isOther = event.editedMeanwhile === true || mayBeContextEdited(event);
    const estimatedTokens = isOther ? undefined : event.estimatedTokens;
    const input = inputOf(event);
    const { budget } = this;
    // A stopped reply names the requested model, not the one that wrote it.
    const before =
      stopReason === 'stopped'
        ? undefined
        : this.points.findLast((point) => point.stopReason !== 'stopped');
    this.open = new Map(
      event.parts.flatMap((part) =>
        part.type === 'toolUse' ? [[part.use.id, repeatKeyOf(part.use)] as const] : [],
      ),
    );
    const point: StepPoint = {
      ...this.next,
      step,
      turn: this.turn,
      at,
      model,
      modelChanged: before !== undefined && before.model !== model,
      usage,
      stopReason,
      durationMs,
      firstTokenMs,
      calls: this.open.size,
      toolErrors: 0,
      repeatedCalls: 0,
      refaults: [],
      tiers,
      input,
      estimatedTokens,
      budget,
    };
    this.points = this.points.concat([point]);
    this.next = NOTHING;
  }

  /** The first result of a call counts, as in the window. */
  #takeResult(event: EventOf<'toolFinished'>): void {
    const point = this.points.at(-1);
    if (point === undefined || !this.open.has(event.toolUseId)) return;
    const key = this.open.get(event.toolUseId);
    this.open = new Map([...this.open].filter(([id]) => id !== event.toolUseId));
    const { toolErrors, repeatedCalls, step } = point;
    const isRepeated = key !== undefined && this.#isRepeated(key, event, step);
    if (!event.isError && !isRepeated) return;
    this.#replaceLast({
      ...point,
      toolErrors: toolErrors + (event.isError ? 1 : 0),
      repeatedCalls: repeatedCalls + (isRepeated ? 1 : 0),
    });
  }

  /** Says whether an earlier step made the same call with the same answer; notes a new one. */
  #isRepeated(key: string, event: EventOf<'toolFinished'>, step: number): boolean {
    if (!isAnswer(event)) return false;
    const { text } = event;
    const earlier = this.answers.get(key);
    if (earlier?.text === text) return earlier.step < step;
    this.answers = this.answers.with([[key, { text, step }]]);
    return false;
  }

  /** Replaces the estimate after a pass by the API's count, as the ledger does. */
  #certify(tokens: number): void {
    const { next } = this;
    const last = next.passes.at(-1);
    if (last === undefined) return;
    this.#certified ??= new Map(
      this.#ledger.map(({ pass, certifiedTokens }) => [pass.number, certifiedTokens]),
    );
    if (this.#certified.get(last.number) !== tokens) return;
    const certified = { ...last, after: { tokens, exact: true } };
    this.next = { ...next, passes: [...next.passes.slice(0, -1), certified] };
  }

  #undo(number: number): void {
    const undo = (pass: PassPoint): PassPoint =>
      pass.number === number ? { ...pass, undone: true } : pass;
    const { next } = this;
    const index = this.points.findLastIndex(({ passes }) => passes.some(isOf(number)));
    const point = index === -1 ? undefined : this.points.at(index);
    if (point !== undefined) this.#replace(index, { ...point, passes: point.passes.map(undo) });
    const pass = [...(point?.passes ?? []), ...next.passes].find(isOf(number));
    const undone = pass === undefined ? next.undone : [...next.undone, pass];
    this.next = { ...next, passes: next.passes.map(undo), undone };
  }

  /** Takes all refaults out of the points. */
  dropRefaults(): void {
    const without = [...this.points].flatMap((point, index): [number, StepPoint][] =>
      point.refaults.length === 0 ? [] : [[index, { ...point, refaults: [] }]],
    );
    this.points = this.points.withAll(without);
  }

  #endTurn(outcome: TurnOutcome): void {
    const { next } = this;
    const last = this.points.at(-1);
    if (last?.turn === this.turn) this.#replaceLast({ ...last, outcome });
    else this.next = { ...next, stepless: [...next.stepless, outcome] };
  }

  #replaceLast(point: StepPoint): void {
    this.#replace(this.points.length - 1, point);
  }

  #replace(index: number, point: StepPoint): void {
    this.points = this.points.withAll([[index, point]]);
  }
}

function isOf(number: number): (pass: PassPoint) => boolean {
  return (pass) => pass.number === number;
}

function inputOf({
  usage,
  tiers,
  underreported,
  uncounted,
}: EventOf<'replyReceived'>): Amount | undefined {
  const tokens = promptTokens(usage);
  if (tokens > 0 && underreported !== true) return { tokens, exact: uncounted !== true };
  if (tiers === undefined) return undefined;
  const { system, working, archive, exact } = tiers;
  return { tokens: system + working + archive, exact };
}
