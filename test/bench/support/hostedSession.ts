import { Session } from '../../../src/agent/session';
import type { NewEvent, SessionEvent } from '../../../src/contextWindow/event';
import type { Inspection } from '../../../src/editor/contextPanel/inspection';
import { conversationPosts, panelPosts } from '../../editor/support/postedPages';
import { inspecting, lookedAt, validWith } from '../../editor/contextPanel/support/inspecting';

/** A window in which everything fits: 10,000 steps come to 3,400,000 tokens. */
const ROOMY = validWith({
  windowTokens: 6_000_000,
  highWatermark: 0.8,
  lowWatermark: 0.5,
  prepareWatermark: 0,
});

export type PageName = 'agent' | 'context';

/** A session in the host with one visible page; keeps the posted messages. */
export class HostedSession {
  readonly session: Session;
  readonly inspection: Inspection;
  readonly #pages: Readonly<Record<PageName, (isNew: boolean) => void>>;
  #posted: string[] = [];

  constructor(
    private readonly page: PageName,
    events: readonly SessionEvent[],
  ) {
    this.session = new Session({ append: () => undefined }, () => 0, events);
    this.inspection = inspecting(() => lookedAt(this.session, ROOMY)).inspection;
    this.#pages = this.#posts();
  }

  append(...events: readonly NewEvent[]): void {
    for (const event of events) this.session.append(event);
  }

  /** Posts everything to a page, as when it opens; returns the facts. */
  hydrate(page = this.page): readonly string[] {
    this.#pages[page](true);
    return this.#taken();
  }

  /** Posts the changes to the page; returns the facts. */
  publish(): readonly string[] {
    this.#pages[this.page](false);
    return this.#taken();
  }

  #taken(): readonly string[] {
    const posted = this.#posted;
    this.#posted = [];
    return posted;
  }

  #posts(): Readonly<Record<PageName, (isNew: boolean) => void>> {
    const { session, inspection } = this;
    const post = (fact: object) => void this.#posted.push(JSON.stringify(fact));
    const panel = panelPosts(inspection, post).posts;
    const live = { activity: { state: 'asking', since: 0 } } as const;
    const agent = conversationPosts(ROOMY, session, post, { live, isBusy: true });
    return {
      context: (isNew) => panel.publish(isNew),
      agent: (isNew) => (isNew ? agent.hydrate() : agent.publish()),
    };
  }
}

/** The size of facts in bytes. */
export function bytesOf(facts: readonly string[]): number {
  return facts.reduce((sum, fact) => sum + fact.length, 0);
}
