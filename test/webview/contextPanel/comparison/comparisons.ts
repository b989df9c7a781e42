import type {
  PolicyComparison,
  PolicyNumbers,
} from '../../../../src/editor/contextPanel/comparison/state';
import { POLICY_NAMES } from '../../../../src/editor/contextPanel/state';
import { SAMPLE_SETTINGS } from '../contextViews';

const NUMBERS: PolicyNumbers = {
  passes: 2,
  edits: { visible: 4, total: 5 },
  neededAgain: 3,
  cost: 0.842,
  peakTokens: 21_604,
  overBudget: 0,
};

/** The differences from the first row, by policy. */
const OTHER: Readonly<Record<string, Partial<PolicyNumbers>>> = {
  slidingWindow: { passes: 9, neededAgain: 5, cost: 1.731 },
  headTail: { passes: 11, neededAgain: 4, cost: 1.902 },
  tokenBudget: { neededAgain: 1 },
  server: { passes: 1, neededAgain: 0, isLeast: true, peakTokens: 27_940, overBudget: 3 },
};

/** A session of 17 steps under every policy, with some `changes`. */
export function sampleComparison(changes: Partial<PolicyComparison> = {}): PolicyComparison {
  return {
    settings: SAMPLE_SETTINGS,
    steps: 17,
    upToStep: 17,
    rows: POLICY_NAMES.map((policy) => ({ ok: true, policy, ...NUMBERS, ...OTHER[policy] })),
    kept: [
      { step: 14, what: 'src/zones.js', by: ['tokenBudget', 'lastTurns'] },
      { step: 15, what: 'toolu_9', by: ['tokenBudget'] },
      { step: 16, what: 'package.json', by: [] },
    ],
    asShown: { isReplay: false, passes: 2, neededAgain: 3 },
    notes: [
      'server: content that the API cleared and that was needed again is not counted, only content that a pass removed.',
    ],
    ...changes,
  };
}
