import { activeRules } from '../../contextWindow/standingRules/standingRules';
import { turnSpend } from '../../contextWindow/account/spending';
import type { ToolUse } from '../../contextWindow/block';
import {
  LOG_VERSION,
  type PromptContent,
  type TurnCaps,
  type TurnOutcome,
} from '../../contextWindow/event';
import { latestStep } from '../../contextWindow/window';
import { modeNow } from '../approvals/askApproval';
import { type AgentDeps, type AgentSettings, estimateOf } from '../agentDeps';
import type { AgentEvent } from '../agentEvent';
import type { Estimator } from '../model';
import { Session } from '../session';
import { withinCap, wordsOf } from '../sideRequest';
import { spentIn } from '../spendingCap';
import { isClosing } from '../stopping';
import type { SubTask, ToolOutput } from '../tool';
import { Slots } from './together';

/** Most sub-agents at work at the same time in one turn. */
export const MOST_AT_ONCE = 4;

/** Most tokens of a sub-agent's answer. */
const MOST_ANSWER_TOKENS = 4_000;

/** The tool that starts sub-agents. */
export const TASK_TOOL = 'task';

/** Tools that a sub-agent does not have: it has no user to talk to, and starts no other. */
const NOT_BELOW: ReadonlySet<string> = new Set([TASK_TOOL, 'ask_user', 'remember']);

/** Runs a turn of an agent. */
type StartTurn = (
  deps: AgentDeps,
  prompt: PromptContent,
  signal: AbortSignal,
) => AsyncGenerator<AgentEvent, TurnOutcome>;

/** The sub-agents of one turn: each has a window of its own, in the log of the turn's session. */
export class SubAgents {
  readonly #atWork = new Slots(MOST_AT_ONCE);
  /** The user gets one question at a time. */
  readonly #asking = new Slots(1);

  constructor(private readonly startTurn: StartTurn) {}

  /**
   * Lets a sub-agent perform a task, and returns its last reply. The user sees its questions, under
   * its name, and its notices; everything else is in the log.
   */
  async *run(
    parent: AgentDeps,
    use: ToolUse,
    task: SubTask,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, ToolOutput> {
    await this.#atWork.take();
    try {
      if (signal.aborted) return failed('It did not begin.');
      const model = await modelFor(parent, task);
      if (!model.ok) return failed(`${model.message} Nothing was done.`);
      if (model.notice !== undefined) yield { type: 'notice', message: model.notice };
      const session = startLog(parent, use, task);
      const deps = depsBelow(parent, session, task, model.settings);
      const outcome = yield* this.#heard(
        this.startTurn(deps, { text: task.prompt }, signal),
        use,
        task,
      );
      return answerOf(outcome, deps, signal);
    } finally {
      this.#atWork.give();
    }
  }

  async *#heard(
    turn: AsyncGenerator<AgentEvent, TurnOutcome>,
    use: ToolUse,
    { name }: SubTask,
  ): AsyncGenerator<AgentEvent, TurnOutcome> {
    let asks = false;
    const answered = () => {
      if (asks) this.#asking.give();
      asks = false;
    };
    try {
      for (;;) {
        const next = await turn.next();
        if (next.done === true) return next.value;
        const event = next.value;
        if (event.type === 'approvalAsked') {
          // Its turn asks only once this event was taken.
          if (!asks) await this.#asking.take();
          asks = true;
          yield { ...event, by: name };
        } else if (event.type === 'approvalAnswered') {
          answered();
          yield event;
          yield { type: 'toolStarted', use };
        } else if (event.type === 'notice' || event.type === 'warning') {
          yield { ...event, message: `${name}: ${event.message}` };
        }
      }
    } finally {
      answered();
      await turn.return({ type: 'stopped' });
    }
  }
}

/** A session whose log is part of its parent's. */
function startLog(
  { session: parent, now }: AgentDeps,
  use: ToolUse,
  { name: subAgent }: SubTask,
): Session {
  const toolUseId = use.id;
  const session = new Session(
    {
      append(event) {
        if (event.type === 'subAgentEvent') throw new Error('A sub-agent started a sub-agent.');
        parent.append({ type: 'subAgentEvent', toolUseId, event });
        // The parent's turn made this change too: the user keeps or undoes it there.
        if (event.type === 'filesChanged') {
          parent.append({ type: 'filesChanged', toolUseId, files: event.files });
        }
      },
    },
    now,
  );
  const sessionId = `${parent.window.sessionId}/${toolUseId}`;
  const standingRules = parent.window.rules?.on;
  const started = { version: LOG_VERSION, sessionId, pinTaskAnchor: true, subAgent } as const;
  session.append({ type: 'sessionStarted', ...started, standingRules });
  // Its prompt is the agent's, so it does not have the user's rules. Project memory it reads itself.
  for (const { text, place } of activeRules(parent.window)) {
    if (place !== 'memory') session.append({ type: 'standingRuleAdded', text, given: true });
  }
  // The user was asked about these files, or they were there when the session began.
  for (const event of parent.events) {
    if (event.type === 'memoryListed' || event.type === 'memoryAnswered') {
      const { at: _at, ...known } = event;
      session.append(known);
    }
  }
  return session;
}

function depsBelow(
  parent: AgentDeps,
  session: Session,
  { name, instructions, tools }: SubTask,
  settings: (() => AgentSettings) | undefined,
): AgentDeps {
  const isOffered = (tool: string) =>
    !NOT_BELOW.has(tool) && (tools === undefined || tools.includes(tool) || isForWindow(tool));
  return {
    ...parent,
    session,
    tools: parent.tools.filter(({ definition }) => isOffered(definition.name)),
    subAgent: { name, instructions },
    mode: () => modeNow(parent),
    settings: () => ({
      ...(settings ?? parent.settings)(),
      caps: capsLeft(parent, session),
    }),
    estimator: settings === undefined ? parent.estimator : unlearning(parent.estimator),
    subAgents: undefined,
    background: undefined,
    // The user's pauses are not those of a sub-agent.
    earlierPauses: undefined,
    queuedPrompts: undefined,
    reviewPass: undefined,
  };
}

/**
 * The window's own tools: without them an agent could not get back what a pass removed, nor read a
 * skill that its window offers.
 */
function isForWindow(tool: string): boolean {
  return tool === 'recall' || tool === 'update_scratchpad' || tool === 'skill';
}

/** What the turn may still spend, plus what the sub-agent has spent of it. */
function capsLeft({ session: parent, settings }: AgentDeps, session: Session): TurnCaps {
  const { caps, costOf } = settings();
  const [all, own] = [spentIn(parent, costOf), turnSpend(session.events, costOf)];
  const left = (most: number | undefined, spent = 0, ownSpent = 0) =>
    most === undefined ? undefined : Math.max(0, most - spent + ownSpent);
  return {
    steps: left(caps.steps, all.steps, own.steps),
    tokens: left(caps.tokens, all.tokens, own.tokens),
    usd: left(caps.usd, all.usd, own.usd),
  };
}

/** Another model's counts would spoil the calibration. */
function unlearning(estimator: Estimator): Estimator {
  return {
    warm: (texts) => estimator.warm(texts),
    get estimate() {
      return estimator.estimate;
    },
    media: (media) => estimator.media(media),
    learn: () => undefined,
  };
}

type ModelFor =
  | { readonly ok: true; readonly settings?: () => AgentSettings; readonly notice?: string }
  | { readonly ok: false; readonly message: string };

async function modelFor(
  parent: AgentDeps,
  { model, isModelOfCall, name }: SubTask,
): Promise<ModelFor> {
  if (model === undefined || model === parent.settings().model) return { ok: true };
  const found = await parent.settingsOf?.(model);
  if (found?.ok === true) return { ok: true, settings: found.settings };
  const why = found?.message ?? 'Another model cannot be chosen here.';
  if (isModelOfCall === true) return { ok: false, message: why };
  return { ok: true, notice: `${name} uses the model of the session. ${why}` };
}

/** The result of the call: the sub-agent's last reply, or how it ended. */
async function answerOf(
  outcome: TurnOutcome,
  deps: AgentDeps,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { session, estimator } = deps;
  const said = wordsOf(latestStep(session.window) ?? { parts: [] });
  await estimator.warm([said]);
  const text = withinCap(said, MOST_ANSWER_TOKENS, estimateOf(deps));
  switch (outcome.type) {
    case 'finished':
      return text === '' ? failed('It ended without a reply.') : { text, isError: false };
    case 'stopped':
    case 'interrupted':
      return failed(isClosing(signal) ? 'The window was reloaded.' : 'The user stopped it.', text);
    case 'capReached':
      return failed('A limit of the turn was reached.', text);
    case 'replyCut':
    case 'refused':
    case 'contextFull':
    case 'failed':
      return failed(outcome.message, text);
  }
}

function failed(why: string, text = ''): ToolOutput {
  const so = text === '' ? '' : ` Its last words:\n${text}`;
  return { text: `The sub-agent did not finish its task. ${why}${so}`, isError: true };
}
