import type { AGENTS } from './findSessions';
import type { Database } from './sqliteFile';

/** The agents whose sessions Plimsoll finds. */
export type LensAgent = keyof typeof AGENTS;

/** Folders in place of an agent's own; an empty list turns the agent off. */
export type LensPlaces = Readonly<Partial<Record<LensAgent, string | readonly string[]>>>;

/** A session of any agent, as a list shows it. */
export interface FoundSession {
  readonly agent: LensAgent | 'plimsoll';
  readonly id: string;
  readonly file: string;
  /** The folder it worked in; undefined if the file does not say. */
  readonly folder: string | undefined;
  /** '' if it has neither a title nor a prompt. */
  readonly title: string;
  /** The last write; ms since the epoch. */
  readonly usedAt: number;
  readonly model: string | undefined;
  /** Tokens of the newest request and its reply, as the agent's API counted them. */
  readonly tokens: number | undefined;
  /** The size of its context window, if the file names it. */
  readonly windowTokens: number | undefined;
  readonly compactions: number;
  readonly isRunning: boolean;
  /** Sessions of its sub-agents, each with a window of its own; the newest first. */
  readonly inner: readonly FoundSession[];
}

/** A session and its sub-agents, at any depth. */
export function withInner(session: FoundSession): readonly FoundSession[] {
  return [session, ...session.inner.flatMap(withInner)];
}

/** A session that another one may have started. */
export type InnerSession = FoundSession & { readonly parent?: string | undefined };

/** Deepest nesting of sub-agents that is shown; no agent nests further than a few. */
const DEEPEST = 50;

/** Puts sub-agents below the session that started them, if that is there. */
export function nested(sessions: readonly InnerSession[]): readonly FoundSession[] {
  const startedBy = new Map<string | undefined, InnerSession[]>();
  for (const session of sessions) {
    const list = startedBy.get(session.parent);
    if (list === undefined) startedBy.set(session.parent, [session]);
    else list.push(session);
  }
  const byId = new Map(sessions.map((session) => [session.id, session]));
  /** Whether its parents end at a session without one; a damaged file may name them in a circle. */
  const isInner = ({ id, parent }: InnerSession) => {
    const seen = new Set([id]);
    let above = parent;
    while (above !== undefined && byId.has(above) && !seen.has(above)) {
      seen.add(above);
      above = byId.get(above)?.parent;
    }
    return seen.size > 1 && !seen.has(above ?? '') && seen.size <= DEEPEST;
  };
  const withInner = ({ parent: _parent, ...session }: InnerSession): FoundSession => ({
    ...session,
    inner: (startedBy.get(session.id) ?? [])
      .filter(isInner)
      .map(withInner)
      .toSorted((a, b) => b.usedAt - a.usedAt),
  });
  return sessions.filter((session) => !isInner(session)).map(withInner);
}

/** What a search found, and what it could not read, one sentence each. */
export interface FoundSessions {
  readonly sessions: readonly FoundSession[];
  readonly problems: readonly string[];
}

/** What a session's file says, read so far. */
export interface Glance {
  readonly id?: string;
  readonly folder?: string;
  readonly title?: string;
  readonly firstPrompt?: string;
  /** The first prompt of a fork that the user has not continued: a copy of its origin's. */
  readonly copiedPrompt?: string;
  /** When a fork began; older steps are copies. */
  readonly begunAt?: string;
  readonly model?: string;
  readonly tokens?: number;
  readonly windowTokens?: number;
  readonly compactions: number;
  /** The session that started this one as a sub-agent. */
  readonly parent?: string;
  /** A turn has begun and not ended. */
  readonly isInTurn?: boolean;
  /** The beginning or the id of the newest summary, which every later request repeats. */
  readonly summary?: string;
  /**
   * Windows whose events are in the same file: sub-agents by the ids of the calls that started them,
   * compactions of Codex by those of their requests.
   */
  readonly subAgents?: ReadonlyMap<string, Glance & { readonly at: number }>;
}

/** Reads more lines of a session's file; `former` is what the lines before them said. */
export type GlanceReader = (lines: Buffer, former: Glance) => Glance;

/** Where and how an agent writes its sessions. */
export interface AgentSessions {
  /** Its name for people. */
  readonly name: string;
  /** Its folders; most do not exist on a given machine. */
  places(around: Machine): readonly string[];
  /** Finds its sessions in one of the folders; `folder` limits them, if it is given. */
  find(
    place: string,
    folder: string | undefined,
    reader: SessionReader,
  ): Promise<readonly FoundSession[]>;
}

/** The machine where the sessions are. */
export interface Machine {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
}

/** Reads files for a search. Nothing throws: what cannot be read is noted, what is missing is not. */
export interface SessionReader extends Machine {
  /** The names in a folder; none if it is missing. */
  names(folder: string): Promise<readonly string[]>;
  text(file: string): Promise<string | undefined>;
  /**
   * What queries find in a database; they run again only when it has changed, and get the previous
   * answer.
   */
  query<T>(
    file: string,
    read: (database: Database, former: T | undefined) => T,
  ): Promise<T | undefined>;
  /**
   * What a session's file says; its lines are read once, and later only those added. A file that is
   * rewritten as a whole is `whole`.
   */
  glance(
    file: string,
    read: GlanceReader,
    form?: 'lines' | 'whole',
  ): Promise<(Glance & { readonly usedAt: number }) | undefined>;
}
