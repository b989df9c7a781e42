import type { ToolPair, ToolUse } from '../contextWindow/block';
import { measure } from '../contextWindow/measure';
import { resultCap } from '../contextWindow/resultCap';
import { effectiveBudget } from '../contextWindow/stepDown';
import { admit } from '../contextWindow/truncate';
import { resultHandle } from '../contextWindow/placeholder';
import type { EventOf } from '../contextWindow/event';
import type { AgentDeps } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { whileRunning } from './eventQueue';
import type { PreparedCall, ToolOutput } from './tool';

type Origin = EventOf<'toolFinished'>['origin'];

interface Outcome extends ToolOutput {
  readonly origin: Origin;
  /** How long the tool ran, without the time the user took to answer; absent when it did not. */
  readonly durationMs?: number;
}

/** Runs the calls of one reply in order; whatever happens, each gets exactly one result. */
export async function* runTools(
  deps: AgentDeps,
  pairs: readonly ToolPair[],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const cap = capFor(deps, pairs.length);
  for (const { use } of pairs) {
    let outcome: Outcome;
    try {
      outcome = signal.aborted ? notBegun(use) : yield* runTool(deps, use, signal);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      outcome = mistake(`The tool ${use.name} failed unexpectedly: ${message}`);
      yield { type: 'notice', message: outcome.text };
    }
    await recordResult(deps, use, outcome, cap);
    yield { type: 'toolFinished', use };
  }
}

/** Gives calls that will not run a result that says so. */
export async function refuseTools(
  deps: AgentDeps,
  pairs: readonly ToolPair[],
  origin: Origin,
  text: string,
): Promise<void> {
  const cap = capFor(deps, pairs.length);
  for (const { use } of pairs) {
    await recordResult(deps, use, { text, isError: true, origin }, cap);
  }
}

async function* runTool(
  deps: AgentDeps,
  use: ToolUse,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Outcome> {
  const tool = deps.tools.find(({ definition }) => definition.name === use.name);
  if (tool === undefined) {
    const names = deps.tools.map(({ definition }) => definition.name).join(', ');
    return mistake(`There is no tool "${use.name}". Nothing was done. The tools are: ${names}.`);
  }
  const context = { workspace: deps.workspace, window: deps.session.window };
  const preparation = await tool.prepare(use.input, context);
  if (!preparation.ok) return mistake(preparation.message);
  const { call } = preparation;
  const denial = yield* askApproval(deps, use, call, signal);
  if (denial !== undefined) return denial;
  yield { type: 'toolStarted', use };
  if (signal.aborted) return notBegun(use, call.deed);
  const began = deps.now();
  const output = yield* whileRunning<AgentEvent, ToolOutput>((report) =>
    call.run(signal, (text) => report({ type: 'toolOutput', use, text })),
  );
  if (output.scratchpad !== undefined) {
    deps.session.append({ type: 'scratchpadUpdated', scratchpad: output.scratchpad });
  }
  const durationMs = deps.now() - began;
  return { ...output, origin: signal.aborted ? 'stopped' : 'ran', durationMs };
}

/** Asks the user where the call needs it; a no becomes a result that says what was not done. */
async function* askApproval(
  deps: AgentDeps,
  use: ToolUse,
  call: PreparedCall,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Outcome | undefined> {
  if (call.approval === undefined) return undefined;
  yield { type: 'approvalAsked', use, request: call.approval };
  const answer = await deps.approve(use, call.approval, signal);
  yield { type: 'approvalAnswered', use, approved: answer.approved };
  if (answer.approved) return undefined;
  if (signal.aborted) return notBegun(use, call.deed);
  const said = answer.feedback?.trim() ?? '';
  const who = answer.why === undefined ? 'Denied by the user.' : `Denied: ${answer.why}`;
  return {
    text: `${who} Not done: ${call.deed}. Nothing was changed.${said === '' ? '' : `\nThe user says: ${said}`}`,
    isError: true,
    origin: 'denied',
  };
}

function notBegun(use: ToolUse, deed = `the call of ${use.name}`): Outcome {
  return {
    text: `Stopped by the user before it began. Not done: ${deed}. Nothing was changed.`,
    isError: true,
    origin: 'stopped',
  };
}

function mistake(text: string): Outcome {
  return { text, isError: true, origin: 'ran' };
}

/** The most tokens a result of this reply may take; worked out before the first one comes in. */
function capFor(deps: AgentDeps, calls: number): number {
  const { window } = deps.session;
  const { budget, toolResultCapTokens } = deps.settings();
  const measured = measure(window, (text) => deps.estimator.estimate(text));
  return resultCap(window, measured, effectiveBudget(window, budget), toolResultCapTokens, calls);
}

/** Admits a result: over its cap it enters the window shortened, the log has it whole. */
async function recordResult(
  deps: AgentDeps,
  use: ToolUse,
  outcome: Outcome,
  cap: number,
): Promise<void> {
  await deps.estimator.warm([outcome.text]);
  deps.session.append({
    type: 'toolFinished',
    toolUseId: use.id,
    text: outcome.text,
    isError: outcome.isError,
    origin: outcome.origin,
    durationMs: outcome.durationMs ?? 0,
    admission: admit(
      outcome.text,
      cap,
      (text) => deps.estimator.estimate(text),
      resultHandle(use.id),
    ),
  });
}
