import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { writeOwnFile } from '../sessions/ownFile';
import { maskedText } from '../agent/secrets/secrets';
import { errorText } from '../contextWindow/result';

/** A text to save; `ending` is its file extension. */
interface Saveable {
  readonly title: string;
  readonly name: string;
  readonly ending: 'html' | 'md' | 'json' | 'jsonl';
  readonly bytes: string | Uint8Array;
}

/**
 * Asks where to save a text, and saves it; writes nothing if the user cancels. Says why if it could
 * not be written.
 */
export async function saveText({
  title,
  name,
  ending,
  bytes,
}: Saveable): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir();
  const target = await vscode.window.showSaveDialog({
    title: `Plimsoll: ${title}`,
    defaultUri: vscode.Uri.file(join(folder, `${fileName(name)}.${ending}`)),
    filters: { [ending.toUpperCase()]: [ending] },
  });
  if (target === undefined) return undefined;
  try {
    writeOwnFile(target.fsPath, redactedBytes(bytes), 'replace');
  } catch (error) {
    const why = errorText(error);
    return `${target.fsPath} could not be written (${why}). Choose another place.`;
  }
  const open = 'Open';
  const message = `Plimsoll: exported to ${target.fsPath}`;
  // The wish is done: no one waits for the answer to this message.
  void vscode.window.showInformationMessage(message, open).then((choice) => {
    if (choice === open) void vscode.window.showTextDocument(target);
  });
  return undefined;
}

/** A log may contain a secret that was not known when it was written; a recording any secret. */
function redactedBytes(bytes: string | Uint8Array): string | Uint8Array {
  if (typeof bytes === 'string') return maskedText(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const clean = maskedText(text);
  return clean === text ? bytes : Buffer.from(clean, 'latin1');
}

/** Turns a title into a file name that is valid on any system. */
function fileName(title: string): string {
  return title.replace(/[^\p{L}\p{N} ._-]+/gu, '').trim() || 'session';
}
