import type { ContentName, TurnFile } from '../../contextWindow/fileChanges';
import { NO_FILE } from '../../contextWindow/fileChanges';
import type { Refusal, Result } from '../../contextWindow/result';
import { turnsUndone } from '../../contextWindow/window';
import type { FileHistory } from '../checkpoints/fileHistory';
import type { HunkView } from '../checkpoints/state';
import type { SessionRun } from '../session/sessionRun';
import { linesOf, placedHunks, type PlacedHunk } from './placedHunk';

/** A change of a turn that the user has neither kept nor undone, where it is in the file. */
export interface OpenChange extends PlacedHunk {
  /**
   * Names the change by its lines and their place in what the turn wrote: a lens that is still shown
   * stays right when another change is kept.
   */
  readonly id: string;
  readonly turn: number;
  readonly path: string;
  readonly before: ContentName;
  readonly after: ContentName;
  /** The index of its hunk; absent if the turn created the file. */
  readonly hunk?: number;
}

/** Largest text that is searched for changes, characters. */
const LARGEST = 1_000_000;

/** Compared versions that are remembered. */
const REMEMBERED = 20;

type History = Pick<FileHistory, 'hunks' | 'text' | 'keep' | 'undo' | 'keepHunk' | 'undoHunk'>;

type Run = Pick<SessionRun, 'session' | 'events' | 'window' | 'whyReadOnly'>;

interface Compared {
  readonly hunks: readonly HunkView[];
  readonly written: readonly string[];
}

/** The open changes of the shown session. Keep and Undo are those of the Agent view. */
export class OpenChanges {
  #session: Run['session'];
  #seen = 0;
  #turns = new Map<number, readonly TurnFile[]>();
  readonly #compared = new Map<string, Compared>();

  constructor(
    private readonly current: { readonly run: Run },
    private readonly history: History,
  ) {}

  /** The files with open changes. */
  get paths(): readonly string[] {
    const paths = [...this.#readTurns().values()].flatMap((files) =>
      files.filter(({ answer }) => answer === undefined).map(({ path }) => path),
    );
    return [...new Set(paths)].toSorted();
  }

  /** The open changes in the current text of a file, from its first line to its last. */
  async in(path: string, text: string): Promise<readonly OpenChange[]> {
    if (text.length > LARGEST) return [];
    const now = linesOf(text);
    const found: OpenChange[] = [];
    // Of two turns with the same lines, the newer one wrote them.
    for (const { turn, file } of this.#openTurns(path)) {
      const changes = await this.#changesOf(turn, file, now);
      found.push(...changes.filter((one) => !found.some((other) => overlap(one, other))));
    }
    return found.toSorted((one, other) => one.start - other.start);
  }

  keep({ turn, path, hunk, ...shown }: OpenChange): Promise<Refusal> {
    return hunk === undefined
      ? this.history.keep(turn, path)
      : this.history.keepHunk(turn, path, { ...shown, hunk });
  }

  async undo({ turn, path, hunk, ...shown }: OpenChange): Promise<Undone> {
    if (hunk === undefined) return this.history.undo(turn, path, false);
    const message = await this.history.undoHunk(turn, path, { ...shown, hunk });
    return message === undefined ? { ok: true, left: [] } : { ok: false, message };
  }

  /** Keeps every open change of a file. */
  async keepFile(path: string): Promise<Refusal> {
    for (const { turn } of this.#openTurns(path)) {
      const refusal = await this.history.keep(turn, path);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  /** Undoes every open change of a file; `left` has the file if something else changed it since. */
  async undoFile(path: string, changedToo: boolean): Promise<Undone> {
    for (const { turn } of this.#openTurns(path)) {
      // The undo of a later turn may have undone this one, too.
      if (!this.#openTurns(path).some((open) => open.turn === turn)) continue;
      const undone = await this.history.undo(turn, path, changedToo);
      if (!undone.ok || undone.left.length > 0) return undone;
    }
    return { ok: true, left: [] };
  }

  async #changesOf(
    turn: number,
    { path, before, after }: TurnFile,
    now: readonly string[],
  ): Promise<readonly OpenChange[]> {
    const compared = await this.#comparedFor(turn, path, `${path} ${before} ${after}`);
    if (compared === undefined) return [];
    const places = placedHunks(compared.hunks, compared.written, now);
    return places.flatMap((place, index) => {
      if (place === undefined) return [];
      const hunk = before === NO_FILE ? {} : { hunk: index };
      const { line, lines = [] } = compared.hunks[index] ?? {};
      const id = [`${turn} ${line} ${path}`, ...lines].join('\n');
      return [{ ...place, id, turn, path, before, after, ...hunk }];
    });
  }

  async #comparedFor(turn: number, path: string, key: string): Promise<Compared | undefined> {
    const known = this.#compared.get(key);
    if (known !== undefined) return known;
    const view = await this.history.hunks(turn, path);
    const written = view && (await this.history.text(view.after));
    if (view === undefined || written === undefined) return undefined;
    // An answer may have come meanwhile.
    if (key !== `${path} ${view.before} ${view.after}`) return undefined;
    const compared = { hunks: view.hunks, written: linesOf(written) };
    this.#compared.set(key, compared);
    for (const old of [...this.#compared.keys()].slice(0, -REMEMBERED)) this.#compared.delete(old);
    return compared;
  }

  /** The turns with open changes of a file, newest first. */
  #openTurns(path: string): readonly { readonly turn: number; readonly file: TurnFile }[] {
    return [...this.#readTurns()]
      .flatMap(([turn, files]) => {
        const file = files.find((one) => one.path === path && one.answer === undefined);
        return file === undefined ? [] : [{ turn, file }];
      })
      .toSorted((one, other) => other.turn - one.turn);
  }

  /** Reads the events that are new since the last time: a long log is read once. */
  #readTurns(): ReadonlyMap<number, readonly TurnFile[]> {
    const { session, events, window, whyReadOnly } = this.current.run;
    if (session !== this.#session || events.length < this.#seen) {
      this.#session = session;
      this.#seen = 0;
      this.#turns = new Map();
    }
    for (; this.#seen < events.length; this.#seen += 1) {
      const event = events[this.#seen];
      if (event?.type === 'turnFiles') this.#turns.set(event.turn, event.files);
    }
    if (whyReadOnly !== undefined) return new Map();
    const undone = turnsUndone(window);
    return undone.size === 0
      ? this.#turns
      : new Map([...this.#turns].filter(([turn]) => !undone.has(turn)));
  }
}

/** The files that were skipped because something else changed them. */
type Undone = Result<{ readonly left: readonly string[] }>;

function overlap(one: PlacedHunk, other: PlacedHunk): boolean {
  return one.start < endOf(other) && other.start < endOf(one);
}

/** Removed lines count as the line they were above. */
function endOf({ start, end }: PlacedHunk): number {
  return Math.max(end, start + 1);
}
