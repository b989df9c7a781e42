import type { BlockId, ToolUseId } from './block';
import type { PersistentMap } from './persistentMap';

/**
 * The call that showed a line last: in its result, or in what it wrote; `cut`: its result holds the
 * line, but it was cut when it entered the window; `view`: a view shows it, `use` being the id of that
 * block and `step` the one that had shown it before; `unseen`: the file has the line, and nothing has
 * shown it.
 */
export interface Sighting {
  readonly step: number;
  readonly use: ToolUseId | BlockId;
  readonly in: 'call' | 'result' | 'cut' | 'view' | 'unseen';
}

/** One line of a file as it was seen last. */
export interface KnownLine {
  readonly text: string;
  readonly seen: Sighting;
  /** The step that changed it last; 0 for none. */
  readonly edited: number;
}

/** Lines that follow one another. */
export interface KnownRun {
  /** The number of the first one, counted from 1; absent where it is not known. */
  readonly first?: number;
  readonly lines: readonly KnownLine[];
}

/** What calls have shown of one file and made of it; an immutable value. */
export interface KnownFile {
  readonly path: string;
  /** Those with numbers in ascending order, then the others, oldest first. */
  readonly runs: readonly KnownRun[];
  /** The step that read it last, and the one that changed it last; 0 for none. */
  readonly readAt: number;
  readonly editedAt: number;
  /**
   * Where it was compared with the file as it is now: lines of it are not there any more, though no
   * call here changed them; the file is gone; it cannot be read, so nothing of it may be shown.
   */
  readonly onDisk?: 'changedOutside' | 'deleted' | 'unreadable';
}

/** What the calls of a session have shown of files, and made of them, by path. */
export type FileModel = PersistentMap<string, KnownFile>;

/** What the score of a region was worked out from; steps are 0 for none. */
export interface RegionCause {
  /** The user wants it shown, whatever its score. */
  readonly chosen?: true;
  /** The newest prompt or the scratchpad names the file. */
  readonly named?: true;
  /** The step that edited the file last, and the one that read it last. */
  readonly editedAt: number;
  readonly readAt: number;
  /** The edit that says most of the region, and how many lines away it is; absent where none is near. */
  readonly edit?: { readonly step: number; readonly distance: number };
  /** The step that showed any of its lines last. */
  readonly seenAt: number;
}

/** How likely a region is to be needed, and what that was worked out from. */
export interface RegionScore {
  readonly why: RegionCause;
  readonly score: number;
  /** How recently the file was edited, read or named, 0..1. */
  readonly touch: number;
  /** How near to a recent edit it is, 0..1. */
  readonly near: number;
  /** How recently it was seen, 0..1. */
  readonly seen: number;
}
