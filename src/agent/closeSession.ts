import { blocksInWindow } from '../contextWindow/window';
import type { BlockId } from '../contextWindow/block';
import type { EventOf } from '../contextWindow/event';
import { foundAtEnd } from '../contextWindow/turnEnd';
import { summaryCap } from '../contextWindow/passes/rungs/summariseOldest';
import { workNoteOf } from '../contextWindow/passes/rungs/summary';
import type { Result } from '../contextWindow/result';
import type { AgentSettings } from './agentDeps';
import type { Estimator, Model } from './model';
import type { Session } from './session';
import { writeSummary } from './summariser';
import type { CommandOutcome, Workspace } from './workspace';

/** The logged summary of a whole session. */
export type SessionSummary = Pick<EventOf<'sessionSummarised'>, 'text' | 'writtenBy'>;

export interface SessionSummaryDeps {
  readonly session: Session;
  readonly estimator: Estimator;
  /** The model, or why none can be asked, as part of a sentence. */
  readonly model: Result<{ readonly model: Model }>;
}

/**
 * Summarises the whole conversation in the window, except the pinned task. Every failure falls back
 * to the work note. Logs only what a model was charged. Undefined when there is nothing to
 * summarise.
 */
export async function summariseSession(
  { session, estimator, model }: SessionSummaryDeps,
  settings: Pick<AgentSettings, 'budget' | 'summary' | 'policy'>,
  signal: AbortSignal,
): Promise<SessionSummary | undefined> {
  const { window } = session;
  const covers = blocksInWindow(window)
    .filter(({ kind, pinned }) => kind !== 'anchor' || !pinned)
    .map(({ id }) => id);
  if (covers.length === 0) return undefined;
  const { inputBudget } = settings.budget;
  const maxTokens = summaryCap(inputBudget, settings.policy.summaryTokens);
  const task = { summaryId: 'session' as BlockId, covers, maxTokens };
  const estimate = estimator.estimate;
  const { text, writtenBy } = model.ok
    ? await writeSummary(
        { session, estimator, model: model.model },
        { ...settings, occasion: 'sessionEnd' },
        task,
        signal,
      )
    : workNoteOf({ window, estimate }, task, { because: model.message });
  return { text, writtenBy };
}

/** The user's command for the end of a session. */
interface CloseCommand {
  readonly command: string;
  readonly title: string;
  /** Why the session ended: one word. */
  readonly reason: string;
  /** Path of the session's log; '' when there is none. */
  readonly logFile: string;
}

/** Time limit of the command; after it, the whole process tree is ended; ms. */
const CLOSE_COMMAND_MS = 60_000;

/**
 * Runs the user's command for the end of a session and logs that it ran. It runs once for each end;
 * undefined when it already ran.
 */
export async function runCloseCommand(
  workspace: Pick<Workspace, 'runCommand'>,
  session: Session,
  { command, title, reason, logFile }: CloseCommand,
  signal: AbortSignal,
): Promise<CommandOutcome | undefined> {
  if (foundAtEnd(session.events, 'closeCommandRan') !== undefined) return undefined;
  const outcome = await workspace.runCommand(command, {
    timeoutMs: CLOSE_COMMAND_MS,
    signal,
    onOutput: () => undefined,
    variables: {
      // An environment variable cannot hold a null character.
      PLIMSOLL_SESSION_TITLE: title.replaceAll('\0', ''),
      PLIMSOLL_SESSION_REASON: reason,
      PLIMSOLL_SESSION_LOG: logFile,
    },
  });
  if (outcome.ended !== 'failedToStart') {
    session.append({ type: 'closeCommandRan', command, exitCode: outcome.exitCode });
  }
  return outcome;
}

/** What went wrong with the command; undefined when nothing did. */
export function closeCommandProblem(
  command: string,
  { ended, exitCode, output }: CommandOutcome,
): string | undefined {
  const name = `The command at the end of the session, ${command},`;
  const last = output.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const said = last === '' ? '' : ` Its last output: ${last}`;
  switch (ended) {
    case 'exited':
      return exitCode === 0 ? undefined : `${name} failed with exit code ${exitCode}.${said}`;
    case 'timedOut':
      return `${name} took longer than ${CLOSE_COMMAND_MS / 1_000} s and was ended with everything it started.${said}`;
    case 'stopped':
      return `${name} was stopped before it finished, with everything it started.${said}`;
    case 'moved':
      return undefined;
    case 'failedToStart':
      return `${name} could not start.${said}`;
  }
}
