/** What became of a file that later sessions are told, or that runs by itself. */
export interface LastingChange {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly how: 'made' | 'changed' | 'gone';
}

/** One project memory file, or the user's profile, as the model is shown it. */
export interface MemoryFile {
  /** Relative to the workspace, with forward slashes; the profile's own name. */
  readonly path: string;
  /** Present for the user's profile, which is for all projects. */
  readonly profile?: true;
  /** What the window holds of it: only the head where the file exceeds its cap. */
  readonly text: string;
  /** Length of the whole file, characters. */
  readonly chars: number;
}
