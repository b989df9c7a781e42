import * as vscode from 'vscode';
import { unmasked } from '../../../agent/secrets/knownSecrets';
import type { BlockId } from '../../../contextWindow/block';
import { blockText } from '../../../contextWindow/blockText';
import { findBlock, type ContextWindow } from '../../../contextWindow/window';
import { labelOf } from '../../../contextWindow/label';
import { blockReason } from './blockReason';
import { showText } from '../../openEditor';

/** Shows the text of a block, also an evicted one, in a read-only editor tab. */
export class BlockDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  static readonly scheme = 'plimsoll-block';
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  /** `column` is where texts open: never over the Context panel. */
  constructor(
    private readonly windowNow: () => ContextWindow,
    private readonly column: () => vscode.ViewColumn,
  ) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    const { sessionId, blockId, form } = partsOf(uri);
    const window = this.windowNow();
    const block = findBlock(window, blockId);
    if (window.sessionId !== sessionId || block === undefined) {
      return 'This block belongs to another session. Its text is in the log of that session.';
    }
    const state = `${block.id}, ${block.state}${block.pinned ? ', pinned' : ''}`;
    const text = form === 'secrets' ? unmasked(blockText(block)) : blockText(block);
    return `${labelOf(block)}\n(${state}) ${blockReason(window, block)}\n\n${text}\n`;
  }

  /** Opens a block's text, with marks or with its secrets; false when there is no such block. */
  async open(blockId: string, form: 'marks' | 'secrets' = 'marks'): Promise<boolean> {
    const window = this.windowNow();
    const block = findBlock(window, blockId as BlockId);
    if (block === undefined) return false;
    const uri = vscode.Uri.from({
      scheme: BlockDocuments.scheme,
      path: `/${block.id} ${labelOf(block).replaceAll(/[\\/]/g, '∕')}`,
      query: `${window.sessionId}:${block.id}:${form}`,
    });
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await showText(document, { preview: true, viewColumn: this.column() });
    return true;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Refreshes the open ones, because the current session has changed. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === BlockDocuments.scheme) this.#changed.fire(uri);
    }
  }
}

function partsOf(uri: vscode.Uri) {
  const [sessionId = '', blockId = '', form = ''] = uri.query.split(':', 3);
  return { sessionId, blockId: blockId as BlockId, form };
}
