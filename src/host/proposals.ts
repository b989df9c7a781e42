import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ApprovalRequest } from '../agent/tool';
import { showDiff } from './openEditor';

type Edit = Extract<ApprovalRequest, { readonly kind: 'edit' }>;

interface Proposal {
  readonly edit: Edit;
  readonly file: vscode.Uri;
  readonly isOpen: boolean;
}

/** What a diff can show of a question; undefined for nothing. */
export function proposedEdit(request: ApprovalRequest): Edit | undefined {
  if (request.kind === 'edit') return request;
  if (request.kind !== 'delete' || request.before === undefined) return undefined;
  return { kind: 'edit', path: request.path, before: request.before, after: '' };
}

/** Proposals that are remembered after their answer, so that their diff can be looked at again. */
const REMEMBERED = 50;

/**
 * Shows proposed edits in VS Code's diff editor: on the left the file, on the right what it would
 * become. The texts are served under a scheme of their own, read-only.
 */
export class Proposals implements vscode.TextDocumentContentProvider {
  static readonly scheme = 'plimsoll-proposal';
  readonly #proposals = new Map<string, Proposal>();
  #shown: Promise<unknown> = Promise.resolve();

  /** `columnFor` says where a diff opens, so that it does not cover the Context panel. */
  constructor(private readonly columnFor: () => vscode.ViewColumn) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    const [side, id = ''] = uri.query.split(':', 2);
    const edit = this.#proposals.get(id)?.edit;
    if (edit === undefined) return 'This proposal is no longer there; the session log has it.';
    return side === 'before' ? (edit.before ?? '') : edit.after;
  }

  /** Remembers a proposal the user is being asked about. */
  add(toolUseId: string, edit: Edit, root: vscode.Uri): void {
    const { path, profile } = edit;
    const file = profile === undefined ? vscode.Uri.joinPath(root, path) : vscode.Uri.file(profile);
    this.#proposals.set(toolUseId, { edit, file, isOpen: true });
    for (const id of [...this.#proposals.keys()].slice(0, -REMEMBERED)) this.#proposals.delete(id);
  }

  /** Opens the diff without taking the focus; false when it is not known. */
  open(toolUseId: string): Promise<boolean> {
    return this.#inTurn(() => this.#open(toolUseId));
  }

  /** Closes the diff of a proposal that was answered. */
  close(toolUseId: string): Promise<void> {
    const proposal = this.#proposals.get(toolUseId);
    if (proposal !== undefined) this.#proposals.set(toolUseId, { ...proposal, isOpen: false });
    return this.#inTurn(() => this.#close(toolUseId));
  }

  /** A diff that is still opening cannot be closed, so every request waits for those before it. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#shown.then(work, work);
    this.#shown = done;
    return done;
  }

  async #open(toolUseId: string): Promise<boolean> {
    const proposal = this.#proposals.get(toolUseId);
    if (proposal === undefined) return false;
    const { edit, file, isOpen } = proposal;
    // While the question is open the left side is the file itself; after that the file may change.
    const isFile = isOpen && edit.before !== undefined;
    await showDiff(
      isFile ? file : sideOf(toolUseId, edit, 'before'),
      sideOf(toolUseId, edit, 'after'),
      `${basename(edit.path)}: ${titleOf(proposal)}`,
      { preview: true, preserveFocus: true, viewColumn: this.columnFor() },
    );
    return true;
  }

  async #close(toolUseId: string): Promise<void> {
    const proposal = this.#proposals.get(toolUseId);
    if (proposal === undefined) return;
    const after = sideOf(toolUseId, proposal.edit, 'after').toString();
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input }) =>
          input instanceof vscode.TabInputTextDiff && input.modified.toString() === after,
      );
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }
}

function sideOf(toolUseId: string, edit: Edit, side: 'before' | 'after'): vscode.Uri {
  return vscode.Uri.from({
    scheme: Proposals.scheme,
    // The profile may lie anywhere; VS Code takes no second slash at the beginning.
    path: edit.path.startsWith('/') ? edit.path : `/${edit.path}`,
    query: `${side}:${toolUseId}`,
  });
}

function titleOf({ edit, isOpen }: Proposal): string {
  if (edit.before === undefined) return isOpen ? 'proposed new file' : 'new file as proposed';
  return isOpen ? 'file ↔ proposal' : 'before ↔ proposal';
}
