import { isAbsolute, posix, relative } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { textsOfRefault } from '../../contextWindow/passes/refault';
import type { Refusal } from '../../contextWindow/result';
import type { Estimate } from '../../contextWindow/truncate';
import { visibleLine, visiblePath } from '../../contextWindow/visibleText';
import type { ContextWindow } from '../../contextWindow/window';
import { titleOfWindow } from '../../sessions/sessionTitle';
import type { Services } from '../services';
import type { SessionFollower } from './currentSession';
import { forkedAfterIn } from './sessionCosts';

/** A session that read a file again after a pass had removed its lines. */
interface NeedOfSession {
  readonly id: string;
  readonly title: string;
  readonly times: number;
  /** Estimated tokens of those lines. */
  readonly tokens: number;
}

/** A file that several sessions of the workspace needed again. */
export interface NeededFile {
  readonly path: string;
  /** The latest last. */
  readonly sessions: readonly NeedOfSession[];
}

type Kept = ExtensionContext['workspaceState'];

const KEY = 'plimsoll.neededInSessions';
const ANSWERED = 'plimsoll.neededInSessions.answered';

/** One session may be about one file. */
const FEWEST_SESSIONS = 2;

const MOST_FILES = 200;
/** Enough for the number on screen to be that of all: the offer ends with the first answer. */
const MOST_SESSIONS = 50;
const MOST_ANSWERED = 500;

/** What counts in a session. */
interface NeedFacts {
  /** What it has up to this step is of the session it was forked from. */
  readonly forkedAfter: number | undefined;
  /** The folder of the workspace, for absolute paths. */
  readonly root: string | undefined;
  readonly estimate: Estimate;
}

/** Records which files a session needs again, and replaces its former record. */
export async function noteNeeded(
  kept: Kept,
  window: ContextWindow,
  facts: NeedFacts,
): Promise<void> {
  const { sessionId: id } = window;
  const title = visibleLine(titleOfWindow(window));
  const needs = needsOf(window, facts);
  const stored = readFiles(kept);
  const sameNeed = ({ path, sessions }: NeededFile): boolean => {
    const before = sessions.find((one) => one.id === id);
    const need = needs.get(path);
    return before?.times === need?.times && (before === undefined || before.title === title);
  };
  const known = new Set(stored.map(({ path }) => path));
  if (stored.every(sameNeed) && [...needs.keys()].every((path) => known.has(path))) return;
  // The files that were needed most recently are last.
  const files = new Map(withoutSession(stored, id).map((file) => [file.path, file]));
  for (const [path, need] of needs) {
    const others = files.get(path)?.sessions ?? [];
    files.delete(path);
    files.set(path, { path, sessions: [...others, { id, title, ...need }].slice(-MOST_SESSIONS) });
  }
  await kept.update(KEY, [...files.values()].slice(-MOST_FILES));
}

/** Forgets a session that is deleted. */
export async function forgetNeeds(kept: Kept, sessionId: string): Promise<void> {
  const stored = readFiles(kept);
  if (stored.some(({ sessions }) => sessions.some(({ id }) => id === sessionId)))
    await kept.update(KEY, withoutSession(stored, sessionId));
}

function withoutSession(files: readonly NeededFile[], sessionId: string): readonly NeededFile[] {
  return files
    .map(({ path, sessions }) => ({
      path,
      sessions: sessions.filter(({ id }) => id !== sessionId),
    }))
    .filter(({ sessions }) => sessions.length > 0);
}

/** Records the needs of each session at the end of a turn; the demo works by a script and needs nothing. */
export function needsFollower({
  context: { workspaceState },
  access: { estimator, settings },
  report,
  root,
}: Pick<Services, 'context' | 'access' | 'report' | 'root'>): SessionFollower {
  return {
    ended: ({ window, session }) => {
      if (settings.valid.settings.provider === 'offline') return;
      report.run(() => {
        const forkedAfter = forkedAfterIn(session?.events ?? []);
        const { estimate } = estimator;
        return noteNeeded(workspaceState, window, { forkedAfter, root, estimate });
      });
    },
  };
}

function readFiles(kept: Pick<Kept, 'get'>): readonly NeededFile[] {
  return kept.get<readonly NeededFile[]>(KEY, []);
}

/** The files that a session read again, how often, and the tokens of the lines. */
function needsOf(
  window: ContextWindow,
  { forkedAfter = 0, root, estimate }: NeedFacts,
): ReadonlyMap<string, Pick<NeedOfSession, 'times' | 'tokens'>> {
  const needs = new Map<string, Pick<NeedOfSession, 'times' | 'tokens'>>();
  for (const refault of window.refaults) {
    // What a recall names means nothing in another session.
    if (refault.by !== 'read' || refault.step <= forkedAfter) continue;
    const path = pathInside(refault.what, root);
    if (path === undefined) continue;
    const { times, tokens } = needs.get(path) ?? { times: 0, tokens: 0 };
    const texts = textsOfRefault(window, refault);
    const size = texts.reduce((sum, text) => sum + estimate(text), 0);
    needs.set(path, { times: times + 1, tokens: tokens + size });
  }
  return needs;
}

/** A path as all sessions have it; undefined outside the workspace. */
function pathInside(named: string, root: string | undefined): string | undefined {
  if (isAbsolute(named) && root === undefined) return undefined;
  const own = isAbsolute(named) && root !== undefined ? relative(root, named) : named;
  const path = posix.normalize(own.replaceAll('\\', '/'));
  return isAbsolute(path) || path.split('/')[0] === '..' ? undefined : path;
}

/** The files that several sessions needed again, and about which the user has not answered. */
export function neededFiles(kept: Pick<Kept, 'get'>): readonly NeededFile[] {
  const answered = new Set(kept.get<readonly string[]>(ANSWERED, []));
  return readFiles(kept).filter(
    ({ path, sessions }) => sessions.length >= FEWEST_SESSIONS && !answered.has(path),
  );
}

/** Remembers that the user has answered, so that a file is offered once. */
export async function answerNeeded(kept: Kept, path: string): Promise<void> {
  const others = kept.get<readonly string[]>(ANSWERED, []).filter((one) => one !== path);
  await kept.update(ANSWERED, [...others, path].slice(-MOST_ANSWERED));
}

/**
 * Puts a prompt into the composer by which the agent proposes a line for project memory; says why
 * not. The line names where it is from, and the user approves it.
 */
export async function offerToRemember(
  kept: Kept,
  path: string,
  composer: { offer(text: string): void },
): Promise<Refusal> {
  const file = neededFiles(kept).find((one) => one.path === path);
  if (file === undefined)
    return 'No prompt was made: you have already answered for this file. Ask the agent to remember it.';
  await answerNeeded(kept, path);
  composer.offer(rememberPrompt(file));
  return undefined;
}

function rememberPrompt({ path, sessions }: NeededFile): string {
  const name = visiblePath(path, 200);
  const origin = `needed again in ${sessions.length} sessions`;
  return (
    `Read ${name} and remember for this project, in one line, what later sessions need of it. ` +
    `Begin the line with the path and end it with "(${origin})".`
  );
}
