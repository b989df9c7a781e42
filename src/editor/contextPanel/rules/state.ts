import type { StandingRule } from '../../../contextWindow/standingRules/standingRules';

/** The standing rules of the session, as of the displayed moment. */
export interface RulesView {
  /** False: the session keeps none. */
  readonly on: boolean;
  /** In the order in which they were stated; struck ones included. */
  readonly list: readonly StandingRuleView[];
  /** The turns of the prompts in which no rules were looked for. */
  readonly otherLanguages: readonly number[];
  /** The languages in which they are. */
  readonly languages: readonly string[];
  /** Most tokens of the rules block: its share of the input budget. */
  readonly most: number;
}

export interface StandingRuleView {
  /** Verbatim; the exception to the panel's state without texts, since a rule is one short sentence. */
  readonly text: string;
  /** Where the request of the displayed moment has it. */
  readonly place: StandingRule['place'];
  /** The turn of the prompt or note that says it now, else that in which it was first stated. */
  readonly turn: number;
  /** The user added it in the panel, or it comes from the session that handed over. */
  readonly isAdded: boolean;
}
