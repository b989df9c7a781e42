import { diffLines } from 'diff';
import type { ApprovalRequest } from '../agent/tool';
import type { ApprovalView } from '../protocol/agentView';

/** Describes what the user is asked, without the texts themselves. */
export function approvalView(toolUseId: string, request: ApprovalRequest): ApprovalView {
  if (request.kind === 'command') {
    return { toolUseId, kind: 'command', title: 'Run a command', subject: request.command };
  }
  const { path, before, after } = request;
  return {
    toolUseId,
    kind: before === undefined ? 'create' : 'edit',
    title: before === undefined ? `Create ${path}` : `Edit ${path}`,
    subject: path,
    ...changedLines(before ?? '', after),
  };
}

function changedLines(
  before: string,
  after: string,
): { readonly added?: number; readonly removed?: number } {
  const changes = diffLines(before, after, { timeout: 500 });
  // Beyond the time limit the numbers are left out rather than guessed.
  if (changes === undefined) return {};
  const count = (kind: 'added' | 'removed') =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.count : 0), 0);
  return { added: count('added'), removed: count('removed') };
}
