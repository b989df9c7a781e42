import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import * as vscode from 'vscode';
import {
  CAPTURED_AGENTS,
  type CapturedAgent,
  CaptureStore,
} from '../../recordings/captures/captureStore';
import { recordedFolder } from '../../recordings/captures/claudeCodeSwitch';
import type { CaptureFolders } from '../../recordings/captures/joinCaptures';
import { AGENTS } from '../../recordings/lens/findSessions';
import type { Services } from '../services';
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
      'replace' | 'delete' | 'description'
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

/** Makes Codex record its requests; it is read when Codex starts. */
export const CODEX_VARIABLE = 'CODEX_ROLLOUT_TRACE_ROOT';

/** When the recording of an agent's requests was switched on, by agent; ms since the epoch. */
const SINCE = 'plimsoll.recordedRequests.since';
type Since = Readonly<Partial<Record<CapturedAgent, number>>>;

/** The folder is kept below its limit this often; ms. */
const TIDY_MS = 60_000;

/** The requests that other agents are made to record, in Plimsoll's storage. */
export class RequestCaptures implements vscode.Disposable {
  readonly store: CaptureStore;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when a switch was turned. */
  readonly onDidChange = this.#changed.event;
  /** What Claude Code's settings said when they were read last. */
  #isClaudeCodeOn = false;
  #tidying: NodeJS.Timeout | undefined;

  constructor(private readonly services: CaptureServices) {
    this.store = new CaptureStore(join(services.context.globalStorageUri.fsPath, 'requests'));
    // What VS Code remembers of an extension's variables belongs to one workspace.
    if (this.#since.codex !== undefined) this.#setCodexVariable();
    if (CAPTURED_AGENTS.some((agent) => this.#since[agent] !== undefined)) this.#watch();
  }

  /** Where requests may have been recorded: by Plimsoll, or by the user's own settings. */
  async folders(): Promise<CaptureFolders> {
    const recorded = recordedFolder((await this.claudeCodeSettings()) ?? '');
    this.#isClaudeCodeOn = recorded === this.store.folderOf('claude-code');
    const { [CODEX_VARIABLE]: traces } = this.services.environment;
    return {
      'claude-code': once(this.store.folderOf('claude-code'), recorded),
      codex: once(this.store.folderOf('codex'), traces),
    };
  }

  /** Whether the agent of a recording records its requests; undefined if it cannot be made to. */
  switchOf(agent: string): RequestSwitch | undefined {
    const known = CAPTURED_AGENTS.find((one) => one === agent);
    if (known === undefined) return undefined;
    const since = this.#since[known];
    const isOn = known === 'codex' ? since !== undefined : this.#isClaudeCodeOn;
    return { agent: known, isOn, ...(isOn && since !== undefined && { since }) };
  }

  /** Notes that a switch was turned. */
  async turned(agent: CapturedAgent, isOn: boolean): Promise<void> {
    const { context, now } = this.services;
    const { [agent]: _former, ...rest } = this.#since;
    await context.globalState.update(SINCE, isOn ? { ...rest, [agent]: now() } : rest);
    if (agent === 'claude-code') this.#isClaudeCodeOn = isOn;
    else if (isOn) this.#setCodexVariable();
    else context.environmentVariableCollection.delete(CODEX_VARIABLE);
    if (isOn) this.#watch();
    this.#changed.fire();
  }

  /** Claude Code's settings of the user; undefined if there is no such file. */
  async claudeCodeSettings(): Promise<string | undefined> {
    try {
      return await readFile(this.settingsFile, 'utf8');
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (isMissing) return undefined;
      throw error;
    }
  }

  /** The file with Claude Code's settings of the user. */
  get settingsFile(): string {
    const { home, environment, now, access } = this.services;
    const given = access.settings.valid.settings.lens.places['claude-code'];
    const own = AGENTS['claude-code'].places({ home, environment, now });
    const [place = ''] = given === undefined ? own : [given].flat();
    const folder = place.startsWith('~') ? join(home, place.slice(1)) : resolve(place);
    return join(folder, 'settings.json');
  }

  /** Keeps the folder below its limit. */
  async tidy(): Promise<void> {
    const { access, now } = this.services;
    const { maxMegabytes } = access.settings.valid.settings.lens;
    await this.store.tidy(maxMegabytes * 1_000_000, now());
  }

  dispose(): void {
    clearInterval(this.#tidying);
    this.#changed.dispose();
  }

  get #since(): Since {
    return this.services.context.globalState.get<Since>(SINCE) ?? {};
  }

  #setCodexVariable(): void {
    const { environmentVariableCollection: variables } = this.services.context;
    variables.description = 'Plimsoll records the requests of Codex exactly.';
    variables.replace(CODEX_VARIABLE, this.store.folderOf('codex'));
  }

  #watch(): void {
    const tidy = () => this.services.report.run(() => this.tidy());
    this.#tidying ??= setInterval(tidy, TIDY_MS);
    tidy();
  }
}

/** Absolute folders, each once. */
function once(...folders: readonly (string | undefined)[]): readonly string[] {
  const absolute = folders.filter((folder) => folder !== undefined && isAbsolute(folder));
  return [...new Set(absolute)].flatMap((folder) => folder ?? []);
}
