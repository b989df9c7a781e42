import type { Estimator, ModelRequest } from '../../agent/model';
import { type PassPrices, PassPricing } from '../../contextWindow/account/passPrice';
import { textsOf } from '../../contextWindow/account/measure';
import { type Budget, effectiveBudget } from '../../contextWindow/budget';
import { WindowHistory } from '../../contextWindow/history';
import type { Estimate } from '../../contextWindow/truncate';
import type { WorkspaceFiles } from '../checkpoints/workspaceFiles';
import { capturedBody } from '../../recordings/captures/capturedBody';
import type { CapturedCall } from '../../recordings/captures/capturedCall';
import { turnSettings } from '../../settings/turnSettings';
import type { Refusal } from '../../contextWindow/result';
import type { Timeline } from '../../contextWindow/timeline';
import { blocksInWindow, type ContextWindow } from '../../contextWindow/window';
import { type Account, accountOf } from '../session/derive';
import {
  drawnBlocks,
  type DrawnBlocks,
  drawnBlocksOfPast,
  drawnBlocksUnplanned,
} from './blocks/derive';
import type { LifeFacts } from './blocks/lives';
import { BlockMovements, type Moves } from './blocks/moves';
import { contextView, whyReadOnly } from './derive';
import { excerptsView, excerptsOfBlock } from './files/derive';
import { memoryOff } from '../tools/memorySwitches';
import type { ExcerptsView } from './files/state';
import type { Report } from '../report';
import type { CurrentSession } from '../session/currentSession';
import { type Inspected, type Moment, nameOf } from '../session/inspected';
import { decisionViews } from './ledger/derive';
import { passesAfter, showsFilesUnder } from './ledger/nextPass';
import { PlansAhead } from './ledger/plansAhead';
import type { DecisionView, PlanView } from './ledger/state';
import { exchangeAt, type ExchangeAt } from './ledger/summaryExchange';
import { capturedView, readTexts } from './request/capturedView';
import { requestView } from './request/derive';
import { type RequestAt, requestNext, requestOfStep, windowSentAt } from './request/requestAt';
import type { RequestView } from './request/state';
import type { ContextView, TravelView } from './state';
import { neededFiles } from '../session/neededInSessions';
import { forkedAfterIn, GrowingTimeline } from '../session/sessionCosts';
import { recordedTokensAt, TimelineDrawing } from './timeline/derive';
import { costOfCharge } from '../../model/pricing';
import type { TimelineView } from './timeline/state';
import type { WhatIfSettings, WhatIfView } from './whatIf/state';

interface InspectionServices {
  readonly access: {
    readonly estimator: Pick<Estimator, 'estimate' | 'warm'>;
    /** The server in use, unless it is Anthropic's. */
    readonly compatible?: { sent(request: ModelRequest): ModelRequest } | undefined;
  };
  readonly context: {
    readonly globalState: { get(key: string): unknown };
    readonly workspaceState: Parameters<typeof memoryOff>[0];
  };
  /** The scripted model's name. */
  readonly demoAuthor: string;
}

/** The key under which is stored that the user has read what the map means. */
export const INTRO_SEEN = 'plimsoll.introSeen';

/** The key under which is stored that the user has read of the caps on watermarks. */
export const CAP_NOTICE_SEEN = 'plimsoll.capNoticeSeen';

/**
 * Planning the next pass of a window with more blocks than this delays the opening of the panel.
 */
const LONG = 300;

/** Shows a session at any of its moments; changes nothing but the displayed moment. */
export class Inspection {
  readonly #history = new WindowHistory();
  #at: Moment = 'now';
  /** The session that `#at` belongs to; any other is shown at now. */
  #of = '';
  /** Counts the wishes to travel: only the newest counts. */
  #wishes = 0;
  readonly #timeline = new GrowingTimeline();
  #drawing: TimelineDrawing | undefined;
  #pricing: { readonly usage: Inspected['simulatedUsage']; readonly of: PassPricing } | undefined;
  /** The last drawn rows, and their inputs. */
  #rows:
    | {
        readonly of: readonly unknown[];
        readonly session: string;
        readonly drawn: DrawnBlocks;
      }
    | undefined;
  readonly #ahead: PlansAhead;
  readonly #moves: BlockMovements;
  readonly #numbers = new WeakMap<object, number>();
  #numbered = 0;

  constructor(
    private readonly services: InspectionServices,
    /** The displayed session in its current state. */
    private readonly shown: { readonly inspected: Inspected },
    files: Pick<WorkspaceFiles, 'filesNow'>,
  ) {
    this.#ahead = new PlansAhead(() => this.counting, files);
    this.#moves = new BlockMovements(() => this.counting);
  }

  get inspected(): Inspected {
    return this.shown.inspected;
  }

  /** The window at the displayed moment. */
  get window(): ContextWindow {
    const { window } = this.inspected;
    const at = this.at;
    return at === 'now' ? window : (windowSentAt(this.#follow(), at) ?? window);
  }

  /** Why nothing can be changed at the displayed moment. */
  get whyReadOnly(): Refusal {
    return whyReadOnly(this.inspected, { at: this.at });
  }

  /** The budget at the displayed moment. */
  get budget(): Budget {
    return this.#budgetAt(this.at) ?? this.inspected.inForce.budget;
  }

  /** Counts texts as the panel does. */
  get counting(): InspectionServices['access']['estimator'] {
    return this.inspected.estimator ?? this.services.access.estimator;
  }

  /** Travels to a moment; says why not if the session has no such step. */
  async travelTo(at: Moment): Promise<Refusal> {
    const name = nameOf(this.inspected);
    const wish = ++this.#wishes;
    if (at !== 'now') {
      const window = windowSentAt(this.#follow(), at);
      if (window === undefined) return `There is no step ${at} in this session.`;
      await this.counting.warm(textsOf(window));
    }
    if (wish !== this.#wishes) return undefined;
    this.#at = at;
    this.#of = name;
    return undefined;
  }

  /** Goes back to now, because another session is displayed. */
  leave(): void {
    this.#wishes += 1;
    this.#at = 'now';
  }

  /**
   * Draws the panel's state. To open quickly, a first drawing of a long window omits the next pass:
   * draw it again then.
   */
  view(isFirst = false): ContextView {
    const { context, demoAuthor } = this.services;
    const isUnread = (key: string) => context.globalState.get(key) !== true;
    const estimate = this.#estimate;
    const { inspected } = this;
    const travel = this.#travel();
    const { window } = this;
    const { budget } = this;
    const account = accountOf(window, budget, estimate);
    return contextView({
      inspected,
      travel,
      window,
      account,
      drawn: this.#drawnAt(travel.at, inspected, window, account, isFirst),
      moves: this.#movesIn(inspected, window),
      revision: this.#revision(inspected, window),
      showIntro: isUnread(INTRO_SEEN),
      memoryOff: memoryOff(context.workspaceState),
      needed: neededFiles(context.workspaceState),
      showCapNotice: isUnread(CAP_NOTICE_SEEN),
      estimate,
      prices: this.#pricesAt(travel.at),
      billThen:
        travel.at === 'now'
          ? undefined
          : this.#drawingNow().billUntil(this.#timelineNow(inspected), travel.at),
      demoAuthor,
    });
  }

  /** The prices of the passes as they were known at a moment. */
  #pricesAt(at: Moment): PassPrices {
    const { inspected } = this;
    const { simulatedUsage, recordedUsage } = inspected;
    if (this.#pricing === undefined || this.#pricing.usage !== simulatedUsage) {
      const usageOf =
        simulatedUsage === undefined ? undefined : (step: number) => simulatedUsage.get(step);
      const of = new PassPricing({
        costOf: costOfCharge,
        usageOf,
        recordedOf: recordedUsage && ((step) => recordedUsage.get(step)),
      });
      this.#pricing = { usage: simulatedUsage, of };
    }
    const timeline = this.#timelineNow(inspected);
    if (at === 'now') return this.#pricing.of.of(timeline);
    const { points } = timeline;
    const index = points.findLastIndex(({ step }) => step === at);
    const next = points.at(index) ?? timeline.next;
    return this.#pricing.of.of({ points: points.slice(0, Math.max(0, index)), next });
  }

  /** Draws the timeline of the whole session, reusing the points drawn before. */
  timeline(): TimelineView {
    return this.#drawingNow().draw(this.#timelineNow(this.inspected));
  }

  #drawingNow(): TimelineDrawing {
    const { inspected } = this;
    const { window, inForce, offline, events } = inspected;
    const budget = effectiveBudget(window, inForce.budget);
    const { demoAuthor } = this.services;
    const { compactions, recordedUsage, recordedCharges, simulatedUsage } = inspected;
    const recorded = { compactions, recordedUsage, recordedCharges, simulatedUsage };
    const forkedAfter = forkedAfterIn(events);
    const facts = { offline, budget, demoAuthor, forkedAfter, ...recorded };
    if (this.#drawing?.isWith(facts) !== true) this.#drawing = new TimelineDrawing(facts);
    return this.#drawing;
  }

  /** The decision of a pass for every block; undefined if there is no such pass. */
  decisions(number: number): readonly DecisionView[] | undefined {
    return decisionViews(this.inspected.window, number);
  }

  /** The excerpts of a block, and why; undefined if no pass has made that block. */
  shownExcerpts(blockId: string): ExcerptsView | undefined {
    const { window } = this.inspected;
    const view = excerptsOfBlock(window, blockId);
    return view === undefined ? undefined : excerptsView(view, window.fileChoices);
  }

  /** Inputs of the lives of blocks and files. */
  get lifeFacts(): LifeFacts {
    const { events, window, inForce, policy } = this.inspected;
    const showsFiles = showsFilesUnder(inForce.settings.context, policy);
    return { events, window, estimate: this.#estimate, showsFiles };
  }

  /**
   * The plan of Compact Now; undefined if the policy plans nothing without a replay. The rows are
   * planned again after it, since texts may have been counted meanwhile.
   */
  async preview(): Promise<PlanView | undefined> {
    const plan = await this.#ahead.preview(this.inspected);
    if (this.#rows !== undefined) this.#rows = { ...this.#rows, of: [undefined] };
    return plan;
  }

  /**
   * Says whether the next pass is planned from the files in the log, and may differ once they are
   * read from disk.
   */
  get isByLog(): boolean {
    const { source, window, inForce, policy } = this.inspected;
    return (
      this.at === 'now' &&
      source.type === 'session' &&
      showsFilesUnder(inForce.settings.context, policy) &&
      this.#ahead.filesReadFor(window) === undefined
    );
  }

  /** Reads the files that the next pass would show; says whether its plan uses them now. */
  async readAhead(): Promise<boolean> {
    if (!this.isByLog) return false;
    await this.preview();
    return !this.isByLog;
  }

  /** Watches the blocks whose buttons show numbers; says whether any is new. */
  watch(blocks: readonly string[]): boolean {
    return this.#moves.watch(blocks);
  }

  /** Says whether numbers on buttons wait for their texts to be tokenized. */
  get isCounting(): boolean {
    return this.#moves.isWaiting;
  }

  /** Tokenizes the texts that numbers on buttons wait for. */
  countMoves(): Promise<void> {
    return this.#moves.count(this.#estimate);
  }

  /** The effect of other settings at the moment shown. */
  whatIf(wished: WhatIfSettings): Promise<WhatIfView> {
    return this.#ahead.whatIf(this.inspected, this.at === 'now' ? 'now' : this.window, wished);
  }

  /** The request of a step, or the next one; undefined for an unknown step. */
  requestAt(step: number | 'next'): RequestAt | undefined {
    const { inspected } = this;
    if (step === 'next') {
      const server =
        inspected.source.type === 'session' ? this.services.access.compatible : undefined;
      return requestNext(inspected, server);
    }
    const history = this.#follow();
    const window = history.windowBefore(step);
    if (window === undefined) return undefined;
    return requestOfStep(inspected, window, history.replyOf(step));
  }

  /** The captured request of a step; undefined if it was not captured. */
  capturedAt(step: number | 'next'): CapturedCall | undefined {
    return step === 'next' ? undefined : this.inspected.captured?.steps.get(step);
  }

  /** A captured request, formatted for reading; one that cannot be read is reconstructed. */
  async capturedView(step: number, call: CapturedCall): Promise<RequestView | undefined> {
    const read = await capturedBody(call);
    if (!read.ok) return this.#notCaptured(step, read.message);
    await this.counting.warm(readTexts(read.body));
    return capturedView(call, read.body, step, this.#estimate);
  }

  #notCaptured(step: number, why: string): RequestView | undefined {
    const view = this.requestView(step);
    return view && { ...view, notes: [`Not exact: ${why}`, ...view.notes] };
  }

  /** The request for a summary, and its answer; undefined if the log does not hold them. */
  exchangeAt(summaryId: string): ExchangeAt | undefined {
    return exchangeAt(this.inspected.window, summaryId);
  }

  /** The same, formatted for reading; undefined for an unknown step. */
  requestView(step: number | 'next'): RequestView | undefined {
    const at = this.requestAt(step);
    return at === undefined ? undefined : requestView(at, step, this.#estimate);
  }

  /** Rows and plan of a long session take a while: redraws them only if they may have changed. */
  #drawnAt(
    at: Moment,
    { window: windowNow, inForce, policy }: Inspected,
    window: ContextWindow,
    account: Account,
    isFirst: boolean,
  ): DrawnBlocks {
    const { tokens, exact } = account.balance.used;
    const ran = at === 'now' ? [] : passesAfter(windowNow, at);
    const passes = ran.map(({ number }) => number).join();
    // New counts may change the shares of blocks without changing their sum.
    const shares = account.measured.parts.map((part) => part.tokens).join();
    // Once a plan has read the files, the rows use them too.
    const files = at === 'now' ? this.#ahead.filesReadFor(window) : undefined;
    const of = [window, inForce, policy, at, passes, tokens, exact, shares, files];
    const known = this.#rows;
    if (known?.of.every((part, index) => part === of[index]) === true) return known.drawn;
    const asNow = files === undefined ? {} : { files };
    const facts = { window, account, inForce, policy, estimate: this.#estimate, ...asNow };
    if (isFirst && at === 'now' && blocksInWindow(window).length > LONG) {
      return drawnBlocksUnplanned(facts);
    }
    const former = known?.session === window.sessionId ? known.drawn : undefined;
    const drawn = at === 'now' ? drawnBlocks(facts, former) : drawnBlocksOfPast(facts, ran, former);
    this.#rows = { of, session: window.sessionId, drawn };
    return drawn;
  }

  #movesIn({ inForce }: Inspected, window: ContextWindow): Moves {
    const { budget, policy, toolResultCapTokens } = turnSettings(inForce);
    const settings = { budget, policy, toolResultCapTokens };
    return this.#moves.of(window, { settings, estimate: this.#estimate }, [inForce]);
  }

  /**
   * Windows and settings are values: each new one is a new revision. The current window counts at a
   * past step too, since the next request can be opened from there.
   */
  #revision({ window: windowNow, inForce, policy }: Inspected, window: ContextWindow): string {
    const numbers = [windowNow, window, inForce].map((value) => {
      const number = this.#numbers.get(value) ?? ++this.#numbered;
      this.#numbers.set(value, number);
      return number;
    });
    return [...numbers, policy].join(' ');
  }

  #follow(): WindowHistory {
    this.#history.follow(this.inspected.events);
    return this.#history;
  }

  /**
   * The displayed moment: now, if another session was opened since, or if it no longer has such a
   * step.
   */
  get at(): Moment {
    const at = this.#at;
    if (at === 'now' || this.#of !== nameOf(this.inspected)) return 'now';
    return this.#follow().replyOf(at) === undefined ? 'now' : at;
  }

  #travel(): TravelView {
    const [first = 0] = this.#follow().stepNumbers;
    const at = this.at;
    const { window, recordedUsage } = this.inspected;
    const recorded = recordedTokensAt(at, recordedUsage);
    const travel = { at, first, last: window.step, ...recorded };
    return this.#budgetAt(at) === undefined ? { ...travel, budgetOfToday: true } : travel;
  }

  /** The budget at a moment; undefined if the log does not hold it. */
  #budgetAt(at: Moment): Budget | undefined {
    const { inspected } = this;
    if (at === 'now') return inspected.inForce.budget;
    return this.#timelineNow(inspected).points.find(({ step }) => step === at)?.budget;
  }

  get #estimate(): Estimate {
    return this.counting.estimate;
  }

  #timelineNow({ events, window }: Inspected): Timeline {
    return this.#timeline.of(events, window);
  }
}

/** Quiet time before the files are read; ms. */
const STANDS_STILL_MS = 300;

/**
 * Reads the files that the next pass would show, once the session is idle. Then the panel, a
 * preview and the pass agree. During a turn it uses the log, which has the edits.
 */
export class ReadAhead {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly inspection: Pick<Inspection, 'readAhead' | 'countMoves'>,
    private readonly current: Pick<CurrentSession, 'changed'>,
    private readonly report: Pick<Report, 'run'>,
  ) {}

  /** Reads them soon; several requests until then count as one. */
  request(): void {
    this.cancel();
    this.#timer = setTimeout(() => {
      this.report.run(async () => {
        if (await this.inspection.readAhead()) this.current.changed();
      });
    }, STANDS_STILL_MS);
  }

  /** Tokenizes what the numbers on buttons wait for, and shows them. */
  countMoves(): void {
    this.report.run(async () => {
      await this.inspection.countMoves();
      this.current.changed();
    });
  }

  /** Cancels a reading that is due. */
  cancel(): void {
    clearTimeout(this.#timer);
  }
}
