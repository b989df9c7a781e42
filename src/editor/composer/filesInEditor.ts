import * as vscode from 'vscode';
import { type OpenFolders, pathBelow } from '../openFolders';
import type { Mentions } from './mentions';
import type { AttachedItem, OfferedView } from './state';

/** Pause after a change of the selection, ms: a drag changes it many times. */
const SETTLES_MS = 150;

/** Most recently used files that are remembered. */
const MOST_RECENT = 30;

/** The files that the user has in the editor: the active one, and those used before it. */
export class FilesInEditor implements vscode.Disposable {
  readonly #disposables: readonly vscode.Disposable[];
  #used: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #name: string | undefined;

  /** `changed` is called when another file or selection can be attached. */
  constructor(
    private readonly folders: Pick<OpenFolders, 'now'>,
    private readonly changed: () => void,
  ) {
    const { window } = vscode;
    this.#use();
    this.#disposables = [
      window.onDidChangeActiveTextEditor(() => {
        this.#use();
        this.#look();
      }),
      window.onDidChangeTextEditorSelection(() => this.#look()),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const each of this.#disposables) each.dispose();
  }

  /** The files used last, newest first, then the other open ones. */
  get recent(): readonly string[] {
    const open = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.flatMap(({ input }) => {
        const path =
          input instanceof vscode.TabInputText ? pathBelow(this.folders, input.uri) : undefined;
        return path === undefined ? [] : [path];
      }),
    );
    return [...new Set([...this.#used, ...open])].slice(0, MOST_RECENT);
  }

  /** What one click or key attaches; undefined for nothing, or if it is attached already. */
  offered(
    mentions: Pick<Mentions, 'selected'>,
    items: readonly Pick<AttachedItem, 'name'>[],
  ): OfferedView | undefined {
    const path = this.#active;
    if (path === undefined) return undefined;
    const { selected } = mentions;
    const offered: OfferedView =
      selected === undefined
        ? { mention: { type: 'file', path }, name: path }
        : { mention: { type: 'selection' }, name: selected };
    return items.some(({ name }) => name === offered.name) ? undefined : offered;
  }

  get #active(): string | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri && pathBelow(this.folders, uri);
  }

  #use(): void {
    const path = this.#active;
    if (path === undefined) return;
    this.#used = [path, ...this.#used.filter((one) => one !== path)].slice(0, MOST_RECENT);
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const { selection } = vscode.window.activeTextEditor ?? {};
      const lines =
        selection === undefined || selection.isEmpty
          ? ''
          : `:${selection.start.line}-${selection.end.line}:${selection.end.character === 0}`;
      const name = `${this.#active}${lines}`;
      if (name === this.#name) return;
      this.#name = name;
      this.changed();
    }, SETTLES_MS);
  }
}
