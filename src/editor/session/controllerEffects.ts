import type { AgentDeps } from '../../agent/agentDeps';
import type { AgentEvent } from '../../agent/agentEvent';
import type { BackgroundCommands } from '../../agent/backgroundCommands';
import type { Session } from '../../agent/session';
import type { PromptContent, TurnOutcome } from '../../contextWindow/event';
import type { Refused } from '../../contextWindow/result';
import type { Problem } from '../conversation/state';
import type { ByHandEffects } from './changesByHand';
import type { CompactedNow, RoomOf } from './compactNow';
import type { QuestionEffects } from './questions';

/** What a turn is run with, apart from what the controller adds. */
export type TurnParts = Omit<
  AgentDeps,
  'session' | 'background' | 'approve' | 'reviewPass' | 'now'
>;

/** A turn that did not begin: what stood in its way, with a button that helps. */
export type TurnRefused = Refused & Problem;

/** What the agent's work on one session needs from outside. */
export interface ControllerEffects extends QuestionEffects, ByHandEffects {
  readonly runTurn: (
    deps: AgentDeps,
    prompt: PromptContent,
    signal: AbortSignal,
  ) => AsyncGenerator<AgentEvent, TurnOutcome>;
  /** Goes on with the newest turn. */
  readonly continueTurn: (
    deps: AgentDeps,
    signal: AbortSignal,
  ) => AsyncGenerator<AgentEvent, TurnOutcome>;
  /**
   * Runs a pass outside a turn; `instructions` are what the user wants of its summaries, '' for
   * nothing.
   */
  readonly compactNow: (
    deps: AgentDeps,
    signal: AbortSignal,
    instructions: string,
    of: RoomOf,
  ) => AsyncGenerator<AgentEvent, CompactedNow>;
  /** False while the user has not said how to go on with an idle session: prompts wait. */
  mayBegin(): boolean;
  /** Gathers what a turn needs, or says what stands in its way. */
  prepareTurn(): Promise<{ readonly ok: true; readonly parts: TurnParts } | TurnRefused>;
  /** Begins the log of the session. */
  startSession(): Session;
  /** The commands of a session in the background. */
  commandsOf(session: Session): BackgroundCommands;
  /** Told when the session shown was left for a new one. */
  sessionLeft(): void;
  /** Told after every change of what the views show. */
  changed(): void;
  /** Told when the window shows texts that it did not show before: they are to be counted. */
  textsChanged(): void;
  /** Told of every event of the running turn, before `changed`. */
  heard(event: AgentEvent): void;
  /** Told when a turn is over. */
  turnEnded(outcome: TurnOutcome): void;
  /** Told what stood in the way of a turn; the prompt is kept. */
  turnRefused(problem: Problem): void;
  /** Takes our own bugs: log with stack, one notification. */
  report(error: unknown): void;
  /** Milliseconds since the epoch. */
  now(): number;
}
