import type { Session } from '../agent/session';
import type { ToolUse } from '../contextWindow/block';
import { latestStep } from '../contextWindow/window';
import { runningCommands } from '../contextWindow/commands';
import { awaitedApproval } from '../contextWindow/turnEnd';

type Cause = 'ended' | 'damaged' | 'forked' | 'over';

/**
 * Gives each call without a result an error result, since the API refuses a request without one.
 * Calls that wait for the user's approval stay open, with those after them: none of them ran, and
 * Plimsoll asks again when the turn continues.
 */
export function closeInterruptedCalls(
  session: Session,
  cause: Cause = 'ended',
): readonly ToolUse[] {
  const waiting = cause === 'ended' ? unansweredCalls(session) : new Set();
  const open = session.window.blocks.flatMap((block) =>
    block.kind === 'step'
      ? block.pairs.flatMap(({ use, result }) =>
          result === undefined && !waiting.has(use.id) ? [use] : [],
        )
      : [],
  );
  for (const use of open) {
    session.append({
      type: 'toolFinished',
      toolUseId: use.id,
      text: interruptedText(use.name, cause),
      isError: true,
      origin: 'interrupted',
      durationMs: 0,
      admission: { form: 'whole' },
    });
  }
  return open;
}

/** The call that waits for approval, and those after it in the same reply. */
function unansweredCalls({ events, window }: Session): ReadonlySet<string> {
  const asked = awaitedApproval(events);
  const ids = latestStep(window)?.pairs.map(({ use }) => use.id) ?? [];
  const first = ids.findIndex((id) => id === asked);
  return new Set(first === -1 ? [] : ids.slice(first));
}

function interruptedText(tool: string, cause: Cause): string {
  const unknown =
    'Its effects are unknown: it may not have happened at all, or in part, or completely. ' +
    'Check before you do it again.';
  switch (cause) {
    case 'ended':
      return `Interrupted by a restart: Plimsoll ended while ${tool} was waiting or running. ${unknown}`;
    case 'damaged':
      return `Interrupted: the result of ${tool} was lost, or Plimsoll ended before it came. ${unknown}`;
    case 'forked':
      return `Interrupted: the session was forked before the result of ${tool} came. ${unknown}`;
    case 'over':
      return `Not run: the session ended before the user decided whether ${tool} may run. Nothing was changed.`;
  }
}

/**
 * Records that commands ended which the log shows as running: they ended with the editor, or belong
 * to another session.
 */
export function closeLostCommands(session: Session, because: 'lost' | 'forked'): void {
  for (const { handle } of runningCommands(session.window)) {
    session.append({ type: 'commandEnded', handle, because, exitCode: null });
  }
}
