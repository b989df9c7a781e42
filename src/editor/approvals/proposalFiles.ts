import * as vscode from 'vscode';
import type { Proposals } from './proposals';

/** Provides the text of proposals' files, and takes the user's changes. */
export type ProposalTexts = Pick<Proposals, 'read' | 'stat' | 'write' | 'onDidChange'>;

/**
 * The two sides of proposed edits as files in memory: VS Code only lets the user edit the right
 * side of a diff if it is a file. Files cannot be created, renamed or deleted here.
 */
export class ProposalFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  /** `texts` loads the proposals. */
  constructor(private readonly texts: () => Promise<ProposalTexts>) {}

  /** Passes on changes of texts. */
  follow({ onDidChange }: ProposalTexts): void {
    onDidChange((uri) => this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const texts = await this.texts();
    const { isEditable, version } = texts.stat(uri);
    const size = Buffer.byteLength(texts.read(uri));
    const file = { type: vscode.FileType.File, ctime: 0, mtime: version, size };
    return isEditable ? file : { ...file, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.texts()).read(uri));
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const text = Buffer.from(content).toString('utf8');
    if (!(await this.texts()).write(uri, text)) throw vscode.FileSystemError.NoPermissions(uri);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
