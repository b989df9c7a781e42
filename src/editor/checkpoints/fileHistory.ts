import type { Checkpoints } from '../../agent/checkpointPort';
import type { Estimator } from '../../agent/model';
import { applyPatch, reversePatch, structuredPatch, type StructuredPatch } from 'diff';
import { counted, restoredNote } from '../../agent/keepFiles';
import type { NewEvent, SessionEvent } from '../../contextWindow/event';
import {
  changesSince,
  type ContentName,
  type FileChange,
  type FilesMoment,
  filesOfTurn,
  newestRestore,
  NO_FILE,
  type TurnFile,
  turnOf,
  turnsWithFiles,
} from '../../contextWindow/fileChanges';
import { refused, type Refusal, type Result } from '../../contextWindow/result';
import { visiblePath } from '../../contextWindow/visibleText';
import type { FileToRestore, HunksView } from './state';
import type { SessionRun } from '../session/sessionRun';

/** The files of the workspace, and their saved versions. */
export interface SavedFiles {
  /** Undefined if nothing is kept, or no folder is open. */
  checkpoints(): Promise<Checkpoints | undefined>;
  /** Writes a saved version of a file, if the file still has the expected content. */
  write(kept: Checkpoints, file: FileToWrite): Promise<Refusal>;
  /** Whether a file has unsaved changes in the editor. */
  isUnsaved(path: string): boolean;
}

/** A file, its expected content, and its new one. */
export interface FileToWrite {
  readonly path: string;
  readonly was: ContentName;
  readonly to: ContentName;
}

/** Names a hunk by its index, between the two contents it was shown for. */
interface HunkName {
  readonly before: ContentName;
  readonly after: ContentName;
  readonly hunk: number;
}

interface HowToPut {
  /** Includes files that something else changed since. */
  readonly changedToo: boolean;
  /** Tells the model, because it continues from a later moment. */
  readonly tellsModel: boolean;
  readonly undoes?: true;
  /** The state of a turn's own change of a file after the restore. */
  readonly changeOf: (turn: number, file: TurnFile) => ChangeThen;
}

/** Still in the file, gone from it, in part in the file, or as it was recorded earlier. */
type ChangeThen = 'stays' | 'undone' | 'partly' | TurnFile;

/** Result of a restore: the paths skipped because something else changed them. */
type Put = Result<{ readonly left: readonly string[] }>;

interface Planned extends FileToRestore {
  readonly to: ContentName;
}

interface FoundHunk {
  readonly kept: Checkpoints;
  /** The file at the start of the turn. */
  readonly before: string;
  /** The hunk alone. */
  readonly patch: StructuredPatch;
}

const BUSY = 'The agent is working. Stop it before you restore files.';
const NOTHING_KEPT = 'Plimsoll keeps no files here: plimsoll.checkpoints.maxMegabytes is 0.';
const OTHER_NOW = "The file, or the turn's change of it, has changed since. Look again.";

/** Context lines around a hunk. */
const CONTEXT_LINES = 3;

/**
 * Restores files to the state before the agent changed them, and records which changes the user
 * keeps.
 */
export class FileHistory {
  constructor(
    private readonly current: { readonly run: Pick<SessionRun, 'events' | 'isBusy' | 'edit'> },
    private readonly files: SavedFiles,
    private readonly estimator: Pick<Estimator, 'warm'>,
  ) {}

  /** What restoring the files of a moment would do. */
  async plan(moment: FilesMoment): Promise<readonly FileToRestore[]> {
    const kept = await this.files.checkpoints();
    if (kept === undefined) return [];
    const planned = await this.#planned(kept, changesSince(this.#events, moment));
    return planned.map(({ to: _to, ...file }) => file);
  }

  /** Restores the files of a moment; `tellsModel`: whether to tell the model. */
  async restore(moment: FilesMoment, changedToo: boolean, tellsModel: boolean): Promise<Refusal> {
    const turn = turnOf(this.#events, moment) ?? 0;
    const own = moment.type === 'step' ? 'partly' : 'undone';
    const changes = changesSince(this.#events, moment);
    const put = await this.#put(changes, {
      changedToo,
      tellsModel,
      changeOf: changesFrom(turn, own),
    });
    return put.ok ? leftText(put.left) : put.message;
  }

  /** Undoes the last file restore. */
  async undoRestore(): Promise<Refusal> {
    const last = newestRestore(this.#events);
    if (last === undefined) return 'No files were restored, so there is nothing to undo.';
    const then = this.#events.slice(0, this.#events.findLastIndex(isRestore));
    const changeOf = (turn: number, { path }: TurnFile): ChangeThen =>
      filesOfTurn(then, turn).find((file) => file.path === path) ?? 'stays';
    const put = await this.#put(last, {
      changedToo: false,
      tellsModel: true,
      undoes: true,
      changeOf,
    });
    return put.ok ? leftText(put.left) : put.message;
  }

  /**
   * Undoes a turn's changes of its files, or of one of them; something else changed those in
   * `left`.
   */
  async undo(turn: number, path: string | undefined, changedToo: boolean): Promise<Put> {
    const files = this.#openFiles(turn, path);
    if (files.length === 0) return refused(OTHER_NOW);
    return this.#put(files, {
      changedToo,
      tellsModel: true,
      changeOf: changesFrom(turn, 'undone'),
    });
  }

  /** Keeps a turn's changes of its files, or of one of them, and no longer asks about them. */
  async keep(turn: number, path: string | undefined): Promise<Refusal> {
    const kept = this.#openFiles(turn, path).map((file) => file.path);
    if (kept.length === 0) return OTHER_NOW;
    return this.#tellTurn(turn, (file) =>
      kept.includes(file.path) ? { ...file, answer: 'kept' } : file,
    );
  }

  /** The hunks of a turn's change of a file; undefined if it did not change the file. */
  async hunks(turn: number, path: string): Promise<HunksView | undefined> {
    const { file, texts } = await this.#patchOf(turn, path);
    if (file === undefined) return undefined;
    const { before, after } = file;
    if (texts === undefined) {
      const problem =
        'Plimsoll cannot show the lines: this is not a text file, or one version is no longer kept.';
      return { before, after, hunks: [], problem };
    }
    const hunks = texts.patch.hunks.map(({ newStart: line, lines }) => ({ line, lines }));
    return { before, after, hunks };
  }

  /** Keeps one hunk: the version that the file is compared with gets it, too. */
  async keepHunk(turn: number, path: string, shown: HunkName): Promise<Refusal> {
    const found = await this.#hunk(turn, path, shown);
    if (!found.ok) return found.message;
    const text = applyPatch(found.before, found.patch);
    if (text === false) return OTHER_NOW;
    const before = await found.kept.keepText(text, shown.after);
    return this.#tellTurn(turn, (file) => {
      if (file.path !== path) return file;
      if (before === file.after) return { ...file, answer: 'kept' };
      return counted(found.kept, { path, before, after: file.after });
    });
  }

  /** Undoes one hunk; changes by something else elsewhere in the file stay. */
  async undoHunk(turn: number, path: string, shown: HunkName): Promise<Refusal> {
    if (this.current.run.isBusy) return BUSY;
    const found = await this.#hunk(turn, path, shown);
    if (!found.ok) return found.message;
    const { kept, patch } = found;
    const was = await kept.keep(path);
    const now = was === NO_FILE ? undefined : await kept.text(was);
    const text = now === undefined ? false : applyPatch(now, reversePatch(patch));
    if (text === false || this.files.isUnsaved(path)) {
      return `${visiblePath(path)} was changed there since, or has unsaved changes. Nothing was undone.`;
    }
    const to = await kept.keepText(text, was);
    const refusal = await this.files.write(kept, { path, was, to });
    const done = [{ path, before: was, after: to }];
    const changeOf = (other: number): ChangeThen => (other === turn ? 'partly' : 'stays');
    return refusal ?? this.#tell(kept, done, { changedToo: false, tellsModel: true, changeOf });
  }

  file(turn: number, path: string): TurnFile | undefined {
    return filesOfTurn(this.#events, turn).find((one) => one.path === path);
  }

  /** A saved version, as text. */
  async text(name: ContentName): Promise<string | undefined> {
    return (await this.files.checkpoints())?.text(name);
  }

  get #events() {
    return this.current.run.events;
  }

  /** The files of a turn that the user has neither kept nor undone, or one of them. */
  #openFiles(turn: number, path: string | undefined): readonly TurnFile[] {
    return filesOfTurn(this.#events, turn).filter(
      (file) => file.answer === undefined && (path ?? file.path) === file.path,
    );
  }

  async #hunk(turn: number, path: string, shown: HunkName): Promise<Result<FoundHunk>> {
    const { kept, file, texts } = await this.#patchOf(turn, path);
    if (kept === undefined) return refused(NOTHING_KEPT);
    const hunk = texts?.patch.hunks[shown.hunk];
    const isSame = file?.before === shown.before && file.after === shown.after;
    if (texts === undefined || hunk === undefined || !isSame) return refused(OTHER_NOW);
    return { ok: true, kept, before: texts.before, patch: { ...texts.patch, hunks: [hunk] } };
  }

  async #patchOf(turn: number, path: string) {
    const kept = await this.files.checkpoints();
    const file = this.file(turn, path);
    if (kept === undefined || file === undefined) return {};
    const [before, after] = [await kept.text(file.before), await kept.text(file.after)];
    if (before === undefined || after === undefined) return { kept, file };
    const patch = structuredPatch(path, path, before, after, '', '', { context: CONTEXT_LINES });
    return { kept, file, texts: { before, patch } };
  }

  async #planned(kept: Checkpoints, changes: readonly FileChange[]): Promise<readonly Planned[]> {
    const planned: Planned[] = [];
    for (const { path, before: to, after } of changes) {
      const now = await kept.now(path);
      const isUnsaved = this.files.isUnsaved(path);
      if (now === to && !isUnsaved) continue;
      const isKept = to === NO_FILE || (await kept.content(to)) !== undefined;
      const how = to === NO_FILE ? 'goes' : now === NO_FILE ? 'comes' : 'changes';
      const since = now === after && !isUnsaved ? {} : { isChangedSince: true as const };
      const problem = isKept ? {} : { problem: 'Plimsoll did not keep this version' };
      planned.push({ path, how, to, ...since, ...problem });
    }
    return planned;
  }

  /** Writes the `before` version of files that still have the `after` version. */
  async #put(changes: readonly FileChange[], how: HowToPut): Promise<Put> {
    if (this.current.run.isBusy) return refused(BUSY);
    const kept = await this.files.checkpoints();
    if (kept === undefined) return refused(NOTHING_KEPT);
    const done: FileChange[] = [];
    const left: string[] = [];
    const problems: string[] = [];
    for (const { path, to, isChangedSince, problem } of await this.#planned(kept, changes)) {
      if (isChangedSince === true && !how.changedToo) {
        left.push(path);
        continue;
      }
      const was = await kept.keep(path);
      const refusal =
        problem === undefined
          ? await this.files.write(kept, { path, was, to })
          : `${visiblePath(path)} was not restored: ${problem}.`;
      if (refusal === undefined) done.push({ path, before: was, after: to });
      else problems.push(refusal);
    }
    const unlogged = done.length === 0 ? undefined : await this.#tell(kept, done, how);
    const [first] = [...(unlogged === undefined ? [] : [unlogged]), ...problems];
    if (first === undefined) return { ok: true, left };
    return refused([...problems, leftText(left) ?? ''].join(' ').trim() || first);
  }

  /** Logs the restored files, what that means for the files of turns, and a note to the model. */
  async #tell(kept: Checkpoints, files: readonly FileChange[], how: HowToPut): Promise<Refusal> {
    const undoes = how.undoes === undefined ? {} : { undoes: how.undoes };
    const refusal = this.#append({ type: 'filesRestored', files, ...undoes });
    if (refusal !== undefined) return refusal;
    const contents = new Map(files.map(({ path, after }) => [path, after]));
    for (const turn of turnsWithFiles(this.#events)) {
      if (!filesOfTurn(this.#events, turn).some(({ path }) => contents.has(path))) continue;
      await this.#tellTurn(turn, (file) => {
        const after = contents.get(file.path);
        const then = after === undefined ? 'stays' : how.changeOf(turn, file);
        if (after === undefined || then === 'stays') return file;
        if (then !== 'partly' && then !== 'undone') return then;
        if (then === 'undone' || after === file.before) return { ...file, answer: 'undone' };
        return counted(kept, { path: file.path, before: file.before, after });
      });
    }
    if (!how.tellsModel) return undefined;
    const note = restoredNote(files);
    await this.estimator.warm([note.text]);
    return this.#append(note);
  }

  async #tellTurn(
    turn: number,
    change: (file: TurnFile) => TurnFile | Promise<TurnFile>,
  ): Promise<Refusal> {
    const files = await Promise.all(filesOfTurn(this.#events, turn).map(change));
    return this.#append({ type: 'turnFiles', turn, files });
  }

  #append(event: NewEvent): Refusal {
    return this.current.run.edit(() => ({ ok: true, event }));
  }
}

function isRestore({ type }: SessionEvent): boolean {
  return type === 'filesRestored';
}

/**
 * A file gets the content it had in a turn: the lines of earlier turns are still in it, those of
 * later turns are not.
 */
function changesFrom(turn: number, own: ChangeThen): HowToPut['changeOf'] {
  return (other) => (other === turn ? own : other < turn ? 'stays' : 'undone');
}

function leftText(left: readonly string[]): Refusal {
  if (left.length === 0) return undefined;
  const names = left.map((path) => visiblePath(path)).join(', ');
  return `Skipped because something else changed them: ${names}.`;
}
