import * as vscode from 'vscode';
import { redacted } from '../agent/secrets';

/** Takes our own bugs: the stack goes to the output channel, one sentence to the user. */
export class Report implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Plimsoll', { log: true });

  /** Logs a bug with its stack and tells the user that there was one. */
  bug(error: unknown): void {
    this.log(error);
    const show = 'Show log';
    const message = `Plimsoll met an unexpected problem: ${messageOf(error)}`;
    void vscode.window.showErrorMessage(message, show).then((choice) => {
      if (choice === show) this.#channel.show();
    });
  }

  /** Logs what went wrong where the user need not act. */
  log(error: unknown): void {
    this.#channel.error(
      redacted(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
  }

  /** Runs work that nobody waits for; its failure is a bug. */
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
  return redacted(error instanceof Error ? error.message : String(error));
}
