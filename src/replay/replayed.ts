import type { ContextWindow } from '../contextWindow/window';
import type { SessionEvent } from '../contextWindow/event';
import type { Pass } from '../contextWindow/plan';
import type { Usage } from '../contextWindow/account/spending';
import type { RecordedMark } from './recorded';
import type { RecordedCounts } from './recordedCounts';
import type { SimulatedContextEdits } from './simulatedServer';
import type { Totals } from './tally';

/** The result of a replay. */
export interface Replayed {
  readonly totals: Totals;
  readonly window: ContextWindow;
  readonly passes: readonly Pass[];
  /** Folded, they give the window; times are the recording's, 0 where it has none. */
  readonly events: readonly SessionEvent[];
  /**
   * What the recording says each step took; that is of the other agent's requests, not of these.
   */
  readonly recordedUsage: ReadonlyMap<number, Usage>;
  /** What each step's request would have taken of Plimsoll, with a simulated cache. */
  readonly simulatedUsage: ReadonlyMap<number, Usage>;
  /** What was learned of the counts of the recorded API. */
  readonly counts: RecordedCounts;
  /** Where the other agent made room, whatever the policy of the replay. */
  readonly marks: readonly RecordedMark[];
  /** Under the policy `server`: what was done in the API's place. */
  readonly contextEdits?: SimulatedContextEdits;
}
