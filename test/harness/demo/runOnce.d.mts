import type { Page } from 'playwright-core';

/** Performs the first prompts of the demo in a real editor, and throws if something went wrong. */
export function runOnce(options: {
  readonly say: (line: string) => void;
  readonly task?: string;
  readonly turns?: number;
  readonly outFolder?: string;
}): Promise<void>;

/** Opens a real editor with Plimsoll on a folder, for someone who clicks in its page. */
export function openEditor(options: {
  readonly host: unknown;
  readonly plimsoll: { readonly vsix: string } | { readonly extensions: readonly string[] };
  readonly workspace: string;
  readonly settings: object;
  readonly isWatched: boolean;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<{ readonly page: Page; close(): Promise<void> }>;
