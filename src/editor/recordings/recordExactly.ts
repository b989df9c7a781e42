import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { errorText } from '../../contextWindow/result';
import { RECORDABLE_AGENTS, type RecordableAgent } from '../../recordings/captures/captureStore';
import { CODEX_VARIABLE } from '../../recordings/captures/captureFolders';
import {
  recordedFolder,
  withoutRecording,
  withRecording,
} from '../../recordings/captures/claudeCodeSwitch';
import { AGENTS } from '../../recordings/lens/findSessions';
import { showDiff } from '../openEditor';
import type { Services } from '../services';
import { DEBUG_LOG_SETTING, debugLogSetting } from './debugLogSetting';
import type { CaptureServices, RequestCaptures } from './requestCaptures';

const RECORD = 'Record Exactly';

/** Switches the recording of other agents' requests on and off, after the user has agreed. */
export class RecordExactly implements vscode.TextDocumentContentProvider {
  static readonly scheme = 'plimsoll-settings';
  /** The settings before and after the change that is shown. */
  #shown = { before: '', after: '' };

  readonly commands = {
    recordExactly: (given: unknown) => this.#withAgent(given, (agent) => this.start(agent)),
    stopRecordingExactly: (given: unknown) => this.#withAgent(given, (agent) => this.stop(agent)),
    deleteRecordedRequests: () => this.deleteAll(),
  };

  constructor(
    private readonly services: CaptureServices & Pick<Services, 'textColumn' | 'notices'>,
    private readonly captures: RequestCaptures,
  ) {}

  provideTextDocumentContent({ query }: vscode.Uri): string {
    return query === 'before' ? this.#shown.before : this.#shown.after;
  }

  /** Makes an agent record its requests. */
  start(agent: RecordableAgent): Promise<void> {
    switch (agent) {
      case 'claude-code':
        return this.#startClaudeCode();
      case 'codex':
        return this.#startCodex();
      case 'vscode':
        return this.#startVsCode();
    }
  }

  /** Undoes it; recordings stay. */
  async stop(agent: RecordableAgent): Promise<void> {
    const { notices } = this.services;
    if (agent === 'vscode') return this.#stopVsCode();
    if (agent === 'claude-code') {
      const text = await this.captures.claudeCodeSettings();
      const changed =
        text === undefined
          ? undefined
          : withoutRecording(text, this.captures.store.folderOf(agent));
      if (changed?.ok === false) return notices.warn(this.#notChanged(changed.message));
      if (changed !== undefined && changed.text !== text) await this.#write(changed.text);
      const elsewhere = recordedFolder(changed?.text ?? '');
      if (elsewhere !== undefined) {
        await this.captures.turned(agent, false);
        return notices.warn(
          `Claude Code still records its requests, into ${elsewhere}: ${this.captures.settingsFile} says so, and not by Plimsoll's change.`,
        );
      }
    }
    await this.captures.turned(agent, false);
    const name = AGENTS[agent].name;
    notices.tell(
      `${name} stops recording requests when you next start it. Recorded ones stay until you delete them.`,
    );
  }

  async deleteAll(): Promise<void> {
    const { store } = this.captures;
    const bytes = await store.size();
    if (bytes === 0) return this.services.notices.tell('there are no recorded requests.');
    const remove = 'Delete';
    const answer = await vscode.window.showWarningMessage(
      `Plimsoll: delete all recorded requests of other agents (${Math.ceil(bytes / 100_000) / 10} MB)? Their sessions stay; their windows are reconstructed then.`,
      { modal: true },
      remove,
    );
    if (answer !== remove) return;
    await store.deleteAll();
    this.services.notices.tell('deleted the recorded requests.');
  }

  async #startClaudeCode(): Promise<void> {
    const { notices } = this.services;
    const before = await this.captures.claudeCodeSettings();
    const folder = this.captures.store.folderOf('claude-code');
    const changed = withRecording(before, folder);
    if (!changed.ok) return notices.warn(this.#notChanged(changed.message));
    const agrees = await this.#agreesTo(
      'claude-code',
      { before: before ?? '', after: changed.text },
      "Claude Code's settings.json ↔ with the recording of requests",
      `change ${this.captures.settingsFile} as shown? Claude Code then writes every request, with its prompts, instructions and account, into a folder that only you can read. Nothing leaves this machine.`,
    );
    if (!agrees) return;
    if ((await this.captures.claudeCodeSettings()) !== before) {
      return notices.warn(this.#notChanged('it has changed meanwhile. Try again.'));
    }
    await this.captures.store.prepare('claude-code');
    await this.#write(changed.text);
    await this.captures.turned('claude-code', true);
    await this.#offerUndo(
      () => this.stop('claude-code'),
      'Claude Code records its requests from its next start on. Restart it: from then on the windows of its sessions are exact.',
    );
  }

  async #startCodex(): Promise<void> {
    const folder = this.captures.store.folderOf('codex');
    const answer = await vscode.window.showInformationMessage(
      `Plimsoll: set ${CODEX_VARIABLE} in new terminals of VS Code? Codex then writes every request, with its prompts and instructions, into a folder that only you can read. Nothing leaves this machine.`,
      RECORD,
      'Cancel',
    );
    if (answer !== RECORD) return;
    await this.captures.store.prepare('codex');
    await this.captures.turned('codex', true);
    const line = shellLine(folder, this.services.platform);
    const copy = 'Copy the Line';
    const next = await this.#offerUndo(
      () => this.stop('codex'),
      `Codex records its requests when you start it in a new terminal of a window in which Plimsoll was opened. In other shells run this first: ${line}`,
      copy,
    );
    if (next === copy) await vscode.env.clipboard.writeText(line);
  }

  async #startVsCode(): Promise<void> {
    const { notices } = this.services;
    if (!debugLogSetting.isKnown) {
      return notices.warn(
        `nothing was changed: ${vscode.env.appName} has no setting ${DEBUG_LOG_SETTING} here. Its agent, GitHub Copilot Chat, is missing, switched off or too old.`,
      );
    }
    if (debugLogSetting.isOn) {
      return notices.tell(
        `nothing was changed: ${DEBUG_LOG_SETTING} is already on. If it was turned on since the window loaded, reload the window.`,
      );
    }
    const before = debugLogSetting.ofUser;
    const agrees = await this.#agreesTo(
      'vscode',
      { before: settingsWith(before), after: settingsWith(true) },
      'User settings ↔ with the debug log of requests',
      `change your user settings as shown? VS Code's agent then logs every request, with its prompts and instructions, into VS Code's storage of the workspace, where VS Code deletes old logs. Its troubleshoot skill reads them. In a window without a folder it logs nothing.`,
    );
    if (!agrees) return;
    if (debugLogSetting.ofUser !== before) {
      return notices.warn(
        'nothing was changed: your user settings have changed meanwhile. Try again.',
      );
    }
    await debugLogSetting.setOfUser(true);
    if (!debugLogSetting.isOn) {
      await debugLogSetting.setOfUser(before);
      return notices.warn(
        `nothing was changed: the settings of this workspace, or of your organisation, turn ${DEBUG_LOG_SETTING} off.`,
      );
    }
    await this.captures.turned('vscode', true);
    const reload = 'Reload Window';
    const undo = async () => {
      await debugLogSetting.setOfUser(before);
      await this.captures.turned('vscode', false);
      notices.tell(`undone: ${DEBUG_LOG_SETTING} is as it was before in your user settings.`);
    };
    const next = await this.#offerUndo(
      undo,
      "VS Code's agent logs its requests once the window is reloaded: from then on the windows of its sessions are exact.",
      reload,
    );
    if (next === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
  }

  async #stopVsCode(): Promise<void> {
    const { notices } = this.services;
    // Where the default is on, only a `false` turns it off.
    const off = debugLogSetting.isOnByDefault ? false : undefined;
    const before = debugLogSetting.ofUser;
    if (before !== false) {
      await debugLogSetting.setOfUser(off);
      // A `false` that the workspace overrides would only be left behind.
      if (off === false && debugLogSetting.isOn) await debugLogSetting.setOfUser(before);
    }
    await this.captures.turned('vscode', false);
    notices.tell(
      debugLogSetting.isOn
        ? `VS Code's agent still logs its requests: the settings of this workspace, or of your organisation, turn ${DEBUG_LOG_SETTING} on.`
        : "VS Code's agent stops logging requests when you next reload the window. Its logs stay until VS Code deletes them.",
    );
  }

  /** Shows settings before and after a change, and asks whether to make it. */
  async #agreesTo(
    agent: RecordableAgent,
    shown: { readonly before: string; readonly after: string },
    title: string,
    question: string,
  ): Promise<boolean> {
    this.#shown = shown;
    const path = `/${agent}/settings.json`;
    const uriOf = (query: keyof typeof shown) =>
      vscode.Uri.from({ scheme: RecordExactly.scheme, path, query });
    const [left, right] = [uriOf('before'), uriOf('after')];
    await showDiff(left, right, title, {
      preview: true,
      viewColumn: this.services.textColumn.beside,
    });
    const answer = await vscode.window.showInformationMessage(
      `Plimsoll: ${question}`,
      RECORD,
      'Cancel',
    );
    await closeTabs([left, right]);
    return answer === RECORD;
  }

  async #offerUndo(
    onUndo: () => Promise<void>,
    message: string,
    ...more: readonly string[]
  ): Promise<string | undefined> {
    const undo = 'Undo';
    const answer = await vscode.window.showInformationMessage(
      `Plimsoll: ${message}`,
      ...more,
      undo,
    );
    if (answer === undo) await onUndo();
    return answer;
  }

  #notChanged(why: string): string {
    return `${this.captures.settingsFile} was not changed: ${why}`;
  }

  /** Replaces the settings in one operation, through a link if there is one, and keeps their permissions. */
  async #write(text: string): Promise<void> {
    const { settingsFile } = this.captures;
    await mkdir(dirname(settingsFile), { recursive: true, mode: 0o700 });
    const file = await realpath(settingsFile).catch(() => settingsFile);
    const mode = await stat(file).then(
      (stats) => stats.mode & 0o777,
      () => 0o600,
    );
    const fresh = `${file}.${randomUUID()}.tmp`;
    await writeFile(fresh, text, { mode });
    await rename(fresh, file);
  }

  async #withAgent(given: unknown, work: (agent: RecordableAgent) => Promise<void>): Promise<void> {
    const agent = agentIn(given) ?? (await chooseAgent());
    if (agent === undefined) return;
    try {
      await work(agent);
    } catch (error) {
      this.services.notices.warn(
        `the recording of ${AGENTS[agent].name}'s requests could not be changed: ${errorText(error)}`,
      );
    }
  }
}

/** The user's settings as far as the change is about them. */
function settingsWith(isOn: boolean | undefined): string {
  return `${JSON.stringify({ [DEBUG_LOG_SETTING]: isOn }, null, 2)}\n`;
}

/** The agent of a row in the view, or one that is named. */
function agentIn(given: unknown): RecordableAgent | undefined {
  const session =
    typeof given === 'object' && given !== null && 'session' in given ? given.session : given;
  const named =
    typeof session === 'object' && session !== null && 'agent' in session ? session.agent : session;
  return RECORDABLE_AGENTS.find((agent) => agent === named);
}

async function chooseAgent(): Promise<RecordableAgent | undefined> {
  const choices = RECORDABLE_AGENTS.map((agent) => ({ label: AGENTS[agent].name, agent }));
  const chosen = await vscode.window.showQuickPick(choices, { placeHolder: 'Choose the agent' });
  return chosen?.agent;
}

/** The line that sets the variable in another shell. */
export function shellLine(folder: string, platform: string): string {
  return platform === 'win32'
    ? `$env:${CODEX_VARIABLE} = '${folder.replaceAll("'", "''")}'`
    : `export ${CODEX_VARIABLE}='${folder.replaceAll("'", String.raw`'\''`)}'`;
}

async function closeTabs(uris: readonly vscode.Uri[]): Promise<void> {
  const shown = new Set(uris.map(String));
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff && shown.has(input.modified.toString()),
    );
  await vscode.window.tabGroups.close(tabs);
}
