import { createHash } from 'node:crypto';
import type { ToolUseId } from '../../contextWindow/block';
import type { MemoryOrigin } from '../../contextWindow/event';
import { visiblePath } from '../../contextWindow/visibleText';
import type { AgentDeps } from '../agentDeps';
import type { AgentEvent } from '../agentEvent';
import { MEMORY_PATH, type FoundMemory } from './projectMemory';
import type { Session } from '../session';
import { GRACE_MS, stoppable } from '../stopping';
import type { ApprovalAnswer } from '../tool';

/**
 * Memory instructs the model, so it has to be the user's. What lay in the workspace when the session
 * began is; what came or changed since may be the work of a command or of a text the model read, and
 * is told only once the user has said yes to it with the text in sight.
 */

/** A longer text is not asked about, and not told: nobody reads that much in a question; characters. */
const LONGEST_ASKED = 100_000;

type Readable = Extract<FoundMemory, { readonly text: string }>;

/** Logs which memory files are there as the session begins; a session does that once. */
export async function listMemory({ session, projectMemory }: AgentDeps): Promise<void> {
  if (session.events.some(({ type }) => type === 'memoryListed')) return;
  const found = await projectMemory.everywhere();
  const files = found.flatMap((file) =>
    'text' in file ? [{ path: file.path, hash: hashOf(file.text) }] : [],
  );
  session.append({ type: 'memoryListed', files });
}

/** Says whether there is a file that the user has to be asked about. */
export function hasUnasked(session: Session, found: readonly FoundMemory[]): boolean {
  return found.some((file) => 'text' in file && knownOrigin(session, file) === undefined);
}

/**
 * The files that may be told unasked, each with where it comes from. A file that was told before it
 * changed goes on being told as it was.
 */
export function memoryKnown(
  session: Session,
  found: readonly FoundMemory[],
): readonly FoundMemory[] {
  return found.flatMap((file): readonly FoundMemory[] => {
    if (!('text' in file)) return [file];
    const origin = knownOrigin(session, file);
    if (typeof origin === 'object') return [{ ...file, origin }];
    const before = session.window.preamble.memory?.find(({ path }) => path === file.path);
    return before === undefined ? [] : [{ path: file.path, told: before }];
  });
}

/** The files that may be told, once the user was asked about those that nobody has spoken for. */
export async function* memoryToTell(
  deps: AgentDeps,
  found: readonly FoundMemory[],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, readonly FoundMemory[]> {
  for (const file of found) {
    const isOpen = 'text' in file && knownOrigin(deps.session, file) === undefined;
    if (isOpen) yield* ask(deps, file, signal);
  }
  return memoryKnown(deps.session, found);
}

/**
 * Takes a line that `remember` has added for allowed: the user said yes to it with the line in sight,
 * and the rest of the file had been spoken for.
 */
export function allowRemembered(
  session: Session,
  { before, after }: { readonly before: string | undefined; readonly after: string },
): void {
  const file = (text: string) => ({ path: MEMORY_PATH, text: text.replace(/^\uFEFF/, '') });
  const isOwn = before === undefined || typeof knownOrigin(session, file(before)) === 'object';
  if (isOwn) answer(session, file(after), true);
}

/** Where a file comes from; `denied` where the user said no; undefined where nobody was asked. */
function knownOrigin(
  { events }: Pick<Session, 'events'>,
  { path, text }: Pick<Readable, 'path' | 'text'>,
): MemoryOrigin | 'denied' | undefined {
  if (text.trim() === '') return { how: 'begin' };
  const hash = hashOf(text);
  const isIt = (file: { readonly path: string; readonly hash: string }) =>
    file.path === path && file.hash === hash;
  let step = 0;
  let origin: MemoryOrigin | 'denied' | undefined;
  for (const event of events) {
    if (event.type === 'replyReceived') step = event.step;
    if (event.type === 'memoryListed' && event.files.some(isIt)) origin ??= { how: 'begin' };
    if (event.type === 'memoryAnswered' && isIt(event)) {
      origin = event.allowed ? { how: 'allowed', step } : 'denied';
    }
  }
  return origin;
}

/** Asks the user about a file as it is, and logs the answer. */
async function* ask(
  deps: AgentDeps,
  file: Readable,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const { session } = deps;
  const { path, text } = file;
  if (text.length > LONGEST_ASKED) {
    const why = `it has over ${LONGEST_ASKED} characters, too many to ask about`;
    yield* notTold(session, path, why);
    return;
  }
  const id = `memory_${hashOf(`${path}\0${text}`)}` as ToolUseId;
  const use = { id, name: 'project_memory', input: { path } };
  const request = { kind: 'memory', path, text } as const;
  yield { type: 'approvalAsked', use, request };
  const asked = deps.approve(use, request, signal);
  const said: ApprovalAnswer = await stoppable(asked, signal, GRACE_MS, { approved: false });
  yield { type: 'approvalAnswered', use, approved: said.approved };
  // A rule that speaks in the user's place is no answer: who can be asked later still is.
  const isRule = !said.approved && said.message !== undefined;
  if (isRule) yield* notTold(session, path, said.message ?? '');
  else if (said.approved || !signal.aborted) answer(session, file, said.approved);
}

function answer(
  session: Session,
  { path, text }: Pick<Readable, 'path' | 'text'>,
  allowed: boolean,
) {
  session.append({ type: 'memoryAnswered', path, hash: hashOf(text), allowed });
}

/** Says once that a file is not told. */
function* notTold({ memo }: Session, path: string, why: string): Generator<AgentEvent, void> {
  const message =
    `${visiblePath(path)} came or changed since the session began, and is not told to the agent ` +
    `as instructions: ${why.replace(/\.$/, '')}.`;
  if (memo.told.has(message)) return;
  memo.told.add(message);
  yield { type: 'notice', message };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
