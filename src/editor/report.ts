import { constants } from 'node:os';
import * as vscode from 'vscode';
import { redacted } from '../agent/secrets/knownSecrets';
import { errorText } from '../contextWindow/result';

/** Most kinds of errors that are remembered for an issue report. */
const MOST_KINDS = 10;

/**
 * Writes the output channel at the user's log level, and handles our own bugs: the channel gets the
 * stack, the user one sentence.
 *
 * It contains no prompt, reply or file text, and keys are masked.
 */
export class Report implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Plimsoll', { log: true });
  #kinds: readonly string[] = [];

  /** The kinds of the newest errors, the newest last. */
  get errorKinds(): readonly string[] {
    return this.#kinds;
  }

  /** Logs a bug with its stack and tells the user. */
  bug(error: unknown): void {
    this.log(error);
    const show = 'Show log';
    const issue = 'Report issue';
    const message = `Plimsoll met an unexpected problem: ${messageOf(error)}`;
    void vscode.window.showErrorMessage(message, show, issue).then((choice) => {
      if (choice === show) this.show();
      if (choice === issue) void vscode.commands.executeCommand('plimsoll.reportIssue');
    });
  }

  /** Logs an error that needs no action of the user. */
  log(error: unknown): void {
    this.#kinds = [...this.#kinds, errorKind(error)].slice(-MOST_KINDS);
    this.#channel.error(
      redacted(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
  }

  /** Logs a problem that was handled. */
  warn(words: string): void {
    this.#channel.warn(redacted(words));
  }

  /** Logs rare events: a start, the end of a turn. */
  info(words: string): void {
    this.#channel.info(redacted(words));
  }

  /** Logs the name of something that the user requested. */
  debug(words: string): void {
    this.#channel.debug(redacted(words));
  }

  /** Logs each event by its name. */
  trace(words: string): void {
    this.#channel.trace(redacted(words));
  }

  /** Shows the channel to the user. */
  show(): void {
    this.#channel.show();
  }

  /** Runs work in the background; its failure is a bug. */
  run(work: () => unknown): void {
    void (async () => {
      try {
        await work();
      } catch (error) {
        this.bug(error);
      }
    })();
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

function messageOf(error: unknown): string {
  return redacted(errorText(error));
}

/** Names of errors that reveal nothing about the user's work. */
const NAMES = new Set([
  'AbortError',
  'AggregateError',
  'AssertionError',
  'Error',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SessionLogError',
  'SyntaxError',
  'TimeoutError',
  'TypeError',
  'URIError',
]);

/** The kind of an error, such as `TypeError` or `Error (ENOENT)`: only our words and Node's. */
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return 'message';
  const name = [error.name, error.constructor.name].find(
    (word) => NAMES.has(word) && word !== 'Error',
  );
  const code = 'code' in error ? String(error.code) : '';
  const isCode = Object.hasOwn(constants.errno, code);
  return `${name ?? 'Error'}${isCode ? ` (${code})` : ''}`;
}
