import { type RuleChoice, type Standing, unruledOf } from '../../agent/approvals/choices';
import { decide, type Facts } from '../../agent/approvals/decide';
import { insideFolder } from '../../agent/approvals/commandPaths';
import { scopeText, sessionRules, subjectText } from '../../agent/approvals/rules';
import type { ShellReading } from '../../agent/approvals/shellCommand';
import type { ApprovalRequest } from '../../agent/tool';
import type { ToolUse } from '../../contextWindow/block';
import { ruleName, type ApprovalRule, type RuleScope } from '../../contextWindow/approvalRule';
import type { NewEvent, SessionEvent } from '../../contextWindow/event';
import type { Refusal } from '../../contextWindow/result';
import type { RuleView } from './state';

export interface ApprovalRuleParts {
  /** The rules in the user's settings: for workspaces, and for always. */
  stored(): readonly ApprovalRule[];
  /** Stores them; says why not. */
  store(rules: readonly ApprovalRule[]): Promise<Refusal>;
  /** The log of the session. */
  events(): readonly SessionEvent[];
  append(event: NewEvent): void;
  /** Absolute path of the workspace; undefined without one. */
  root(): string | undefined;
  readCommand(command: string): Promise<ShellReading>;
  /** The user's name, from the system. */
  readonly user: string;
  /** ms since the epoch. */
  now(): number;
}

/** The user's approval rules: session rules in the log, the others in their settings. */
export class ApprovalRules {
  /** The choices offered with the newest question. */
  #offered: { readonly toolUseId: string; readonly choices: readonly RuleChoice[] } | undefined;

  constructor(private readonly parts: ApprovalRuleParts) {}

  /** The rules that apply here and now. */
  get inForce(): readonly ApprovalRule[] {
    const { parts } = this;
    const root = parts.root();
    const stored = parts
      .stored()
      .filter(({ scope, workspace }) => scope !== 'workspace' || workspace === root);
    return [...sessionRules(parts.events()), ...stored];
  }

  /** The rules as the Agent view lists them, newest first. */
  get views(): readonly RuleView[] {
    const newest = [...this.inForce].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
    return newest.map((rule) => ({
      name: ruleName(rule),
      decision: rule.decision,
      subject: subjectText(rule.subject),
      where: scopeText(rule.scope),
      ...(rule.by === undefined ? {} : { by: rule.by }),
      ...(rule.at === undefined ? {} : { at: rule.at }),
    }));
  }

  /** Decides a question by the rules, or gives the choices that could become a rule. */
  async standing({ id }: ToolUse, request: ApprovalRequest): Promise<Standing> {
    const root = this.parts.root();
    if (root === undefined) return { type: 'ask', choices: [] };
    const facts: Facts = {
      isInside: insideFolder(root),
      root,
      ...(request.kind === 'command'
        ? { reading: await this.parts.readCommand(request.command) }
        : {}),
    };
    const decision = decide(request, this.inForce, facts);
    if (decision.type !== 'ask') return decision;
    const unruled = unruledOf(request, decision);
    this.#offered = { toolUseId: id, choices: unruled.choices };
    return { type: 'ask', ...unruled };
  }

  /** Turns a choice into a rule; says why not. */
  async allow(toolUseId: string, choice: number, scope: RuleScope): Promise<Refusal> {
    const offered =
      this.#offered?.toolUseId === toolUseId ? this.#offered.choices[choice] : undefined;
    if (offered === undefined)
      return 'This choice was not offered with the question. No rule was created.';
    const { parts } = this;
    const workspace = scope === 'workspace' ? parts.root() : undefined;
    const rules = offered.subjects.map((subject): ApprovalRule => ({
      decision: 'allow',
      subject,
      scope,
      ...(workspace === undefined ? {} : { workspace }),
      by: parts.user,
      at: parts.now(),
    }));
    if (scope !== 'session') {
      const names = rules.map(ruleName);
      const others = parts.stored().filter((rule) => !names.includes(ruleName(rule)));
      return parts.store([...others, ...rules]);
    }
    for (const rule of rules) parts.append({ type: 'ruleSet', rule });
    return undefined;
  }

  async revoke(name: string): Promise<Refusal> {
    const { parts } = this;
    const rule = this.inForce.find((one) => ruleName(one) === name);
    if (rule === undefined) return 'This rule no longer exists.';
    if (rule.scope !== 'session') {
      return parts.store(parts.stored().filter((one) => ruleName(one) !== name));
    }
    parts.append({ type: 'ruleRevoked', rule });
    return undefined;
  }
}
