import type { Budget } from '../../../contextWindow/budget';
import { RULE_LANGUAGES } from '../../../contextWindow/standingRules/ruleLanguages';
import {
  promptsInOtherLanguages,
  RULES_SHARE,
  standingRulesOf,
} from '../../../contextWindow/standingRules/standingRules';
import { type ContextWindow, findBlock } from '../../../contextWindow/window';
import type { RulesView } from './state';

/** Lists the standing rules, and where the request has each; undefined for an agent without them. */
export function rulesView(
  window: ContextWindow,
  { inputBudget }: Pick<Budget, 'inputBudget'>,
): RulesView | undefined {
  const { rules } = window;
  if (rules === undefined) return undefined;
  return {
    on: rules.on,
    list: standingRulesOf(window).map(({ text, place, turn, isAdded }) => ({
      text,
      place,
      turn,
      isAdded,
    })),
    otherLanguages: promptsInOtherLanguages(window).flatMap(
      (id) => findBlock(window, id)?.turn ?? [],
    ),
    languages: RULE_LANGUAGES.map(({ name }) => name),
    most: Math.floor(inputBudget * RULES_SHARE),
  };
}
