import type { RulesView, StandingRuleView } from '../../../src/editor/contextPanel/rules/state';
import { formatNumber, formatTokens } from '../../kit/tokens';

/** What the list of standing rules says. */
export const RULES_WORDS = {
  about:
    'Sentences of your prompts that hold for all later work. Each is in every request, verbatim, also after its prompt was removed.',
  none: 'None of your prompts has a rule so far. A rule is a sentence such as “Never change the public API.”',
  off: 'This session keeps no rules. What the rules block still shows leaves with the next pass.',
  add: 'Add a rule, such as “Never change the public API”',
} as const;

/** The label of the chip: "3 standing rules, 1 does not fit"; undefined for no chip. */
export function chipWords(rules: RulesView | undefined): string | undefined {
  if (rules === undefined || rules.list.length === 0) return undefined;
  if (!rules.on) return 'standing rules: off';
  const active = rules.list.filter(({ place }) => place !== 'struck');
  const omitted = active.filter(({ place }) => place === 'omitted').length;
  const count = `${formatNumber(active.length)} standing ${active.length === 1 ? 'rule' : 'rules'}`;
  if (omitted === 0) return count;
  return `${count}, ${formatNumber(omitted)} ${omitted === 1 ? 'does' : 'do'} not fit`;
}

/** Says where the request has a rule. */
export function placeWords({ place, turn, isAdded }: StandingRuleView, most: number): string {
  switch (place) {
    case 'prompt':
      return `in your prompt of turn ${formatNumber(turn)}`;
    case 'note':
      return `added by you in turn ${formatNumber(turn)}`;
    case 'memory':
      return 'in project memory';
    case 'block':
      return isAdded
        ? 'in the rules block'
        : `in the rules block; your prompt of turn ${formatNumber(turn)} was removed or shortened`;
    case 'omitted':
      return `not in the request: rules take at most ${formatTokens({ tokens: most, exact: true })} tokens. Strike others to make room for it at the next pass.`;
    case 'struck':
      return 'struck; a note tells the agent that it no longer applies';
    case 'off':
      return 'not kept';
  }
}

/** Says in which prompts no rules were looked for; '' if there are none. */
export function languageWords({ otherLanguages, languages }: RulesView): string {
  const [first] = otherLanguages;
  if (first === undefined) return '';
  const turns =
    otherLanguages.length === 1
      ? `the prompt of turn ${formatNumber(first)}`
      : `the prompts of turns ${otherLanguages.map(formatNumber).join(', ')}`;
  return `No rules were looked for in ${turns}: not in ${languages.join(' or ')}.`;
}
