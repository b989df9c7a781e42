/** Where the process is and what it may use; a parameter, so that tests can run the commands. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly apiKey: string | undefined;
  /** The folder of the bundles: the count worker lies there. */
  readonly bundles: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/** Writes one line to standard error. */
export type Say = (line: string) => void;
