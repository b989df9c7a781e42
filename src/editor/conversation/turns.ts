import { dollarAmountText } from '../../contextWindow/amount';
import { type Charge, chargesOf, promptTokens } from '../../contextWindow/account/spending';
import { promptParts, type PromptParts } from '../../contextWindow/attached';
import { type ContextWindow, type LedgerEntry, turnsUndone } from '../../contextWindow/window';
import type { EventOf, SessionEvent, TurnOutcome } from '../../contextWindow/event';
import { NO_FILE, type TurnFile } from '../../contextWindow/fileChanges';
import { excerptsSize, excerptsSizeText } from '../../contextWindow/files/regions';
import { passTitle } from '../../contextWindow/passes/passName';
import { changesBetween, PersistentList } from '../../contextWindow/persistentList';
import { isThinking } from '../../contextWindow/block';
import { progressAfter, type SubAgentProgress } from '../../contextWindow/subAgentLog';
import { costOfCharge } from '../../model/pricing';
import type { TurnFileView } from '../checkpoints/state';
import { attachedNames } from '../composer/derive';
import { tokensAfter } from '../session/derive';
import type { Activity, ThinkingView, TurnItem, TurnView, UsageView } from './state';
import { toolView } from './toolView';
import { outcomeView } from './turnOutcome';

/** What the turns are derived from; `now` in ms since the epoch. */
interface TurnFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly activity: Activity;
  /** Why the log rejected an event; absent while it works. */
  readonly logProblem?: string | undefined;
  /** True while the scripted model answers. */
  readonly offline: boolean;
  readonly now: number;
}

/**
 * Derives the turns of a session and remembers them: the next time it reads only new events, and
 * derives only what they changed. Everything else stays the same object.
 */
export class TurnViews {
  #events: readonly SessionEvent[] = [];
  #ledger: PersistentList<LedgerEntry> = PersistentList.of();
  /** How many events have been read. */
  #read = 0;
  #turns: Turn[] = [];
  #turnOfPass = new Map<number, number>();
  /** Indices of the turns that changed since they were derived. */
  #changed = new Set<number>();
  #views: PersistentList<TurnView> = PersistentList.of();
  #offline = false;
  #restored: number | undefined;
  #forkedAt: number | undefined;

  /** `demoAuthor` is the model name of scripted answers. */
  constructor(private readonly demoAuthor: string) {}

  /** All turns, oldest first. */
  of(facts: TurnFacts): readonly TurnView[] {
    const { events, window, offline } = facts;
    if (events !== this.#events || events.length < this.#read) this.#startOver(events);
    for (; this.#read < events.length; this.#read += 1) this.#take(events[this.#read]);
    this.#compareLedger(window);
    if (offline !== this.#offline) this.#turns.forEach((_, index) => this.#changed.add(index));
    this.#offline = offline;
    return this.#draw(facts);
  }

  /** How many files the user restored since the newest prompt, which can be undone. */
  get restored(): number | undefined {
    return this.#restored;
  }

  #startOver(events: readonly SessionEvent[]): void {
    this.#events = events;
    this.#read = 0;
    this.#ledger = PersistentList.of();
    this.#turns = [];
    this.#turnOfPass = new Map();
    this.#changed = new Set();
    this.#views = PersistentList.of();
    this.#restored = undefined;
    this.#forkedAt = undefined;
  }

  #take(event: SessionEvent | undefined): void {
    if (event?.type === 'sessionStarted') this.#forkedAt = event.forkedFrom?.step;
    if (event?.type === 'promptSubmitted') {
      // The turn before is no longer the last one, so it cannot be running.
      if (this.#turns.length > 0) this.#changed.add(this.#turns.length - 1);
      this.#turns.push(new Turn(event, this.demoAuthor));
    } else if (event !== undefined) {
      this.#turns.at(-1)?.take(event);
    }
    if (event?.type === 'turnFiles') this.#takeFiles(event);
    if (event?.type === 'filesRestored') {
      this.#restored = event.undoes === true ? undefined : event.files.length;
    } else if (event?.type === 'promptSubmitted') this.#restored = undefined;
    if (event?.type === 'passApplied') {
      this.#turnOfPass.set(event.pass.number, this.#turns.length - 1);
    }
  }

  /** The user may keep or undo files of an earlier turn. */
  #takeFiles({ turn: number, files }: EventOf<'turnFiles'>): void {
    const index = this.#turns.findLastIndex((turn) => turn.number === number);
    const turn = this.#turns[index];
    if (turn === undefined) return;
    turn.files = files;
    this.#changed.add(index);
  }

  /** A ledger entry becomes another object when its pass is counted or undone. */
  #compareLedger(window: ContextWindow): void {
    const { ledger } = window;
    const former = this.#ledger;
    this.#ledger = ledger;
    for (const entry of changesBetween(former, ledger)) {
      if (entry.pass.undonePrompt !== undefined) this.#compareUndone(window);
      const turn = this.#turnOfPass.get(entry.pass.number);
      if (turn === undefined) continue;
      this.#turns[turn]?.passEntered(entry);
      this.#changed.add(turn);
    }
  }

  /** If prompts were undone one after another, an undo brings back only some of their turns. */
  #compareUndone(window: ContextWindow): void {
    const undonePrompt = turnsUndone(window);
    for (const [index, turn] of this.#turns.entries()) {
      const isUndone = undonePrompt.has(turn.number);
      if (turn.isUndone === isUndone) continue;
      turn.isUndone = isUndone;
      this.#changed.add(index);
    }
  }

  #draw({ activity, logProblem, offline, now }: TurnFacts): readonly TurnView[] {
    const last = this.#turns.length - 1;
    const forkedAt = this.#forkedAt;
    if (last >= 0) this.#changed.add(last);
    const drawn = [...this.#changed].flatMap((index) => {
      const turn = this.#turns[index];
      const live = index === last && activity.state !== 'idle' ? activity : undefined;
      const moment = { live, isLast: index === last, logProblem, forkedAt, offline, now };
      return turn === undefined ? [] : [[index, turn.view(moment)] as const];
    });
    this.#changed.clear();
    this.#views = withDrawn(this.#views, drawn);
    return this.#views.toArray();
  }
}

/** Inputs of a turn's view, in addition to its log. */
interface TurnMoment {
  /** What the agent does, if it may be in this turn. */
  readonly live: Activity | undefined;
  /** Only the newest turn can be continued. */
  readonly isLast: boolean;
  readonly logProblem: string | undefined;
  /** The step after which the session was forked; undefined if it was not. */
  readonly forkedAt: number | undefined;
  readonly offline: boolean;
  readonly now: number;
}

/** One turn, derived from its part of the log. */
class Turn {
  readonly #usage: TurnUsage;
  #items: PersistentList<TurnItem> = PersistentList.of();
  /** What each item is derived from. */
  readonly #sources: Source[] = [];
  /** Indices of the items that changed since they were derived. */
  readonly #changed = new Set<number>();
  readonly #results = new Map<string, EventOf<'toolFinished'>>();
  /** The index of the reply of each call without a result. */
  readonly #openCalls = new Map<string, number>();
  /** The sub-agents that calls of this turn started. */
  readonly #subAgents = new Map<string, SubAgentProgress>();
  readonly #places = new Map<number, number>();
  #outcome: TurnOutcome | undefined;
  #endedAt: number | undefined;
  #lastAt: number;
  #running: Activity | undefined;
  readonly #parts: PromptParts;
  isUndone = false;
  /** The last answered step, unless the turn was continued since. */
  #lastStep: number | undefined;
  files: readonly TurnFile[] = [];

  constructor(
    private readonly prompt: EventOf<'promptSubmitted'>,
    demoAuthor: string,
  ) {
    this.#usage = new TurnUsage(demoAuthor);
    this.#lastAt = prompt.at;
    this.#parts = promptParts(prompt.text);
  }

  /** The number of the turn in the log. */
  get number(): number {
    return this.prompt.turn;
  }

  take(event: SessionEvent): void {
    this.#usage.take(event);
    this.#lastAt = event.at;
    switch (event.type) {
      case 'replyReceived':
        this.#lastStep = event.step;
        for (const part of event.parts) {
          if (part.type === 'toolUse') this.#openCalls.set(part.use.id, this.#sources.length);
        }
        this.#add(event);
        break;
      case 'passApplied':
        this.#places.set(event.pass.number, this.#sources.length);
        this.#add({ pass: event.pass });
        break;
      case 'sessionSummarised':
        this.#add(event);
        break;
      case 'noteAdded':
        if (event.source.from === 'handover') {
          this.#add({ type: 'takenOver', title: event.source.title, text: event.text });
        }
        if (event.source.from === 'said') this.#add({ type: 'said', text: event.text });
        break;
      case 'subAgentEvent': {
        const { toolUseId } = event;
        const before = this.#subAgents.get(toolUseId);
        const after = progressAfter(before, toolUseId, event.event);
        if (after === undefined || after === before) break;
        this.#subAgents.set(toolUseId, after);
        const place = this.#openCalls.get(toolUseId);
        if (place !== undefined) this.#changed.add(place);
        break;
      }
      case 'toolFinished':
        this.#finish(event);
        break;
      case 'turnEnded':
        this.#outcome = event.outcome;
        // A block pinned after the end belongs to the turn's log, but not to its time.
        this.#endedAt ??= event.at;
        break;
      case 'turnContinued':
        this.#lastStep = undefined;
        this.#outcome = undefined;
        this.#endedAt = undefined;
        break;
    }
  }

  /** Takes the ledger's state of a pass of this turn. */
  passEntered(entry: LedgerEntry): void {
    const place = this.#places.get(entry.pass.number);
    if (place === undefined) return;
    this.#sources[place] = entry;
    this.#changed.add(place);
  }

  view({ live, isLast, logProblem, forkedAt, offline, now }: TurnMoment): TurnView {
    const isRunning = live !== undefined && this.#outcome === undefined;
    this.#drawItems(isRunning ? live : undefined);
    const ended = isRunning ? now : (this.#endedAt ?? this.#lastAt);
    const wasOffline = this.#usage.isOffline;
    return {
      turn: this.prompt.turn,
      prompt: this.#parts.typed,
      ...attachedNames(this.#parts, this.prompt.attachments),
      promptId: `prompt-${this.number}`,
      items: this.#items.toArray(),
      usage: this.#usage.view(Math.max(0, ended - this.prompt.at), offline),
      ...(isRunning ? {} : { outcome: this.#outcomeView(isLast, logProblem, forkedAt) }),
      offline: wasOffline,
      ...(this.files.length === 0 ? {} : { files: this.files.map(excerptsSchema) }),
      ...(this.isUndone ? { undonePrompt: { steps: this.#steps } } : {}),
    };
  }

  #outcomeView(
    isLast: boolean,
    logProblem: string | undefined,
    forkedAt: number | undefined,
  ): NonNullable<TurnView['outcome']> {
    const view = outcomeView(this.#outcome, {
      logProblem: isLast ? logProblem : undefined,
      forkedAt: this.#lastStep === forkedAt ? forkedAt : undefined,
    });
    if (isLast && !this.isUndone) return view;
    const { actions: _over, ...ended } = view;
    return ended;
  }

  get #steps(): number {
    return this.#items.filter(({ type }) => type === 'step').length;
  }

  #add(source: Source): void {
    this.#changed.add(this.#sources.length);
    this.#sources.push(source);
  }

  #finish(event: EventOf<'toolFinished'>): void {
    // The first result of a call counts, as in the fold.
    if (this.#results.has(event.toolUseId)) return;
    this.#results.set(event.toolUseId, event);
    const place = this.#openCalls.get(event.toolUseId);
    if (place !== undefined) this.#changed.add(place);
    this.#openCalls.delete(event.toolUseId);
  }

  #drawItems(running: Activity | undefined): void {
    if (running !== this.#running) {
      for (const place of this.#openCalls.values()) this.#changed.add(place);
    }
    this.#running = running;
    if (this.#changed.size === 0) return;
    const drawn = [...this.#changed].flatMap((place) => {
      const source = this.#sources[place];
      return source === undefined ? [] : [[place, this.#item(source, place + 1)] as const];
    });
    this.#changed.clear();
    this.#items = withDrawn(this.#items, drawn);
  }

  #item(source: Source, number: number): TurnItem {
    if ('pass' in source) return passItem(source);
    return source.type === 'replyReceived' ? this.#stepItem(source) : textItem(source, number);
  }

  #stepItem(reply: EventOf<'replyReceived'>): TurnItem {
    const { step, parts } = reply;
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const tools = parts.flatMap((part) =>
      part.type === 'toolUse'
        ? [
            toolView(
              part.use,
              this.#results.get(part.use.id),
              this.#running,
              this.#subAgents.get(part.use.id),
            ),
          ]
        : [],
    );
    return { type: 'step', step, text: text.join('\n\n'), ...thinkingOf(reply), tools };
  }
}

/** Replaces items of a list, and appends new ones. */
function withDrawn<T>(
  list: PersistentList<T>,
  drawn: readonly (readonly [place: number, item: T])[],
): PersistentList<T> {
  const fresh = drawn.filter(([place]) => place >= list.length);
  const added = fresh.toSorted(([one], [other]) => one - other).map(([, item]) => item);
  return list.withAll(drawn).concat(added);
}

/** The fields of a ledger entry that a pass item shows. */
type PassSource = Pick<LedgerEntry, 'pass' | 'certifiedTokens' | 'undone'>;

type Reply = EventOf<'replyReceived'>;

/** What an item of a turn is derived from. */
type Source =
  | Reply
  | PassSource
  | EventOf<'sessionSummarised'>
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'takenOver'; readonly title: string; readonly text: string };

/** Longest thinking a page is sent, characters; the session log has the rest. */
const LONGEST_THINKING = 20_000;

function thinkingOf({ parts, usage }: Reply): { readonly thinking?: ThinkingView } {
  if (!parts.some(isThinking)) return {};
  const said = parts.flatMap((part) => (part.type === 'thinking' ? [part.thinking.trim()] : []));
  const whole = said.filter((text) => text !== '').join('\n\n');
  const left = whole.length - LONGEST_THINKING;
  const text =
    left <= 0
      ? whole
      : `${whole.slice(0, LONGEST_THINKING)}\n… (${left} more characters are in the session log)`;
  const { thinkingTokens: tokens } = usage;
  return { thinking: { text, tokens } };
}

function passItem(entry: PassSource): TurnItem {
  const { pass } = entry;
  const after = tokensAfter(entry);
  return {
    type: 'pass',
    number: pass.number,
    name: passTitle(pass),
    trigger: pass.trigger,
    beforeTokens: pass.before.tokens,
    afterTokens: after.tokens,
    exact: pass.before.exact && after.exact,
    ...(pass.excerpts === undefined
      ? {}
      : { shows: excerptsSizeText(excerptsSize(pass.excerpts.shown)) }),
    ...(entry.undone === true ? { undone: true } : {}),
  };
}

/**
 * A text shown as it is: a prompt sent while the agent worked, or a summary of a session. `number`
 * is its position among the items of the turn.
 */
function textItem(source: Exclude<Source, PassSource | Reply>, number: number): TurnItem {
  const { type, text } = source;
  if (type === 'said') {
    const parts = promptParts(text);
    return { type, number, text: parts.typed, ...attachedNames(parts) };
  }
  if (type === 'takenOver') return { type: 'summary', number, text, from: source.title };
  const { writtenBy: by } = source;
  const writtenBy = by.by === 'model' ? `by ${by.model}` : `a work note, because ${by.because}`;
  return { type: 'summary', number, text, writtenBy };
}

function excerptsSchema({ before, after, path, added, removed, answer }: TurnFile): TurnFileView {
  const how = before === NO_FILE ? 'made' : after === NO_FILE ? 'gone' : 'changed';
  return {
    path,
    how,
    added,
    removed,
    answer,
  };
}

/** Adds up what the responses of a turn used, including those for summaries and ratings. */
export class TurnUsage {
  #inputTokens = 0;
  #cacheReadTokens = 0;
  #outputTokens = 0;
  #responses = 0;
  /** Responses of models that cost something. */
  #charged = 0;
  /** US dollars at list price. */
  #cost: number | 'unknown' = 0;
  #isEstimate = false;

  /** `demoAuthor` is the model name of scripted answers. */
  constructor(private readonly demoAuthor: string) {}

  /** Whether the scripted model answered; undefined before the first response. */
  get isOffline(): boolean | undefined {
    return this.#responses === 0 ? undefined : this.#charged < this.#responses;
  }

  take(event: SessionEvent): void {
    for (const charge of chargesOf(event)) this.#add(charge);
  }

  /** `offline`: whether the scripted model answers now. */
  view(elapsedMs: number, offline: boolean): UsageView {
    return {
      inputTokens: this.#inputTokens,
      cacheReadTokens: this.#cacheReadTokens,
      outputTokens: this.#outputTokens,
      cost: this.#costText(offline),
      ...(this.#isEstimate ? { isEstimate: true } : {}),
      elapsedMs,
    };
  }

  #add(charge: Charge): void {
    const { model, usage } = charge;
    const inputTokens = promptTokens(usage);
    // A reply that was stopped has no usage and no model name.
    if (inputTokens + usage.outputTokens === 0) return;
    this.#inputTokens += inputTokens;
    this.#cacheReadTokens += usage.cacheReadTokens;
    this.#outputTokens += usage.outputTokens;
    this.#responses += 1;
    if (model === this.demoAuthor) return;
    if (charge.isEstimate === true) this.#isEstimate = true;
    this.#charged += 1;
    const cost = costOfCharge(charge);
    if (cost === undefined) this.#cost = 'unknown';
    else if (this.#cost !== 'unknown') this.#cost += cost;
  }

  #costText(offline: boolean): string {
    if (this.#charged === 0 && (offline || this.#responses > 0)) return 'no charge (offline)';
    if (this.#cost === 'unknown') return 'price unknown';
    return dollarAmountText(this.#cost, !this.#isEstimate);
  }
}
