import * as z from 'zod/mini';
import { RULE_DECISIONS, type ApprovalRule, type RuleSubject } from '../contextWindow/approvalRule';

const RULES =
  'must be a list of rules, each with "decision" ("allow" or "deny"), and with one of "edits": true, "sandbox": true (allowed alone), "command", "host" and "tool"';

const STORED = z.strictObject(
  {
    decision: z.enum(RULE_DECISIONS),
    /** The rule is about edits of files in the workspace. */
    edits: z.exactOptional(z.literal(true)),
    /** The rule is about any command, in the sandbox of the system. */
    sandbox: z.exactOptional(z.literal(true)),
    /** The words of a command that the rule is about; `*` as the last stands for any others. */
    command: z.exactOptional(z.string().check(z.regex(/\S/))),
    /** The host that may be fetched from, with its port where it is not that of https. */
    host: z.exactOptional(z.string().check(z.regex(/^\S+$/))),
    /** The tool of others that may be called, by the name that its provider gave it. */
    tool: z.exactOptional(z.string().check(z.regex(/\S/))),
    /** Absolute path of the workspace that it holds in; absent for all. */
    workspace: z.exactOptional(z.string().check(z.minLength(1))),
    by: z.exactOptional(z.string()),
    at: z.exactOptional(z.iso.datetime()),
  },
  RULES,
);

type StoredRule = z.output<typeof STORED>;

type About = 'edits' | 'sandbox' | 'command' | 'host' | 'tool';

/** What is set as `plimsoll.approvals`: the user's standing answers, but for those of one session. */
export const APPROVALS = z.pipe(
  z.array(STORED, RULES).check(z.refine((rules) => rules.every(isAboutOne), RULES)),
  z.transform((rules): readonly ApprovalRule[] => rules.map(ruleOf)),
);

function isAboutOne({ decision, edits, sandbox, command, host, tool }: StoredRule): boolean {
  const about = [edits, sandbox, command, host, tool].filter((one) => one !== undefined);
  return about.length === 1 && (sandbox === undefined || decision === 'allow');
}

function ruleOf({ decision, workspace, by, at, ...about }: StoredRule): ApprovalRule {
  return {
    decision,
    subject: subjectOf(about),
    scope: workspace === undefined ? 'always' : 'workspace',
    ...(workspace === undefined ? {} : { workspace }),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at: Date.parse(at) }),
  };
}

function subjectOf({ sandbox, command, host, tool }: Partial<StoredRule>): RuleSubject {
  if (tool !== undefined) return { kind: 'tool', tool };
  if (host !== undefined) return { kind: 'host', host };
  if (command !== undefined) return { kind: 'command', pattern: command };
  return { kind: sandbox === true ? 'sandbox' : 'edits' };
}

function aboutOf(subject: RuleSubject): Pick<StoredRule, About> {
  switch (subject.kind) {
    case 'edits':
      return { edits: true };
    case 'sandbox':
      return { sandbox: true };
    case 'command':
      return { command: subject.pattern };
    case 'host':
      return { host: subject.host };
    case 'tool':
      return { tool: subject.tool };
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
