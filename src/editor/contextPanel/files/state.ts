import type { FileChoice, Lines } from '../../../contextWindow/files/fileChoices';

export type { FileChoice, Lines };

/** How many lines of files the excerpts show. */
export interface ShownSizeView {
  /** The block of the excerpts. */
  readonly id: string;
  readonly lines: number;
  readonly files: number;
  /** Estimated tokens in a request. */
  readonly tokens: number;
}

/** The excerpts of a pass, and why each was chosen. */
export interface ExcerptsView extends ShownSizeView {
  /** The newest step at that time. */
  readonly step: number;
  /** By path, then by position in the file. */
  readonly regions: readonly ShownRegionView[];
  readonly hidden: readonly HiddenFileView[];
  /** There was a region that cost more to hold than it was likely to save. */
  readonly omitsUnlikely?: true;
}

/** Lines of a file that are shown together. */
export interface ShownRegionView {
  readonly path: string;
  /** Absent if the line numbers are unknown. */
  readonly range?: Lines;
  /** How many lines it has. */
  readonly lines: number;
  /** Why it was chosen: "File edited 2 steps ago, near an edit of step 12 (3 lines away), …". */
  readonly why: string;
  /** The user's choice for exactly these lines. */
  readonly choice: FileChoice;
}

/** A file in work without excerpts in the window. */
interface HiddenFileView {
  readonly path: string;
  /** "edited at step 9". */
  readonly what: string;
}

/** The user's choices for a file. */
export interface FileChoiceView {
  /** Of the whole file. */
  readonly choice: FileChoice;
  readonly state: ChoiceState;
  /** Of some of its lines, in their order. */
  readonly lines: readonly ChosenLinesView[];
}

/** Lines that the user wants always or never shown. */
interface ChosenLinesView {
  readonly range: Lines;
  readonly choice: FileChoice;
  readonly state: ChoiceState;
}

/**
 * The effect of a choice: the window shows all the lines now, the next pass adds missing ones, or
 * passes show no excerpts under the settings.
 */
export type ChoiceState = 'shown' | 'nextPass' | 'off';
