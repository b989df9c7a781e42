import { structuredPatch } from 'diff';
import { MEMORY_PATH } from '../agent/memory/projectMemory';
import type { ApprovalRequest } from '../agent/tool';
import { lineCount, visibleLine, visiblePath, visibleText } from '../contextWindow/visibleText';

type Edit = Extract<ApprovalRequest, { readonly kind: 'edit' }>;

/**
 * Starts each line of a question's subject, so that none of them can pose as a line of Plimsoll's.
 */
const MARGIN = '  | ';

/** What the person at the terminal is asked: everything that would happen, then the question. */
interface ApprovalQuestion {
  /** All lines, with every character made visible. */
  readonly lines: readonly string[];
  readonly question: string;
}

/** Whether an edit changes what later sessions read, here or in all projects. */
export function isRemembered({ path, profile }: Edit): boolean {
  return path === MEMORY_PATH || profile !== undefined;
}

/** Words a question: a command in full, an edit as its diff. */
export function approvalQuestion(request: ApprovalRequest): ApprovalQuestion {
  if (request.kind === 'command') {
    const { command, background } = request;
    const where = background === true ? ' in the background' : '';
    return {
      lines: withMargin(visibleText(command)),
      question: `Run this command${where} (${linesText(lineCount(command))})?`,
    };
  }
  if (request.kind === 'input') {
    const { handle, command, text } = request;
    return {
      lines: withMargin(visibleText(text)),
      question: `Type this (${linesText(lineCount(text))}) into ${handle}, ${visibleLine(command)}?`,
    };
  }
  if (request.kind === 'memory') {
    return {
      lines: withMargin(visibleText(request.text)),
      question: `Follow ${visiblePath(request.path)} as instructions? It was created or changed after the session began.`,
    };
  }
  if (request.kind === 'move') {
    const { path, to } = request;
    return {
      lines: [],
      question: `${lastingLine(request)}Move ${visiblePath(path)} to ${visiblePath(to)}?`,
    };
  }
  if (request.kind === 'delete') {
    const { path, before = '' } = request;
    const what = before === '' ? '' : ` (${linesText(lineCount(before))})`;
    return {
      lines: [],
      question: `${lastingLine(request)}Delete ${visiblePath(path)}${what} permanently?`,
    };
  }
  if (request.kind === 'fetch') {
    return { lines: withMargin(visibleText(request.url)), question: 'Fetch this page?' };
  }
  if (request.kind === 'tool') {
    const { tool, provider, input } = request;
    return {
      lines: withMargin(visibleText(input)),
      question: `Call ${visiblePath(tool)} of ${visiblePath(provider)} with this input?`,
    };
  }
  if (request.kind === 'question') {
    const choices = request.choices.map((choice, index) => `${index + 1}. ${choice}`);
    return {
      lines: withMargin(visibleText([request.question, ...choices].join('\n'))),
      question: choices.length === 0 ? 'Your answer:' : 'Your answer, or its number:',
    };
  }
  if (isRemembered(request)) {
    const forAll = request.profile === undefined ? '' : ' for all projects';
    const line = request.after.trimEnd().split('\n').at(-1) ?? '';
    return { lines: [], question: `Remember${forAll}: ${visibleLine(line)}` };
  }
  const { path, before, after } = request;
  const { lines, added, removed } = diffLines(before ?? '', after);
  const counts = `+${added} -${removed}`;
  const verb = before === undefined ? 'Create' : 'Edit';
  return { lines, question: `${lastingLine(request)}${verb} ${visiblePath(path)} (${counts})?` };
}

function withMargin(text: string): readonly string[] {
  return text.split('\n').map((line) => `${MARGIN}${line}`);
}

function lastingLine({ lasting }: { readonly lasting?: string }): string {
  return lasting === undefined ? '' : `${lasting}\n`;
}

function linesText(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** The changed regions with three lines around each, and the numbers of added and removed lines. */
function diffLines(before: string, after: string) {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  const changes = hunks.flatMap(({ lines }) => lines);
  return {
    lines: hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `${MARGIN}@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines.map((line) => `${MARGIN}${line.slice(0, 1)}${visibleLine(line.slice(1))}`),
    ]),
    added: changes.filter((line) => line.startsWith('+')).length,
    removed: changes.filter((line) => line.startsWith('-')).length,
  };
}
