import { admitPrompt } from '../contextWindow/account/admission';
import type { NoteSource, StepBlock, ToolPair } from '../contextWindow/block';
import { type ContextWindow, latestStep } from '../contextWindow/window';
import type { NewEvent, PromptContent, StopReason, TurnOutcome } from '../contextWindow/event';
import { modeNote } from '../contextWindow/mode';
import { awaitedApproval, turnEnd, type TurnEnd } from '../contextWindow/turnEnd';
import type { PolicyFacts } from '../contextWindow/passes/rungs/policyInput';
import { reminderDue } from '../contextWindow/passes/reminder';

import { type AgentDeps, type AgentSettings, estimateOf, factsNow } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { type Asked, askModel } from './askModel';
import { noteEndedCommands } from './backgroundCommands';
import { logTurnFiles } from './keepFiles';
import { setPreamble } from './preamble';
import { refuseTools, runTools } from './runTools';
import { maskEnvFiles } from './secrets/envFiles';
import { maskedText } from './secrets/secrets';
import { capReached, countSpending } from './spendingCap';
import { endOf } from './stopping';
import { dropSummaryAhead, writeSummaryAhead } from './summaryAhead';

type Replied = Extract<Asked, { type: 'replied' }>;

/** After more replies in a row that were cut off in a tool call, the turn ends. */
const MOST_CUT_CALLS = 2;

/** How many times in a row the model continues a reply that was cut off. */
const MOST_GO_ONS = 3;

/** Runs one turn: ask the model, run the tools it calls, repeat until it calls none. */
export function runTurn(
  deps: AgentDeps,
  prompt: string | PromptContent,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  const content = typeof prompt === 'string' ? { text: prompt } : prompt;
  return concluded(deps, begin(deps, content, signal));
}

/**
 * Continues the newest turn, which ended early or was interrupted. A call that was waiting for
 * approval did not run, so the user is asked again.
 */
export function continueTurn(
  deps: AgentDeps,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  return concluded(deps, continued(deps, signal));
}

async function* begin(
  deps: AgentDeps,
  prompt: PromptContent,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  await refuseUnanswered(deps);
  const isOpen = yield* setPreamble(deps, signal, 'unasked');
  const settings = deps.settings();
  remindOfScratchpad(deps, settings, factsNow(deps, settings));
  noteEndedCommands(deps);
  noteMode(deps);
  await submitPrompt(deps, prompt);
  // The prompt is already logged, so it is not lost while a question waits.
  if (isOpen) yield* setPreamble(deps, signal, 'asking');
  return yield* takeSteps(deps, signal);
}

async function* continued(
  deps: AgentDeps,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  const { session } = deps;
  const end = turnEnd(session.events);
  session.append({ type: 'turnContinued' });
  const open = openPairs(session.window);
  if (open.length > 0) {
    yield* runTools(deps, open, signal);
    if (signal.aborted) return endOf(signal);
  }
  yield* setPreamble(deps, signal, 'asking');
  const note = open.length > 0 ? undefined : continueNote(session.window, end);
  if (note !== undefined) session.append(note);
  if (note !== undefined || open.length > 0) {
    noteEndedCommands(deps);
    noteMode(deps);
  }
  return yield* takeSteps(deps, signal);
}

/** Logs the end of a turn in every case. */
async function* concluded(
  deps: AgentDeps,
  turn: AsyncGenerator<AgentEvent, TurnOutcome>,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  let outcome: TurnOutcome | undefined;
  try {
    outcome = yield* turn;
    return outcome;
  } finally {
    // This also runs after an exception or an early return: the session must stay usable.
    const isStopped = outcome?.type === 'stopped' || outcome?.type === 'interrupted';
    deps.session.memo.spendingFrom = undefined;
    if (outcome === undefined || isStopped) dropSummaryAhead(deps.session);
    await closeOpenStep(deps, outcome);
    await logTurnFiles(deps);
    deps.session.append({
      type: 'turnEnded',
      outcome: outcome ?? {
        type: 'failed',
        failure: 'unexpected',
        message: 'The turn ended unexpectedly. The work so far is kept.',
      },
    });
  }
}

async function* takeSteps(
  deps: AgentDeps,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  let cutReplies = 0;
  let isLargest = false;
  countSpending(deps.session);
  for (;;) {
    const capped = yield* capReached(deps);
    if (capped !== undefined) return capped;
    if (signal.aborted) return endOf(signal);

    const asked: Asked = yield* askModel(deps, signal, isLargest ? 'largest' : 'usual');
    if (asked.type !== 'replied') return asked;
    const step = latestStep(deps.session.window);
    if (step === undefined) throw new Error('The model replied, but the window has no step.');

    if (isCut(asked.stopReason)) {
      const hasCalls = step.pairs.length > 0;
      const isFirst = cutReplies === 0;
      // A longer reply helps when the model could not finish a call or did not say anything yet.
      isLargest = isFirst && asked.stopReason === 'max_tokens' && (hasCalls || isSilent(step));
      cutReplies += 1;
      if (hasCalls) await refuseCutCalls(deps, step, asked, isLargest);
      if (cutReplies > (hasCalls ? MOST_CUT_CALLS : MOST_GO_ONS)) return replyCut(asked);
      if (!hasCalls) askToContinue(deps, asked);
      continue;
    }
    // A refusal can break off anywhere: its calls may be incomplete, so none runs.
    if (step.pairs.length === 0 || asked.stopReason === 'refusal') {
      writeSummaryAhead(deps, deps.settings());
      return outcomeOfFinalReply(asked, signal);
    }
    cutReplies = 0;
    isLargest = false;
    yield* runTools(deps, step.pairs, signal);
    if (signal.aborted) return endOf(signal);
    await addQueuedPrompts(deps);
    noteEndedCommands(deps);
    noteMode(deps);
    lookAhead(deps);
  }
}

/** Tells the model a mode that it has not read yet. */
function noteMode({ session }: AgentDeps): void {
  const note = modeNote(session.window);
  if (note !== undefined) session.append(note);
}

/** Adds what the user typed meanwhile, after the results that the model reads next. */
async function addQueuedPrompts(deps: AgentDeps): Promise<void> {
  const { session, estimator, queuedPrompts } = deps;
  for (const { id, text: typed } of queuedPrompts?.waiting() ?? []) {
    const text = maskedText(typed);
    await estimator.warm([text]);
    const { budget } = deps.settings();
    const { admission } = admitPrompt({ text }, session.window, budget, estimateOf(deps));
    session.append({ type: 'noteAdded', source: { from: 'said' }, text, admission });
    queuedPrompts?.added(id);
  }
}

/** Logs the prompt; an oversized one is cut visibly. */
async function submitPrompt(deps: AgentDeps, prompt: PromptContent): Promise<void> {
  const { session, estimator } = deps;
  await maskEnvFiles(deps.workspace);
  const text = maskedText(prompt.text);
  await estimator.warm([text]);
  const { budget } = deps.settings();
  const admitted = admitPrompt({ ...prompt, text }, session.window, budget, estimateOf(deps));
  session.append({ type: 'promptSubmitted', ...admitted });
}

function isCut(stopReason: StopReason): boolean {
  return stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded';
}

/** A reply that was cut off inside a tool call runs none of its calls. */
async function refuseCutCalls(
  deps: AgentDeps,
  step: StepBlock,
  replied: Replied,
  isLargestNext: boolean,
): Promise<void> {
  const next = isLargestNext
    ? 'The next reply may be longer: make the calls again.'
    : 'Make smaller calls, one at a time.';
  await refuseTools(
    deps,
    step.pairs,
    'cutReply',
    `Not run: the reply was cut off at ${limitOf(replied)} during its tool calls, ` +
      `so none of them ran. Nothing was changed. ${next}`,
  );
}

/** Whether a reply has no text to continue from; it may hold thinking. */
function isSilent({ parts }: StepBlock): boolean {
  return !parts.some((part) => part.type === 'text' && part.text.trim() !== '');
}

/**
 * Asks the model to continue a reply that was cut off. The reply stays as it is, thinking included,
 * and a request must end with a user message.
 */
function askToContinue({ session }: AgentDeps, replied: Replied): void {
  const text =
    `[Go on, no new request: your reply was cut off at ${limitOf(replied)}. Continue it exactly where ` +
    'it stops, without repeating anything or commenting on this.]';
  const because = replied.stopReason === 'max_tokens' ? 'maxTokens' : 'windowEnd';
  const source = { from: 'continue', because } as const;
  session.append({ type: 'noteAdded', source, text, admission: { form: 'whole' } });
}

function outcomeOfFinalReply({ stopReason }: Replied, signal: AbortSignal): TurnOutcome {
  if (stopReason === 'refusal') {
    return { type: 'refused', message: 'The model refused to continue with this request.' };
  }
  return stopReason === 'stopped' ? endOf(signal) : { type: 'finished' };
}

function replyCut(replied: Replied): TurnOutcome {
  const advice =
    replied.stopReason === 'max_tokens' && !replied.shortened
      ? 'Ask it to continue, or raise plimsoll.context.maxReplyTokens.'
      : 'Ask it to continue.';
  return { type: 'replyCut', message: `The reply was cut off at ${limitOf(replied)}. ${advice}` };
}

function limitOf({ stopReason, maxTokens }: Replied): string {
  return stopReason === 'model_context_window_exceeded'
    ? 'the end of the model’s context window'
    : `its limit of ${maxTokens} tokens`;
}

/**
 * Gives open calls a result at the end of a turn, unless the user will be asked about them again.
 */
async function closeOpenStep(deps: AgentDeps, outcome: TurnOutcome | undefined): Promise<void> {
  const { session } = deps;
  if (outcome?.type === 'interrupted' && awaitedApproval(session.events) !== undefined) return;
  await refuseTools(
    deps,
    openPairs(session.window),
    outcome?.type === 'stopped' ? 'stopped' : 'interrupted',
    'The turn ended before this call had a result. It is unknown whether it was done: check before doing it again.',
  );
}

/** Before a new prompt: refuses calls that were waiting for approval when the window reloaded. */
async function refuseUnanswered(deps: AgentDeps): Promise<void> {
  const text =
    'Not run: the session was interrupted before the user answered, and continued with another prompt. Nothing was changed.';
  await refuseTools(deps, openPairs(deps.session.window), 'interrupted', text);
}

function openPairs(window: ContextWindow): readonly ToolPair[] {
  return latestStep(window)?.pairs.filter((pair) => pair.result === undefined) ?? [];
}

/**
 * The note that asks the model to continue a turn that had ended. Undefined when results or a
 * prompt already wait for an answer, unless the user had stopped the turn.
 */
function continueNote(window: ContextWindow, end: TurnEnd): NewEvent | undefined {
  const last = window.blocks.at(-1);
  const endsWithReply = last?.kind === 'step' && last.pairs.length === 0;
  const wasStopped = end.type === 'stopped' && latestStep(window) === last && last !== undefined;
  if (!endsWithReply && !wasStopped) return undefined;
  const { because, text } = wordsFor(end);
  return {
    type: 'noteAdded',
    source: { from: 'continue', because },
    text: `[Go on, no new request: ${text}]`,
    admission: { form: 'whole' },
  };
}

interface Words {
  readonly because: Extract<NoteSource, { readonly from: 'continue' }>['because'];
  readonly text: string;
}

function wordsFor(end: TurnEnd): Words {
  switch (end.type) {
    case 'stopped':
      return {
        because: 'stopped',
        text: 'the user stopped you and now asks you to go on where you were.',
      };
    case 'refused':
      return {
        because: 'refused',
        text: 'you ended your last reply with a refusal. The user asks you to try again.',
      };
    case 'replyCut':
      return {
        because: 'maxTokens',
        text:
          'your reply was cut off. Continue it exactly where it stops, without repeating anything ' +
          'or commenting on this.',
      };
    case 'interrupted':
    case 'open':
      return {
        because: 'interrupted',
        text:
          `you were interrupted by a ${end.type === 'open' ? 'restart of the editor' : 'reload of the window'}. ` +
          'Go on where you were.',
      };
    case 'none':
    case 'finished':
    case 'capReached':
    case 'contextFull':
    case 'failed':
      return {
        because: 'failed',
        text: 'your last reply broke off. Go on where it stops, without repeating anything.',
      };
  }
}

/** Prepares for the next pass: the reminder and the summary written ahead share one plan of it. */
function lookAhead(deps: AgentDeps): void {
  const settings = deps.settings();
  const facts = factsNow(deps, settings);
  remindOfScratchpad(deps, settings, facts);
  writeSummaryAhead(deps, settings, facts);
}

/**
 * Reminds the agent of its scratchpad when that is due, unless no tool can write one. Call it before
 * a prompt or after results: nothing may come between the newest prompt and the reply to it.
 */
function remindOfScratchpad(
  { session, tools }: AgentDeps,
  { remindAfterSteps, compaction }: AgentSettings,
  facts: PolicyFacts,
): void {
  const canWrite = tools.some(({ definition }) => definition.name === 'update_scratchpad');
  if (remindAfterSteps === 0 || !canWrite) return;
  const reminder = reminderDue(facts, { remindAfterSteps, passesRun: compaction !== 'off' });
  if (reminder !== undefined) session.append(reminder);
}
