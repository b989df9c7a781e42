import type { RuleSubject } from '../../contextWindow/approvalRule';
import type { ApprovalRequest } from '../tool';
import type { Decision } from './decide';
import { subjectText } from './rules';

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

/** What a user may be offered with a question: the narrowest rule first. */
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
