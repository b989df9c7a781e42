import { insideFolder } from '../../../../src/agent/approvals/commandPaths';
import type { ApprovalRule } from '../../../../src/contextWindow/approvalRule';

export const ROOT = '/work/project';
export const FACTS = { isInside: insideFolder(ROOT), root: ROOT };

/** Parses rules: `+ npm test` allows, `- git push *` denies; `edits` stands for edits. */
export function rules(...lines: readonly string[]): readonly ApprovalRule[] {
  return lines.map((line) => ({
    decision: line.startsWith('+') ? 'allow' : 'deny',
    subject:
      line.slice(2) === 'edits' ? { kind: 'edits' } : { kind: 'command', pattern: line.slice(2) },
    scope: 'session',
  }));
}
