import type { ContextWindow, LedgerEntry } from '../contextWindow/contextWindow';
import { changesBetween, PersistentList } from '../contextWindow/persistentList';
import type { EventOf, SessionEvent, TurnOutcome } from '../contextWindow/event';
import type { Activity, TurnItem, TurnView } from '../protocol/agentView';
import { toolView } from './toolView';
import { passItem, textItem, thinkingOf, type Source } from './turnItems';
import { outcomeView } from './turnOutcome';
import { TurnUsage } from './turnUsage';

/** What the turns are drawn from; `now` in ms since the epoch. */
export interface TurnFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly activity: Activity;
  /** What the log said when it took nothing more; absent while it takes what it is given. */
  readonly logProblem?: string | undefined;
  /** True while the scripted model answers. */
  readonly offline: boolean;
  readonly now: number;
}

/**
 * Draws the turns of a session and remembers them: the next time it reads only the events added to
 * the log, and draws only what they changed. Everything else stays the same object.
 */
export class TurnViews {
  #events: readonly SessionEvent[] = [];
  #ledger: PersistentList<LedgerEntry> = PersistentList.of();
  /** How many of the events have been read. */
  #read = 0;
  #turns: Turn[] = [];
  #turnOfPass = new Map<number, number>();
  /** The indices of turns that changed since they were drawn. */
  #changed = new Set<number>();
  #views: PersistentList<TurnView> = PersistentList.of();
  #offline = false;

  /** `demoAuthor` is what the scripted model signs its answers with. */
  constructor(private readonly demoAuthor: string) {}

  /** Draws every turn, oldest first. */
  of(facts: TurnFacts): readonly TurnView[] {
    const { events, window, offline } = facts;
    if (events !== this.#events || events.length < this.#read) this.#startOver(events);
    for (; this.#read < events.length; this.#read += 1) this.#take(events[this.#read]);
    this.#compareLedger(window.ledger);
    if (offline !== this.#offline) this.#turns.forEach((_, index) => this.#changed.add(index));
    this.#offline = offline;
    return this.#draw(facts);
  }

  #startOver(events: readonly SessionEvent[]): void {
    this.#events = events;
    this.#read = 0;
    this.#ledger = PersistentList.of();
    this.#turns = [];
    this.#turnOfPass = new Map();
    this.#changed = new Set();
    this.#views = PersistentList.of();
  }

  #take(event: SessionEvent | undefined): void {
    if (event?.type === 'promptSubmitted') {
      // The turn before is no longer the last one, so it cannot be running.
      if (this.#turns.length > 0) this.#changed.add(this.#turns.length - 1);
      this.#turns.push(new Turn(event, this.demoAuthor));
    } else if (event !== undefined) {
      this.#turns.at(-1)?.take(event);
    }
    if (event?.type === 'passApplied') {
      this.#turnOfPass.set(event.pass.number, this.#turns.length - 1);
    }
  }

  /** An entry of the ledger becomes another object when its pass is counted or undone. */
  #compareLedger(ledger: PersistentList<LedgerEntry>): void {
    const former = this.#ledger;
    this.#ledger = ledger;
    for (const entry of changesBetween(former, ledger)) {
      this.#compareTakenBack(entry);
      const turn = this.#turnOfPass.get(entry.pass.number);
      if (turn === undefined) continue;
      this.#turns[turn]?.passEntered(entry);
      this.#changed.add(turn);
    }
  }

  #compareTakenBack({ pass: { takenBack }, undone }: LedgerEntry): void {
    if (takenBack === undefined) return;
    const index = this.#turns.findLastIndex(({ number }) => number === takenBack.turn);
    if (index === -1) return;
    this.#turns[index]?.takenBack(undone !== true);
    this.#changed.add(index);
  }

  #draw({ activity, logProblem, offline, now }: TurnFacts): readonly TurnView[] {
    const last = this.#turns.length - 1;
    if (last >= 0) this.#changed.add(last);
    const drawn = [...this.#changed].flatMap((index) => {
      const turn = this.#turns[index];
      const live = index === last && activity.state !== 'idle' ? activity : undefined;
      const moment = { live, isLast: index === last, logProblem, offline, now };
      return turn === undefined ? [] : [[index, turn.view(moment)] as const];
    });
    this.#changed.clear();
    this.#views = withDrawn(this.#views, drawn);
    return this.#views.toArray();
  }
}

interface TurnMoment {
  /** What the agent does, if that may be in this turn. */
  readonly live: Activity | undefined;
  /** Only the newest turn can be gone on with. */
  readonly isLast: boolean;
  readonly logProblem: string | undefined;
  readonly offline: boolean;
  readonly now: number;
}

/** What one turn's part of the log amounts to. */
class Turn {
  readonly #usage: TurnUsage;
  #items: PersistentList<TurnItem> = PersistentList.of();
  /** What each item is drawn from. */
  readonly #sources: Source[] = [];
  /** The indices of items that changed since they were drawn. */
  readonly #changed = new Set<number>();
  readonly #results = new Map<string, EventOf<'toolFinished'>>();
  /** The index of the reply of each call without a result. */
  readonly #openCalls = new Map<string, number>();
  readonly #places = new Map<number, number>();
  #outcome: TurnOutcome | undefined;
  #endedAt: number | undefined;
  #lastAt: number;
  #running: Activity | undefined;
  #isTakenBack = false;

  constructor(
    private readonly prompt: EventOf<'promptSubmitted'>,
    demoAuthor: string,
  ) {
    this.#usage = new TurnUsage(demoAuthor);
    this.#lastAt = prompt.at;
  }

  /** The number of the turn, as the log has it. */
  get number(): number {
    return this.prompt.turn;
  }

  takenBack(isTakenBack: boolean): void {
    this.#isTakenBack = isTakenBack;
  }

  take(event: SessionEvent): void {
    this.#usage.take(event);
    this.#lastAt = event.at;
    switch (event.type) {
      case 'replyReceived':
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
      case 'toolFinished':
        this.#finish(event);
        break;
      case 'turnEnded':
        this.#outcome = event.outcome;
        // A block pinned after the end belongs to the turn's log, but not to its time.
        this.#endedAt ??= event.at;
        break;
      case 'turnContinued':
        this.#outcome = undefined;
        this.#endedAt = undefined;
        break;
    }
  }

  /** Takes in the state of a pass of this turn in the ledger. */
  passEntered(entry: LedgerEntry): void {
    const place = this.#places.get(entry.pass.number);
    if (place === undefined) return;
    this.#sources[place] = entry;
    this.#changed.add(place);
  }

  view({ live, isLast, logProblem, offline, now }: TurnMoment): TurnView {
    const isRunning = live !== undefined && this.#outcome === undefined;
    this.#drawItems(isRunning ? live : undefined);
    const ended = isRunning ? now : (this.#endedAt ?? this.#lastAt);
    const wasOffline = this.#usage.isOffline;
    return {
      turn: this.prompt.turn,
      prompt: this.prompt.text,
      promptId: `prompt-${this.number}`,
      items: this.#items.toArray(),
      usage: this.#usage.view(Math.max(0, ended - this.prompt.at), offline),
      ...(isRunning ? {} : { outcome: this.#outcomeView(isLast, logProblem) }),
      ...(wasOffline === undefined ? {} : { offline: wasOffline }),
      ...(this.#isTakenBack ? { takenBack: { steps: this.#steps } } : {}),
    };
  }

  #outcomeView(isLast: boolean, logProblem: string | undefined): NonNullable<TurnView['outcome']> {
    const view = outcomeView(this.#outcome, { logProblem: isLast ? logProblem : undefined });
    if (isLast && !this.#isTakenBack) return view;
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
        ? [toolView(part.use, this.#results.get(part.use.id), this.#running)]
        : [],
    );
    return { type: 'step', step, text: text.join('\n\n'), ...thinkingOf(reply), tools };
  }
}

/** A list with what was drawn put in its place; what is new comes at the end. */
function withDrawn<T>(
  list: PersistentList<T>,
  drawn: readonly (readonly [place: number, item: T])[],
): PersistentList<T> {
  const fresh = drawn.filter(([place]) => place >= list.length);
  const added = fresh.toSorted(([one], [other]) => one - other).map(([, item]) => item);
  return list.withAll(drawn).concat(added);
}
