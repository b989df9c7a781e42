import { basename } from 'node:path';
import * as vscode from 'vscode';
import { refused, type Refusal, type Result } from '../../contextWindow/result';
import type { Mention } from './state';
import { mediaIn } from '../../tools/files/media';
import type { AttachedContent } from './attachedDesk';
import { pathBelow } from './editorMentions';
import { attach, type MentionWishEffects } from './mentionWishes';
import * as notices from '../notices';

/** What "Add to Plimsoll" works on. */
export interface AddParts extends Pick<MentionWishEffects, 'desk' | 'mentions'> {
  /** Absolute; undefined where no folder is open. */
  readonly root: string | undefined;
  /** Brings the Agent view to the front. */
  focusAgent(): Promise<void>;
}

const OUTSIDE = 'Only files of the workspace are added. Open its folder, or copy the text.';

/** The commands that put something beside the prompt; each shows the Agent view, and says why not. */
export function addCommands(parts: AddParts) {
  const add = async (mentions: readonly Mention[]): Promise<void> => {
    await parts.focusAgent();
    for (const mention of mentions) tell(await attach(parts, mention));
  };
  return {
    /** Takes the files of the explorer's menu, or the one of the active editor. */
    addFile: async (...chosen: readonly unknown[]): Promise<void> => {
      const found = await Promise.all(filesOf(chosen).map((uri) => fileMention(parts.root, uri)));
      const mentions = found.filter((one) => one !== undefined);
      if (mentions.length < found.length || found.length === 0) tell(OUTSIDE);
      if (mentions.length > 0) await add(mentions);
    },
    addSelection: () => add([{ type: 'selection' }]),
    addProblems: () => add([{ type: 'problems' }]),
    addTerminal: async (): Promise<void> => {
      // It is read by the clipboard, which a page that has lost the focus may not read.
      const refusal = await attach(parts, { type: 'terminal' });
      await parts.focusAgent();
      tell(refusal);
    },
  };
}

/** Largest file from outside the workspace, bytes. */
const LARGEST_DROPPED = 4_000_000;

/** Puts what the user dropped beside the prompt; a file may be from outside the workspace, by their choice. */
export async function addDropped(
  parts: Omit<AddParts, 'focusAgent'>,
  address: string,
): Promise<Refusal> {
  const uri = vscode.Uri.parse(address);
  if (uri.scheme !== 'file') return 'Only files and folders can be dropped here.';
  const mention = await fileMention(parts.root, uri);
  if (mention !== undefined) return attach(parts, mention);
  return parts.desk.add({ kind: 'file', name: uri.fsPath }, () => contentOf(uri));
}

async function contentOf(uri: vscode.Uri): Promise<Result<AttachedContent>> {
  const name = basename(uri.fsPath);
  const { fs } = vscode.workspace;
  const stat = await fs.stat(uri).then(undefined, () => undefined);
  if (stat === undefined) return refused(`${name} was not found.`);
  if ((stat.type & vscode.FileType.File) === 0) {
    return refused(`${name} is no file, and outside the workspace. Drop its files.`);
  }
  if (stat.size > LARGEST_DROPPED) return refused(`${name} is larger than 4 MB.`);
  try {
    const bytes = await fs.readFile(uri);
    const media = mediaIn(bytes, name);
    if (media !== undefined) return media;
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? refused(`${name} is no text.`) : { ok: true, text };
  } catch {
    return refused(`${name} is no text, or cannot be read.`);
  }
}

/** The explorer gives the file that was clicked, and all that are selected. */
function filesOf([clicked, selected]: readonly unknown[]): readonly vscode.Uri[] {
  const all = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  const uris = all.filter((one) => one instanceof vscode.Uri);
  const active = vscode.window.activeTextEditor?.document.uri;
  return uris.length > 0 || active === undefined ? uris : [active];
}

async function fileMention(
  root: string | undefined,
  uri: vscode.Uri,
): Promise<Mention | undefined> {
  const path = pathBelow(root, uri);
  if (path === undefined) return undefined;
  const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  const isFolder = ((stat?.type ?? 0) & vscode.FileType.Directory) !== 0;
  return { type: isFolder ? 'folder' : 'file', path: path === '' ? '.' : path };
}

function tell(refusal: Refusal): void {
  if (refusal !== undefined) notices.warn(refusal);
}
