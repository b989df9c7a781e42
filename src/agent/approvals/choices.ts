import type { RuleSubject } from '../../contextWindow/approvalRule';
import type { ApprovalRequest } from '../tool';
import type { Decision } from './decide';
import { subjectText } from './rules';

/** How the user's rules answer a question. */
export type Standing =
  /** `rules`: text of the rules that allow it; `inSandbox`: only there. */
  | { readonly type: 'allow'; readonly rules: readonly string[]; readonly inSandbox?: true }
  | { readonly type: 'deny'; readonly rule: string }
  /** The user is asked. */
  | ({ readonly type: 'ask' } & Unruled);

/** A question that no rule answers, and the rules that could answer it. */
export interface Unruled {
  /** Why no rule can answer it, as a sentence; absent when one could. */
  readonly why?: string;
  readonly choices: readonly RuleChoice[];
}

/** A rule that the user can add for questions like this one. */
export interface RuleChoice {
  /** "npm run *", "edits in the workspace"; several are joined by "and". */
  readonly text: string;
  readonly subjects: readonly RuleSubject[];
  /** What the rule means, as a sentence, when the text does not say it. */
  readonly means?: string;
}

/** The rules offered with a question, the narrowest first. */
export function unruledOf(
  request: ApprovalRequest,
  { why, offers }: Extract<Decision, { readonly type: 'ask' }>,
): Unruled {
  return { choices: choicesFor(request, offers), ...(why === undefined ? {} : { why }) };
}

function choicesFor(
  request: ApprovalRequest,
  offers: readonly (readonly string[])[],
): readonly RuleChoice[] {
  switch (request.kind) {
    case 'memory':
    case 'question':
    case 'input':
    case 'delete':
      return [];
    case 'edit':
    case 'move': {
      const isOwn = request.lasting !== undefined || 'profile' in request;
      return isOwn ? [] : [choiceOf([{ kind: 'edits' }])];
    }
    case 'fetch':
      return [choiceOf([{ kind: 'host', host: request.host }])];
    case 'tool':
      return [choiceOf([{ kind: 'tool', tool: request.tool }])];
    case 'command':
      return choicesForCommand(request, offers);
  }
}

function choicesForCommand(
  request: Extract<ApprovalRequest, { readonly kind: 'command' }>,
  offers: readonly (readonly string[])[],
): readonly RuleChoice[] {
  if (request.outside !== undefined) return [];
  const sandboxed: readonly RuleChoice[] =
    request.sandbox === undefined
      ? []
      : [{ ...choiceOf([{ kind: 'sandbox' }]), means: request.sandbox }];
  if (offers.length === 0) return sandboxed;
  const narrow = offers.flatMap(([first]) => (first === undefined ? [] : [first]));
  const wide = offers.flatMap((patterns) => patterns.at(-1) ?? []);
  const choices = [narrow, wide].map((patterns) => choiceOf(commandsOf(patterns)));
  const different = choices.filter(({ text }, index) => index === 0 || text !== choices[0]?.text);
  return [...different, ...sandboxed];
}

function commandsOf(patterns: readonly string[]): readonly RuleSubject[] {
  return [...new Set(patterns)].map((pattern) => ({ kind: 'command', pattern }));
}

function choiceOf(subjects: readonly RuleSubject[]): RuleChoice {
  return { subjects, text: subjects.map(subjectText).join(' and ') };
}
