import type { FoundSession, SessionReader } from '../lens/foundSession';
import { compactionsIn } from './codexCompactions';
import type { CaptureFolders } from './joinCaptures';
import { sideRequestsIn } from './sideRequests';

/** Puts the side requests in the folders below their sessions, as windows of their own. */
export async function withSideRequests(
  sessions: readonly FoundSession[],
  folders: CaptureFolders,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const all = await Promise.all([
    ...(folders['claude-code'] ?? []).map((folder) => sideRequestsIn(folder, reader)),
    ...(folders.codex ?? []).map((folder) => compactionsIn(folder, reader)),
  ]);
  const bySession = new Map<string, FoundSession[]>();
  for (const { session, request } of all.flat()) {
    const key = `${request.agent} ${session}`;
    bySession.set(key, [...(bySession.get(key) ?? []), request]);
  }
  const withOwn = (session: FoundSession): FoundSession => {
    const inner = session.inner.map(withOwn);
    const own = bySession.get(`${session.agent} ${session.id}`);
    if (own === undefined) return { ...session, inner };
    const placed = own.map((request) => ({ ...request, folder: session.folder }));
    return { ...session, inner: [...inner, ...placed].toSorted((a, b) => b.usedAt - a.usedAt) };
  };
  return sessions.map(withOwn);
}
