import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  CAPTURED_AGENTS,
  type CapturedAgent,
  CaptureStore,
  RECORDABLE_AGENTS,
  type RecordableAgent,
  STORE_NAME,
} from '../../recordings/captures/captureStore';
import {
  captureFolders,
  claudeCodeSettings,
  claudeCodeSettingsFile,
  CODEX_VARIABLE,
} from '../../recordings/captures/captureFolders';
import type { CaptureFolders } from '../../recordings/captures/joinCaptures';
import type { LensPlaces } from '../../recordings/lens/foundSession';
import type { Services } from '../services';
import { DEBUG_LOG_SETTING, debugLogSetting } from './debugLogSetting';
import type { RequestSwitch } from './recordsView';

/** The services that the recording of requests uses. */
export interface CaptureServices extends Pick<
  Services,
  'environment' | 'home' | 'now' | 'platform'
> {
  readonly context: {
    readonly globalStorageUri: { readonly fsPath: string };
    readonly globalState: Pick<vscode.Memento, 'get' | 'update'>;
    readonly environmentVariableCollection: Pick<
      vscode.EnvironmentVariableCollection,
      'replace' | 'delete' | 'description' | 'persistent'
    >;
  };
  readonly report: Pick<Services['report'], 'run'>;
  readonly access: {
    readonly settings: {
      readonly valid: {
        readonly settings: Pick<Services['access']['settings']['valid']['settings'], 'lens'>;
      };
    };
  };
}

/** When the recording of an agent's requests was switched on, by agent; ms since the epoch. */
const SINCE = 'plimsoll.recordedRequests.since';
type Since = Readonly<Partial<Record<RecordableAgent, number>>>;

/** The folder is kept below its limit this often; ms. */
const TIDY_MS = 60_000;

/** The requests that other agents are made to record, in Plimsoll's storage. */
export class RequestCaptures implements vscode.Disposable {
  readonly store: CaptureStore;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when recording was switched on or off. */
  readonly onDidChange = this.#changed.event;
  /** What Claude Code's settings said when they were read last. */
  #isClaudeCodeOn = false;
  #tidying: NodeJS.Timeout | undefined;
  readonly #listeners: readonly vscode.Disposable[];

  constructor(private readonly services: CaptureServices) {
    this.store = new CaptureStore(join(services.context.globalStorageUri.fsPath, STORE_NAME));
    this.#setCodexVariable();
    // Another window may have switched it.
    this.#listeners = [
      vscode.window.onDidChangeWindowState(() => this.#setCodexVariable()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration(DEBUG_LOG_SETTING)) return;
        if (debugLogSetting.isOn) this.#changed.fire();
        else this.services.report.run(() => this.turned('vscode', false));
      }),
    ];
    if (CAPTURED_AGENTS.some((agent) => this.#since[agent] !== undefined)) this.#watch();
  }

  /** Where requests may have been recorded: by Plimsoll, or by the user's own settings. */
  async folders(): Promise<CaptureFolders> {
    const own = await captureFolders(this.services, this.#places);
    this.#isClaudeCodeOn = own['claude-code'].includes(this.store.folderOf('claude-code'));
    const both = (agent: CapturedAgent) => [
      ...new Set([this.store.folderOf(agent), ...own[agent]]),
    ];
    return { 'claude-code': both('claude-code'), codex: both('codex') };
  }

  /**
   * Whether the agent of a recording records its requests, by its key or the format of its files;
   * undefined if it cannot be made to.
   */
  switchOf(agent: string): RequestSwitch | undefined {
    const isOfVsCode = agent === 'vscode-chat' || agent === 'vscode-debug-log';
    const known = RECORDABLE_AGENTS.find((one) => one === (isOfVsCode ? 'vscode' : agent));
    if (known === undefined) return undefined;
    const since = this.#since[known];
    const isOn = this.#isOn(known);
    return { agent: known, isOn, ...(isOn && since !== undefined && { since }) };
  }

  /** Remembers that recording was switched on or off. */
  async turned(agent: RecordableAgent, isOn: boolean): Promise<void> {
    const { context, now } = this.services;
    const { [agent]: _former, ...rest } = this.#since;
    await context.globalState.update(SINCE, isOn ? { ...rest, [agent]: now() } : rest);
    if (agent === 'claude-code') this.#isClaudeCodeOn = isOn;
    else if (agent === 'codex') this.#setCodexVariable();
    if (isOn && agent !== 'vscode') this.#watch();
    this.#changed.fire();
  }

  /** Claude Code's settings of the user; undefined if there is no such file. */
  claudeCodeSettings(): Promise<string | undefined> {
    return claudeCodeSettings(this.services, this.#places);
  }

  /** The file with Claude Code's settings of the user. */
  get settingsFile(): string {
    return claudeCodeSettingsFile(this.services, this.#places);
  }

  /** Keeps the folder below its limit. */
  async tidy(): Promise<void> {
    const { access, now } = this.services;
    const { maxMegabytes } = access.settings.valid.settings.lens;
    await this.store.tidy(maxMegabytes * 1_000_000, now());
  }

  dispose(): void {
    clearInterval(this.#tidying);
    for (const listener of this.#listeners) listener.dispose();
    this.#changed.dispose();
  }

  #isOn(agent: RecordableAgent): boolean {
    switch (agent) {
      case 'claude-code':
        return this.#isClaudeCodeOn;
      case 'codex':
        return this.#since.codex !== undefined;
      case 'vscode':
        return debugLogSetting.isOn;
    }
  }

  get #places(): LensPlaces {
    return this.services.access.settings.valid.settings.lens.places;
  }

  get #since(): Since {
    return this.services.context.globalState.get<Since>(SINCE) ?? {};
  }

  /** Sets the variable of this window's new terminals, or takes it away. */
  #setCodexVariable(): void {
    const { environmentVariableCollection: variables } = this.services.context;
    // VS Code would remember it in each workspace, also after it was switched off in another one.
    variables.persistent = false;
    if (this.#since.codex === undefined) return variables.delete(CODEX_VARIABLE);
    variables.description = 'Plimsoll records the requests of Codex exactly.';
    variables.replace(CODEX_VARIABLE, this.store.folderOf('codex'));
  }

  #watch(): void {
    const tidy = () => this.services.report.run(() => this.tidy());
    this.#tidying ??= setInterval(tidy, TIDY_MS);
    tidy();
  }
}
