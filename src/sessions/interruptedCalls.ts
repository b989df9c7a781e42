import type { Session } from '../agent/session';
import type { ToolUse } from '../contextWindow/block';
import { latestStep } from '../contextWindow/window';
import { runningCommands } from '../contextWindow/commands';
import { awaitedApproval } from '../contextWindow/turnEnd';

type Cause = 'ended' | 'damaged' | 'forked' | 'over';

/**
 * Gives each call without a result one that says so, since the API takes no request without it. Where
 * the user had not answered whether a call may run, it stays open with those behind it: none of them
 * ran, and the user is asked again when the turn goes on.
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

/** The call that waits for an answer, and those behind it in the same reply. */
function unansweredCalls({ events, window }: Session): ReadonlySet<string> {
  const asked = awaitedApproval(events);
  const ids = latestStep(window)?.pairs.map(({ use }) => use.id) ?? [];
  const first = ids.findIndex((id) => id === asked);
  return new Set(first === -1 ? [] : ids.slice(first));
}

function interruptedText(tool: string, cause: Cause): string {
  const unknown =
    'Its effects are unknown: it may have happened not at all, in part or completely. ' +
    'Check before doing it again.';
  switch (cause) {
    case 'ended':
      return `Interrupted by a restart: Plimsoll ended while ${tool} was waiting or running. ${unknown}`;
    case 'damaged':
      return `Interrupted: the result of ${tool} was lost, or Plimsoll ended before it came. ${unknown}`;
    case 'forked':
      return `Interrupted: the session was forked before the result of ${tool} came. ${unknown}`;
    case 'over':
      return `Not run: the session ended before the user said whether ${tool} may run. Nothing was changed.`;
  }
}

/** Notes that commands do not run which the log says do: they ended with the editor, or are of another session. */
export function closeLostCommands(session: Session, because: 'lost' | 'forked'): void {
  for (const { handle } of runningCommands(session.window)) {
    session.append({ type: 'commandEnded', handle, because, exitCode: null });
  }
}
