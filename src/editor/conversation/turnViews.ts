import {
  turnsUndone,
  type ContextWindow,
  type LedgerEntry,
} from '../../contextWindow/contextWindow';
import { changesBetween, PersistentList } from '../../contextWindow/persistentList';
import type { EventOf, SessionEvent } from '../../contextWindow/event';
import type { Activity, TurnView } from './state';
import { Turn, withDrawn } from './turnView';

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
  #restored: number | undefined;
  #forkedAt: number | undefined;

  /** `demoAuthor` is what the scripted model signs its answers with. */
  constructor(private readonly demoAuthor: string) {}

  /** Draws every turn, oldest first. */
  of(facts: TurnFacts): readonly TurnView[] {
    const { events, window, offline } = facts;
    if (events !== this.#events || events.length < this.#read) this.#startOver(events);
    for (; this.#read < events.length; this.#read += 1) this.#take(events[this.#read]);
    this.#compareLedger(window);
    if (offline !== this.#offline) this.#turns.forEach((_, index) => this.#changed.add(index));
    this.#offline = offline;
    return this.#draw(facts);
  }

  /** How many files the user put back since the newest prompt, which can be undone. */
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

  /** The files of an earlier turn are told anew where the user keeps or undoes some of them. */
  #takeFiles({ turn: number, files }: EventOf<'turnFiles'>): void {
    const index = this.#turns.findLastIndex((turn) => turn.number === number);
    const turn = this.#turns[index];
    if (turn === undefined) return;
    turn.files = files;
    this.#changed.add(index);
  }

  /** An entry of the ledger becomes another object when its pass is counted or undone. */
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

  /** Of turns that were taken back one after another, an undo brings back only some. */
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
