import * as z from 'zod/mini';
import { RULE_DECISIONS, type ApprovalRule, type RuleSubject } from '../contextWindow/approvalRule';

const RULES =
  'must be a list of rules, each with "decision" ("allow" or "deny"), and with one of "edits": true, "sandbox": true (allowed alone), "command" (with its "folder", if allowed), "host" and "tool"';

const STORED = z.strictObject(
  {
    decision: z.enum(RULE_DECISIONS),
    edits: z.exactOptional(z.literal(true)),
    /** Any command in the operating system's sandbox. */
    sandbox: z.exactOptional(z.literal(true)),
    /** The words of a command; a final `*` matches any further words. */
    command: z.exactOptional(z.string().check(z.regex(/\S/))),
    /** The folder that an allowed command runs in; absent for the first of the workspace. */
    folder: z.exactOptional(z.string().check(z.minLength(1))),
    /** The host that may be fetched from, with its port unless it is the default of https. */
    host: z.exactOptional(z.string().check(z.regex(/^\S+$/))),
    /** A third-party tool, by its original name. */
    tool: z.exactOptional(z.string().check(z.regex(/\S/))),
    /**
     * Absolute path of the workspace the rule applies to, or those of all its folders, in its order and
     * separated as in the system's search path; absent for all workspaces.
     */
    workspace: z.exactOptional(z.string().check(z.minLength(1))),
    by: z.exactOptional(z.string()),
    at: z.exactOptional(z.iso.datetime()),
  },
  RULES,
);

type StoredRule = z.output<typeof STORED>;

type About = 'edits' | 'sandbox' | 'command' | 'folder' | 'host' | 'tool';

/** The shape of `plimsoll.approvals`: the user's approval rules, except those of one session. */
export const APPROVALS = z.pipe(
  z.array(STORED, RULES).check(z.refine((rules) => rules.every(isAboutOne), RULES)),
  z.transform((rules): readonly ApprovalRule[] => rules.map(ruleOf)),
);

function isAboutOne({
  decision,
  edits,
  sandbox,
  command,
  folder,
  host,
  tool,
}: StoredRule): boolean {
  const about = [edits, sandbox, command, host, tool].filter((one) => one !== undefined);
  const isPlaced = folder === undefined || (command !== undefined && decision === 'allow');
  return about.length === 1 && isPlaced && (sandbox === undefined || decision === 'allow');
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

function subjectOf({ sandbox, command, folder, host, tool }: Partial<StoredRule>): RuleSubject {
  if (tool !== undefined) return { kind: 'tool', tool };
  if (host !== undefined) return { kind: 'host', host };
  if (command !== undefined) {
    return { kind: 'command', pattern: command, ...(folder === undefined ? {} : { folder }) };
  }
  return { kind: sandbox === true ? 'sandbox' : 'edits' };
}

function aboutOf(subject: RuleSubject): Pick<StoredRule, About> {
  switch (subject.kind) {
    case 'edits':
      return { edits: true };
    case 'sandbox':
      return { sandbox: true };
    case 'command':
      return {
        command: subject.pattern,
        ...(subject.folder === undefined ? {} : { folder: subject.folder }),
      };
    case 'host':
      return { host: subject.host };
    case 'tool':
      return { tool: subject.tool };
  }
}

/** Writes a rule in the form of the setting. */
export function storedRule({ decision, subject, workspace, by, at }: ApprovalRule): StoredRule {
  return {
    decision,
    ...aboutOf(subject),
    ...(workspace === undefined ? {} : { workspace }),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
  };
}
