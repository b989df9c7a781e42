import * as z from 'zod/mini';
import type { ApprovalRule, RuleSubject } from '../contextWindow/approvalRule';

const RULES =
  'must be a list of rules, each with "decision" ("allow" or "deny"), and with one of "edits": true, "sandbox": true (allowed alone) and "command"';

const STORED = z.strictObject(
  {
    decision: z.enum(['allow', 'deny']),
    /** The rule is about edits of files in the workspace. */
    edits: z.exactOptional(z.literal(true)),
    /** The rule is about any command, in the sandbox of the system. */
    sandbox: z.exactOptional(z.literal(true)),
    /** The words of a command that the rule is about; `*` as the last stands for any others. */
    command: z.exactOptional(z.string().check(z.regex(/\S/))),
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
  z.array(STORED, RULES).check(z.refine((rules) => rules.every(isAboutOne), RULES)),
  z.transform((rules): readonly ApprovalRule[] => rules.map(ruleOf)),
);

function isAboutOne({ decision, edits, sandbox, command }: StoredRule): boolean {
  const about = [edits, sandbox, command].filter((one) => one !== undefined);
  return about.length === 1 && (sandbox === undefined || decision === 'allow');
}

function ruleOf({ decision, sandbox, command, workspace, by, at }: StoredRule): ApprovalRule {
  const other = { kind: sandbox === true ? 'sandbox' : 'edits' } as const;
  return {
    decision,
    subject: command === undefined ? other : { kind: 'command', pattern: command },
    scope: workspace === undefined ? 'always' : 'workspace',
    ...(workspace === undefined ? {} : { workspace }),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at: Date.parse(at) }),
  };
}

function aboutOf(subject: RuleSubject): Pick<StoredRule, 'edits' | 'sandbox' | 'command'> {
  switch (subject.kind) {
    case 'edits':
      return { edits: true };
    case 'sandbox':
      return { sandbox: true };
    case 'command':
      return { command: subject.pattern };
  }
}

/** Writes a rule as the setting has it. */
export function storedRule({ decision, subject, workspace, by, at }: ApprovalRule): StoredRule {
  return {
    decision,
    ...aboutOf(subject),
    ...(workspace === undefined ? {} : { workspace }),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
  };
}
