export const LASTING_CHANGES = ['made', 'changed', 'gone'] as const;

/** What became of a file that later sessions are told, or that runs by itself. */
export interface LastingChange {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly how: (typeof LASTING_CHANGES)[number];
}

/** How a text came to be told as memory; `step` is the last one before the user's yes. */
export type MemoryOrigin =
  { readonly how: 'begin' } | { readonly how: 'allowed'; readonly step: number };

/** A memory file by its content: `hash` is the beginning of its SHA-256, in hexadecimal. */
export interface MemoryContent {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly hash: string;
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
  /** Absent for the profile, and in older logs. */
  readonly origin?: MemoryOrigin;
}
