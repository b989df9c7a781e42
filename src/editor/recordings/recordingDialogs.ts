import * as vscode from 'vscode';
import type { Progressed } from './recordingThread';

/** Asks which recording to open; undefined if the user cancels. */
export async function chooseRecording(): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: 'Plimsoll: Open a Recording',
    openLabel: 'Open',
    canSelectMany: false,
    // Recordings of some agents have another extension, or none.
    filters: { 'Recorded sessions': ['jsonl', 'json', 'zst'], 'All files': ['*'] },
  });
  return chosen?.[0]?.fsPath;
}

/** Shows progress in percent, with a button that stops the work, as does the caller with `stop`. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, progressed: Progressed) => Promise<T>,
  stop = new AbortController(),
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, cancelled) => {
    const subscription = cancelled.onCancellationRequested(() => stop.abort());
    let shown = 0;
    const progressed = (share: number): void => {
      const percent = Math.floor(share * 100);
      progress.report({ increment: percent - shown, message: `${percent} %` });
      shown = percent;
    };
    try {
      return await work(stop.signal, progressed);
    } finally {
      subscription.dispose();
    }
  });
}
