/** A command in the background. */
export interface CommandView {
  /** "cmd1". */
  readonly handle: string;
  /** In one line, cut at 500 characters. */
  readonly command: string;
  /** Ms since the epoch. */
  readonly startedAt: number;
  /** How it ended: "exit code 1"; absent while it runs. */
  readonly ended?: string;
  /** How long it ran; absent while it does. */
  readonly ranMs?: number;
  /** What it wrote is kept. */
  readonly hasOutput?: true;
}
