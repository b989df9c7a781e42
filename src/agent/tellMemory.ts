import type { BlockId, ToolUse } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/contextWindow';
import { pathOf } from '../contextWindow/deed';
import { measure } from '../contextWindow/measure';
import { blockHandle } from '../contextWindow/placeholder';
import { resultCap } from '../contextWindow/resultCap';
import { effectiveBudget } from '../contextWindow/stepDown';
import { admit } from '../contextWindow/truncate';
import type { AgentDeps } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { newProblems, type FoundMemory } from './projectMemory';

/** Most tokens of one folder's memory file that enter the window. */
const LARGEST_NOTE = 2_000;

type Readable = Extract<FoundMemory, { readonly text: string }>;

/** Tells the memory of the folders these calls touched, each file once in the session. */
export async function* tellMemory(
  deps: AgentDeps,
  uses: readonly ToolUse[],
): AsyncGenerator<AgentEvent, void> {
  const { session } = deps;
  const untold = new Map<string, Readable>();
  for (const path of new Set(uses.flatMap((use) => pathOf(use) ?? []))) {
    const found = await deps.projectMemory.of(path);
    for (const message of newProblems(session, found)) yield { type: 'notice', message };
    for (const file of found) {
      if ('text' in file && !isTold(session.window, file.path)) untold.set(file.path, file);
    }
  }
  const files = [...untold.values()];
  await deps.estimator.warm(files.map(({ text }) => text));
  const cap = capFor(deps, files.length);
  for (const { path, text } of files) addNote(deps, path, text, cap);
}

function isTold({ preamble, blocks }: ContextWindow, path: string): boolean {
  return (
    preamble.memory?.some((file) => file.path === path) === true ||
    blocks.some(
      (block) =>
        block.kind === 'note' && block.source.from === 'memory' && block.source.path === path,
    )
  );
}

/** Nothing can take these notes out of the window again, so they must leave room for the rest. */
function capFor(deps: AgentDeps, files: number): number {
  const { window } = deps.session;
  const measured = measure(window, (text) => deps.estimator.estimate(text));
  const budget = effectiveBudget(window, deps.settings().budget);
  return resultCap(window, measured, budget, LARGEST_NOTE, files);
}

function addNote({ session, estimator }: AgentDeps, path: string, text: string, cap: number): void {
  const handle = blockHandle(`note-${session.window.note + 1}` as BlockId);
  const admission = admit(text, cap, (piece) => estimator.estimate(piece), handle);
  session.append({ type: 'noteAdded', source: { from: 'memory', path }, text, admission });
}
