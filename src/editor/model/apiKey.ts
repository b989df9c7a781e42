import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { keepSecret } from '../../agent/secrets/knownSecrets';
import { ANTHROPIC_ORIGIN, type KeyForServer } from './connection';
import { isObject } from '../../contextWindow/json';

const SECRET = 'plimsoll.anthropicApiKey';

/** The key of the servers that each API key may go to; an API key is named by its hash. */
const ORIGINS = 'plimsoll.apiKeyOrigins';

/**
 * Keeps the API key in VS Code's secret storage; without one, ANTHROPIC_API_KEY is used. A key
 * belongs to the server that it was given for: the user is asked before it goes to another.
 */
export class ApiKey {
  readonly #secrets: vscode.SecretStorage;
  readonly #fromEnvironment: string | undefined;
  /** The open questions: several sessions that need an answer share one. */
  readonly #asked = new Map<string, Promise<boolean>>();

  constructor(secrets: vscode.SecretStorage, environment: NodeJS.ProcessEnv) {
    this.#secrets = secrets;
    this.#fromEnvironment = presence(environment['ANTHROPIC_API_KEY']);
    keepSecret(this.#fromEnvironment);
  }

  /** The key to use now, for a server such as `https://api.anthropic.com`. */
  async readFor(origin: string): Promise<KeyForServer> {
    const stored = presence(await this.#secrets.get(SECRET));
    keepSecret(stored);
    const apiKey = stored ?? this.#fromEnvironment;
    if (apiKey === undefined) return { apiKey, mayGo: true };
    return { apiKey, mayGo: (await this.#originsOf(apiKey)).includes(origin) };
  }

  /** Calls back when the stored key or its servers have changed, in this window or another. */
  onChange(listener: () => void): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key === SECRET || key === ORIGINS) listener();
    });
  }

  /** Asks the user for the key of a server; false if they cancel. */
  askAndStore(origin: string): Promise<boolean> {
    return this.#askedOnce(`key for ${origin}`, () => this.#askForKey(origin));
  }

  /**
   * Whether the key may go to a server; asks the user if it belongs to another. A yes is
   * remembered.
   */
  mayGoTo(origin: string): Promise<boolean> {
    return this.#askedOnce(`may go to ${origin}`, () => this.#askWhetherTo(origin));
  }

  #askedOnce(name: string, ask: () => Promise<boolean>): Promise<boolean> {
    const open = this.#asked.get(name);
    if (open !== undefined) return open;
    const answer = ask().finally(() => this.#asked.delete(name));
    this.#asked.set(name, answer);
    return answer;
  }

  async #askForKey(origin: string): Promise<boolean> {
    const typed = await vscode.window.showInputBox({
      title: origin === ANTHROPIC_ORIGIN ? 'Anthropic API key' : `API key for ${origin}`,
      prompt: 'Stored in the secret storage of VS Code, never in settings or logs.',
      placeHolder: 'sk-ant-…',
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === '' ? 'The key must not be blank.' : undefined),
    });
    const key = presence(typed);
    if (key === undefined) return false;
    keepSecret(key);
    // Store the servers first, so that listeners of the key know where it may go.
    await this.#storeOrigins(key, [origin]);
    await this.#secrets.store(SECRET, key);
    return true;
  }

  async #askWhetherTo(origin: string): Promise<boolean> {
    const { apiKey, mayGo } = await this.readFor(origin);
    if (apiKey === undefined || mayGo) return true;
    const origins = await this.#originsOf(apiKey);
    const { host, protocol } = new URL(origin);
    const send = 'Send It There';
    const choice = await vscode.window.showWarningMessage(
      `Send your API key to ${origin}?`,
      {
        modal: true,
        detail:
          `The key was given for ${origins.join(' and ')}. From now on it would also go to the ` +
          `host ${host} over ${protocol.slice(0, -1)}, with your prompts and what the agent reads. ` +
          'Your setting plimsoll.baseUrl names that server.',
      },
      send,
    );
    if (choice !== send) return false;
    await this.#storeOrigins(apiKey, [...origins, origin]);
    return true;
  }

  /** Deletes the stored key; returns whether the environment has one. */
  async clear(): Promise<{ readonly environmentRemains: boolean }> {
    await this.#secrets.delete(SECRET);
    return { environmentRemains: this.#fromEnvironment !== undefined };
  }

  async #originsOf(key: string): Promise<readonly string[]> {
    const kept: unknown = parsed((await this.#secrets.get(ORIGINS)) ?? '{}');
    const origins = isObject(kept) ? kept[nameOf(key)] : undefined;
    return Array.isArray(origins) ? origins.map(String) : [ANTHROPIC_ORIGIN];
  }

  /** Forgets the servers of other keys: setting such a key again asks for its server again. */
  async #storeOrigins(key: string, origins: readonly string[]): Promise<void> {
    await this.#secrets.store(ORIGINS, JSON.stringify({ [nameOf(key)]: origins }));
  }
}

function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function presence(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}
