import { decide, type Facts, type RuleAnswer, type RuleChoice } from '../../agent/approvals/decide';
import { insideFolders } from '../../agent/approvals/commandPaths';
import {
  isOpenPermission,
  scopeText,
  sessionRules,
  subjectText,
} from '../../agent/approvals/rules';
import type { ApprovalRequest } from '../../agent/tool';
import {
  firstPlace,
  rootsOf,
  type WorkspaceFolder,
  type WorkspaceFolders,
} from '../../agent/workspaceFolders';
import type { ToolUse } from '../../contextWindow/block';
import { ruleName, type ApprovalRule, type RuleScope } from '../../contextWindow/approvalRule';
import type { NewEvent } from '../../contextWindow/event';
import type { Refusal } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import { storedRule } from '../../settings/approvalsSetting';
import type { Services } from '../services';
import type { RunSession } from '../session/turnSource';
import type { ApprovalRuleView } from '../session/state';

type RuleServices = Pick<
  Services,
  'access' | 'configuration' | 'context' | 'notices' | 'now' | 'folders' | 'readCommand' | 'user'
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
  #offered:
    | {
        readonly toolUseId: string;
        readonly choices: readonly RuleChoice[];
        readonly folders: WorkspaceFolders;
      }
    | undefined;

  constructor(
    private readonly services: RuleServices,
    private readonly run: Pick<RunSession, 'events' | 'session' | 'whyReadOnly'>,
  ) {}

  /** The rules that apply in the folders that are open now. */
  get inForce(): readonly ApprovalRule[] {
    return this.#inForceIn(this.services.folders.now);
  }

  #inForceIn(folders: WorkspaceFolders | undefined): readonly ApprovalRule[] {
    const rules = [...sessionRules(this.run.events), ...this.#stored];
    return rules.filter((rule) => appliesIn(rule, folders));
  }

  /** The rules as the Agent view lists them, newest first. */
  get views(): readonly ApprovalRuleView[] {
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

  /**
   * Decides a question by the rules, or gives the choices that could become a rule. `folders` are those
   * of the turn. Once the user has removed one of them from the workspace, nothing is allowed unasked.
   */
  async answer(
    { id }: ToolUse,
    request: ApprovalRequest,
    folders: WorkspaceFolders,
  ): Promise<RuleAnswer> {
    const { readCommand } = this.services;
    const place = request.kind === 'command' ? { root: request.cwd, folders } : firstPlace(folders);
    const facts: Facts = {
      isInside: insideFolders(place),
      place,
      ...(request.kind === 'command' ? { reading: await readCommand(request.command) } : {}),
    };
    const removed = removedSince(folders, this.services.folders.now);
    const decided = decide(request, this.#inForceIn(folders), facts);
    const answer: RuleAnswer =
      removed.length === 0 || decided.type === 'deny'
        ? decided
        : { type: 'ask', ...dangerIn(decided), why: removedText(removed), choices: [] };
    if (answer.type === 'ask') this.#offered = { toolUseId: id, choices: answer.choices, folders };
    return answer;
  }

  /** Turns a choice into a rule; says why not. */
  async allow(toolUseId: string, choice: number, scope: RuleScope): Promise<Refusal> {
    const offered = this.#offered?.toolUseId === toolUseId ? this.#offered : undefined;
    const chosen = offered?.choices[choice];
    if (offered === undefined || chosen === undefined)
      return 'This choice was not offered with the question. No rule was created.';
    const { now, user } = this.services;
    const { folders } = offered;
    const rules = chosen.subjects.map((subject): ApprovalRule => ({
      decision: 'allow',
      subject,
      scope,
      workspace:
        scope === 'workspace' ||
        (scope === 'session' && folders.areNamed && isOfAllFolders({ subject }))
          ? folders.id
          : undefined,
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

/** The folders of a turn that are no longer in the workspace. */
function removedSince(
  { all }: WorkspaceFolders,
  now: WorkspaceFolders | undefined,
): readonly WorkspaceFolder[] {
  return all.filter(({ root }) => now?.all.some((folder) => folder.root === root) !== true);
}

function removedText(removed: readonly WorkspaceFolder[]): string {
  const names = removed.map(({ name, root }) => visibleLine(name || root)).join(', ');
  return `You removed ${names} from the workspace during this turn, so Plimsoll asks about every change until the turn ends.`;
}

function dangerIn(answer: RuleAnswer): { readonly danger?: string } {
  return answer.type === 'ask' && answer.danger !== undefined ? { danger: answer.danger } : {};
}

/** Whether what a rule is about happens in every folder of the workspace. */
function isOfAllFolders({ subject }: Pick<ApprovalRule, 'subject'>): boolean {
  return subject.kind === 'edits' || subject.kind === 'sandbox';
}

/**
 * Whether a rule applies in these folders. A permission needs exactly the folders that it was given
 * for; a denial for one of them is enough.
 */
function appliesIn(rule: ApprovalRule, folders: WorkspaceFolders | undefined): boolean {
  const { decision, scope, workspace } = rule;
  if (scope === 'always' || (scope === 'session' && !isOfAllFolders(rule))) return true;
  if (folders === undefined) return false;
  // In a session that had one folder, its rules name none.
  const given = workspace ?? (scope === 'session' ? folders.first.root : undefined);
  if (decision === 'allow') return given === folders.id;
  const roots = new Set(folders.all.map(({ root }) => root));
  return given !== undefined && rootsOf(given).some((root) => roots.has(root));
}
