/** One project memory file as the model is told of it. */
export interface MemoryFile {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  /** What the window holds of it: the head, where the file is over its cap. */
  readonly text: string;
  /** Length of the whole file, characters. */
  readonly chars: number;
}
