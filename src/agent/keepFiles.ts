import type { Checkpoints, FoundChanges } from './checkpointPort';
import type { ToolUse } from '../contextWindow/block';
import type { NewEvent } from '../contextWindow/event';
import {
  changesOfNewestTurn,
  type FileChange,
  NO_FILE,
  type TurnFile,
} from '../contextWindow/fileChanges';
import { visibleLine } from '../contextWindow/visibleText';
import type { AgentDeps } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import type { PreparedCall } from './tool';
import { errorText } from '../contextWindow/result';

/** Shown once a session, when a command's files could not all be checked. */
const NOT_ALL =
  'This workspace has too many files to check all of them around a command. Changes to the unchecked files cannot be restored.';

/** Runs a call and logs its file changes; the versions before them are saved. */
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
    // Even a failed call may have changed files.
    try {
      const { files, isAll } = (await found?.(signal)) ?? { files: [], isAll: true };
      if (files.length > 0) session.append({ type: 'filesChanged', toolUseId: use.id, files });
      if (!isAll && !session.memo.reported.has(NOT_ALL)) {
        session.memo.reported.add(NOT_ALL);
        yield { type: 'notice', message: NOT_ALL };
      }
    } catch (error) {
      yield notKept(error);
    }
  }
}

/** Logs the file changes of the newest turn, with their line counts. */
export async function logTurnFiles({ session, checkpoints }: AgentDeps): Promise<void> {
  const changes = checkpoints === undefined ? [] : changesOfNewestTurn(session.events);
  if (checkpoints === undefined || changes.length === 0) return;
  const files: TurnFile[] = [];
  for (const change of changes) files.push(await counted(checkpoints, change));
  session.append({ type: 'turnFiles', turn: session.window.turn, files });
}

/** Adds line counts to a change, where they can be counted. */
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
    message: `The file changes of this call cannot be restored, because the files could not be saved: ${why}`,
  };
}

/** Most files named in the note. */
const MOST_NAMED = 40;

/**
 * The note that tells the model which files the user restored. It comes last in the window, so the
 * prompt-cache prefix stands.
 */
export function restoredNote(
  files: readonly FileChange[],
): Extract<NewEvent, { readonly type: 'noteAdded' }> {
  const left = files.length - MOST_NAMED;
  const text = [
    'The user restored files to an earlier version. What you know of these is out of date; read them again before you rely on it:',
    ...files.slice(0, MOST_NAMED).map(({ path, before, after }) => {
      const how = after === NO_FILE ? ' (deleted)' : before === NO_FILE ? ' (exists again)' : '';
      return `- ${visibleLine(path)}${how}`;
    }),
    ...(left > 0 ? [`- and ${left} more`] : []),
  ].join('\n');
  return {
    type: 'noteAdded',
    source: { from: 'filesRestored' },
    text,
    admission: { form: 'whole' },
  };
}
