import type { AgentDeps } from '../../agent/agentDeps';
import type { AgentEvent } from '../../agent/agentEvent';
import type { BackgroundCommands } from '../../agent/backgroundCommands';
import type { Session } from '../../agent/session';
import type { ContextWindow } from '../../contextWindow/window';
import type { PromptContent, SessionEvent, TurnOutcome } from '../../contextWindow/event';
import type { Refusal, Refused } from '../../contextWindow/result';
import type { Problem } from './state';
import type { CompactedNow, RoomOf } from './compactNow';

/** The resources of a turn, apart from what its session adds. */
export type TurnParts = Omit<
  AgentDeps,
  'session' | 'background' | 'approve' | 'reviewPass' | 'now'
>;

/** A turn that did not begin: the problem, with a button that helps. */
export type TurnRefused = Refused & Problem;

/** A session of this window, as the features see it that prepare its turns. */
export interface RunSession {
  /** Undefined before its first prompt. */
  readonly session: Session | undefined;
  readonly window: ContextWindow;
  readonly events: readonly SessionEvent[];
  /** Why the session is read-only; undefined if it is not. */
  readonly whyReadOnly: Refusal;
}

/** The resources of a turn, or why it cannot begin. */
export type PreparedTurn = { readonly ok: true; readonly parts: TurnParts } | TurnRefused;

/** The agent and the resources of its turns. */
export interface TurnSource {
  runTurn(
    deps: AgentDeps,
    prompt: PromptContent,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, TurnOutcome>;
  /** Continues the newest turn. */
  continueTurn(deps: AgentDeps, signal: AbortSignal): AsyncGenerator<AgentEvent, TurnOutcome>;
  /** Runs a pass outside a turn; `instructions` are the user's for its summaries, '' for none. */
  compactNow(
    deps: AgentDeps,
    signal: AbortSignal,
    instructions: string,
    of: RoomOf,
  ): AsyncGenerator<AgentEvent, CompactedNow>;
  /** False until the user has chosen how an idle session continues: its prompts wait. */
  mayBegin(): boolean;
  prepare(run: RunSession): Promise<PreparedTurn>;
  background(session: Session): BackgroundCommands;
  /** Milliseconds since the epoch. */
  now(): number;
}
