import type { SessionEvent } from '../../contextWindow/event';
import type { ValidSettings } from '../../settings/windowBudget';
import { Snapshots } from '../page';
import type { CurrentSession } from '../session/currentSession';
import { nameOf } from '../session/inspected';
import type { Inspection, ReadAhead } from './inspection';
import type { ContextFact, ContextPatch, ContextView } from './state';
import { contextPatch, timelinePatch } from './statePatch';
import type { TimelinePatch, TimelineView } from './timeline/state';

/** The input of a timeline; the list of events grows in place. */
interface Drawn {
  readonly session: string;
  readonly inForce: ValidSettings;
  readonly events: readonly SessionEvent[];
  readonly count: number;
}

/** Derives what the Context panel shows, and posts the changes to its page. */
export class PanelPosts {
  /** The input of the newest posted timeline. */
  #posted: Drawn | undefined;
  readonly #contexts = new Snapshots<ContextView, ContextPatch>(contextPatch);
  readonly #timelines = new Snapshots<TimelineView, TimelinePatch>(timelinePatch);

  constructor(
    private readonly page: { post(fact: ContextFact): void },
    private readonly inspection: Pick<
      Inspection,
      'inspected' | 'view' | 'timeline' | 'isByLog' | 'isCounting'
    >,
    private readonly current: Pick<CurrentSession, 'changed'>,
    private readonly ahead: Pick<ReadAhead, 'request' | 'countMoves'>,
  ) {}

  /** Posts the changes, or everything to a new page; the timeline only if log or settings changed. */
  publish(isNewPage = false): void {
    const { inspection } = this;
    const { inspected } = inspection;
    const { events, inForce } = inspected;
    const drawn = { session: nameOf(inspected), inForce, events, count: events.length };
    const isNew = isNewPage || this.#posted?.session !== drawn.session;
    if (isNew) {
      this.#contexts.forget();
      this.#timelines.forget();
    }
    if (isNew || !isAlike(this.#posted, drawn)) this.#postTimeline(inspection.timeline());
    const view = inspection.view(isNew);
    this.#postView(view);
    if (view.next.type === 'workingOut') this.current.changed();
    else if (inspection.isByLog) this.ahead.request();
    if (inspection.isCounting) this.ahead.countMoves();
    this.#posted = drawn;
  }

  #postTimeline(timeline: TimelineView): void {
    const update = this.#timelines.updateTo(timeline);
    this.page.post(
      'whole' in update
        ? { type: 'timelineChanged', timeline, number: update.number }
        : { type: 'timelinePatched', ...update },
    );
  }

  #postView(context: ContextView): void {
    const update = this.#contexts.updateTo(context);
    this.page.post(
      'whole' in update
        ? { type: 'contextChanged', context, number: update.number }
        : { type: 'contextPatched', ...update },
    );
  }
}

function isAlike(one: Drawn | undefined, other: Drawn): boolean {
  const { inForce, events, count } = other;
  return one?.inForce === inForce && one.events === events && one.count === count;
}
