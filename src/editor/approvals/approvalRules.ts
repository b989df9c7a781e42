import { decide, type Facts, type RuleAnswer, type RuleChoice } from '../../agent/approvals/decide';
import { insideFolders } from '../../agent/approvals/commandPaths';
import {
  isOpenPermission,
  scopeText,
  sessionRules,
  subjectText,
} from '../../agent/approvals/rules';
import type { ApprovalRequest } from '../../agent/tool';
import { firstPlace } from '../../agent/workspaceFolders';
import type { ToolUse } from '../../contextWindow/block';
import { ruleName, type ApprovalRule, type RuleScope } from '../../contextWindow/approvalRule';
import type { NewEvent } from '../../contextWindow/event';
import type { Refusal } from '../../contextWindow/result';
import { storedRule } from '../../settings/approvalsSetting';
import type { Services } from '../services';
import type { RunSession } from '../session/turnSource';
import type { RuleView } from '../session/state';

type RuleServices = Pick<
  Services,
  | 'access'
  | 'configuration'
  | 'context'
  | 'notices'
  | 'now'
  | 'folders'
  | 'readCommand'
  | 'folders'
  | 'user'
>;

const SETTING = 'plimsoll.approvals';

/**
 * Gives the approval rules of a session; the object stays the same while the session is in memory.
 */
export function rulesBySession(services: RuleServices): (run: RunSession) => ApprovalRules {
  const known = new WeakMap<RunSession, ApprovalRules>();
  return (run) => {
    const notice = narrowedRulesNotice(services);
    if (notice !== undefined) services.notices.tell(notice);
    const rules = known.get(run) ?? new ApprovalRules(services, run);
    known.set(run, rules);
    return rules;
  };
}

/** Key under which the editor remembers that the notice was shown. */
const NARROWED = 'plimsoll.narrowedRules';

/**
 * Says once which stored rules cover less than they did when they were made: a rule that ends in `*` covers
 * only options that are known to do no harm. Returns undefined when there is nothing to say.
 */
export function narrowedRulesNotice({
  access,
  context,
}: Pick<RuleServices, 'access' | 'context'>): string | undefined {
  if (context.globalState.get(NARROWED) === true) return undefined;
  void context.globalState.update(NARROWED, true);
  const stored = access.settings.valid.settings.approvals.filter(isOpenPermission);
  if (stored.length === 0) return undefined;
  const named = stored.map(({ subject }) => subjectText(subject)).join(', ');
  return `${named}: approval rules like these now cover only options that are known to do no harm. Plimsoll asks about everything else.`;
}

/** The user's approval rules: session rules in the log, the others in their settings. */
export class ApprovalRules {
  /** The choices offered with the newest question. */
  #offered: { readonly toolUseId: string; readonly choices: readonly RuleChoice[] } | undefined;

  constructor(
    private readonly services: RuleServices,
    private readonly run: Pick<RunSession, 'events' | 'session' | 'whyReadOnly'>,
  ) {}

  /** The rules that apply here and now. */
  get inForce(): readonly ApprovalRule[] {
    const here = this.services.folders.now?.id;
    const stored = this.#stored.filter(
      ({ scope, workspace }) => scope !== 'workspace' || workspace === here,
    );
    return [...sessionRules(this.run.events), ...stored];
  }

  /** The rules as the Agent view lists them, newest first. */
  get views(): readonly RuleView[] {
    const newest = [...this.inForce].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
    return newest.map((rule) => ({
      name: ruleName(rule),
      decision: rule.decision,
      subject: subjectText(rule.subject),
      where: scopeText(rule.scope),
      by: rule.by,
      at: rule.at,
    }));
  }

  /** Decides a question by the rules, or gives the choices that could become a rule. */
  async answer({ id }: ToolUse, request: ApprovalRequest): Promise<RuleAnswer> {
    const { readCommand } = this.services;
    const folders = this.services.folders.now;
    if (folders === undefined) return { type: 'ask', choices: [] };
    const place = request.kind === 'command' ? { root: request.cwd, folders } : firstPlace(folders);
    const facts: Facts = {
      isInside: insideFolders(place),
      place,
      ...(request.kind === 'command' ? { reading: await readCommand(request.command) } : {}),
    };
    const answer = decide(request, this.inForce, facts);
    if (answer.type === 'ask') this.#offered = { toolUseId: id, choices: answer.choices };
    return answer;
  }

  /** Turns a choice into a rule; says why not. */
  async allow(toolUseId: string, choice: number, scope: RuleScope): Promise<Refusal> {
    const offered =
      this.#offered?.toolUseId === toolUseId ? this.#offered.choices[choice] : undefined;
    if (offered === undefined)
      return 'This choice was not offered with the question. No rule was created.';
    const { folders, now, user } = this.services;
    const workspace = scope === 'workspace' ? folders.now?.id : undefined;
    const rules = offered.subjects.map((subject): ApprovalRule => ({
      decision: 'allow',
      subject,
      scope,
      workspace,
      by: user,
      at: now(),
    }));
    if (scope !== 'session') {
      const names = rules.map(ruleName);
      const others = this.#stored.filter((rule) => !names.includes(ruleName(rule)));
      return this.#store([...others, ...rules]);
    }
    for (const rule of rules) this.#append({ type: 'ruleSet', rule });
    return undefined;
  }

  async revoke(name: string): Promise<Refusal> {
    const rule = this.inForce.find((one) => ruleName(one) === name);
    if (rule === undefined) return 'This rule no longer exists.';
    if (rule.scope !== 'session') {
      return this.#store(this.#stored.filter((one) => ruleName(one) !== name));
    }
    this.#append({ type: 'ruleRevoked', rule });
    return undefined;
  }

  /** The rules in the user's own settings, never in a workspace's: for workspaces, and for always. */
  get #stored(): readonly ApprovalRule[] {
    return this.services.access.settings.valid.settings.approvals;
  }

  async #store(rules: readonly ApprovalRule[]): Promise<Refusal> {
    const { access, configuration } = this.services;
    const why = await configuration.storeSetting(SETTING, rules.map(storedRule));
    if (why !== undefined) return `The rule could not be stored in ${SETTING}: ${why}`;
    await access.refresh();
    return undefined;
  }

  #append(event: NewEvent): void {
    if (this.run.whyReadOnly === undefined) this.run.session?.append(event);
  }
}
