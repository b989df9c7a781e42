import type { Budget } from '../../contextWindow/budget';
import type { ContextWindow, LedgerEntry } from '../../contextWindow/contextWindow';
import type { SessionEvent } from '../../contextWindow/event';
import { isByHand } from '../../contextWindow/passes/passName';
import { byChunk } from '../../contextWindow/persistentList';
import type { TurnView } from './state';
import type { CostsView } from './costsState';
import { GrowingTimeline } from '../contextPanel/timeline/growingTimeline';
import { tokensAfter } from '../contextPanel/ledger/derive';
import { TimelineDrawing, type TimelineFacts } from '../contextPanel/timeline/derive';

/** What the costs of a session are worked out from. */
export interface CostFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly budget: Budget;
  /** True while the scripted model answers. */
  readonly offline: boolean;
}

/** Sums up a session that grows: by the very totals that the Context panel shows. */
export class SessionCosts {
  readonly #timeline = new GrowingTimeline();
  #drawing: TimelineDrawing | undefined;

  /** `demoAuthor` is what the scripted model signs its answers with. */
  constructor(private readonly demoAuthor: string) {}

  of({ events, window, budget, offline }: CostFacts): Omit<CostsView, 'turn'> {
    const facts: TimelineFacts = { offline, budget, demoAuthor: this.demoAuthor };
    if (this.#drawing?.isWith(facts) !== true) this.#drawing = new TimelineDrawing(facts);
    const { cost, cacheReadShare } = this.#drawing.totals(this.#timeline.of(events, window));
    return { session: cost, cacheReadShare, ...savedBy(window) };
  }
}

/** What the session cost, with what its newest turn did; undefined before the first answer. */
export function costsView(
  session: Omit<CostsView, 'turn'> | undefined,
  turns: readonly TurnView[],
): CostsView | undefined {
  const newest = turns.at(-1);
  if (session === undefined || newest === undefined) return undefined;
  const hasAnswer = turns.some(({ usage }) => usage.inputTokens + usage.outputTokens > 0);
  return hasAnswer ? { turn: newest.usage.cost, ...session } : undefined;
}

/** What passes made the window smaller by. */
type Saved = NonNullable<CostsView['saved']>;

/** Those that were undone left out. */
const savedInChunks = byChunk((entries: readonly LedgerEntry[]): Saved => {
  const counted = entries.filter(({ pass, undone }) => undone !== true && !isByHand(pass));
  const saved = counted.map((entry): Saved => {
    const { before } = entry.pass;
    const after = tokensAfter(entry);
    return { passes: 1, tokens: before.tokens - after.tokens, exact: before.exact && after.exact };
  });
  return sumOfSaved(saved);
});

function sumOfSaved(all: readonly Saved[]): Saved {
  return {
    passes: all.reduce((sum, { passes }) => sum + passes, 0),
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    exact: all.every(({ exact }) => exact),
  };
}

/** Nothing before the first pass. */
function savedBy({ ledger }: ContextWindow): Pick<CostsView, 'saved'> {
  const saved = sumOfSaved(savedInChunks(ledger));
  return saved.passes === 0 ? {} : { saved };
}
