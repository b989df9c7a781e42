import type { LedgerEntry } from '../../contextWindow/contextWindow';
import type { EventOf, SessionEvent, TurnOutcome } from '../../contextWindow/event';
import { promptParts, type PromptParts } from '../../contextWindow/attached';
import type { TurnFile } from '../../contextWindow/fileChanges';
import { PersistentList } from '../../contextWindow/persistentList';
import type { Activity, TurnItem, TurnView } from './state';
import { attachedNames } from '../composer/attachedNames';
import { toolView } from './toolView';
import { fileView, passItem, textItem, thinkingOf, type Source } from './turnItems';
import { outcomeView } from './turnOutcome';
import { TurnUsage } from './turnUsage';

/** What is drawn into a turn besides its log. */
export interface TurnMoment {
  /** What the agent does, if that may be in this turn. */
  readonly live: Activity | undefined;
  /** Only the newest turn can be gone on with. */
  readonly isLast: boolean;
  readonly logProblem: string | undefined;
  /** The step behind which the session was forked; undefined where it was not. */
  readonly forkedAt: number | undefined;
  readonly offline: boolean;
  readonly now: number;
}

/** What one turn's part of the log amounts to. */
export class Turn {
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
  readonly #parts: PromptParts;
  isUndone = false;
  /** The step that was answered last, unless the turn was gone on with since. */
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

  /** The number of the turn, as the log has it. */
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

  /** Takes in the state of a pass of this turn in the ledger. */
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
      ...(wasOffline === undefined ? {} : { offline: wasOffline }),
      ...(this.files.length === 0 ? {} : { files: this.files.map(fileView) }),
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
        ? [toolView(part.use, this.#results.get(part.use.id), this.#running)]
        : [],
    );
    return { type: 'step', step, text: text.join('\n\n'), ...thinkingOf(reply), tools };
  }
}

/** A list with what was drawn put in its place; what is new comes at the end. */
export function withDrawn<T>(
  list: PersistentList<T>,
  drawn: readonly (readonly [place: number, item: T])[],
): PersistentList<T> {
  const fresh = drawn.filter(([place]) => place >= list.length);
  const added = fresh.toSorted(([one], [other]) => one - other).map(([, item]) => item);
  return list.withAll(drawn).concat(added);
}
