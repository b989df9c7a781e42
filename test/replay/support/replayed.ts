import { refusalOf } from '../../../src/cli/replayFiles';
import { makeBudget, type Budget } from '../../../src/contextWindow/budget';
import {
  countedSettings,
  recordedCountsOf,
  replay,
  type Replayed,
} from '../../../src/replay/replay';
import type { ReplayPolicy, ReplayPorts, ReplaySettings } from '../../../src/replay/replaySettings';
import type { Transcript } from '../../../src/sessions/transcript';
import { transcriptOf } from '../../recordings/support/drawnTranscript';
import { AGENT_SETTINGS } from '../../support/agentSettings';
import { recorded, type Move } from './recording';
import type { WindowRequest } from '../../../src/contextWindow/request/blockMessages';

/** Three characters a token, the same for every text. */
export const estimate = (text: string): number => Math.ceil(text.length / 3);

/** A budget with this much room for input and no reserve; tokens. */
export function budgetOf(inputBudget: number): Budget {
  const made = makeBudget({
    contextWindowTokens: inputBudget + 100,
    maxReplyTokens: 100,
    safetyHeadroomTokens: 0,
    toolResultHeadroomTokens: 0,
    highWatermark: 0.8,
    lowWatermark: 0.5,
  });
  if (!made.ok) throw new Error('The budget of this test is wrong.');
  return made.budget;
}

/** The default settings of a replay. */
export function settingsOf(policy: ReplayPolicy, inputBudget: number): ReplaySettings {
  return {
    policy,
    settings: {
      maxMessages: 40,
      keepTurns: 20,
      keepRecentTurns: 2,
      maxHistoryTurns: 0,
      summaries: true,
    },
    contextEditing: AGENT_SETTINGS.contextEditing,
    budget: budgetOf(inputBudget),
    toolResultCapTokens: 8_000,
    pinTaskAnchor: true,
  };
}

export interface Played extends Replayed {
  readonly requests: readonly WindowRequest[];
}

/** Replays a hand-made recording, at three characters a token. */
export async function replayed(
  moves: readonly Move[],
  policy: ReplayPolicy,
  inputBudget: number,
  ports: Partial<ReplayPorts> = {},
): Promise<Played> {
  return replayedTranscript(
    transcriptOf(recorded(...moves)),
    settingsOf(policy, inputBudget),
    ports,
  );
}

/**
 * Replays a recording under `lastTurns`: with each prompt, all turns but the newest ones are
 * evicted.
 */
export async function replayedTurns(
  recording: Transcript | readonly Move[],
  keepTurns: number,
  more: Partial<ReplaySettings> = {},
): Promise<Played> {
  const settings = settingsOf('lastTurns', 10_000);
  const transcript = 'format' in recording ? recording : transcriptOf(recorded(...recording));
  return replayedTranscript(transcript, {
    ...settings,
    settings: { ...settings.settings, keepTurns },
    ...more,
  });
}

/** Replays a transcript. */
export async function replayedTranscript(
  transcript: Transcript,
  settings: ReplaySettings,
  ports: Partial<ReplayPorts> = {},
): Promise<Played> {
  const requests: WindowRequest[] = [];
  let time = 0;
  const done = await replay(transcript, settings, {
    estimate,
    warm: () => Promise.resolve(),
    validate: refusalOf,
    now: () => (time += 1),
    onRequest: (request) => requests.push(request),
    ...ports,
  });
  if (done === 'stopped') throw new Error('No one stopped it.');
  return { ...done, requests };
}

/** Replays a recording with the API's counts, as far as they are known. */
export async function replayCounted(
  transcript: Transcript,
  settings: ReplaySettings,
  ports: ReplayPorts,
): Promise<Replayed | 'stopped'> {
  const counts = await recordedCountsOf(transcript, settings, ports);
  if (counts === 'stopped') return counts;
  return replay(transcript, countedSettings(settings, counts), ports);
}
