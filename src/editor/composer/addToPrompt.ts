import { basename } from 'node:path';
import * as vscode from 'vscode';
import { refused, type Refusal, type Result } from '../../contextWindow/result';
import type { Mention } from './state';
import { decoded } from '../../tools/files/encoding';
import { mediaIn } from '../../tools/files/media';
import type { AttachedContent } from './mentions';
import type { PromptAttachments } from './promptAttachments';
import { type OpenFolders, pathBelow } from '../openFolders';
import * as notices from '../notifications';

const OUTSIDE =
  'Only files of the workspace can be added. Open the folder of the file, or copy its text.';

/** Largest file from outside the workspace, bytes. */
const LARGEST_DROPPED = 4_000_000;

/** Attaches files, selections, problems and terminal output to the prompt, for commands and drops. */
export class AddToPrompt {
  /** `focusAgent` brings the Agent view to the front. */
  constructor(
    private readonly attachments: PromptAttachments,
    private readonly folders: Pick<OpenFolders, 'now'>,
    private readonly focusAgent: () => Promise<void>,
  ) {}

  get commands() {
    const { addFile, addSelection, addProblems, addTerminal } = this;
    return { addFile, addSelection, addProblems, addTerminal };
  }

  /** Attaches the files chosen in the explorer's menu, or the file of the active editor. */
  readonly addFile = async (...chosen: readonly unknown[]): Promise<void> => {
    const found = await Promise.all(filesOf(chosen).map((uri) => fileMention(this.folders, uri)));
    const mentions = found.filter((one) => one !== undefined);
    if (mentions.length < found.length || found.length === 0) tell(OUTSIDE);
    if (mentions.length > 0) await this.#add(mentions);
  };

  /** Attaches the selection; `orFile`, from the key of the prompt: without one, the open file. */
  readonly addSelection = (...given: readonly unknown[]): Promise<void> =>
    given[0] === 'orFile' && this.attachments.mentions.selected === undefined
      ? this.addFile()
      : this.#add([{ type: 'selection' }]);
  readonly addProblems = (): Promise<void> => this.#add([{ type: 'problems' }]);

  readonly addTerminal = async (): Promise<void> => {
    // Its text is read through the clipboard, which a page that lost the focus may not read.
    const refusal = await this.attachments.attach({ type: 'terminal' });
    await this.focusAgent();
    tell(refusal);
  };

  /** Attaches a dropped file or folder; a file may be from outside the workspace. */
  async addDropped(address: string): Promise<Refusal> {
    const uri = vscode.Uri.parse(address);
    if (uri.scheme !== 'file') return 'Only files and folders can be dropped here.';
    const mention = await fileMention(this.folders, uri);
    if (mention !== undefined) return this.attachments.attach(mention);
    return this.attachments.add({ kind: 'file', name: uri.fsPath }, () => contentOf(uri));
  }

  async #add(mentions: readonly Mention[]): Promise<void> {
    await this.focusAgent();
    for (const mention of mentions) tell(await this.attachments.attach(mention));
  }
}

async function contentOf(uri: vscode.Uri): Promise<Result<AttachedContent>> {
  const name = basename(uri.fsPath);
  const { fs } = vscode.workspace;
  const stat = await fs.stat(uri).then(undefined, () => undefined);
  if (stat === undefined) return refused(`${name} was not found.`);
  if ((stat.type & vscode.FileType.File) === 0) {
    return refused(`${name} is a folder outside the workspace. Drop its files instead.`);
  }
  if (stat.size > LARGEST_DROPPED) return refused(`${name} is larger than 4 MB.`);
  try {
    const bytes = await fs.readFile(uri);
    const media = mediaIn(bytes, name);
    if (media !== undefined) return media;
    const read = decoded(Buffer.from(bytes));
    return read === undefined
      ? refused(`${name} is not a text file.`)
      : { ok: true, text: read.text.replace(/^\uFEFF/, '') };
  } catch {
    return refused(`${name} is not a text file or cannot be read.`);
  }
}

/** The explorer passes the clicked file, and all selected ones. */
function filesOf([clicked, selected]: readonly unknown[]): readonly vscode.Uri[] {
  const all = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  const uris = all.filter((one) => one instanceof vscode.Uri);
  const active = vscode.window.activeTextEditor?.document.uri;
  return uris.length > 0 || active === undefined ? uris : [active];
}

async function fileMention(
  folders: Pick<OpenFolders, 'now'>,
  uri: vscode.Uri,
): Promise<Mention | undefined> {
  const path = pathBelow(folders, uri);
  if (path === undefined) return undefined;
  const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  const isFolder = ((stat?.type ?? 0) & vscode.FileType.Directory) !== 0;
  return { type: isFolder ? 'folder' : 'file', path };
}

function tell(refusal: Refusal): void {
  if (refusal !== undefined) notices.warn(refusal);
}
