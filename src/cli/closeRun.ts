import type { AgentDeps } from '../agent/agentDeps';
import { closeCommandProblem, runCloseCommand, summariseSession } from '../agent/closeSession';
import type { TurnOutcome } from '../contextWindow/event';
import { titleOfWindow } from '../sessions/sessionTitle';
import type { RunOptions } from './runOptions';
import type { Say } from './terminal';
import { errorText } from '../contextWindow/result';

/** A run that is over. */
export interface EndedRun {
  readonly deps: AgentDeps;
  readonly options: Pick<RunOptions, 'onClose' | 'onCloseCommand' | 'logFile'>;
  /** How the turn ended; `failed` also where something unexpected did. */
  readonly reason: TurnOutcome['type'];
}

/**
 * Does what `--on-close` says, however the run ended. What goes wrong is said, and changes no exit
 * code. A stop makes a work note of the summary, and ends the command with everything it started.
 */
export async function closeRun(run: EndedRun, signal: AbortSignal, say: Say): Promise<void> {
  try {
    const problem = await close(run, signal);
    if (problem !== undefined) say(`plimsoll: ${problem}`);
  } catch (error) {
    const why = errorText(error);
    say(`plimsoll: what --on-close says could not be done: ${why}`);
  }
}

async function close(
  { deps, options, reason }: EndedRun,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { session, estimator, workspace } = deps;
  switch (options.onClose) {
    case 'nothing':
      return undefined;
    case 'summary': {
      const model = { ok: true, model: deps.model } as const;
      const settings = deps.settings();
      const summary = await summariseSession({ session, estimator, model }, settings, signal);
      if (summary !== undefined) session.append({ type: 'sessionSummarised', ...summary });
      return undefined;
    }
    case 'command': {
      const { onCloseCommand: command = '', logFile = '' } = options;
      const title = titleOfWindow(session.window);
      const how = { command, title, reason, logFile };
      const outcome = await runCloseCommand(workspace, session, how, signal);
      return outcome && closeCommandProblem(command, outcome);
    }
  }
}
