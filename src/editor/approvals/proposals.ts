import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../agent/tool';
import { unmaskedIn } from '../../agent/secrets/knownSecrets';
import { showDiff, type TextColumn } from '../openEditor';

type Edit = Extract<ApprovalRequest, { readonly kind: 'edit' }>;

interface Proposal {
  readonly edit: Edit;
  readonly file: vscode.Uri;
  readonly isOpen: boolean;
  /** What the user saved on the right side. */
  readonly saved?: string;
}

/** An open proposal, for a view of it in the file. */
export interface ProposedText {
  readonly file: vscode.Uri;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
  /** Holds the new text, read-only: a stray key changes nothing. */
  readonly shown: vscode.Uri;
}

/**
 * The diff of a question; undefined for none. A question has marks, and the diff, which only VS
 * Code shows, the file itself.
 */
export function proposedEdit(request: ApprovalRequest): Edit | undefined {
  if (request.kind === 'edit') return unmaskedIn(request);
  if (request.kind !== 'delete' || request.before === undefined) return undefined;
  return { kind: 'edit', path: request.path, before: unmaskedIn(request.before), after: '' };
}

/** Answered proposals that are remembered, so that their diffs can be opened again. */
const REMEMBERED = 50;

const BYTE_ORDER_MARK = '\uFEFF';

/** The addresses of open proposals, for the menus of VS Code. */
const OPEN_KEY = 'plimsoll.openProposals';

/**
 * Shows proposed edits in VS Code's diff editor: the file on the left, its new content on the
 * right. While a proposal is open, the user can edit the right side, and Allow writes that version.
 */
export class Proposals {
  static readonly scheme = 'plimsoll-proposal';
  readonly #proposals = new Map<string, Proposal>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  #shown: Promise<unknown> = Promise.resolve();
  /** Raising the number makes VS Code reload the files. */
  #version = 1;

  readonly #typing: vscode.Disposable;
  #typed = (): void => undefined;

  constructor(private readonly textColumn: Pick<TextColumn, 'beside'>) {
    this.#typing = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === Proposals.scheme) this.#typed();
    });
  }

  /** Calls back when the user changes a proposed text. */
  onDidType(listener: () => void): void {
    this.#typed = listener;
  }

  dispose(): void {
    this.#typing.dispose();
  }

  /** The text of a side. */
  read(uri: vscode.Uri): string {
    const { side, proposal } = this.#at(uri);
    if (proposal === undefined)
      return 'This proposal is no longer available; the session log has it.';
    const { edit, saved } = proposal;
    return side === 'before' ? (edit.before ?? '') : (saved ?? edit.after);
  }

  /** File information for VS Code; the version serves as the time of the last change. */
  stat(uri: vscode.Uri): { readonly isEditable: boolean; readonly version: number } {
    const { side, proposal } = this.#at(uri);
    return { isEditable: side === 'after' && proposal?.isOpen === true, version: this.#version };
  }

  /** Takes what the user saved; false if the proposal can no longer be changed. */
  write(uri: vscode.Uri, text: string): boolean {
    const { id, proposal } = this.#at(uri);
    if (proposal === undefined || !this.stat(uri).isEditable) return false;
    this.#proposals.set(id, { ...proposal, saved: text });
    this.#version += 1;
    this.#changed.fire(uri);
    return true;
  }

  /** Remembers a proposal when its question opens. */
  add(toolUseId: string, edit: Edit, absolute: (path: string) => string): void {
    const { path, profile } = edit;
    const file = vscode.Uri.file(profile ?? absolute(path));
    this.#proposals.set(toolUseId, { edit, file, isOpen: true });
    for (const id of [...this.#proposals.keys()].slice(0, -REMEMBERED)) this.#proposals.delete(id);
    this.#tellChanged(toolUseId, edit);
  }

  /** An open proposal; undefined if it is unknown or answered. */
  textOf(toolUseId: string): ProposedText | undefined {
    const proposal = this.#proposals.get(toolUseId);
    if (proposal?.isOpen !== true) return undefined;
    const { edit, file } = proposal;
    const { before, after } = edit;
    return { file, before, after, shown: sideOf(toolUseId, edit, 'shown') };
  }

  /** The call that an open proposal is about: that of this address, else of the diff in the active tab. */
  callAt(address: unknown): string | undefined {
    const uri = address instanceof vscode.Uri ? address : activeDiff();
    if (uri === undefined) return undefined;
    const { id, proposal } = this.#at(uri);
    return proposal?.isOpen === true ? id : undefined;
  }

  /** The user's version of an open proposal, saved or not; undefined if they did not change it. */
  revisedText(toolUseId: string): string | undefined {
    const proposal = this.#proposals.get(toolUseId);
    if (proposal?.isOpen !== true) return undefined;
    const unsaved = unsavedDocument(sideOf(toolUseId, proposal.edit, 'after'));
    const text = unsaved?.getText() ?? proposal.saved;
    const { after } = proposal.edit;
    if (text === undefined || text === after) return undefined;
    // The editor removes the byte order mark.
    return after.startsWith(BYTE_ORDER_MARK) && !text.startsWith(BYTE_ORDER_MARK)
      ? BYTE_ORDER_MARK + text
      : text;
  }

  /** The user's versions of open proposals, by the id of the call. */
  get revisedTexts(): Readonly<Record<string, string>> {
    const texts = [...this.#proposals.keys()].flatMap((id) => {
      const text = this.revisedText(id);
      return text === undefined ? [] : [[id, text] as const];
    });
    return Object.fromEntries(texts);
  }

  /** Opens the diff without taking the focus; false if the proposal is unknown. */
  open(toolUseId: string): Promise<boolean> {
    return this.#inTurn(() => this.#open(toolUseId));
  }

  /** Closes the diff of an answered proposal. */
  close(toolUseId: string): Promise<void> {
    const edit = this.#proposals.get(toolUseId)?.edit;
    return this.#inTurn(() => this.#close(toolUseId, edit));
  }

  #at(uri: vscode.Uri): {
    readonly side: string;
    readonly id: string;
    readonly proposal?: Proposal;
  } {
    const [side = '', id = ''] = uri.query.split(':', 2);
    const proposal = this.#proposals.get(id);
    return { side, id, proposal };
  }

  #tellChanged(toolUseId: string, edit: Edit): void {
    this.#version += 1;
    this.#changed.fire(sideOf(toolUseId, edit, 'after'));
    const open = [...this.#proposals].flatMap(([id, proposal]) =>
      proposal.isOpen ? [sideOf(id, proposal.edit, 'after').toString()] : [],
    );
    void vscode.commands.executeCommand('setContext', OPEN_KEY, open);
  }

  /** A diff that is still opening cannot be closed, so requests run one after another. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#shown.then(work, work);
    this.#shown = done;
    return done;
  }

  async #open(toolUseId: string): Promise<boolean> {
    const proposal = this.#proposals.get(toolUseId);
    if (proposal === undefined) return false;
    const { edit, file, isOpen } = proposal;
    // While the question is open, the left side is the file itself; afterwards the file may change.
    const isFile = isOpen && edit.before !== undefined;
    await showDiff(
      isFile ? file : sideOf(toolUseId, edit, 'before'),
      sideOf(toolUseId, edit, 'after'),
      `${basename(edit.path)}: ${titleOf(proposal)}`,
      { preview: true, preserveFocus: true, viewColumn: this.textColumn.beside },
    );
    return true;
  }

  async #close(toolUseId: string, edit: Edit | undefined): Promise<void> {
    const proposal = this.#proposals.get(toolUseId);
    // Another edit of the same call may have been proposed meanwhile.
    if (proposal === undefined || proposal.edit !== edit) return;
    const side = sideOf(toolUseId, proposal.edit, 'after');
    // VS Code would ask before it closes unsaved text; the answer already includes it.
    await unsavedDocument(side)?.save();
    const after = side.toString();
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input }) =>
          input instanceof vscode.TabInputTextDiff && input.modified.toString() === after,
      );
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
    const { saved } = this.#proposals.get(toolUseId) ?? proposal;
    const answered = { ...proposal, isOpen: false };
    this.#proposals.set(toolUseId, saved === undefined ? answered : { ...answered, saved });
    this.#tellChanged(toolUseId, proposal.edit);
  }
}

function unsavedDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && document.isDirty && document.uri.toString() === address,
  );
}

function sideOf(toolUseId: string, edit: Edit, side: 'before' | 'after' | 'shown'): vscode.Uri {
  return vscode.Uri.from({
    scheme: Proposals.scheme,
    // The profile may be anywhere; VS Code rejects a second slash at the beginning.
    path: edit.path.startsWith('/') ? edit.path : `/${edit.path}`,
    query: `${side}:${toolUseId}`,
  });
}

function titleOf({ edit, isOpen }: Proposal): string {
  if (edit.before === undefined) return isOpen ? 'proposed new file' : 'new file as proposed';
  return isOpen ? 'file ↔ proposal' : 'before ↔ proposal';
}

function activeDiff(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
