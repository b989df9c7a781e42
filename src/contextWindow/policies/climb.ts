import type { Plan, PolicyName } from '../plan';
import { capHistory } from './cap';
import { startDraft, type Rung } from './draft';
import { evictRestored } from './evictRestored';
import { planOf } from './planOf';
import type { PolicyInput } from './policy';
import { shortenProtected } from './shortenProtected';
import { trimBehindEdit } from './trimThinking';

/**
 * Climbs rungs until the low watermark is reached. `caps` are the counts a policy keeps to whatever
 * the tokens say; a pass that was due for a count alone does no more than that.
 */
export function climb(
  input: PolicyInput,
  policy: PolicyName,
  rungs: readonly Rung[],
  caps: readonly Rung[] = [],
): Plan {
  const { maxHistoryTurns } = input.settings;
  const history = maxHistoryTurns === 0 ? [] : [capHistory(maxHistoryTurns)];
  const all = [
    ...history,
    ...caps,
    ...(input.trigger === 'cap' ? [] : [...rungs, shortenProtected, evictRestored]),
  ];
  return planOf(
    all.reduce((draft, rung) => trimBehindEdit(rung(draft)), startDraft(input, policy)),
  );
}
