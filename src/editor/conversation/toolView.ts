import type { ToolUse } from '../../contextWindow/block';
import { structuredPatch } from 'diff';
import { callEffectOf, callKindOf, pathOf } from '../../contextWindow/callEffect';
import type { EventOf } from '../../contextWindow/event';
import { whyDenied, withoutWords } from '../../agent/approvals/askApproval';
import { lastingText } from '../../agent/lastingFiles';
import type { SubAgentProgress } from '../../contextWindow/subAgentLog';
import { labelOfCall } from '../../contextWindow/label';
import { visibleAgain, visibleLine, visiblePath } from '../../contextWindow/visibleText';
import { callStateOf } from '../session/callState';
import type { Activity, ToolView } from './state';
import { testCounts } from './testCounts';

/** Longest arguments shown, in characters. */
const LONGEST_ARGUMENTS = 4_000;

/** Derives one tool call; `activity` is undefined when its turn is over. */
export function toolView(
  use: ToolUse,
  result: EventOf<'toolFinished'> | undefined,
  activity: Activity | undefined,
  subAgent?: SubAgentProgress,
): ToolView {
  const state =
    result === undefined ? stateWithoutResult(use, activity, subAgent) : callStateOf(result);
  return {
    toolUseId: use.id,
    name: use.name,
    kind: callKindOf(use),
    label: labelOfCall(use),
    ...pathNamed(use),
    argumentsText: argumentsText(use),
    ...subAgentView(subAgent),
    ...diffOf(use),
    state,
    ...(state === 'running' && isMovable(use) ? { isMovable: true } : {}),
    ...(isBackground(use) ? { isBackground: true } : {}),
    ...(result === undefined
      ? {}
      : {
          elapsedMs: result.durationMs,
          resultChars: result.text.length,
          ...whyOf(use, result),
          ...tailOf(use, result),
          ...testsOf(use, result),
        }),
    ...(result?.allowedBy === undefined ? {} : { allowedBy: result.allowedBy.map(visibleLine) }),
    ...(result?.lasting === undefined ? {} : { lasting: lastingText(result.lasting) }),
  };
}

/** Its name is the call's subject. */
function subAgentView(progress: SubAgentProgress | undefined): Pick<ToolView, 'subAgent'> {
  if (progress === undefined) return {};
  const { steps, tokens } = progress;
  return { subAgent: { steps, ...(tokens === undefined ? {} : { tokens }) } };
}

function pathNamed(use: ToolUse): Pick<ToolView, 'path'> {
  const path = pathOf(use);
  return path === undefined ? {} : { path: visiblePath(path) };
}

/** Commands of Plimsoll's own that run in the foreground. */
function isMovable(use: ToolUse): boolean {
  return use.name === 'run_command' && !isBackground(use);
}

function isBackground({ name, input }: ToolUse): boolean {
  return name === 'run_command' && input['background'] === true;
}

/** Longest reason in a row, in characters; the result has it in full. */
const LONGEST_REASON = 300;

/** The last line of a command that says how it ended. */
const ENDING = /^(exit code |timed out after |the command could not start$)/;

function whyOf(use: ToolUse, result: EventOf<'toolFinished'>): { readonly why?: string } {
  const { origin, text } = result;
  const state = callStateOf(result);
  if (state !== 'failed' && state !== 'denied') return {};
  const why = origin === 'denied' ? whyDenied(text) : whyFailed(use, withoutWords(text));
  if (why === undefined || why.trim() === '') return {};
  const line = why.trim().replace(/\s+/g, ' ');
  const short = line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON - 1)}…` : line;
  return { why: visibleAgain(short) };
}

function whyFailed(use: ToolUse, text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = lines.at(-1);
  if (callKindOf(use) === 'command' && last !== undefined && ENDING.test(last)) return last;
  return lines[0];
}

/** A command in the background has not ended yet. */
function testsOf(use: ToolUse, result: EventOf<'toolFinished'>): Pick<ToolView, 'tests'> {
  if (result.origin !== 'ran' || callKindOf(use) !== 'command' || isBackground(use)) return {};
  const tests = testCounts(use.input['command'], withoutWords(result.text));
  return tests === undefined ? {} : { tests };
}

/** Last lines shown of a failed command's output, and most characters of each. */
const TAIL_LINES = 3;
const LONGEST_LINE = 200;

function tailOf(use: ToolUse, result: EventOf<'toolFinished'>): Pick<ToolView, 'tail'> {
  if (callKindOf(use) !== 'command' || callStateOf(result) !== 'failed') return {};
  const text = withoutWords(result.text);
  const why = whyFailed(use, text);
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && line !== '(no output)' && line !== why)
    .slice(-TAIL_LINES)
    .map((line) => visibleAgain(line.slice(0, LONGEST_LINE)));
  return lines.length === 0 ? {} : { tail: lines };
}

function argumentsText(use: ToolUse): string {
  const text = JSON.stringify(use.input, null, 2);
  if (text.length <= LONGEST_ARGUMENTS) return text;
  return `${text.slice(0, LONGEST_ARGUMENTS)}\n… (${text.length} characters in all)`;
}

/** Most lines of a diff that are shown. */
const MOST_LINES = 400;

/** Longer texts are not compared; characters. */
const LONGEST_COMPARED = 200_000;

/** The diff of an edit or a new file; nothing for other calls. */
function diffOf(use: ToolUse): Pick<ToolView, 'diff'> {
  const lines = diffLinesOf(use);
  if (lines.length === 0) return {};
  const left = lines.length - MOST_LINES;
  const cut = lines.slice(0, MOST_LINES);
  return { diff: left > 0 ? [...cut, `… (${left} more lines)`] : cut };
}

function diffLinesOf(use: ToolUse): readonly string[] {
  const effect = callEffectOf(use);
  const { content } = use.input;
  if (effect.kind === 'write' && typeof content === 'string') {
    return content
      .slice(0, LONGEST_COMPARED)
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `+${line}`);
  }
  if (effect.kind !== 'edit') return [];
  return effect.replacements.flatMap(({ before, after }, index) => {
    if (before.length + after.length > LONGEST_COMPARED) return [];
    const { hunks } = structuredPatch('', '', lined(before), lined(after), '', '', { context: 3 });
    const lines = hunks.flatMap((hunk) => hunk.lines);
    return index === 0 ? lines : ['…', ...lines];
  });
}

/** Parts of files need not end with a line end. */
function lined(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function stateWithoutResult(
  use: ToolUse,
  activity: Activity | undefined,
  subAgent: SubAgentProgress | undefined,
): ToolView['state'] {
  if (activity === undefined) return 'stopped';
  // The results of sub-agents that work beside each other come together.
  if (subAgent !== undefined) return subAgent.isAtWork ? 'running' : 'done';
  return activity.state === 'runningTool' && activity.toolUseId === use.id ? 'running' : 'waiting';
}
