import { resultAllowance, resultCap } from '../../contextWindow/account/admission';
import { blockHandle, type ToolUse } from '../../contextWindow/block';
import { noteId } from '../../contextWindow/blockChanges';
import { placeOf } from '../../contextWindow/callEffect';
import type { ContextWindow } from '../../contextWindow/window';
import { admit } from '../../contextWindow/truncate';
import { estimateOf, factsNow, type AgentDeps } from '../agentDeps';
import type { AgentEvent } from '../agentEvent';
import { usableAfterAsking } from './memoryOrigin';
import { newProblems, type FoundMemory } from './projectMemory';
import { maskedIn } from '../secrets/secrets';
import { stoppable } from '../stopping';

/** Most tokens of one folder's memory file that enter the window. */
const LARGEST_NOTE = 2_000;

type Readable = Extract<FoundMemory, { readonly text: string }>;

/** Adds the memory of the folders these calls touched, each file once a session. */
export async function* addFolderMemory(
  deps: AgentDeps,
  uses: readonly ToolUse[],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const { session } = deps;
  const added = new Map<string, Readable>();
  for (const path of new Set(uses.flatMap((use) => placeOf(use) ?? []))) {
    const found = await stoppable(deps.projectMemory.of(path), signal, 0, []);
    for (const message of newProblems(session, found)) yield { type: 'notice', message };
    const isNew = ({ path: of }: FoundMemory) => !isInWindow(session.window, of) && !added.has(of);
    const usable = yield* usableAfterAsking(deps, found.filter(isNew), signal);
    for (const file of usable) if ('text' in file) added.set(file.path, file);
  }
  const files = maskedIn([...added.values()]);
  await deps.estimator.warm(files.map(({ text }) => text));
  const cap = capFor(deps, files.length);
  for (const file of files) addNote(deps, file, cap);
}

function isInWindow({ preamble, blocks }: ContextWindow, path: string): boolean {
  return (
    preamble.memory?.some((file) => file.path === path) === true ||
    blocks.some(
      (block) =>
        block.kind === 'note' &&
        block.source.from === 'memory' &&
        block.source.path === path &&
        block.state !== 'undone',
    )
  );
}

/** The scratchpad cannot be removed from the window, so memory must leave room for it. */
function capFor(deps: AgentDeps, files: number): number {
  return resultCap(resultAllowance(factsNow(deps, deps.settings()), LARGEST_NOTE, files));
}

function addNote(deps: AgentDeps, { path, text, origin, globs }: Readable, cap: number): void {
  const { session } = deps;
  const handle = blockHandle(noteId(session.window.note + 1));
  const admission = admit(text, cap, estimateOf(deps), handle);
  const source = { from: 'memory', path, origin, ...(globs && { globs }) } as const;
  session.append({ type: 'noteAdded', source, text, admission });
}
