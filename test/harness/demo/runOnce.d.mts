/** Performs the first prompts of the demo in a real editor, and throws if something went wrong. */
export function runOnce(options: {
  readonly say: (line: string) => void;
  readonly task?: string;
  readonly turns?: number;
  readonly vsix?: string;
  readonly outFolder?: string;
  readonly isWatched?: boolean;
}): Promise<void>;
