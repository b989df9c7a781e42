import { EditsTogether } from './approvals/editsTogether';
import { type Attachment, type ToolPair, type ToolUse, resultHandle } from '../contextWindow/block';
import {
  admitResult,
  admitShown,
  resultAllowance,
  type ResultAllowance,
} from '../contextWindow/account/admission';
import type { EventOf } from '../contextWindow/event';
import { refused, errorText } from '../contextWindow/result';
import { estimateOf, factsNow, type AgentDeps } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { allowedText, askApproval, askUser, deniedText, type Yes } from './approvals/askApproval';
import { pagedIn } from './filesNow';
import { withFilesKept } from './keepFiles';
import { GRACE_MS, isClosing, stoppable, stopperOf } from './stopping';
import { whileRunning } from './whileRunning';
import type { Preparation, PreparedCall, RunCall, ToolOutput } from './tool';
import { allowRemembered } from './memory/memoryOrigin';
import { lastingText } from './lastingFiles';
import { redactedIn } from './secrets';
import { tellMemory } from './memory/tellMemory';

type Origin = EventOf<'toolFinished'>['origin'];

interface Outcome extends ToolOutput {
  readonly origin: Origin;
  /**
   * How long the tool ran, without the time the user took to answer; absent when it did not run.
   */
  readonly durationMs?: number;
  /** The rules that let it run unasked, in words. */
  readonly allowedBy?: readonly string[];
}

/**
 * Runs the calls of one reply in order; whatever happens, each gets exactly one result. The memory
 * of the folders they touched is told behind the last one, since results come first in their
 * message.
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
  for (const { use } of pairs) {
    let outcome: Outcome | 'unanswered';
    try {
      outcome = signal.aborted ? notBegun(use, signal) : yield* runTool(deps, use, signal, edits);
    } catch (error) {
      const message = errorText(error);
      outcome = mistake(`The tool ${use.name} failed unexpectedly: ${message}`);
      yield { type: 'notice', message: outcome.text };
    }
    // The user is asked again once the session is open again; the calls behind it wait, too.
    if (outcome === 'unanswered') return;
    allowance = await recordResult(deps, use, outcome, allowance);
    yield { type: 'toolFinished', use };
    const { lasting } = outcome;
    if (lasting !== undefined) yield { type: 'notice', message: lastingText(lasting) };
    if (outcome.origin === 'ran') ran.push(use);
  }
  yield* tellMemory(deps, ran, signal);
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
  // It changes nothing, so it can be left to itself at once.
  const preparation = await stoppable(prepareCall(deps, use), signal, 0, undefined);
  if (preparation === undefined) return notBegun(use, signal);
  if (!preparation.ok) return mistake(preparation.message);
  const { call } = preparation;
  const answer = yield* askApproval(deps, use, call.approval, signal, edits);
  if (answer === 'unanswered') return answer;
  if (answer.type === 'no') {
    if (signal.aborted) return notBegun(use, signal, call.action);
    return denied(call.action, answer.answer, call.approval?.kind);
  }
  yield { type: 'toolStarted', use };
  if (signal.aborted) return notBegun(use, signal, call.action);
  const began = deps.now();
  const output = yield* withFilesKept(deps, use, call, signal, async function* () {
    const first = yield* running(use, call, runOf(call, answer), signal, answer.words);
    return first.outside === undefined ? first : yield* askOutside(deps, use, call, first, signal);
  });
  if (output === 'unanswered') return output;
  if (output.scratchpad !== undefined) {
    deps.session.append({ type: 'scratchpadUpdated', scratchpad: output.scratchpad });
  }
  for (const [key, value] of Object.entries(output.state ?? {})) {
    deps.session.append({ type: 'stateSet', key, value });
  }
  if (output.remembered !== undefined) allowRemembered(deps.session, output.remembered);
  const durationMs = deps.now() - began;
  const { allowedBy } = answer;
  // The answer to a question is what the tool itself tells.
  const said = call.approval?.kind === 'question' ? '' : answer.words;
  const text = allowedText(`${output.text}${cutShort(signal)}`, said);
  const origin = originOf(signal);
  return { ...output, text, origin, durationMs, ...(allowedBy === undefined ? {} : { allowedBy }) };
}

/** What of a call runs: all of it, in the sandbox, or an edit as the user made it. */
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

/** Offers a command that failed in the sandbox again outside; without a yes, what came of it counts. */
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
    const text = `[It ran in the sandbox alone: the user did not allow it outside.${said}]\n${first.text}`;
    return { ...first, text };
  }
  yield { type: 'toolStarted', use };
  const output = yield* running(use, call, call.run, signal);
  const text = `[It failed in the sandbox, and ran again outside with the user's yes.]\n${output.text}`;
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
  const text = `${stopperOf(signal)}. ${action} did not end at once: whether it was done is not known.`;
  return { text, isError: true };
}

function originOf(signal: AbortSignal): Origin {
  if (!signal.aborted) return 'ran';
  return isClosing(signal) ? 'interrupted' : 'stopped';
}

/** Said behind what a call answered that the reload of the window ended. */
function cutShort(signal: AbortSignal): string {
  return isClosing(signal)
    ? `\n\n[${stopperOf(signal)} while it ran. Check what it did before doing it again.]`
    : '';
}

function mistake(text: string): Outcome {
  return { text, isError: true, origin: 'ran' };
}

/** What the results of a reply may take, worked out from the window before the first comes in. */
function allowanceFor(deps: AgentDeps, calls: number): ResultAllowance {
  const settings = deps.settings();
  return resultAllowance(factsNow(deps, settings), settings.toolResultCapTokens, calls);
}

/**
 * Admits a result: if it exceeds its cap it enters the window shortened, and the log has it whole.
 */
async function recordResult(
  deps: AgentDeps,
  use: ToolUse,
  outcome: Outcome,
  allowance: ResultAllowance,
): Promise<ResultAllowance> {
  const { isError, origin, durationMs = 0, toldEnds } = outcome;
  const { estimator } = deps;
  // Before it is measured and cut.
  const { text, recalled, lasting, allowedBy, media } = redactedIn({
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
  const told = { shown, recalled, lasting, toldEnds, allowedBy };
  deps.session.append(
    { type: 'toolFinished', toolUseId: use.id, ...result, origin, durationMs, ...told },
    'redacted',
  );
  return admitted.left;
}

/** Checks a call and works out what it would do; changes nothing. A refusal is for the model. */
async function prepareCall(deps: AgentDeps, use: ToolUse): Promise<Preparation> {
  if (use.inputFault !== undefined) return refused(use.inputFault);
  const tool = deps.tools.find(({ definition }) => definition.name === use.name);
  if (tool === undefined) {
    const names = deps.tools.map(({ definition }) => definition.name).join(', ');
    return refused(`There is no tool "${use.name}". Nothing was done. The tools are: ${names}.`);
  }
  const { window } = deps.session;
  const { workspace, profile, background } = deps;
  return tool.prepare(use.input, {
    workspace,
    ...(profile === undefined ? {} : { profile }),
    ...(background === undefined ? {} : { background }),
    window,
    state: window.state,
  });
}
