import * as vscode from 'vscode';
import { keepSecret } from '../agent/secrets';

const SECRET = 'plimsoll.anthropicApiKey';

/** Keeps the API key in VS Code's secret storage; without one, ANTHROPIC_API_KEY is used. */
export class ApiKey {
  readonly #secrets: vscode.SecretStorage;
  readonly #fromEnvironment: string | undefined;

  constructor(secrets: vscode.SecretStorage, environment: NodeJS.ProcessEnv) {
    this.#secrets = secrets;
    this.#fromEnvironment = presence(environment['ANTHROPIC_API_KEY']);
    keepSecret(this.#fromEnvironment);
  }

  /** The key to use now; undefined when there is none. */
  async read(): Promise<string | undefined> {
    const stored = presence(await this.#secrets.get(SECRET));
    keepSecret(stored);
    return stored ?? this.#fromEnvironment;
  }

  /** Calls back when the stored key was set or cleared, in this window or another. */
  onChange(listener: () => void): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key === SECRET) listener();
    });
  }

  /** Asks the user for the key; false when they cancel. */
  async askAndStore(): Promise<boolean> {
    const typed = await vscode.window.showInputBox({
      title: 'Anthropic API key',
      prompt: 'Kept in the secret storage of VS Code, never in settings or logs.',
      placeHolder: 'sk-ant-…',
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === '' ? 'The key must not be blank.' : undefined),
    });
    const key = presence(typed);
    if (key === undefined) return false;
    await this.#secrets.store(SECRET, key);
    return true;
  }

  /** Forgets the stored key; says whether one from the environment remains. */
  async clear(): Promise<{ readonly environmentRemains: boolean }> {
    await this.#secrets.delete(SECRET);
    return { environmentRemains: this.#fromEnvironment !== undefined };
  }
}

function presence(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}
