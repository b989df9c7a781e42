import type { Estimator } from '../agent/estimator';
import { writeSummary } from '../agent/summariser';
import { AnthropicModel } from '../anthropic/anthropicModel';
import { makeClient } from '../anthropic/client';
import type { Budget } from '../contextWindow/budget';
import type { ReplayPorts } from '../replay/replaySettings';
import { DEFAULT_SETTINGS } from '../settings/settings';
import type { Surroundings } from './surroundings';

/** Asks a server for the summaries of a replay; where that fails the work note names the cause. */
export function replaySummariser(
  baseUrl: string,
  budget: Budget,
  estimator: Estimator,
  { apiKey, signal }: Surroundings,
): NonNullable<ReplayPorts['summarise']> {
  const client = makeClient({ baseUrl, ...(apiKey === undefined ? {} : { apiKey }) });
  const model = new AnthropicModel(client);
  const settings = { summary: { writer: 'model', model: DEFAULT_SETTINGS.model }, budget } as const;
  return (window, job) =>
    writeSummary({ session: { window }, model, estimator }, settings, job, signal);
}
