import { lastingKind } from '../lastingFiles';
import type { ApprovalRequest } from '../tool';
import type { ApprovalRule } from '../../contextWindow/approvalRule';
import { patternsFor, ruleFor, ruleForWords, ruleText } from './rules';
import { leadsOutside, type IsInside } from './commandPaths';
import type { ShellPart, ShellReading } from './shellCommand';

/** How a question is answered: by the user or by rules. */
export type Decision =
  | {
      readonly type: 'ask';
      /** Why no rule can answer it, as a sentence; absent when none was made. */
      readonly why?: string;
      /** Patterns to offer the user, for each program of the command. */
      readonly offers: readonly (readonly string[])[];
    }
  /** `rules`: text of the rules that allow it; `inSandbox`: only there. */
  | { readonly type: 'allow'; readonly rules: readonly string[]; readonly inSandbox?: true }
  | { readonly type: 'deny'; readonly rule: string };

/** Facts for a decision, in addition to the rules. */
export interface Facts {
  /** The parsed command; only for commands. */
  readonly reading?: ShellReading;
  readonly isInside: IsInside;
}

const ASK = { type: 'ask', offers: [] } as const;

/** Answers a question by the rules as far as possible. A denial beats every permission. */
export function decide(
  request: ApprovalRequest,
  rules: readonly ApprovalRule[],
  facts: Facts,
): Decision {
  if (request.kind === 'command') {
    const decision = decideCommand(facts, rules);
    return decision.type === 'ask' && request.sandbox !== undefined && request.outside === undefined
      ? (inSandbox(rules, facts) ?? decision)
      : decision;
  }
  const { kind } = request;
  if (kind === 'memory' || kind === 'question' || kind === 'input') return ASK;
  if (request.kind === 'fetch') {
    return answered(ruleFor(rules, (of) => of.kind === 'host' && of.host === request.host));
  }
  if (request.kind === 'tool') {
    return answered(ruleFor(rules, (of) => of.kind === 'tool' && of.tool === request.tool));
  }
  if (request.kind === 'edit' && request.profile !== undefined) return ASK;
  const rule = ruleFor(rules, ({ kind }) => kind === 'edits');
  // Edits and moves can be undone; for a deletion, always ask the user.
  if (request.kind === 'delete' && rule?.decision === 'allow') return ASK;
  // A lasting file is no ordinary edit: a rule may deny it, but none allows it.
  return request.lasting !== undefined && rule?.decision === 'allow' ? ASK : answered(rule);
}

function answered(rule: ApprovalRule | undefined): Decision {
  if (rule === undefined) return ASK;
  const text = ruleText(rule);
  return rule.decision === 'deny' ? { type: 'deny', rule: text } : { type: 'allow', rules: [text] };
}

/**
 * Allows a command in the sandbox if a rule says so. An unreadable command might hide one that
 * another rule denies, so it is asked about when there is such a rule.
 */
function inSandbox(rules: readonly ApprovalRule[], { reading }: Facts): Decision | undefined {
  const rule = ruleFor(rules, ({ kind }) => kind === 'sandbox');
  if (rule?.decision !== 'allow') return undefined;
  const isOpen = reading?.ok !== true && rules.some(isDeniedCommand);
  return isOpen ? undefined : { type: 'allow', rules: [ruleText(rule)], inSandbox: true };
}

function isDeniedCommand({ decision, subject }: ApprovalRule): boolean {
  return decision === 'deny' && subject.kind === 'command';
}

function decideCommand({ reading, isInside }: Facts, rules: readonly ApprovalRule[]): Decision {
  if (reading === undefined) return ASK;
  if (!reading.ok) {
    return { ...ASK, why: `No rule can allow this command, because ${reading.message}.` };
  }
  const found = reading.parts.map((part) => ruleForWords(rules, part.words));
  const denied = found.find((rule) => rule?.decision === 'deny');
  if (denied !== undefined) return answered(denied);
  const problem = leadsOutside(reading.parts, isInside) ?? more(reading.parts, rules);
  if (problem !== undefined) return { ...ASK, why: problem };
  const open = reading.parts.filter(
    ({ words }, index) => words[0] !== 'cd' && found[index] === undefined,
  );
  if (open.length > 0) return { type: 'ask', offers: open.map(patternsFor) };
  const used = found.flatMap((rule) => (rule === undefined ? [] : [ruleText(rule)]));
  return used.length === 0 ? ASK : { type: 'allow', rules: [...new Set(used)] };
}

/**
 * What a command does besides running programs, which is all that command rules allow. A
 * redirection to a file is an edit, and is allowed where edits are.
 */
function more(parts: readonly ShellPart[], rules: readonly ApprovalRule[]): string | undefined {
  const variable = parts.flatMap(({ assignments }) => assignments)[0];
  if (variable !== undefined) return `It sets the variable ${variable.name}.`;
  const written = parts
    .flatMap(({ redirects }) => redirects)
    .filter(({ writes, path }) => writes && path !== '/dev/null');
  const [first] = written;
  if (first === undefined) return undefined;
  const lasting = written.find(({ path }) => lastingKind(path) !== undefined);
  if (lasting !== undefined) return `It writes to ${lasting.path}, which outlasts the session.`;
  const rule = ruleFor(rules, ({ kind }) => kind === 'edits');
  return rule?.decision === 'allow' ? undefined : `It writes to ${first.path}.`;
}
