import type { Memento } from 'vscode';

const KEY = 'plimsoll.draft';

/**
 * The text being typed in the composer. A reload of the window can lose the state of a webview, so
 * the workspace keeps the text, too.
 */
export class KeptDraft {
  constructor(
    private readonly memento: Pick<Memento, 'get' | 'update'>,
    private readonly run: (work: () => PromiseLike<unknown>) => void,
  ) {}

  get text(): string {
    return this.memento.get<string>(KEY, '');
  }

  keep(text: string): void {
    if (text !== this.text)
      this.run(() => this.memento.update(KEY, text === '' ? undefined : text));
  }
}
