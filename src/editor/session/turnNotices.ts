import type { AgentEvent } from '../../agent/agentEvent';
import { titleOfWindow } from '../../sessions/sessionTitle';
import { sessionName } from '../approvals/approvalNotice';
import type { Services } from '../services';
import { endWord } from '../sessions/sessionNumbers';
import type { CurrentSession } from './currentSession';
import type { SessionRun } from './sessionRun';

/** Events that come many times a second, piece by piece. */
const STREAMED: ReadonlySet<AgentEvent['type']> = new Set([
  'textDelta',
  'thinkingDelta',
  'toolOutput',
]);

/** Logs the turns of every session, and tells the user of warnings and ends that they do not see. */
export function followTurns(
  { notices, report }: Pick<Services, 'notices' | 'report'>,
  current: Pick<CurrentSession, 'follow' | 'run' | 'showRun'>,
): void {
  const isShown = (run: SessionRun): boolean => run === current.run;
  current.follow({
    heard: (run, event) => {
      if (!STREAMED.has(event.type)) report.trace(`Event ${event.type}.`);
      if (event.type !== 'warning') return;
      notices.warn(inSession(current, run, event.message));
    },
    ended: (run, outcome) => {
      const { turn, step } = run.window;
      report.info(`Turn ${turn} ended at step ${step}: ${endWord(outcome)}.`);
      report.run(() =>
        notices.announceEnd(outcome, titleOfWindow(run.window), {
          isInSight: isShown(run),
          show: () => current.showRun(run),
        }),
      );
    },
    refused: () => report.warn('A prompt was not sent. The user was told why.'),
  });
}

/** Adds the name of its session to a message where another session is shown. */
export function inSession(
  current: Pick<CurrentSession, 'run'>,
  run: SessionRun,
  message: string,
): string {
  return run === current.run ? message : `${message} (${sessionName(titleOfWindow(run.window))})`;
}
