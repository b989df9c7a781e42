/**
 * The subject of an approval rule: edits in the workspace, commands, a host to fetch from, or a
 * third-party tool.
 */
export type RuleSubject =
  | { readonly kind: 'edits' }
  /** Any command, inside the system's sandbox. */
  | { readonly kind: 'sandbox' }
  /**
   * `pattern`: the words of a command; a final `*` stands for any other words, or none. `folder`: where a
   * permission lets it run, absolute; absent for the first folder of the workspace.
   */
  | { readonly kind: 'command'; readonly pattern: string; readonly folder?: string }
  /** `host`: a name, with the port unless it is that of https. */
  | { readonly kind: 'host'; readonly host: string }
  /** `tool`: the provider's name of it. */
  | { readonly kind: 'tool'; readonly tool: string };

export const RULE_DECISIONS = ['allow', 'deny'] as const;
type RuleDecision = (typeof RULE_DECISIONS)[number];

/** How long and where a rule applies. */
export const RULE_SCOPES = ['session', 'workspace', 'always'] as const;
export type RuleScope = (typeof RULE_SCOPES)[number];

/** The user's standing answer to approval questions of one kind. */
export interface ApprovalRule {
  readonly decision: RuleDecision;
  readonly subject: RuleSubject;
  readonly scope: RuleScope;
  /**
   * Absolute path of the workspace, or of each of its folders, if that is the scope; in a session, where
   * the rule is about all of several folders.
   */
  readonly workspace?: string;
  /** The system's name of the user who made it. */
  readonly by?: string;
  /** Ms since the epoch. */
  readonly at?: number;
}

/**
 * Identifies a rule by subject and scope; of two rules with the same name the newer one applies.
 */
export function ruleName({ subject, scope, workspace = '' }: ApprovalRule): string {
  return JSON.stringify([scope, workspace, subject.kind, detailOf(subject)]);
}

function detailOf(subject: RuleSubject): string {
  if (subject.kind === 'command') {
    const { pattern, folder } = subject;
    return folder === undefined ? pattern : `${pattern}\n${folder}`;
  }
  if (subject.kind === 'tool') return subject.tool;
  return subject.kind === 'host' ? subject.host : '';
}
