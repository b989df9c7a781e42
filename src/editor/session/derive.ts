import { marked, percentText } from '../../contextWindow/amount';
import type { AgentEvent } from '../../agent/agentEvent';
import type { RuleChoice, Unruled } from '../../agent/approvals/decide';
import type { FurtherEdit } from '../../agent/approvals/editsTogether';
import { lineChanges, lineCounts } from '../../agent/checkpointPort';
import type { ApprovalRequest } from '../../agent/tool';
import { balance, type Balance } from '../../contextWindow/account/balance';
import { measure, type Measurement } from '../../contextWindow/account/measure';
import { type Budget, effectiveBudget } from '../../contextWindow/budget';
import type { SessionLink } from '../../contextWindow/event';
import type { Amount } from '../../contextWindow/plan';
import type { Estimate } from '../../contextWindow/truncate';
import { visibleLine, visiblePath } from '../../contextWindow/visibleText';
import type { ContextWindow, LedgerEntry } from '../../contextWindow/window';
import type {
  ApprovalView,
  FurtherEditView,
  LinkedSession,
  RuleChoiceView,
  SessionLinks,
} from './state';
import type { ElsewhereView } from './state';

type AskedWith = Pick<
  Extract<AgentEvent, { readonly type: 'approvalAsked' }>,
  'unruled' | 'further' | 'by'
>;

/**
 * Longest host or command in a title, characters; a longer one is cut, and the box below shows it
 * in full.
 */
const LONGEST_HOST = 60;

/** Longest name of a third-party tool or its provider in a title; characters. */
const LONGEST_TOOL = 64;

/** Describes a question without its texts. */
export function approvalView(
  toolUseId: string,
  request: ApprovalRequest,
  { unruled, further = [], by }: AskedWith = {},
): ApprovalView {
  return {
    ...requestView(toolUseId, request),
    ...(by === undefined ? {} : { by }),
    ...unruledView(unruled),
    ...(further.length === 0 ? {} : { further: further.flatMap(furtherView) }),
  };
}

function furtherView({ use, request }: FurtherEdit): readonly FurtherEditView[] {
  if (request.kind !== 'edit') return [];
  const { path: subject, before, after } = request;
  const kind = before === undefined ? 'create' : 'edit';
  return [{ toolUseId: use.id, kind, subject, ...lineCounts(before ?? '', after) }];
}

/** Marks a proposal that the user edited; its line counts and lines no longer apply. */
export function revisedView(
  view: ApprovalView,
  revised: Readonly<Record<string, string>>,
): ApprovalView {
  if (revised[view.toolUseId] === undefined) return view;
  const { added: _added, removed: _removed, firstLines: _lines, ...rest } = view;
  return { ...rest, revised: true };
}

function unruledView(
  unruled: Unruled | undefined,
): Pick<ApprovalView, 'choices' | 'danger' | 'whyAsked'> {
  if (unruled === undefined) return {};
  const { why, danger, choices } = unruled;
  return {
    ...(danger === undefined ? {} : { danger: visibleLine(danger) }),
    ...(why === undefined ? {} : { whyAsked: visibleLine(why) }),
    ...(choices.length === 0 ? {} : { choices: choices.map(choiceView) }),
  };
}

function choiceView({ text, means }: RuleChoice): RuleChoiceView {
  return { text: visibleLine(text), ...(means === undefined ? {} : { means: visibleLine(means) }) };
}

function requestView(toolUseId: string, request: ApprovalRequest): ApprovalView {
  const { kind } = request;
  switch (kind) {
    case 'command': {
      const { command: subject, folder, outside, background } = request;
      const where = folder === undefined ? '' : ` in ${visiblePath(folder, LONGEST_HOST)}`;
      const title = background === true ? `Run${where} in the background` : `Run a command${where}`;
      const again = `Run again outside the sandbox${where === '' ? '' : `,${where}`}`;
      return outside === undefined
        ? { toolUseId, kind, title, subject }
        : { toolUseId, kind, title: again, subject, whyAsked: outside };
    }
    case 'input': {
      const { handle, command, text: subject, enter } = request;
      const name = visiblePath(command, LONGEST_HOST);
      const keys = enter ? 'Type, and press Enter, in' : 'Type, without Enter, into';
      return { toolUseId, kind, title: `${keys} ${handle} (${name})`, subject };
    }
    case 'memory': {
      const { path, text } = request;
      return { toolUseId, kind, title: 'Follow the instructions of', subject: path, text };
    }
    case 'move': {
      const subject = `${request.path}\n→ ${request.to}`;
      return { toolUseId, kind, title: 'Move a file', subject, ...lastingOf(request) };
    }
    case 'delete': {
      const { path, before } = request;
      const removed = before === undefined ? {} : { removed: lineCounts(before, '')?.removed ?? 0 };
      return { toolUseId, kind, title: 'Delete', subject: path, ...removed, ...lastingOf(request) };
    }
    case 'fetch': {
      const title = `Fetch from ${visiblePath(request.host, LONGEST_HOST)}`;
      return { toolUseId, kind, title, subject: request.url };
    }
    case 'tool': {
      const { tool, provider, input: subject } = request;
      const title = `Call ${visiblePath(tool, LONGEST_TOOL)} of ${visiblePath(provider, LONGEST_TOOL)}`;
      return { toolUseId, kind, title, subject };
    }
    case 'question': {
      const { question, choices } = request;
      return { toolUseId, kind, title: 'The agent asks', subject: question, answers: choices };
    }
    case 'edit':
      return editView(toolUseId, request);
  }
}

function editView(
  toolUseId: string,
  request: Extract<ApprovalRequest, { readonly kind: 'edit' }>,
): ApprovalView {
  const { path, profile, before, after, unsaved } = request;
  const title = before === undefined ? 'Create' : 'Edit';
  return {
    toolUseId,
    kind: before === undefined ? 'create' : 'edit',
    title: profile === undefined ? title : `${title} your profile for all projects,`,
    subject: path,
    ...lastingOf(request),
    ...(unsaved === true ? { unsaved } : {}),
    ...changeView(before ?? '', after),
  };
}

/** Most changed lines in a question about an edit, and characters of each; its diff shows all. */
const FIRST_LINES = 4;
const LONGEST_LINE = 300;

function changeView(
  before: string,
  after: string,
): Pick<ApprovalView, 'added' | 'removed' | 'firstLines'> {
  const changes = lineChanges(before, after, FIRST_LINES);
  if (changes === undefined) return {};
  const firstLines = changes.first.map((line) =>
    line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line,
  );
  return { ...changes.counts, ...(firstLines.length === 0 ? {} : { firstLines }) };
}

function lastingOf({ lasting }: { readonly lasting?: string }): Pick<ApprovalView, 'lasting'> {
  return lasting === undefined ? {} : { lasting };
}

/**
 * Names the sessions before and after a handover; `isThere` says whether one still has its log.
 * Undefined if there are none.
 */
export function sessionLinks(
  { handedOverFrom, handedOverTo = [] }: ContextWindow,
  isThere: (sessionId: string) => boolean,
): SessionLinks | undefined {
  if (handedOverFrom === undefined && handedOverTo.length === 0) return undefined;
  const linked = ({ sessionId, title }: SessionLink): LinkedSession => ({
    session: sessionId,
    title,
    isGone: !isThere(sessionId),
  });
  return {
    ...(handedOverFrom === undefined ? {} : { from: linked(handedOverFrom) }),
    to: handedOverTo.map(linked),
  };
}

/** How full the window is: the one account that panel, status bar and gauge read (I8). */
export interface Account {
  readonly measured: Measurement;
  readonly balance: Balance;
}

/** Measures the window with the current budget, including its reduction after an overflow. */
export function accountOf(window: ContextWindow, budget: Budget, estimate: Estimate): Account {
  const measured = measure(window, estimate);
  return { measured, balance: balance(window, measured, effectiveBudget(window, budget)) };
}

/** How full the window is: "64 %", or "≈ 64 %" for an estimate. */
export function fullnessText({ used, inputBudget }: Balance): string {
  return marked(percentText(used.tokens / inputBudget), used.exact);
}

/** The size of the window after a pass: the API's count if there is one, else the estimate. */
export function tokensAfter({
  pass,
  certifiedTokens,
}: Pick<LedgerEntry, 'pass' | 'certifiedTokens'>): Amount {
  return certifiedTokens === undefined ? pass.after : { tokens: certifiedTokens, exact: true };
}

/** How many other sessions wait for an answer, and how many more are at work. */
export interface Elsewhere {
  readonly waiting: number;
  readonly working: number;
}

/** Reports activity in other sessions; undefined for none. */
export function elsewhereView({ waiting, working }: Elsewhere): ElsewhereView | undefined {
  const words = [
    ...(waiting === 0
      ? []
      : [`${others(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for your answer`]),
    ...(working === 0 ? [] : [`${others(working)} ${working === 1 ? 'is' : 'are'} at work`]),
  ].join(' · ');
  return words === '' ? undefined : { words, isWaiting: waiting > 0 };
}

function others(count: number): string {
  return count === 1 ? 'Another session' : `${count} other sessions`;
}
