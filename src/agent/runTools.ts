import { EditsTogether } from './approvals/editsTogether';
import {
  type Attachment,
  type ToolPair,
  type ToolUse,
  type ToolUseId,
  resultHandle,
} from '../contextWindow/block';
import {
  admitResult,
  admitShown,
  resultAllowance,
  type ResultAllowance,
} from '../contextWindow/account/admission';
import { effectiveBudget, rangeTokens } from '../contextWindow/budget';
import { callEffectOf, pathOf } from '../contextWindow/callEffect';
import type { EventOf } from '../contextWindow/event';
import { NO_FILE } from '../contextWindow/fileChanges';
import { refused, errorText } from '../contextWindow/result';
import { whyNotesTooLong } from '../contextWindow/scratchpad';
import { estimateOf, factsNow, type AgentDeps } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import {
  allowedText,
  askApproval,
  askUser,
  deniedText,
  modeNow,
  type Yes,
} from './approvals/askApproval';
import { toolNamed } from './compactTools';
import { problemLines, type Problems } from './fileProblems';
import { pagedIn } from './filesNow';
import { withFilesKept } from './keepFiles';
import { GRACE_MS, isClosing, stoppable, stopperOf } from './stopping';
import { TASK_TOOL } from './subAgents/subAgents';
import { together } from './subAgents/together';
import { whileRunning } from './whileRunning';
import type { ApprovalRequest, Preparation, PreparedCall, RunCall, ToolOutput } from './tool';
import { approveRemembered } from './memory/memoryOrigin';
import { lastingText } from './lastingFiles';
import { maskEnvFiles } from './secrets/envFiles';
import { maskedIn } from './secrets/secrets';
import { addFolderMemory } from './memory/folderMemory';

type Origin = EventOf<'toolFinished'>['origin'];

interface Outcome extends ToolOutput {
  readonly origin: Origin;
  /** Run time without the user's time to answer; absent when it did not run. */
  readonly durationMs?: number;
  /** Text of the rules that allowed it. */
  readonly allowedBy?: readonly string[];
}

/**
 * Runs the calls of one reply in order; each gets exactly one result in every case. The memory of
 * the folders they touched follows the last result, because results come first in their message.
 */
export async function* runTools(
  deps: AgentDeps,
  pairs: readonly ToolPair[],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  let allowance = allowanceFor(deps, pairs.length);
  const ran: ToolUse[] = [];
  const edits = new EditsTogether(pairs, async (use) => {
    const preparation = await prepareCall(deps, use);
    return preparation.ok ? preparation.call : undefined;
  });
  const early = new Map<ToolUseId, Outcome | 'unanswered'>();
  for (const { use } of pairs) {
    const tasks = early.has(use.id) ? [] : tasksFrom(pairs, use);
    if (tasks.length > 1) {
      const running = tasks.map((task) => [task.id, tryTool(deps, task, signal, edits)] as const);
      for (const [id, outcome] of yield* together(new Map(running))) early.set(id, outcome);
    }
    const outcome = early.get(use.id) ?? (yield* tryTool(deps, use, signal, edits));
    // The question comes again when the session reopens; the calls after it wait too.
    if (outcome === 'unanswered') return;
    allowance = await recordResult(deps, use, outcome, allowance);
    yield { type: 'toolFinished', use };
    const { lasting, notice } = outcome;
    if (lasting !== undefined) yield { type: 'notice', message: lastingText(lasting) };
    const { reported } = deps.session.memo;
    if (notice !== undefined && !reported.has(notice)) {
      reported.add(notice);
      yield { type: 'notice', message: notice };
    }
    if (outcome.origin === 'ran') ran.push(use);
  }
  yield* addFolderMemory(deps, ran, signal);
}

/** The calls from this one on, up to the first that is not for a sub-agent: these run together. */
function tasksFrom(pairs: readonly ToolPair[], use: ToolUse): readonly ToolUse[] {
  const uses = pairs.map((pair) => pair.use);
  const from = uses.slice(uses.indexOf(use));
  const end = from.findIndex(({ name }) => name !== TASK_TOOL);
  return end === -1 ? from : from.slice(0, end);
}

/** Runs a call; one that fails unexpectedly has a result that says so. */
async function* tryTool(
  deps: AgentDeps,
  use: ToolUse,
  signal: AbortSignal,
  edits: EditsTogether,
): AsyncGenerator<AgentEvent, Outcome | 'unanswered'> {
  try {
    return signal.aborted ? notBegun(use, signal) : yield* runTool(deps, use, signal, edits);
  } catch (error) {
    const outcome = mistake(`The tool ${use.name} failed unexpectedly: ${errorText(error)}`);
    yield { type: 'notice', message: outcome.text };
    return outcome;
  }
}

/** Gives calls that will not run a result that says so. */
export async function refuseTools(
  deps: AgentDeps,
  pairs: readonly ToolPair[],
  origin: Origin,
  text: string,
): Promise<void> {
  let allowance = allowanceFor(deps, pairs.length);
  for (const { use } of pairs) {
    allowance = await recordResult(deps, use, { text, isError: true, origin }, allowance);
  }
}

async function* runTool(
  deps: AgentDeps,
  use: ToolUse,
  signal: AbortSignal,
  edits: EditsTogether,
): AsyncGenerator<AgentEvent, Outcome | 'unanswered'> {
  // Preparing changes nothing, so it can be abandoned immediately.
  const preparation = await stoppable(prepareCall(deps, use), signal, 0, undefined);
  if (preparation === undefined) return notBegun(use, signal);
  if (!preparation.ok) return mistake(preparation.message);
  const { call } = preparation;
  if (modeNow(deps) === 'plan' && changesSomething(call.approval)) {
    return denied(call.action, { approved: false, message: PLAN_REFUSES });
  }
  const answer = yield* askApproval(deps, use, call.approval, signal, edits);
  if (answer === 'unanswered') return answer;
  if (answer.type === 'no') {
    if (signal.aborted) return notBegun(use, signal, call.action);
    return denied(call.action, answer.answer, call.approval?.kind);
  }
  yield { type: 'toolStarted', use };
  if (signal.aborted) return notBegun(use, signal, call.action);
  const began = deps.now();
  const problemsIn =
    call.approval?.kind === 'command' ? deps.workspace.problems?.watchAll() : undefined;
  const output = yield* withFilesKept(deps, use, call, signal, async function* () {
    if (call.task !== undefined && deps.subAgents !== undefined) {
      return yield* deps.subAgents.run(deps, use, call.task, signal);
    }
    const first = yield* running(use, call, runOf(call, answer), signal, answer.words);
    return first.outside === undefined ? first : yield* askOutside(deps, use, call, first, signal);
  });
  if (output === 'unanswered') return output;
  if (output.scratchpad !== undefined) {
    const { budget, estimate, window } = factsNow(deps, deps.settings());
    const why = whyNotesTooLong(output.scratchpad, window.scratchpad, budget.inputBudget, estimate);
    if (why !== undefined) return mistake(`${use.name} stored nothing: ${why}`);
    deps.session.append({ type: 'scratchpadUpdated', scratchpad: output.scratchpad });
  }
  for (const [key, value] of Object.entries(output.state ?? {})) {
    deps.session.append({ type: 'stateSet', key, value });
  }
  if (output.struckRule !== undefined) {
    deps.session.append({ type: 'standingRuleStruck', text: output.struckRule });
  }
  if (output.remembered !== undefined) approveRemembered(deps.session, output.remembered);
  const durationMs = deps.now() - began;
  const { allowedBy } = answer;
  // The tool itself returns the answer to a question.
  const said = call.approval?.kind === 'question' ? '' : answer.words;
  const found = problemsIn && (await problemsAfter(deps, use, problemsIn, signal));
  const text = allowedText(`${withProblems(output.text, found)}${cutShort(signal)}`, said);
  const origin = originOf(signal);
  return { ...output, text, origin, durationMs, allowedBy };
}

/** Why a call does not run in plan mode, for the model. */
const PLAN_REFUSES = 'plan mode only looks and plans.';

/** Whether a call may do more than look: it is one that needs approval, other than a question. */
function changesSomething(approval: ApprovalRequest | undefined): boolean {
  switch (approval?.kind) {
    case undefined:
    case 'question':
    case 'fetch':
    case 'memory':
      return false;
    case 'edit':
    case 'command':
    case 'input':
    case 'move':
    case 'delete':
    case 'tool':
      return true;
  }
}

/** Most changed files of a command that are checked for problems. */
const MOST_CHECKED = 10;

/** The problems in the files that a command changed; undefined for none. */
async function problemsAfter(
  { session }: AgentDeps,
  use: ToolUse,
  problemsIn: ReturnType<Problems['watchAll']>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const last = session.events.at(-1);
  if (last?.type !== 'filesChanged' || last.toolUseId !== use.id) return undefined;
  const paths = last.files.flatMap(({ path, after }) => (after === NO_FILE ? [] : [path]));
  const problems = await problemsIn(paths.slice(0, MOST_CHECKED), signal);
  return problems.length === 0 ? undefined : problemLines(problems);
}

/** The last line of a command's result stays the last: it says how the command ended. */
function withProblems(text: string, problems: string | undefined): string {
  if (problems === undefined) return text;
  const end = text.lastIndexOf('\n') + 1;
  return `${text.slice(0, end)}[Problems in files that it changed, by language servers:]\n${problems}\n${text.slice(end)}`;
}

/** What to run: the call, the call in the sandbox, or the edit as the user changed it. */
function runOf({ run, runInSandbox, runRevised }: PreparedCall, yes: Yes): RunCall {
  const { revised, inSandbox } = yes;
  if (revised !== undefined && runRevised !== undefined)
    return (signal) => runRevised(revised, signal);
  return inSandbox ? (runInSandbox ?? run) : run;
}

async function* running(
  use: ToolUse,
  call: PreparedCall,
  run: RunCall,
  signal: AbortSignal,
  words = '',
): AsyncGenerator<AgentEvent, ToolOutput> {
  return yield* whileRunning<AgentEvent, ToolOutput>((report) =>
    stoppable(
      run(signal, (text) => report({ type: 'toolOutput', use, text }), words),
      signal,
      GRACE_MS,
      undefined,
    ).then((output) => output ?? unfinished(call.action, signal)),
  );
}

/**
 * Offers to run a command outside the sandbox after it failed there. Without approval the failed
 * result stands.
 */
async function* askOutside(
  deps: AgentDeps,
  use: ToolUse,
  call: PreparedCall,
  { outside, ...first }: ToolOutput,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, ToolOutput | 'unanswered'> {
  if (outside === undefined || signal.aborted) return first;
  const answer = yield* askUser(deps, use, outside, signal);
  if (!answer.approved) {
    if (isClosing(signal)) return 'unanswered';
    const words = answer.feedback?.trim() ?? '';
    const said = words === '' ? '' : ` The user says: ${words}`;
    const text = `[It ran only in the sandbox: the user did not allow it outside.${said}]\n${first.text}`;
    return { ...first, text };
  }
  yield { type: 'toolStarted', use };
  const output = yield* running(use, call, call.run, signal);
  const text = `[It failed in the sandbox. With the user's approval it ran again outside.]\n${output.text}`;
  return { ...output, text: allowedText(text, answer.feedback?.trim() ?? '') };
}

function denied(...why: Parameters<typeof deniedText>): Outcome {
  return { text: deniedText(...why), isError: true, origin: 'denied' };
}

function notBegun(use: ToolUse, signal: AbortSignal, action = `the call of ${use.name}`): Outcome {
  return {
    text: `${stopperOf(signal)} before it began. Not done: ${action}. Nothing was changed.`,
    isError: true,
    origin: isClosing(signal) ? 'interrupted' : 'stopped',
  };
}

function unfinished(action: string, signal: AbortSignal): ToolOutput {
  const text = `${stopperOf(signal)}. ${action} did not end in time: it is unknown whether it was done.`;
  return { text, isError: true };
}

function originOf(signal: AbortSignal): Origin {
  if (!signal.aborted) return 'ran';
  return isClosing(signal) ? 'interrupted' : 'stopped';
}

/** Appended to a result when a window reload ended the call. */
function cutShort(signal: AbortSignal): string {
  return isClosing(signal)
    ? `\n\n[${stopperOf(signal)} while it ran. Check what it did before doing it again.]`
    : '';
}

function mistake(text: string): Outcome {
  return { text, isError: true, origin: 'ran' };
}

/** Token allowance for the results of a reply, calculated before the first result arrives. */
function allowanceFor(deps: AgentDeps, calls: number): ResultAllowance {
  const settings = deps.settings();
  return resultAllowance(factsNow(deps, settings), settings.toolResultCapTokens, calls);
}

/** Admits a result: a result over its cap enters the window shortened; the log keeps it whole. */
async function recordResult(
  deps: AgentDeps,
  use: ToolUse,
  outcome: Outcome,
  allowance: ResultAllowance,
): Promise<ResultAllowance> {
  const { isError, origin, durationMs = 0, reportedEnds } = outcome;
  const { estimator } = deps;
  // Only calls of other kinds can make `.env` files unseen.
  const effect = callEffectOf(use);
  const mayMake = effect.kind === 'command' || effect.kind === 'other';
  await maskEnvFiles(deps.workspace, mayMake ? 'all' : 'known', pathOf(use));
  // Mask before measuring and cutting.
  const { text, recalled, lasting, allowedBy, media } = maskedIn({
    text: outcome.text,
    recalled: outcome.recalled,
    lasting: outcome.lasting,
    allowedBy: outcome.allowedBy,
    media: outcome.attachments ?? [],
  });
  await estimator.warm([text]);
  const attachments = media.map((one): Attachment => ({ ...one, tokens: estimator.media(one) }));
  const incoming = { text, isError, attachments };
  const handle = resultHandle(use.id);
  const { result, left } = admitResult(allowance, incoming, handle, estimateOf(deps));
  const more = await pagedIn(deps, use, { ...result, origin, durationMs });
  const admitted = admitShown(left, more, estimateOf(deps));
  const shown = admitted.shown.length === 0 ? undefined : admitted.shown;
  const optional = { shown, recalled, lasting, reportedEnds, allowedBy };
  deps.session.append(
    { type: 'toolFinished', toolUseId: use.id, ...result, origin, durationMs, ...optional },
    'redacted',
  );
  return admitted.left;
}

/**
 * Checks a call and works out what it would do, without changing anything. A refusal is for the
 * model.
 */
async function prepareCall(deps: AgentDeps, use: ToolUse): Promise<Preparation> {
  if (use.inputFault !== undefined) return refused(use.inputFault);
  const tool = toolNamed(deps.tools, use.name);
  if (tool === undefined) {
    const names = deps.tools.map(({ definition }) => definition.name).join(', ');
    return refused(`There is no tool "${use.name}". Nothing was done. The tools are: ${names}.`);
  }
  const { window, memo } = deps.session;
  const { workspace, profile, background } = deps;
  const { input } = memo.calls.get(use.id) ?? use;
  const tokens = rangeTokens(effectiveBudget(window, deps.settings().budget));
  return tool.prepare(input, {
    workspace,
    profile,
    background,
    window,
    state: window.state,
    ...(tokens === undefined ? {} : { range: { tokens, estimate: estimateOf(deps) } }),
  });
}
