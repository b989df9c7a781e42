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
export interface NeedOfSession {
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
const MOST_SESSIONS = 8;
const MOST_ANSWERED = 500;

/** Records which files a session needed again, apart from what it has from the session it was forked from. */
export async function noteNeeded(
  kept: Kept,
  window: ContextWindow,
  forkedAfter: number | undefined,
  estimate: Estimate,
): Promise<void> {
  const { sessionId: id } = window;
  const before = new Map(readFiles(kept).map((file) => [file.path, file]));
  const needs = needsOf(window, forkedAfter ?? 0, estimate);
  const title = visibleLine(titleOfWindow(window));
  let isChanged = false;
  for (const [path, { times, tokens }] of needs) {
    const others = before.get(path)?.sessions ?? [];
    if (others.some((one) => one.id === id && one.times === times)) continue;
    isChanged = true;
    const sessions = [...others.filter((one) => one.id !== id), { id, title, times, tokens }];
    // The files that were needed most recently are last.
    before.delete(path);
    before.set(path, { path, sessions: sessions.slice(-MOST_SESSIONS) });
  }
  if (isChanged) await kept.update(KEY, [...before.values()].slice(-MOST_FILES));
}

/** Records the needs of each session at the end of a turn. */
export function needsFollower({
  context: { workspaceState },
  access: { estimator },
  report,
}: Pick<Services, 'context' | 'access' | 'report'>): SessionFollower {
  return {
    ended: ({ window, session }) =>
      report.run(() => {
        const forkedAfter = forkedAfterIn(session?.events ?? []);
        return noteNeeded(workspaceState, window, forkedAfter, estimator.estimate);
      }),
  };
}

function readFiles(kept: Pick<Kept, 'get'>): readonly NeededFile[] {
  return kept.get<readonly NeededFile[]>(KEY, []);
}

/** The files that a session read again, how often, and the tokens of the lines. */
function needsOf(
  window: ContextWindow,
  forkedAfter: number,
  estimate: Estimate,
): ReadonlyMap<string, Pick<NeedOfSession, 'times' | 'tokens'>> {
  const needs = new Map<string, Pick<NeedOfSession, 'times' | 'tokens'>>();
  for (const refault of window.refaults) {
    // What a recall names means nothing in another session.
    if (refault.by !== 'read' || refault.step <= forkedAfter) continue;
    const path = refault.what.replace(/^(?:\.\/)+/, '');
    const { times, tokens } = needs.get(path) ?? { times: 0, tokens: 0 };
    const texts = textsOfRefault(window, refault);
    const size = texts.reduce((sum, text) => sum + estimate(text), 0);
    needs.set(path, { times: times + 1, tokens: tokens + size });
  }
  return needs;
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
