import { firstPlace, oneFolder } from '../../../../src/agent/workspaceFolders';
import { insideFolders } from '../../../../src/agent/approvals/commandPaths';
import type { ApprovalRule } from '../../../../src/contextWindow/approvalRule';

export const ROOT = '/work/project';
export const FACTS = factsIn(ROOT);

/** The facts for a command in a folder that is the whole workspace. */
export function factsIn(root: string) {
  const place = firstPlace(oneFolder(root));
  return { isInside: insideFolders(place), place };
}

/** Parses rules: `+ npm test` allows, `- git push *` denies; `edits` stands for edits. */
export function rules(...lines: readonly string[]): readonly ApprovalRule[] {
  return lines.map((line) => ({
    decision: line.startsWith('+') ? 'allow' : 'deny',
    subject:
      line.slice(2) === 'edits' ? { kind: 'edits' } : { kind: 'command', pattern: line.slice(2) },
    scope: 'session',
  }));
}
