import * as z from 'zod/mini';
import type { ApprovalRule, RuleSubject } from '../contextWindow/approvalRule';

const RULES =
  'must be a list of rules, each with "decision" ("allow" or "deny"), and with "edits": true, "command" or "host"';

const STORED = z.strictObject(
  {
    decision: z.enum(['allow', 'deny']),
    /** The rule is about edits of files in the workspace. */
    edits: z.exactOptional(z.literal(true)),
    /** The words of a command that the rule is about; `*` as the last stands for any others. */
    command: z.exactOptional(z.string().check(z.regex(/\S/))),
    /** The host that may be fetched from, with its port where it is not that of https. */
    host: z.exactOptional(z.string().check(z.regex(/^\S+$/))),
    /** Absolute path of the workspace that it holds in; absent for all. */
    workspace: z.exactOptional(z.string().check(z.minLength(1))),
    by: z.exactOptional(z.string()),
    at: z.exactOptional(z.iso.datetime()),
  },
  RULES,
);

type StoredRule = z.output<typeof STORED>;

/** What is set as `plimsoll.approvals`: the user's standing answers, but for those of one session. */
export const APPROVALS = z.pipe(
  z
    .array(STORED, RULES)
    .check(
      z.refine(
        (rules) =>
          rules.every((rule) => [rule.edits, rule.command, rule.host].filter(Boolean).length === 1),
        RULES,
      ),
    ),
  z.transform((rules): readonly ApprovalRule[] => rules.map(ruleOf)),
);

function ruleOf({ decision, command, host, workspace, by, at }: StoredRule): ApprovalRule {
  return {
    decision,
    subject: subjectOf(command, host),
    scope: workspace === undefined ? 'always' : 'workspace',
    ...(workspace === undefined ? {} : { workspace }),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at: Date.parse(at) }),
  };
}

function subjectOf(command: string | undefined, host: string | undefined): RuleSubject {
  if (host !== undefined) return { kind: 'host', host };
  return command === undefined ? { kind: 'edits' } : { kind: 'command', pattern: command };
}

function storedSubject(subject: RuleSubject): Pick<StoredRule, 'edits' | 'command' | 'host'> {
  if (subject.kind === 'host') return { host: subject.host };
  return subject.kind === 'edits' ? { edits: true } : { command: subject.pattern };
}

/** Writes a rule as the setting has it. */
export function storedRule({ decision, subject, workspace, by, at }: ApprovalRule): StoredRule {
  return {
    decision,
    ...storedSubject(subject),
    ...(workspace === undefined ? {} : { workspace }),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
  };
}
