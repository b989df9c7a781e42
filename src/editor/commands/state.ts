export interface CommandView {
  /** "cmd1". */
  readonly handle: string;
  /** In one line, cut at 500 characters. */
  readonly command: string;
  /** Ms since the epoch. */
  readonly startedAt: number;
  /** How it ended: "exit code 1"; absent while it runs. */
  readonly ended?: string;
  /** Its run time; absent while it runs. */
  readonly ranMs?: number;
  /** Its output is kept. */
  readonly hasOutput?: true;
}
