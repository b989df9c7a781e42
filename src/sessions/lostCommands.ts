import type { Session } from '../agent/session';
import { runningCommands } from '../contextWindow/log/commandChanges';

/** Notes that commands do not run which the log says do: they ended with the editor, or are of another session. */
export function closeLostCommands(session: Session, because: 'lost' | 'forked'): void {
  for (const { handle } of runningCommands(session.window)) {
    session.append({ type: 'commandEnded', handle, because, exitCode: null });
  }
}
