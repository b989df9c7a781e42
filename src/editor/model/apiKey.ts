import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { keepSecret } from '../../agent/secrets/knownSecrets';
import { ANTHROPIC_ORIGIN, type KeyForServer } from './connection';
import { isObject } from '../../contextWindow/json';
import { errorText } from '../../contextWindow/result';
import type { KeyCheck } from '../../model/checkKey';

const SECRET = 'plimsoll.anthropicApiKey';

/** The key of the servers that each API key may go to; an API key is named by its hash. */
const ORIGINS = 'plimsoll.apiKeyOrigins';

/** The key of the servers that get no API key. */
const KEYLESS = 'plimsoll.keylessOrigins';

const SAVED_IN = 'Stored in the secret storage of VS Code, never in settings or logs.';

/** Asks the server about a key before it is stored. */
type CheckKey = (key: string) => Promise<KeyCheck>;

/** `otherServer`: the user wants to name a compatible server first. */
export type KeyAnswer = 'stored' | 'cancelled' | 'otherServer';

/**
 * Keeps the API key in VS Code's secret storage; without one, ANTHROPIC_API_KEY is used. A key
 * belongs to the server that it was given for: the user is asked before it goes to another.
 */
export class ApiKey {
  readonly #secrets: vscode.SecretStorage;
  readonly #fromEnvironment: string | undefined;
  /** The open questions: several sessions that need an answer share one. */
  readonly #asked = new Map<string, Promise<unknown>>();

  constructor(secrets: vscode.SecretStorage, environment: NodeJS.ProcessEnv) {
    this.#secrets = secrets;
    this.#fromEnvironment = presence(environment['ANTHROPIC_API_KEY']);
    keepSecret(this.#fromEnvironment);
  }

  /** The key to use now, for a server such as `https://api.anthropic.com`. */
  async readFor(origin: string): Promise<KeyForServer> {
    if ((await this.#keyless()).includes(origin)) {
      return { apiKey: undefined, mayGo: true, isKeyless: true };
    }
    const stored = presence(await this.#secrets.get(SECRET));
    keepSecret(stored);
    const apiKey = stored ?? this.#fromEnvironment;
    if (apiKey === undefined) return { apiKey, mayGo: true };
    return { apiKey, mayGo: (await this.#originsOf(apiKey)).includes(origin) };
  }

  /** Calls back when the stored key or its servers have changed, in this window or another. */
  onChange(listener: () => void): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if ([SECRET, ORIGINS, KEYLESS].includes(key)) listener();
    });
  }

  /** Asks the user for the key of a server, and stores it unless the server refuses it. */
  askAndStore(origin: string, check: CheckKey): Promise<KeyAnswer> {
    return this.#askedOnce(`key for ${origin}`, () => this.#askForKey(origin, check));
  }

  /**
   * Whether the key may go to a server; asks the user if it belongs to another. A yes is
   * remembered.
   */
  mayGoTo(origin: string): Promise<boolean> {
    return this.#askedOnce(`may go to ${origin}`, () => this.#askWhetherTo(origin));
  }

  /** Sends no key to a server from now on, until the user enters one for it. */
  async useWithoutKey(origin: string): Promise<void> {
    const others = (await this.#keyless()).filter((each) => each !== origin);
    await this.#secrets.store(KEYLESS, JSON.stringify([...others, origin]));
  }

  #askedOnce<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const open = this.#asked.get(name);
    // The name decides what is asked, and so the type of the answer.
    if (open !== undefined) return open as Promise<T>;
    const answer = ask().finally(() => this.#asked.delete(name));
    this.#asked.set(name, answer);
    return answer;
  }

  #askForKey(origin: string, check: CheckKey): Promise<KeyAnswer> {
    const box = vscode.window.createInputBox();
    const isOwn = origin !== ANTHROPIC_ORIGIN;
    box.title = isOwn ? `API key for ${origin}` : 'Anthropic API key';
    box.prompt = isOwn
      ? `${SAVED_IN} Press Escape if the server needs none.`
      : `${SAVED_IN} The button above is for a compatible server.`;
    void this.#warnOfReplacing(box, origin);
    box.placeholder = isOwn ? '' : 'sk-ant-…';
    box.password = true;
    box.ignoreFocusOut = true;
    const otherServer = {
      iconPath: new vscode.ThemeIcon('server-environment'),
      tooltip: 'Use a Compatible Server',
    };
    box.buttons = [otherServer];
    return new Promise((resolve) => {
      const end = (answer: KeyAnswer): void => {
        resolve(answer);
        box.dispose();
      };
      box.onDidHide(() => end('cancelled'));
      box.onDidTriggerButton(() => end('otherServer'));
      box.onDidChangeValue(() => {
        box.validationMessage = undefined;
      });
      box.onDidAccept(async () => {
        if (!box.enabled) return;
        const key = presence(box.value);
        if (key === undefined) {
          box.validationMessage = 'The key must not be blank.';
          return;
        }
        keepSecret(key);
        box.enabled = false;
        box.busy = true;
        const checked = await check(key).catch((error: unknown): KeyCheck => ({
          type: 'unknown',
          message: errorText(error),
        }));
        box.busy = false;
        box.enabled = true;
        if (checked.type === 'refused') {
          box.validationMessage = `The key was not saved: ${checked.message}`;
          return;
        }
        await this.#store(origin, key);
        tellSaved(origin, checked);
        end('stored');
      });
      box.show();
    });
  }

  /** There is one key: that of another server is lost when this one is saved. */
  async #warnOfReplacing(box: vscode.InputBox, origin: string): Promise<void> {
    const stored = presence(await this.#secrets.get(SECRET));
    if (stored === undefined) return;
    const origins = await this.#originsOf(stored);
    const [other] = origins;
    if (other === undefined || origins.includes(origin)) return;
    box.prompt += ` It replaces your key for ${new URL(other).host}.`;
  }

  async #store(origin: string, key: string): Promise<void> {
    const keyless = (await this.#keyless()).filter((each) => each !== origin);
    await this.#secrets.store(KEYLESS, JSON.stringify(keyless));
    // Store the servers first, so that listeners of the key know where it may go.
    await this.#storeOrigins(key, [origin]);
    await this.#secrets.store(SECRET, key);
  }

  async #askWhetherTo(origin: string): Promise<boolean> {
    const { apiKey, mayGo } = await this.readFor(origin);
    if (apiKey === undefined || mayGo) return true;
    const origins = await this.#originsOf(apiKey);
    const { host, protocol } = new URL(origin);
    const send = 'Send It There';
    const withoutKey = 'Use It Without a Key';
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
      withoutKey,
    );
    if (choice === withoutKey) {
      await this.useWithoutKey(origin);
      return true;
    }
    if (choice !== send) return false;
    await this.#storeOrigins(apiKey, [...origins, origin]);
    return true;
  }

  /** Deletes the stored key; returns whether the environment has one. */
  async clear(): Promise<{ readonly environmentRemains: boolean }> {
    await this.#secrets.delete(SECRET);
    return { environmentRemains: this.#fromEnvironment !== undefined };
  }

  async #keyless(): Promise<readonly string[]> {
    const kept: unknown = parsed((await this.#secrets.get(KEYLESS)) ?? '[]');
    return Array.isArray(kept) ? kept.map(String) : [];
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

function tellSaved(origin: string, checked: KeyCheck): void {
  const saved = "The key is saved in VS Code's secret storage.";
  const { host } = new URL(origin);
  if (checked.type === 'accepted') {
    void vscode.window.showInformationMessage(`${saved} ${host} accepted it.`);
  } else {
    void vscode.window.showWarningMessage(`${saved} It could not be checked: ${checked.message}`);
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
