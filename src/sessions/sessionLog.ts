import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { EventStore } from '../agent/session';
import type { SessionEvent } from '../contextWindow/event';

/** Says that an event could not be stored, and in which file; nothing of it was kept. */
export class SessionLogError extends Error {
  override readonly name = 'SessionLogError';
}

/**
 * A log on disk: JSON, one event a line, only ever appended to. An event survives the end of this
 * process once `append` has returned; surviving a power cut would need fsync, which is not done.
 */
export class SessionLog implements EventStore {
  #fd: number | undefined;
  #size: number;

  private constructor(
    readonly file: string,
    fd: number,
    size: number,
  ) {
    this.#fd = fd;
    this.#size = size;
  }

  /** Opens a log of which `size` bytes are good (0 for a new one); cuts off what is behind them. */
  static open(file: string, size: number): SessionLog {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const fd = openSync(file, 'a', 0o600);
      if (fstatSync(fd).size > size) ftruncateSync(fd, size);
      return new SessionLog(file, fd, size);
    } catch (error) {
      throw new SessionLogError(`The session log ${file} could not be opened: ${because(error)}`);
    }
  }

  /** Writes one event; throws a `SessionLogError` when that fails, the log being as before. */
  append(event: SessionEvent): void {
    this.write(`${JSON.stringify(event)}\n`);
  }

  /** Ends the last line of a log whose writer was stopped between line and line break. */
  endLine(): void {
    this.write('\n');
  }

  /** Gives the file back; nothing can be appended after that. */
  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  private write(line: string): void {
    const fd = this.#fd;
    if (fd === undefined) throw new SessionLogError(`The session log ${this.file} is closed.`);
    const bytes = Buffer.from(line);
    const { size } = fstatSync(fd);
    if (size !== this.#size) {
      throw new SessionLogError(
        `The session log ${this.file} was changed by somebody else (${size} bytes instead of ` +
          `${this.#size}), so nothing more is written to it.`,
      );
    }
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
    } catch (error) {
      this.takeBack(fd);
      throw new SessionLogError(
        `The session log ${this.file} could not be written: ${because(error)}`,
      );
    }
    this.#size += bytes.length;
  }

  /** Removes half a line, which the next append would make unreadable. */
  private takeBack(fd: number): void {
    try {
      ftruncateSync(fd, this.#size);
    } catch {
      // The size no longer fits, so the next append refuses.
    }
  }
}

/** Begins a log, readable by its owner only; throws a `SessionLogError` where one stands already. */
export function openLog(file: string): SessionLog {
  if (existsSync(file) && statSync(file).size > 0) {
    throw new SessionLogError(`The session log ${file} exists already and is not overwritten.`);
  }
  return SessionLog.open(file, 0);
}

function because(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
