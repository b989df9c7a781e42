import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { EventStore } from '../agent/session';
import type { SessionEvent } from '../contextWindow/event';
import { openOwnFile, reopenOwnFile } from './ownFile';
import { checkStoredEvent } from './storedEvent';
import { errorText } from '../contextWindow/result';

/** Says that an event could not be stored, and in which file; no part of it was kept. */
export class SessionLogError extends Error {
  override readonly name = 'SessionLogError';
}

/**
 * A log on disk: JSON, one event a line, only ever appended to. Once `append` has returned, the
 * event survives the end of this process and, if the disk keeps its promise, a power cut. It is
 * synced first (0.3 ms on an SSD), because what follows from it may not be undone.
 */
export class SessionLog implements EventStore {
  #size: number;
  #lines: number;
  #isOpen = true;

  private constructor(
    readonly file: string,
    size: number,
    lines: number,
  ) {
    this.#size = size;
    this.#lines = lines;
  }

  /**
   * Opens a log whose first `size` bytes are valid (0 for a new one), and cuts off the rest.
   * `lines` is the number of its last line.
   */
  static open(file: string, size: number, lines = 0): SessionLog {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const isNew = !existsSync(file);
      const fd = openOwnFile(file, 'append');
      try {
        if (fstatSync(fd).size > size) ftruncateSync(fd, size);
      } finally {
        closeSync(fd);
      }
      if (isNew) syncFolder(dirname(file));
      return new SessionLog(file, size, lines);
    } catch (error) {
      throw new SessionLogError(`The session log ${file} could not be opened: ${errorText(error)}`);
    }
  }

  /** Writes one event. Throws a `SessionLogError` if that fails; the log is then unchanged. */
  append(event: SessionEvent): void {
    this.appendAll([event]);
  }

  /** Writes several events: all of them or none. */
  appendAll(events: readonly SessionEvent[]): void {
    // Each line has its number, so that a missing line is noticed.
    const lines = events.map((event, index) => this.lineOf(event, this.#lines + index + 1));
    this.write(lines.join(''));
    this.#lines += events.length;
  }

  /** Refuses an event that could not be read again: its line would count as damaged. */
  private lineOf(event: SessionEvent, line: number): string {
    const checked = checkStoredEvent(event);
    if (!checked.ok) throw this.unreadable(event, checked.message);
    try {
      return `${JSON.stringify({ ...event, line })}\n`;
    } catch (error) {
      throw this.unreadable(event, errorText(error));
    }
  }

  private unreadable({ type }: SessionEvent, why: string): SessionLogError {
    return new SessionLogError(
      `An event (${type}) was not written to the session log ${this.file}, because it could not be ` +
        `read again: ${why}`,
    );
  }

  /** Ends the last line of a log whose writer stopped before the line break. */
  endLine(): void {
    this.write('\n');
  }

  /** Stops writing; nothing can be appended until `reopen`. */
  close(): void {
    this.#isOpen = false;
  }

  /** Opens a closed log again; throws if something else wrote to it or deleted it. */
  reopen(): void {
    const size = statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
    if (size !== this.#size) throw this.changed(size);
    this.#isOpen = true;
  }

  private write(text: string): void {
    if (!this.#isOpen) throw new SessionLogError(`The session log ${this.file} is closed.`);
    const bytes = Buffer.from(text);
    // Opened for every write: a thousand sessions in memory then keep no file open, and a deleted
    // file is noticed instead of written to in vain.
    const fd = this.openFile();
    try {
      this.writeBytes(fd, bytes);
    } finally {
      closeSync(fd);
    }
  }

  private openFile(): number {
    try {
      return reopenOwnFile(this.file);
    } catch (error) {
      throw this.notWritten(error);
    }
  }

  private writeBytes(fd: number, bytes: Buffer): void {
    const { size } = fstatSync(fd);
    if (size !== this.#size) throw this.changed(size);
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
      fdatasyncSync(fd);
    } catch (error) {
      this.takeBack(fd);
      throw this.notWritten(error);
    }
    this.#size += bytes.length;
  }

  private notWritten(error: unknown): SessionLogError {
    return new SessionLogError(
      `The session log ${this.file} could not be written: ${errorText(error)}`,
    );
  }

  private changed(size: number): SessionLogError {
    return new SessionLogError(
      `The session log ${this.file} was changed by something else (${size} bytes instead of ` +
        `${this.#size}), so nothing more is written to it.`,
    );
  }

  /** Removes an incomplete line, which would make the next one unreadable. */
  private takeBack(fd: number): void {
    try {
      ftruncateSync(fd, this.#size);
    } catch {
      // The size now differs, so the next append refuses.
    }
  }
}

/** Creates a log that only its owner can read; throws a `SessionLogError` if it exists already. */
export function openLog(file: string): SessionLog {
  if (existsSync(file) && statSync(file).size > 0) {
    throw new SessionLogError(`The session log ${file} exists already and is not overwritten.`);
  }
  return SessionLog.open(file, 0);
}

/** Makes the name of a new file survive a power cut; Windows has no such call and needs none. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The events themselves are synced anyway.
  }
}
