import { estimateAll } from '../contextWindow/measure';
import type { ServerEdit } from '../contextWindow/serverEdits';
import type { AgentDeps } from './agentDeps';
import { asksToCompact, isCompactedByApi } from './editsNow';

/**
 * Takes the API's number of a whole request into the calibration of the estimates. `edits` are
 * those the request asked for.
 */
export function calibrate(
  { session, estimator }: Pick<AgentDeps, 'session' | 'estimator'>,
  tokens: number,
  edits: readonly ServerEdit[],
): void {
  const { window } = session;
  // What a summary by the API stands for is sent and not read: the number is of less.
  if (asksToCompact(edits) && isCompactedByApi(window)) return;
  // Images, documents and thinking have the API's own numbers: no text to learn from.
  const given = estimateAll(window, () => 0);
  const estimated = estimateAll(window, (text) => estimator.estimate(text));
  estimator.learn(estimated - given, tokens - given);
}
