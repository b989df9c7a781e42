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

/** Most files the note names. */
const MOST_NAMED = 40;

/**
 * The note that tells the model which files the user put back as they were. It comes last in the window,
 * so the prompt-cache prefix stands.
 */
export function restoredNote(
  files: readonly FileChange[],
): Extract<NewEvent, { readonly type: 'noteAdded' }> {
  const left = files.length - MOST_NAMED;
  const text = [
    'The user put files back as they were before some of your changes. What you know of these is out of date; read them again before you rely on it:',
    ...files.slice(0, MOST_NAMED).map(({ path, before, after }) => {
      const how =
        after === NO_FILE ? ' (no longer there)' : before === NO_FILE ? ' (there again)' : '';
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
