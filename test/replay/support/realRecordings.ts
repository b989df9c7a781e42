import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeBudget } from '../../../src/contextWindow/budget';
import { plus, NOTHING, type Share } from '../../../src/replay/measures/grounding';
import { replay } from '../../../src/replay/replay';
import type { ReplayPolicy, ReplayPorts } from '../../../src/replay/replaySettings';
import type { Totals } from '../../../src/replay/tally';
import { modelOf } from '../../../src/replay/recording';
import type { Transcript } from '../../../src/sessions/transcript';
import { transcriptOf } from '../../recordings/support/drawnTranscript';
import { LocalEstimator } from '../../support/localEstimator';
import { settingsOf } from './replayed';

export const RECORDINGS_FOLDER = resolve(__dirname, '../../../../shared/transcripts/claude-code');

/** Recorded sessions of real agents; none if their folder is missing. */
export const RECORDINGS: readonly string[] = existsSync(RECORDINGS_FOLDER)
  ? readdirSync(RECORDINGS_FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl') && !name.includes('subagents'))
      .toSorted()
  : [];

if (RECORDINGS.length === 0) console.log(`Skipped: no recordings in ${RECORDINGS_FOLDER}.`);

/** The policies that the default policy, the ladder, is compared with. */
export const SIMPLER: readonly ReplayPolicy[] = [
  'slidingWindow',
  'lastTurns',
  'headTail',
  'tokenBudget',
  'salience',
  'summarise',
];

const ESTIMATORS = new Map<string, LocalEstimator>();
const TRANSCRIPTS = new Map<string, Transcript>();

/** Replays every recording under a policy, with the headrooms of the editor; the window in tokens. */
export async function totalsUnder(
  policy: ReplayPolicy,
  contextWindowTokens: number,
  validate: ReplayPorts['validate'] = () => undefined,
): Promise<readonly Totals[]> {
  const budget = makeBudget({
    contextWindowTokens,
    maxReplyTokens: 4_096,
    safetyHeadroomTokens: 2_048,
    toolResultHeadroomTokens: 8_192,
    highWatermark: 0.8,
    lowWatermark: 0.5,
  });
  if (!budget.ok) throw new Error('The budget of this test is wrong.');
  const settings = { ...settingsOf(policy, 9_000), budget: budget.budget };
  const totals: Totals[] = [];
  for (const name of RECORDINGS) {
    const transcript = TRANSCRIPTS.get(name) ?? readRecording(name);
    TRANSCRIPTS.set(name, transcript);
    const model = modelOf(transcript) ?? 'claude-sonnet-5-5';
    const estimator = ESTIMATORS.get(model) ?? new LocalEstimator(model);
    ESTIMATORS.set(model, estimator);
    const done = await replay(transcript, settings, {
      estimate: estimator.estimate,
      warm: (texts) => estimator.warm(texts),
      validate,
      now: () => performance.now(),
    });
    if (done === 'stopped') throw new Error('No one stopped it.');
    totals.push(done.totals);
  }
  return totals;
}

/** The share of replaced texts that the requests showed, in all recordings together; 0..1. */
export async function editsVisible(
  policy: ReplayPolicy,
  contextWindowTokens: number,
): Promise<number> {
  return shareOfEdits(await totalsUnder(policy, contextWindowTokens));
}

/** The share of replaced texts that were visible; 0..1. */
export function shareOfEdits(totals: readonly Totals[]): number {
  const { visible, total } = totals.reduce<Share>(
    (sum, { groundedEdits }) => plus(sum, groundedEdits),
    NOTHING,
  );
  return visible / total;
}

function readRecording(name: string): Transcript {
  return transcriptOf(readFileSync(join(RECORDINGS_FOLDER, name), 'utf8'), 'claude-code');
}
