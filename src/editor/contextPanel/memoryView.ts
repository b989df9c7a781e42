/** One project memory file; the model is shown only a part of it if it exceeds its cap. */
export interface MemoryView {
  /** How it came to be told, as "allowed by you at step 3"; absent in older logs. */
  readonly origin?: string;
  readonly path: string;
  readonly shownChars: number;
  readonly chars: number;
}

/** The user's profile. */
export interface ProfileView extends MemoryView {
  /** Estimated. */
  readonly tokens: number;
}
