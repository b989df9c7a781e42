import type { ToolUse } from '../contextWindow/block';
import type { TurnFile } from '../contextWindow/fileChanges';
import { changesOfNewestTurn } from '../contextWindow/log/filesInLog';
import type { AgentDeps } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import type { Checkpoints, FoundChanges } from './checkpoints';
import type { PreparedCall } from './tool';
import { errorText } from '../contextWindow/result';

/** What is told once a session where the files of a command could not all be looked at. */
const NOT_ALL =
  'Not all files of the workspace were looked at around a command: there are too many. What it did to the others cannot be put back.';

/** Runs a call, and logs what it did to files, which were kept as they were before. */
export async function* withFilesKept<T>(
  deps: AgentDeps,
  use: ToolUse,
  call: PreparedCall,
  signal: AbortSignal,
  run: () => AsyncGenerator<AgentEvent, T>,
): AsyncGenerator<AgentEvent, T> {
  const { checkpoints, session } = deps;
  if (checkpoints === undefined) return yield* run();
  let found: ((signal: AbortSignal) => Promise<FoundChanges>) | undefined;
  try {
    found = await checkpoints.before(call, signal);
  } catch (error) {
    yield notKept(error);
  }
  try {
    return yield* run();
  } finally {
    // Whatever became of the call: it may have changed files.
    try {
      const { files, isAll } = (await found?.(signal)) ?? { files: [], isAll: true };
      if (files.length > 0) session.append({ type: 'filesChanged', toolUseId: use.id, files });
      if (!isAll && !session.memo.told.has(NOT_ALL)) {
        session.memo.told.add(NOT_ALL);
        yield { type: 'notice', message: NOT_ALL };
      }
    } catch (error) {
      yield notKept(error);
    }
  }
}

/** Logs what the newest turn made of files, with its lines counted. */
export async function tellTurnFiles({ session, checkpoints }: AgentDeps): Promise<void> {
  const changes = checkpoints === undefined ? [] : changesOfNewestTurn(session.events);
  if (checkpoints === undefined || changes.length === 0) return;
  const files: TurnFile[] = [];
  for (const change of changes) files.push(await counted(checkpoints, change));
  session.append({ type: 'turnFiles', turn: session.window.turn, files });
}

/** A change with its lines counted, where they can be. */
export async function counted<C extends Pick<TurnFile, 'before' | 'after'>>(
  checkpoints: Pick<Checkpoints, 'count'>,
  change: C,
): Promise<C & Pick<TurnFile, 'added' | 'removed'>> {
  return { ...change, ...(await checkpoints.count(change.before, change.after)) };
}

function notKept(error: unknown): AgentEvent {
  const why = errorText(error);
  return {
    type: 'notice',
    message: `What this call does to files cannot be put back, because they could not be kept: ${why}`,
  };
}
