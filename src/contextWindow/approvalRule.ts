/** What a rule is about: edits of files in the workspace, commands, a host that is fetched from, or a tool of others. */
export type RuleSubject =
  | { readonly kind: 'edits' }
  /** Any command, in the sandbox of the system. */
  | { readonly kind: 'sandbox' }
  /** `pattern`: the words of a command; `*` as the last stands for any others, or none. */
  | { readonly kind: 'command'; readonly pattern: string }
  /** `host`: a name, with the port where it is not that of https. */
  | { readonly kind: 'host'; readonly host: string }
  /** `tool`: the name that its provider gave it. */
  | { readonly kind: 'tool'; readonly tool: string };

export const RULE_DECISIONS = ['allow', 'deny'] as const;
export type RuleDecision = (typeof RULE_DECISIONS)[number];

/** How long a rule holds, and where. */
export const RULE_SCOPES = ['session', 'workspace', 'always'] as const;
export type RuleScope = (typeof RULE_SCOPES)[number];

/** A standing answer of the user to questions of one kind. */
export interface ApprovalRule {
  readonly decision: RuleDecision;
  readonly subject: RuleSubject;
  readonly scope: RuleScope;
  /** Absolute path of the workspace, for that scope. */
  readonly workspace?: string;
  /** Who made it, as the system names them. */
  readonly by?: string;
  /** When it was made, ms since the epoch. */
  readonly at?: number;
}

/** Names a rule by what it is about and where it holds: of two with one name the newer counts. */
export function ruleName({ subject, scope, workspace = '' }: ApprovalRule): string {
  return JSON.stringify([scope, workspace, subject.kind, detailOf(subject)]);
}

function detailOf(subject: RuleSubject): string {
  if (subject.kind === 'command') return subject.pattern;
  if (subject.kind === 'tool') return subject.tool;
  return subject.kind === 'host' ? subject.host : '';
}
