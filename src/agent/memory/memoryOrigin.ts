import type { ToolUseId } from '../../contextWindow/block';
import type { MemoryOrigin } from '../../contextWindow/event';
import { visiblePath } from '../../contextWindow/visibleText';
import type { AgentDeps } from '../agentDeps';
import type { AgentEvent } from '../agentEvent';
import { contentHash, type FoundMemory } from './projectMemory';
import type { Session } from '../session';
import { GRACE_MS, stoppable } from '../stopping';
import type { ApprovalAnswer, ToolOutput } from '../tool';

/**
 * Memory instructs the model, so it must come from the user. Files that existed when the session
 * began do. A file that was created or changed since may be the work of a command or of text the
 * model read; it is used only after the user has seen and approved it.
 */

/**
 * A longer text is neither asked about nor used, because no one reads that much in a question;
 * characters.
 */
const LONGEST_ASKED = 100_000;

type Readable = Extract<FoundMemory, { readonly text: string }>;

/** Logs the memory files that exist when the session begins, once. */
export async function listMemory({ session, projectMemory }: AgentDeps): Promise<void> {
  if (session.events.some(({ type }) => type === 'memoryListed')) return;
  const found = await projectMemory.everywhere();
  const files = found.flatMap((file) =>
    'text' in file ? [{ path: file.path, hash: contentHash(file.text) }] : [],
  );
  session.append({ type: 'memoryListed', files });
}

/** Whether the user must be asked about some file. */
export function hasUnanswered(session: Session, found: readonly FoundMemory[]): boolean {
  return found.some((file) => 'text' in file && knownOrigin(session, file) === undefined);
}

/**
 * The files that may be used without asking, each with its origin. After a change, the approved
 * version of a file stays in use.
 */
export function usableMemory(
  session: Session,
  found: readonly FoundMemory[],
): readonly FoundMemory[] {
  return found.flatMap((file): readonly FoundMemory[] => {
    if (!('text' in file)) return [file];
    const origin = knownOrigin(session, file);
    if (typeof origin === 'object') return [{ ...file, origin }];
    const before = session.window.preamble.memory?.find(({ path }) => path === file.path);
    return before === undefined ? [] : [{ path: file.path, inUse: before }];
  });
}

/** The files that may be used, after asking the user about every file without an answer. */
export async function* usableAfterAsking(
  deps: AgentDeps,
  found: readonly FoundMemory[],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, readonly FoundMemory[]> {
  for (const file of found) {
    const isOpen = 'text' in file && knownOrigin(deps.session, file) === undefined;
    if (isOpen) yield* ask(deps, file, signal);
  }
  return usableMemory(deps.session, found);
}

/**
 * Counts a line added by `remember` as approved: the user saw and approved it, and the rest of the
 * file was approved before.
 */
export function approveRemembered(
  session: Session,
  { path, before, after }: NonNullable<ToolOutput['remembered']>,
): void {
  const file = (text: string) => ({ path, text: text.replace(/^\uFEFF/, '') });
  const isOwn = before === undefined || typeof knownOrigin(session, file(before)) === 'object';
  if (isOwn) answer(session, file(after), true);
}

/** A file's origin; `denied` when the user denied it; undefined when no one was asked. */
function knownOrigin(
  { events }: Pick<Session, 'events'>,
  { path, text }: Pick<Readable, 'path' | 'text'>,
): MemoryOrigin | 'denied' | undefined {
  if (text.trim() === '') return { how: 'begin' };
  const hash = contentHash(text);
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

/** Asks the user about a file in its current version, and logs the answer. */
async function* ask(
  deps: AgentDeps,
  file: Readable,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const { session } = deps;
  const { path, text } = file;
  if (text.length > LONGEST_ASKED) {
    const why = `it has over ${LONGEST_ASKED} characters, too many to ask about`;
    yield* reportUnused(session, path, why);
    return;
  }
  const id = `memory_${contentHash(`${path}\0${text}`)}` as ToolUseId;
  const use = { id, name: 'project_memory', input: { path } };
  const request = { kind: 'memory', path, text } as const;
  yield { type: 'approvalAsked', use, request };
  const asked = deps.approve(use, request, signal);
  const said: ApprovalAnswer = await stoppable(asked, signal, GRACE_MS, { approved: false });
  yield { type: 'approvalAnswered', use, approved: said.approved };
  // A denial by a rule is not the user's answer: ask again when the user can answer.
  const isRule = !said.approved && said.message !== undefined;
  if (isRule) yield* reportUnused(session, path, said.message ?? '');
  else if (said.approved || !signal.aborted) answer(session, file, said.approved);
}

function answer(
  session: Session,
  { path, text }: Pick<Readable, 'path' | 'text'>,
  allowed: boolean,
) {
  session.append({ type: 'memoryAnswered', path, hash: contentHash(text), allowed });
}

/** Reports once that a file is not used. */
function* reportUnused({ memo }: Session, path: string, why: string): Generator<AgentEvent, void> {
  const message =
    `${visiblePath(path)} is new or changed since the session began, and does not instruct the agent: ` +
    `${why.replace(/\.$/, '')}.`;
  if (memo.reported.has(message)) return;
  memo.reported.add(message);
  yield { type: 'notice', message };
}
