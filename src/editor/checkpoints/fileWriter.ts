import type { Checkpoints } from '../../agent/checkpointPort';
import * as vscode from 'vscode';

import type { Workspace } from '../../agent/workspace';
import { NO_FILE, type ContentName } from '../../contextWindow/fileChanges';
import { errorText, type Refusal } from '../../contextWindow/result';
import { visiblePath } from '../../contextWindow/visibleText';
import { editablePath } from '../../tools/files/insideWorkspace';

/** Gives a file of the workspace a content that was kept, where it still has the one it `was` given as. */
export async function writeContent(
  kept: Checkpoints,
  workspace: Workspace,
  { path, was, to }: { readonly path: string; readonly was: ContentName; readonly to: ContentName },
): Promise<Refusal> {
  const name = visiblePath(path);
  if ((await kept.now(path)) !== was) {
    return `${name} has just been changed by somebody else. It was left as it is.`;
  }
  if (to === was) return undefined;
  if (to === NO_FILE) {
    const deleted = await workspace.deleteFile(path);
    return deleted.ok ? undefined : deleted.message;
  }
  const content = await kept.content(to);
  if (content === undefined) {
    return `${name} was not put back: its content at that moment is not kept any more.`;
  }
  const text = await kept.text(to);
  if (text !== undefined) {
    // By way of the editor, so that its own undo knows of it.
    const mode = was === NO_FILE ? 'create' : 'replace';
    const written = await workspace.writeFile(path, text, mode);
    if (!written.ok) return written.message;
    if ((await kept.now(path)) === to) return undefined;
  }
  // What is no text; and what the editor writes otherwise, such as line ends that are mixed.
  const inside = await editablePath(workspace.root, path);
  if (!inside.ok) return inside.message;
  try {
    await vscode.workspace.fs.writeFile(vscode.Uri.file(inside.realPath), content);
    return undefined;
  } catch (error) {
    return `${name} was not put back: ${errorText(error)}`;
  }
}
