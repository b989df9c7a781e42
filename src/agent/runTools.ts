import {
  type Attachment,
  type ToolPair,
  type ToolUse,
  type BlockId,
  resultHandle,
  blockHandle,
} from '../contextWindow/block';
import {
  admitResult,
  resultAllowance,
  resultCap,
  type ResultAllowance,
} from '../contextWindow/account/admission';
import type { EventOf } from '../contextWindow/event';
import { estimateOf, factsNow, type AgentDeps } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { allowedText, deniedText } from './approvalWords';
import { GRACE_MS, stoppable } from './stoppable';
import { whileRunning } from './whileRunning';
import type { PreparedCall, ToolOutput } from './tool';
import type { ContextWindow } from '../contextWindow/contextWindow';
import { pathOf } from '../contextWindow/callEffect';
import { admit } from '../contextWindow/truncate';
import { allowRemembered, memoryToTell } from './memoryOrigin';
import { newProblems, type FoundMemory } from './projectMemory';
import { lastingText } from './lastingWords';
import { redacted, redactedIn } from './secrets';
import { isClosing, stopperOf } from './stopping';

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
  for (const { use } of pairs) {
    let outcome: Outcome | 'unanswered';
    try {
      outcome = signal.aborted ? notBegun(use, signal) : yield* runTool(deps, use, signal);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
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
): AsyncGenerator<AgentEvent, Outcome | 'unanswered'> {
  if (use.inputFault !== undefined) return mistake(use.inputFault);
  const tool = deps.tools.find(({ definition }) => definition.name === use.name);
  if (tool === undefined) {
    const names = deps.tools.map(({ definition }) => definition.name).join(', ');
    return mistake(`There is no tool "${use.name}". Nothing was done. The tools are: ${names}.`);
  }
  const { window } = deps.session;
  const { workspace, profile } = deps;
  const context = {
    workspace,
    ...(profile === undefined ? {} : { profile }),
    window,
    state: window.state,
  };
  // It changes nothing, so it can be left to itself at once.
  const preparation = await stoppable(tool.prepare(use.input, context), signal, 0, undefined);
  if (preparation === undefined) return notBegun(use, signal);
  if (!preparation.ok) return mistake(preparation.message);
  const { call } = preparation;
  const answer = yield* askApproval(deps, use, call, signal);
  if (answer === 'unanswered') return answer;
  if ('denial' in answer) return answer.denial;
  yield { type: 'toolStarted', use };
  if (signal.aborted) return notBegun(use, signal, call.action);
  const began = deps.now();
  const output = yield* whileRunning<AgentEvent, ToolOutput>((report) =>
    stoppable(
      call.run(signal, (text) => report({ type: 'toolOutput', use, text }), answer.words),
      signal,
      GRACE_MS,
      undefined,
    ).then((output) => output ?? unfinished(call.action, signal)),
  );
  if (output.scratchpad !== undefined) {
    deps.session.append({ type: 'scratchpadUpdated', scratchpad: output.scratchpad });
  }
  for (const [key, value] of Object.entries(output.state ?? {})) {
    deps.session.append({ type: 'stateSet', key, value });
  }
  if (output.remembered !== undefined) allowRemembered(deps.session, output.remembered);
  const durationMs = deps.now() - began;
  const { allowedBy } = answer;
  const said = call.approval?.kind === 'question' ? '' : answer.words;
  const text = allowedText(`${output.text}${cutShort(signal)}`, said);
  const origin = originOf(signal);
  return { ...output, text, origin, durationMs, ...(allowedBy === undefined ? {} : { allowedBy }) };
}

/**
 * The user's no, as a result that says what was not done, or what they said along with a yes; or the
 * window went before they said anything.
 */
type Answer =
  | { readonly denial: Outcome }
  | { readonly words: string; readonly allowedBy?: readonly string[] }
  | 'unanswered';

/** Asks the user where the call needs it. */
async function* askApproval(
  deps: AgentDeps,
  use: ToolUse,
  call: PreparedCall,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Answer> {
  if (call.approval === undefined) return { words: '' };
  const standing = await deps.standing?.(use, call.approval);
  if (standing?.type === 'allow') return { words: '', allowedBy: standing.rules };
  if (standing?.type === 'deny') {
    const message = `a rule of the user says no (${standing.rule}).`;
    return { denial: denied(call.action, { approved: false, message }) };
  }
  const { id: toolUseId } = use;
  deps.session.append({ type: 'approvalAsked', toolUseId });
  const unruled = standing === undefined ? {} : { unruled: standing };
  yield { type: 'approvalAsked', use, request: call.approval, ...unruled };
  const asked = deps.approve(use, call.approval, signal);
  const answer = await stoppable(asked, signal, GRACE_MS, { approved: false } as const);
  const { approved } = answer;
  if (!approved && isClosing(signal)) return 'unanswered';
  deps.session.append({ type: 'approvalAnswered', toolUseId, approved });
  yield { type: 'approvalAnswered', use, approved };
  if (answer.approved) return { words: answer.feedback?.trim() ?? '' };
  if (signal.aborted) return { denial: notBegun(use, signal, call.action) };
  return { denial: denied(call.action, answer, call.approval.kind) };
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
  const { isError, origin, durationMs = 0, recalled, lasting, allowedBy } = outcome;
  const { attachments: media = [] } = outcome;
  const { estimator } = deps;
  // Before it is measured and cut.
  const text = redacted(outcome.text);
  await estimator.warm([text]);
  const attachments = media.map((one): Attachment => ({ ...one, tokens: estimator.media(one) }));
  const incoming = { text, isError, attachments };
  const handle = resultHandle(use.id);
  const { result, left } = admitResult(allowance, incoming, handle, estimateOf(deps));
  deps.session.append({
    type: 'toolFinished',
    toolUseId: use.id,
    ...result,
    origin,
    durationMs,
    ...(recalled === undefined ? {} : { recalled }),
    ...(lasting === undefined ? {} : { lasting }),
    ...(allowedBy === undefined ? {} : { allowedBy }),
  });
  return left;
}

/** Most tokens of one folder's memory file that enter the window. */
const LARGEST_NOTE = 2_000;

type Readable = Extract<FoundMemory, { readonly text: string }>;

/** Tells the memory of the folders these calls touched, each file once in the session. */
async function* tellMemory(
  deps: AgentDeps,
  uses: readonly ToolUse[],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const { session } = deps;
  const untold = new Map<string, Readable>();
  for (const path of new Set(uses.flatMap((use) => pathOf(use) ?? []))) {
    const found = await stoppable(deps.projectMemory.of(path), signal, 0, []);
    for (const message of newProblems(session, found)) yield { type: 'notice', message };
    const isNew = ({ path: of }: FoundMemory) => !isTold(session.window, of) && !untold.has(of);
    const told = yield* memoryToTell(deps, found.filter(isNew), signal);
    for (const file of told) if ('text' in file) untold.set(file.path, file);
  }
  const files = redactedIn([...untold.values()]);
  await deps.estimator.warm(files.map(({ text }) => text));
  const cap = capFor(deps, files.length);
  for (const file of files) addNote(deps, file, cap);
}

function isTold({ preamble, blocks }: ContextWindow, path: string): boolean {
  return (
    preamble.memory?.some((file) => file.path === path) === true ||
    blocks.some(
      (block) =>
        block.kind === 'note' &&
        block.source.from === 'memory' &&
        block.source.path === path &&
        block.state !== 'takenBack',
    )
  );
}

/** Nothing can take the scratchpad out of the window again, so it must leave room for the rest. */
function capFor(deps: AgentDeps, files: number): number {
  return resultCap(resultAllowance(factsNow(deps, deps.settings()), LARGEST_NOTE, files));
}

function addNote(deps: AgentDeps, { path, text, origin }: Readable, cap: number): void {
  const { session } = deps;
  const handle = blockHandle(`note-${session.window.note + 1}` as BlockId);
  const admission = admit(text, cap, estimateOf(deps), handle);
  const source = { from: 'memory', path, ...(origin === undefined ? {} : { origin }) } as const;
  session.append({ type: 'noteAdded', source, text, admission });
}
