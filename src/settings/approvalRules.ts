import * as z from 'zod/mini';
import type { ApprovalRule } from '../contextWindow/approvalRule';

const RULES =
  'must be a list of rules, each with "decision" ("allow" or "deny"), and with "edits": true or with "command"';

const STORED = z.strictObject(
  {
    decision: z.enum(['allow', 'deny']),
    /** The rule is about edits of files in the workspace. */
    edits: z.exactOptional(z.literal(true)),
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
  z
    .array(STORED, RULES)
    .check(
      z.refine(
        (rules) =>
          rules.every(({ edits, command }) => (edits === true) !== (command !== undefined)),
        RULES,
      ),
    ),
  z.transform((rules): readonly ApprovalRule[] => rules.map(ruleOf)),
);

function ruleOf({ decision, command, workspace, by, at }: StoredRule): ApprovalRule {
  return {
    decision,
    subject: command === undefined ? { kind: 'edits' } : { kind: 'command', pattern: command },
    scope: workspace === undefined ? 'always' : 'workspace',
    ...(workspace === undefined ? {} : { workspace }),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at: Date.parse(at) }),
  };
}

/** Writes a rule as the setting has it. */
export function storedRule({ decision, subject, workspace, by, at }: ApprovalRule): StoredRule {
  return {
    decision,
    ...(subject.kind === 'edits' ? { edits: true as const } : { command: subject.pattern }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
  };
}
