import type { Stats } from 'node:fs';
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { errorText } from '../../contextWindow/result';
import type { CaptureFolders } from '../captures/joinCaptures';
import { withSideRequests } from '../captures/withSideRequests';
import { CLAUDE_CODE } from './claudeCodeSessions';
import { CLINE, ROO } from './clineSessions';
import { CODEX } from './codexSessions';
import { COPILOT_CLI } from './copilotSessions';
import { CRUSH } from './crushSessions';
import type {
  AgentSessions,
  FoundSession,
  FoundSessions,
  Glance,
  GlanceReader,
  LensAgent,
  LensPlaces,
  Machine,
  SessionReader,
} from './foundSession';
import { GEMINI_CLI } from './geminiSessions';
import { GOOSE } from './gooseSessions';
import { KILO, OPENCODE } from './opencodeSessions';
import { ownSessions } from './ownSessions';
import { PI } from './piSessions';
import { isCompressed, sessionBytes } from './sessionBytes';
import { VSCODE } from './vscodeSessions';
import { storedIn } from './storedSessions';
import { ZED } from './zedSessions';
import { type Database, databaseMark, NoSqlite, readDatabase } from './sqliteFile';

/** Each agent in a file of its own. */
export const AGENTS = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  'copilot-cli': COPILOT_CLI,
  vscode: VSCODE,
  'gemini-cli': GEMINI_CLI,
  opencode: OPENCODE,
  kilo: KILO,
  goose: GOOSE,
  crush: CRUSH,
  zed: ZED,
  cline: CLINE,
  roo: ROO,
  pi: PI,
} as const satisfies Readonly<Record<string, AgentSessions>>;

export const LENS_AGENTS = Object.keys(AGENTS) as readonly LensAgent[];

/** The name of an agent for people. */
export function agentName(agent: FoundSession['agent']): string {
  return agent === 'plimsoll' ? 'Plimsoll' : AGENTS[agent].name;
}

/** Most problems that a search names. */
const MOST_PROBLEMS = 20;

/** Finds the sessions of other agents, and Plimsoll's own, and remembers what their files said. */
export class SessionFinder {
  readonly #kept: Kept = { glances: new Map(), answers: new Map() };

  constructor(private readonly machine: Machine = THIS_MACHINE) {}

  /**
   * Finds sessions, the newest first: those that worked in a folder or below it, or all. `places`
   * replace the agents' own folders. Plimsoll's own sessions are found only if `own` says so.
   * `requests` are the folders where agents' requests may be recorded: those that are no step of a
   * session are put below it.
   */
  async find(
    folder?: string,
    places: LensPlaces = {},
    { own: isOwnWanted = false, requests = {} as CaptureFolders } = {},
  ): Promise<FoundSessions> {
    const problems: string[] = [];
    const reader = new Files(this.machine, this.#kept, (problem) => problems.push(problem));
    const wanted = folder === undefined ? undefined : await realpath(folder).catch(() => folder);
    const searches = LENS_AGENTS.flatMap((agent) => {
      const { places: own, find } = AGENTS[agent];
      const given = places[agent];
      const folders = given === undefined ? own(this.machine) : [given].flat();
      return folders
        .filter((place) => place !== '')
        .map((place) => find(this.#absolute(place), wanted, reader));
    });
    if (isOwnWanted) searches.push(ownSessions(this.machine, reader));
    const found = (await Promise.all(searches)).flat();
    const isWanted = (session: FoundSession) =>
      folder === undefined || [folder, wanted].some((one) => isInside(session.folder, one));
    const sessions = found.filter(isWanted).toSorted((a, b) => b.usedAt - a.usedAt);
    const whole = await withSideRequests(sessions, requests, reader);
    return { sessions: whole, problems: shortened(problems) };
  }

  #absolute(place: string): string {
    const { home } = this.machine;
    return place.startsWith('~') ? join(home, place.slice(1)) : resolve(place);
  }
}

const THIS_MACHINE: Machine = {
  home: homedir(),
  environment: process.env,
  now: () => Date.now(),
};

/** Whether a folder is another one, or below it. */
function isInside(folder: string | undefined, outer: string | undefined): boolean {
  if (folder === undefined || outer === undefined) return false;
  const path = relative(outer, folder);
  return !path.startsWith('..') && !isAbsolute(path);
}

function shortened(problems: readonly string[]): readonly string[] {
  const once = [...new Set(problems)];
  const more = once.length - MOST_PROBLEMS;
  return more <= 0 ? once : [...once.slice(0, MOST_PROBLEMS), `${more} more could not be read.`];
}

/** What the lines of a file said up to an offset. */
interface KeptGlance {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  /** Where the last complete line ends. */
  readonly offset: number;
  readonly glance: Glance;
}

/** What files and databases said, by their paths. */
interface Kept {
  readonly glances: Map<string, KeptGlance>;
  readonly answers: Map<string, { readonly mark: string; readonly answer: unknown }>;
}

/** So many files are read at the same time: more make no search faster. */
const FILES_AT_ONCE = 16;

class Files implements SessionReader {
  readonly home: string;
  readonly environment: Machine['environment'];
  readonly now: Machine['now'];
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    machine: Machine,
    private readonly kept: Kept,
    private readonly noted: (problem: string) => void,
  ) {
    this.home = machine.home;
    this.environment = machine.environment;
    this.now = machine.now;
  }

  async names(folder: string): Promise<readonly string[]> {
    return (await this.#tried(folder, () => readdir(folder))) ?? [];
  }

  text(file: string): Promise<string | undefined> {
    return this.#tried(file, async () => {
      regular(await stat(file));
      return readFile(file, 'utf8');
    });
  }

  glance(
    file: string,
    read: GlanceReader,
    form: 'lines' | 'whole' = 'lines',
  ): Promise<(Glance & { readonly usedAt: number }) | undefined> {
    return this.#tried(file, async () => {
      const { ino, size, mtimeMs } = regular(await stat(file));
      const kept = this.kept.glances.get(file);
      if (kept?.ino === ino && kept.size === size && kept.mtimeMs === mtimeMs) {
        return { ...kept.glance, usedAt: mtimeMs };
      }
      const isGrown =
        form === 'lines' && kept?.ino === ino && size > kept.size && !isCompressed(file);
      const from = isGrown ? kept.offset : 0;
      // Compressed files and databases are read whole; any other one as it is, without files beside it.
      const isPlain = !isCompressed(file) && storedIn(file) === undefined;
      const bytes = isPlain ? await bytesFrom(file, from) : await sessionBytes(file);
      // A line that is being written is read with the next change.
      const end = form === 'whole' ? bytes.length : bytes.lastIndexOf('\n') + 1;
      const former = isGrown ? kept.glance : { compactions: 0 };
      const glance = read(bytes.subarray(0, end), former);
      this.kept.glances.set(file, { ino, size, mtimeMs, offset: from + end, glance });
      return { ...glance, usedAt: mtimeMs };
    });
  }

  query<T>(
    file: string,
    read: (database: Database, former: T | undefined) => T,
  ): Promise<T | undefined> {
    return this.#tried(file, async () => {
      const mark = await databaseMark(file);
      const kept = this.kept.answers.get(file);
      // Each database is read by one agent alone, with the same queries.
      const former = kept?.answer as T | undefined;
      if (kept?.mark === mark && former !== undefined) return former;
      const answer = await readDatabase(file, (database) => read(database, former));
      this.kept.answers.set(file, { mark, answer });
      return answer;
    });
  }

  async #tried<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#busy >= FILES_AT_ONCE) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#busy += 1;
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // Most agents are not on this machine, and sessions may be deleted meanwhile.
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      if (error instanceof NoSqlite) {
        this.noted(error.message);
        return undefined;
      }
      const why = typeof code === 'string' ? code : errorText(error);
      this.noted(`${path} cannot be read: ${why}`);
      return undefined;
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }
}

/** A pipe or a device would be read for ever. */
function regular(stats: Stats): Stats {
  if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is not a regular file');
  return stats;
}

async function bytesFrom(file: string, offset: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.max(0, size - offset));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
