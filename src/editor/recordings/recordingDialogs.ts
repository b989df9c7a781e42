import * as vscode from 'vscode';

/** Asks which recording to open; undefined if the user cancels. */
export async function chooseRecording(): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: 'Plimsoll: Open a Recording',
    openLabel: 'Open',
    canSelectMany: false,
    // Recordings of some agents have another extension, or none.
    filters: { 'Recorded sessions': ['jsonl', 'json'], 'All files': ['*'] },
  });
  return chosen?.[0]?.fsPath;
}

/** Shows progress with a button that stops it. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_progress, cancelled) => {
    const stop = new AbortController();
    const subscription = cancelled.onCancellationRequested(() => stop.abort());
    try {
      return await work(stop.signal);
    } finally {
      subscription.dispose();
    }
  });
}
