import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContextFact } from '../state';
import type { ContextWishes } from '../wishes';
import type { PolicyComparison } from './state';
import type { WhatIfSettings } from '../whatIf/state';
import { answered, type WishHandlers } from '../../wish';
import type { CompareElsewhere } from '../../../replay/compareInWorker';
import { nameOf, type Inspected } from '../inspected';
import { loadPart } from '../../loading';
import { errorText } from '../../../contextWindow/result';

/** What the comparison of policies needs from outside. */
export interface ComparisonDeskParts {
  /** The session that the panel shows. */
  readonly inspected: () => Inspected;
  /** Replays it in another thread. */
  readonly compare: CompareElsewhere;
  post(fact: ContextFact): void;
}

/** The wishes that it fulfils. */
export type ComparisonHandlers = Pick<
  WishHandlers<ContextWishes>,
  'comparePolicies' | 'stopComparing'
>;

/** Replays the session shown under every policy, one comparison at a time. */
export class ComparisonDesk {
  #running: { readonly stop: AbortController; readonly session: string } | undefined;

  constructor(private readonly parts: ComparisonDeskParts) {}

  handlers(): ComparisonHandlers {
    return {
      comparePolicies: async ({ settings }) => {
        const compared = await this.#compare(settings);
        return typeof compared === 'object' && 'refusal' in compared
          ? compared.refusal
          : answered(compared);
      },
      stopComparing: () => this.stop(),
    };
  }

  /** Ends what runs; whoever asked for it is told. */
  stop(): void {
    this.#running?.stop.abort();
    this.#running = undefined;
  }

  /** Ends what runs where another session is shown: nobody waits for it any more. */
  follow(): void {
    const { session } = this.#running ?? {};
    if (session !== undefined && session !== nameOf(this.parts.inspected())) this.stop();
  }

  async #compare(
    wished: WhatIfSettings,
  ): Promise<PolicyComparison | 'stopped' | { readonly refusal: string }> {
    const { parts } = this;
    this.stop();
    const session = nameOf(parts.inspected());
    const running = { stop: new AbortController(), session };
    this.#running = running;
    const { signal } = running.stop;
    try {
      const { plannedComparison } = await loadPart(
        'The comparison of policies',
        import('./derive'),
      );
      if (signal.aborted) return 'stopped';
      const result = plannedComparison(parts.inspected(), wished);
      if (!result.ok) return { refusal: result.message };
      const { planned } = result;
      // What a long session takes to be handed over comes after whatever else waits.
      await nextTurn();
      if (signal.aborted) return 'stopped';
      const results = await parts.compare(
        planned.task,
        (progress) => {
          if (signal.aborted) return;
          parts.post({ type: 'comparisonProgressed', session, progress });
        },
        signal,
      );
      return results === 'stopped' ? results : planned.view(results);
    } catch (error) {
      return { refusal: errorText(error) };
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }
}
