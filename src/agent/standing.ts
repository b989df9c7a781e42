import type { RuleSubject } from '../contextWindow/approvalRule';

/** What the rules of the user say to a question. */
export type Standing =
  /** `rules`: those that allow it, in words; `inSandbox`: nowhere else. */
  | { readonly type: 'allow'; readonly rules: readonly string[]; readonly inSandbox?: true }
  | { readonly type: 'deny'; readonly rule: string }
  /** The user is asked; `why` says what no rule can answer. */
  | ({ readonly type: 'ask' } & Unruled);

/** A question that no rule answers, and the rules that would. */
export interface Unruled {
  /** Why no rule can answer it, as a sentence; absent where one could. */
  readonly why?: string;
  readonly choices: readonly RuleChoice[];
}

/** What the user may allow from now on, for questions like this one. */
export interface RuleChoice {
  /** "npm run *", "edits in the workspace"; several are joined by "and". */
  readonly text: string;
  readonly subjects: readonly RuleSubject[];
  /** What that means, as a sentence, where the text does not say it. */
  readonly means?: string;
}
