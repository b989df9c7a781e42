import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContextFact } from '../state';
import type { PolicyComparison } from './state';
import type { WhatIfSettings } from '../whatIf/state';
import type { CompareElsewhere } from '../../../replay/compareInWorker';
import { nameOf, type Inspected } from '../../session/inspected';
import { loadPart } from '../../loading';
import type { SessionPauses } from '../../../contextWindow/account/promptCache';
import { errorText } from '../../../contextWindow/result';

/** The panel that shows the comparison. */
interface ComparedPanel {
  readonly inspected: Inspected;
  post(fact: ContextFact): void;
}

/** Replays the session shown under every policy, one comparison at a time. */
export class RunningComparison {
  #running: { readonly stop: AbortController; readonly session: string } | undefined;

  constructor(
    private readonly panel: ComparedPanel,
    /** Replays the session in another thread. */
    private readonly compareElsewhere: CompareElsewhere,
    /** The pauses of the sessions before the current one. */
    private readonly pausesBefore: () => Promise<SessionPauses>,
  ) {}

  /** Compares the policies; says why not if there is nothing to compare. */
  async compare(
    wished: WhatIfSettings,
  ): Promise<PolicyComparison | 'stopped' | { readonly refusal: string }> {
    const { panel } = this;
    this.stop();
    const session = nameOf(panel.inspected);
    const running = { stop: new AbortController(), session };
    this.#running = running;
    const { signal } = running.stop;
    try {
      const { plannedComparison } = await loadPart(
        'The comparison of policies',
        import('./derive'),
      );
      const { inspected } = panel;
      // Of a recording's project, other sessions are not read.
      const isOwn = inspected.source.type === 'session';
      const earlier = isOwn ? await this.pausesBefore() : undefined;
      if (signal.aborted) return 'stopped';
      const result = plannedComparison(inspected, wished, earlier);
      if (!result.ok) return { refusal: result.message };
      const { planned } = result;
      // Sending a long session to the thread takes a while, so it waits for other pending work.
      await nextTurn();
      if (signal.aborted) return 'stopped';
      const results = await this.compareElsewhere(
        planned.task,
        (progress) => {
          if (signal.aborted) return;
          panel.post({ type: 'comparisonProgressed', session, progress });
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

  /** Stops the comparison that runs; its wish is answered. */
  stop(): void {
    this.#running?.stop.abort();
    this.#running = undefined;
  }

  /** Stops a comparison whose session is no longer displayed. */
  follow(): void {
    const { session } = this.#running ?? {};
    if (session !== undefined && session !== nameOf(this.panel.inspected)) this.stop();
  }
}
