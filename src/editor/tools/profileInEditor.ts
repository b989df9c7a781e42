import * as vscode from 'vscode';
import type { Profile } from '../../agent/memory/projectMemory';
import { refused, type Refusal } from '../../contextWindow/result';
import { profileFile, type ProfilePlace } from '../../tools/files/nodeProfile';

/** The profile when an editor may have it open: unsaved changes are not overwritten. */
export function profileInEditor(onDisk: Profile): Profile {
  const { name, file } = onDisk;
  const isUnsaved = () =>
    vscode.workspace.textDocuments.some(
      ({ uri, isDirty, isClosed }) =>
        !isClosed &&
        isDirty &&
        uri.scheme === 'file' &&
        uri.fsPath === vscode.Uri.file(file).fsPath,
    );
  return {
    name,
    file,
    read: () => onDisk.read(),
    write: async (text, before) =>
      isUnsaved()
        ? refused(`${name} has unsaved changes in the editor: ask the user to save or undo them.`)
        : onDisk.write(text, before),
  };
}

/** Opens the profile in an editor; says why not if there is none. */
export async function openProfile(
  where: Pick<ProfilePlace, 'place' | 'home'>,
  viewColumn: vscode.ViewColumn,
): Promise<Refusal> {
  const file = profileFile(where);
  if (file === undefined) return 'The profile is turned off: see plimsoll.memory.profile.';
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file), { viewColumn });
    return undefined;
  } catch {
    return `${file} could not be opened. Does it still exist?`;
  }
}
