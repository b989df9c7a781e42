import { diffLines } from 'diff';
import type { AgentEvent } from '../agent/agentEvent';
import type { FurtherEdit } from '../agent/editsTogether';
import type { RuleChoice, Unruled } from '../agent/standing';
import type { ApprovalRequest } from '../agent/tool';
import { visibleLine } from '../contextWindow/visibleText';
import type { ApprovalView, FurtherEditView, RuleChoiceView } from '../protocol/approvalView';

/** What comes along with a question. */
type AskedWith = Pick<
  Extract<AgentEvent, { readonly type: 'approvalAsked' }>,
  'unruled' | 'further'
>;

/** Describes what the user is asked, without the texts themselves. */
export function approvalView(
  toolUseId: string,
  request: ApprovalRequest,
  { unruled, further = [] }: AskedWith = {},
): ApprovalView {
  return {
    ...requestView(toolUseId, request),
    ...unruledView(unruled),
    ...(further.length === 0 ? {} : { further: further.flatMap(furtherView) }),
  };
}

function furtherView({ use, request }: FurtherEdit): readonly FurtherEditView[] {
  if (request.kind !== 'edit') return [];
  const { path: subject, before, after } = request;
  const kind = before === undefined ? 'create' : 'edit';
  return [{ toolUseId: use.id, kind, subject, ...changedLines(before ?? '', after) }];
}

/** Says that the user changed a proposal: then its numbers of lines are not those of what would be written. */
export function revisedView(
  view: ApprovalView,
  revised: Readonly<Record<string, string>>,
): ApprovalView {
  if (revised[view.toolUseId] === undefined) return view;
  const { added: _added, removed: _removed, ...rest } = view;
  return { ...rest, revised: true };
}

function unruledView(unruled: Unruled | undefined): Pick<ApprovalView, 'choices' | 'whyAsked'> {
  if (unruled === undefined) return {};
  const { why, choices } = unruled;
  return {
    ...(why === undefined ? {} : { whyAsked: visibleLine(why) }),
    ...(choices.length === 0 ? {} : { choices: choices.map(choiceView) }),
  };
}

function choiceView({ text, means }: RuleChoice): RuleChoiceView {
  return { text: visibleLine(text), ...(means === undefined ? {} : { means: visibleLine(means) }) };
}

function requestView(toolUseId: string, request: ApprovalRequest): ApprovalView {
  if (request.kind === 'command') {
    const { command: subject, outside } = request;
    return outside === undefined
      ? { toolUseId, kind: 'command', title: 'Run a command', subject }
      : { toolUseId, kind: 'command', title: 'Run again outside', subject, whyAsked: outside };
  }
  if (request.kind === 'memory') {
    const { path, text } = request;
    return { toolUseId, kind: 'memory', title: 'Follow the instructions of', subject: path, text };
  }
  const { path, profile, before, after, unsaved, lasting } = request;
  const title = before === undefined ? 'Create' : 'Edit';
  return {
    toolUseId,
    kind: before === undefined ? 'create' : 'edit',
    title: profile === undefined ? title : `${title} your profile for all projects,`,
    subject: path,
    ...(lasting === undefined ? {} : { lasting }),
    ...(unsaved === true ? { unsaved } : {}),
    ...changedLines(before ?? '', after),
  };
}

function changedLines(
  before: string,
  after: string,
): { readonly added?: number; readonly removed?: number } {
  const changes = diffLines(before, after, { timeout: 500 });
  // Over the time limit the numbers are left out rather than guessed.
  if (changes === undefined) return {};
  const count = (kind: 'added' | 'removed') =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.count : 0), 0);
  return { added: count('added'), removed: count('removed') };
}
