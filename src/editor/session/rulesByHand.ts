import { refused } from '../../contextWindow/result';
import { LONGEST_RULE } from '../../contextWindow/standingRules/findRules';
import { standingRulesOf } from '../../contextWindow/standingRules/standingRules';
import type { ContextWindow } from '../../contextWindow/window';
import type { WindowChange } from './changesByHand';

/** Adds a standing rule in the user's words. */
export function ruleAdded(window: ContextWindow, typed: string): WindowChange {
  const text = typed.replaceAll(/\s+/g, ' ').trim();
  if (text === '') return refused('A rule needs words. Nothing was added.');
  if (text.length > LONGEST_RULE) {
    return refused(
      `This rule has ${text.length} characters, and a rule has at most ${LONGEST_RULE}. Nothing was added; shorten it, or split it into several.`,
    );
  }
  if (text.includes('</') || !text.isWellFormed()) {
    return refused('A rule with </ cannot be sent verbatim. Nothing was added; write it without.');
  }
  const known = standingRulesOf(window).find((rule) => rule.text === text);
  if (known !== undefined && known.place !== 'struck') {
    return refused('This rule is in the list already. Nothing was added.');
  }
  return { ok: true, event: { type: 'standingRuleAdded', text } };
}

/** Strikes a standing rule: it no longer applies, and the model is told. */
export function ruleStruck(window: ContextWindow, text: string): WindowChange {
  const rule = standingRulesOf(window).find((one) => one.text === text);
  if (rule === undefined) return refused('There is no such rule. Nothing was struck.');
  if (rule.place === 'struck') return { ok: true };
  return { ok: true, event: { type: 'standingRuleStruck', text } };
}

/** Switches the standing rules of the session on or off. */
export function rulesSwitched(window: ContextWindow, on: boolean): WindowChange {
  if ((window.rules?.on ?? false) === on) return { ok: true };
  return { ok: true, event: { type: 'standingRulesSet', on } };
}
