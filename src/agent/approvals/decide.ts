import { lastingIn } from '../lastingFiles';
import type { ApprovalRequest } from '../tool';
import type { ApprovalRule } from '../../contextWindow/approvalRule';
import { isTransparent } from './carriers';
import { foldersEntered, lastingNamed, leadsOutside, type IsInside } from './commandPaths';
import { runsAnywhere } from './programs';
import { patternsFor, ruleFor, ruleForPart, ruleText } from './rules';
import { type ShellPart, type ShellReading, withAllCarried } from './shellCommand';

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
  /** The workspace; absolute. */
  readonly root: string;
}

type CommandRequest = Extract<ApprovalRequest, { readonly kind: 'command' }>;

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
      ? (inSandbox(request, rules, facts) ?? decision)
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
 * Allows a command in the sandbox if a rule says so. The user is asked when it names a file that outlasts
 * the session, and, where there is a denial, when it might hide a command that is denied.
 */
function inSandbox(
  request: CommandRequest,
  rules: readonly ApprovalRule[],
  { reading, ...facts }: Facts,
): Decision | undefined {
  const rule = ruleFor(rules, ({ kind }) => kind === 'sandbox');
  if (rule?.decision !== 'allow') return undefined;
  const lasting = reading?.ok
    ? lastingNamed(reading.parts, facts.root)
    : lastingIn(request.command);
  if (lasting !== undefined) return { ...ASK, why: lastingWhy(lasting) };
  const hidden = reading?.ok ? withAllCarried(reading.parts).some(mayHide) : true;
  if (hidden && rules.some(isDeniedCommand)) return undefined;
  return { type: 'allow', rules: [ruleText(rule)], inSandbox: true };
}

function mayHide({ hides, runsScript, isOpen }: ShellPart): boolean {
  return hides !== undefined || runsScript === true || isOpen === true;
}

function isDeniedCommand({ decision, subject }: ApprovalRule): boolean {
  return decision === 'deny' && subject.kind === 'command';
}

function lastingWhy(path: string): string {
  return `It may change ${path}, which outlasts the session.`;
}

/** How the rules answer for one program and what it carries. */
type Judged =
  | { readonly type: 'deny'; readonly rule: ApprovalRule }
  | { readonly type: 'allow'; readonly rules: readonly ApprovalRule[] }
  | { readonly type: 'open' };

function decideCommand(
  { reading, isInside, root }: Facts,
  rules: readonly ApprovalRule[],
): Decision {
  if (reading === undefined) return ASK;
  if (!reading.ok) {
    return { ...ASK, why: `No rule can allow this command, because ${reading.message}.` };
  }
  const { parts } = reading;
  const isElsewhere = foldersEntered(parts).length > 1;
  const judged = parts.map((part) => judge(part, rules, isElsewhere));
  const denied = judged.find((one) => one.type === 'deny');
  if (denied !== undefined) return answered(denied.rule);
  const problem = leadsOutside(parts, isInside) ?? more(parts, rules, root);
  if (problem !== undefined) return { ...ASK, why: problem };
  const open = parts.filter(
    ({ words }, index) => words[0] !== 'cd' && judged[index]?.type === 'open',
  );
  const elsewhere = isElsewhere ? open.find(({ words }) => !runsAnywhere(words)) : undefined;
  if (elsewhere !== undefined) {
    return {
      ...ASK,
      why: `It runs ${elsewhere.words[0]} in another folder, where it may be another program.`,
    };
  }
  if (open.length > 0)
    return { type: 'ask', offers: open.map((part) => patternsFor(judgedBy(part))) };
  const used = judged.flatMap((one) => (one.type === 'allow' ? one.rules.map(ruleText) : []));
  return used.length === 0 ? ASK : { type: 'allow', rules: [...new Set(used)] };
}

/** A rule for all words of a program decides about what it carries, too; otherwise each is judged. */
function judge(part: ShellPart, rules: readonly ApprovalRule[], isElsewhere: boolean): Judged {
  const rule = ruleForPart(rules, part, isElsewhere);
  if (rule?.decision === 'allow') return { type: 'allow', rules: [rule] };
  if (rule !== undefined) return { type: 'deny', rule };
  const inner = judgedBy(part);
  if (inner !== part) return judge(inner, rules, isElsewhere);
  const carried = part.carried.map((one) => judge(one, rules, isElsewhere));
  return carried.find((one) => one.type === 'deny') ?? { type: 'open' };
}

/** The program that a rule must cover: the one that `timeout` or `nice` only passes on to. */
function judgedBy(part: ShellPart): ShellPart {
  const [inner] = part.carried;
  return inner === undefined || mayHide(part) || !isTransparent(part.words)
    ? part
    : judgedBy(inner);
}

/**
 * What a command does besides running programs, which is all that command rules allow. A
 * redirection to a file is an edit, and is allowed where edits are.
 */
function more(
  parts: readonly ShellPart[],
  rules: readonly ApprovalRule[],
  root: string,
): string | undefined {
  const all = withAllCarried(parts);
  const variable = all.flatMap(({ assignments }) => assignments)[0];
  if (variable !== undefined) return `It sets the variable ${variable.name}.`;
  const lasting = lastingNamed(parts, root);
  if (lasting !== undefined) return lastingWhy(lasting);
  const written = all
    .flatMap(({ redirects }) => redirects)
    .find(({ writes, path }) => writes && path !== '/dev/null');
  if (written === undefined) return undefined;
  const rule = ruleFor(rules, ({ kind }) => kind === 'edits');
  return rule?.decision === 'allow' ? undefined : `It writes to ${written.path}.`;
}
