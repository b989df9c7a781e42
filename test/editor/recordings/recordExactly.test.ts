import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { recordsView } from '../../../src/editor/recordings/recordsView';
import { tempFolder } from '../../tools/support/tempFolder';

/** What the user answers, in order, and what happens meanwhile. */
let answers: (string | (() => string | undefined))[] = [];
const shown: string[] = [];
const diffs: string[] = [];
let copied = '';
let focused = (): void => undefined;

const KEY = 'github.copilot.chat.agentDebugLog.fileLogging.enabled';
/** The values of the setting; without a default no extension has registered it. */
let setting: { defaultValue?: boolean; globalValue?: boolean; workspaceValue?: boolean } = {};
const executed: string[] = [];
let configured = (): void => undefined;
const valueOf = () => setting.workspaceValue ?? setting.globalValue ?? setting.defaultValue;
const configure = (values: typeof setting) => {
  setting = values;
  configured();
};

type Module = typeof import('../../../src/editor/recordings/recordExactly');
let RecordExactly: Module['RecordExactly'];
let shellLine: Module['shellLine'];
let captures: typeof import('../../../src/editor/recordings/requestCaptures');

beforeAll(async () => {
  vi.resetModules();
  class Emitter {
    readonly #listeners: (() => void)[] = [];
    readonly event = (listener: () => void) => void this.#listeners.push(listener);
    fire(): void {
      for (const listener of this.#listeners) listener();
    }
    dispose(): void {}
  }
  const ask = async (message: string) => {
    shown.push(message);
    const answer = answers.shift();
    return typeof answer === 'function' ? answer() : answer;
  };
  vi.doMock('vscode', () => ({
    EventEmitter: Emitter,
    Uri: { from: ({ query }: { query: string }) => ({ query, toString: () => query }) },
    TabInputTextDiff: class {},
    ViewColumn: { Active: -1 },
    ConfigurationTarget: { Global: 1 },
    workspace: {
      getConfiguration: () => ({
        get: (key: string) => (key === KEY ? valueOf() : undefined),
        inspect: (key: string) => ({ key, ...(key === KEY && setting) }),
        update: async (key: string, value: boolean | undefined, target: number) => {
          expect([key, target]).toEqual([KEY, 1]);
          const { globalValue: _, ...rest } = setting;
          configure(value === undefined ? rest : { ...rest, globalValue: value });
        },
      }),
      onDidChangeConfiguration: (
        listener: (change: { affectsConfiguration(key: string): boolean }) => void,
      ) => {
        configured = () => listener({ affectsConfiguration: (key) => key === KEY });
        return { dispose() {} };
      },
    },
    env: {
      appName: 'Code',
      clipboard: { writeText: async (text: string) => void (copied = text) },
    },
    commands: {
      executeCommand: async (name: string, left: unknown, right: unknown) =>
        void (name === 'vscode.diff'
          ? diffs.push(`${String(left)} ${String(right)}`)
          : executed.push(name)),
    },
    window: {
      onDidChangeWindowState: (listener: () => void) => {
        focused = listener;
        return { dispose() {} };
      },
      tabGroups: { all: [], close: async () => true, onDidChangeTabs: () => ({ dispose() {} }) },
      showInformationMessage: ask,
      showWarningMessage: ask,
    },
  }));
  ({ RecordExactly, shellLine } = await import('../../../src/editor/recordings/recordExactly'));
  captures = await import('../../../src/editor/recordings/requestCaptures');
  vi.doUnmock('vscode');
  vi.resetModules();
});

beforeEach(() => {
  answers = [];
  shown.length = 0;
  diffs.length = 0;
  executed.length = 0;
  configured = () => undefined;
  setting = {};
  copied = '';
});

function scene() {
  const home = tempFolder();
  const variables = new Map<string, string>();
  const state = new Map<string, unknown>();
  const services = {
    home,
    environment: {},
    platform: 'linux' as const,
    now: () => Date.parse('2026-09-01T10:00:00.000Z'),
    context: {
      globalStorageUri: { fsPath: join(home, 'storage') },
      globalState: {
        get: (key: string) => state.get(key) as never,
        update: async (key: string, value: unknown) => void state.set(key, value),
      },
      environmentVariableCollection: {
        persistent: true,
        description: '' as string | vscode.MarkdownString | undefined,
        replace: (name: string, value: string) => void variables.set(name, value),
        delete: (name: string) => void variables.delete(name),
      },
    },
    report: { run: (work: () => unknown) => void work() },
    access: {
      settings: {
        valid: { settings: { lens: { places: {}, statusBar: true, maxMegabytes: 500 } } },
      },
    },
    textColumn: { beside: 1 },
    notices: {
      tell: (message: string) => void shown.push(message),
      warn: (message: string) => void shown.push(message),
    },
  };
  const requests = new captures.RequestCaptures(services as never);
  const commands = new RecordExactly(services as never, requests);
  const settings = join(home, '.claude', 'settings.json');
  const folder = join(home, 'storage', 'requests', 'claude-code');
  const write = (text: string) => {
    mkdirSync(join(home, '.claude'), { recursive: true });
    writeFileSync(settings, text, { mode: 0o640 });
  };
  const read = () => readFileSync(settings, 'utf8');
  const environment = services.context.environmentVariableCollection;
  return {
    home,
    variables,
    environment,
    state,
    requests,
    commands,
    settings,
    folder,
    write,
    read,
    services,
  };
}

describe('recording the requests of Claude Code', () => {
  it('shows the change of its settings, makes it, and undoes it with one click', async () => {
    const { commands, requests, write, read, folder, settings } = scene();
    write('{\n  "model": "opus"\n}\n');
    const text = (query: string) =>
      commands.provideTextDocumentContent({ query } as unknown as vscode.Uri);
    let proposed = '';
    answers = [
      () => {
        proposed = text('after');
        expect(text('before')).toBe(read());
        return 'Record Exactly';
      },
      undefined as never,
    ];
    await commands.commands.recordExactly('claude-code');
    expect(diffs).toEqual(['before after']);
    expect(read()).toBe(proposed);
    expect(read()).toContain(`"OTEL_LOG_RAW_API_BODIES": "file:${folder}"`);
    expect(statSync(settings).mode & 0o777).toBe(0o640);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(shown[0]).toContain(`change ${settings} as shown?`);
    expect(shown[1]).toContain('Restart it: from then on the windows of its sessions are exact.');
    expect(await requests.folders()).toMatchObject({ 'claude-code': [folder] });
    expect(recordsView(requests.switchOf('claude-code'))?.words).toMatch(
      /^Recording requests since .*2026.*\. Windows are exact once Claude Code is restarted\.$/,
    );
    await commands.commands.stopRecordingExactly('claude-code');
    expect(JSON.parse(read())).toEqual({ model: 'opus' });
    expect(recordsView(requests.switchOf('claude-code'))).toEqual({
      agent: 'claude-code',
      isOn: false,
    });
  });

  it('says so when the settings still record elsewhere, by no change of Plimsoll', async () => {
    const { commands, home, settings, requests } = scene();
    mkdirSync(join(home, '.claude'));
    const env = { OTEL_LOG_RAW_API_BODIES: 'file:/mine' };
    writeFileSync(settings, JSON.stringify({ env }));
    await commands.commands.stopRecordingExactly('claude-code');
    expect(shown).toEqual([
      `Claude Code still records its requests, into /mine: ${settings} says so, and not by Plimsoll's change.`,
    ]);
    expect(requests.switchOf('claude-code')?.isOn).toBe(false);
  });

  it('changes the file behind a link, and one that does not exist yet', async () => {
    const { commands, home, read } = scene();
    answers = ['Record Exactly', 'Undo'];
    await commands.commands.recordExactly({ session: { agent: 'claude-code' } });
    expect(JSON.parse(read())).toEqual({});
    const linked = scene();
    mkdirSync(join(linked.home, '.claude'));
    writeFileSync(join(home, 'dotfile.json'), '{}');
    symlinkSync(join(home, 'dotfile.json'), linked.settings);
    answers = ['Record Exactly'];
    await linked.commands.commands.recordExactly('claude-code');
    expect(readFileSync(join(home, 'dotfile.json'), 'utf8')).toContain('OTEL_LOG_RAW_API_BODIES');
    expect(lstatSync(linked.settings).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['the user says no', () => 'Cancel', '{}'],
    ['the user closes the question', () => undefined, '{}'],
  ])('changes nothing if %s', async (_, answer, text) => {
    const { commands, write, read } = scene();
    write(text);
    answers = [answer];
    await commands.commands.recordExactly('claude-code');
    expect(read()).toBe(text);
  });

  it('changes nothing if the file changed meanwhile, or cannot be parsed', async () => {
    const { commands, write, read } = scene();
    write('{}');
    answers = [
      () => {
        write('{ "model": "haiku" }');
        return 'Record Exactly';
      },
    ];
    await commands.commands.recordExactly('claude-code');
    expect(shown.at(-1)).toContain('was not changed: it has changed meanwhile. Try again.');
    expect(read()).toBe('{ "model": "haiku" }');
    write('{ "model": ');
    await commands.commands.recordExactly('claude-code');
    expect(shown.at(-1)).toContain('was not changed: line 1 is not JSON');
    expect(read()).toBe('{ "model": ');
  });
});

describe('recording the requests of Codex', () => {
  it("sets the variable of VS Code's terminals, and gives the line for other shells", async () => {
    const { commands, requests, variables, state, environment, home } = scene();
    const folder = join(home, 'storage', 'requests', 'codex');
    answers = ['Record Exactly', 'Copy the Line'];
    await commands.commands.recordExactly('codex');
    expect([...variables]).toEqual([['CODEX_ROLLOUT_TRACE_ROOT', folder]]);
    expect(copied).toBe(`export CODEX_ROLLOUT_TRACE_ROOT='${folder}'`);
    expect(shown.at(-1)).toContain(copied);
    expect(requests.switchOf('codex')?.isOn).toBe(true);
    await commands.commands.stopRecordingExactly('codex');
    expect([variables.size, requests.switchOf('codex')?.isOn]).toEqual([0, false]);
    // Another window switches it on and off.
    state.set('plimsoll.recordedRequests.since', { codex: 1 });
    focused();
    expect(variables.size).toBe(1);
    state.clear();
    focused();
    expect([variables.size, environment.persistent]).toEqual([0, false]);
    expect(requests.switchOf('pi')).toBeUndefined();
  });

  it('quotes the folder for the shell', () => {
    expect(shellLine("/it's", 'linux')).toBe(
      String.raw`export CODEX_ROLLOUT_TRACE_ROOT='/it'\''s'`,
    );
    expect(shellLine(String.raw`C:\it's`, 'win32')).toBe(
      String.raw`$env:CODEX_ROLLOUT_TRACE_ROOT = 'C:\it''s'`,
    );
  });
});

describe("recording the requests of VS Code's own agent", () => {
  it('shows the change of its setting, makes it in the user settings, and offers to reload', async () => {
    const { commands, requests } = scene();
    setting = { defaultValue: false };
    const text = (query: string) =>
      commands.provideTextDocumentContent({ query } as unknown as vscode.Uri);
    expect(recordsView(requests.switchOf('vscode-chat'))).toEqual({ agent: 'vscode', isOn: false });
    answers = [
      () => {
        expect([text('before'), text('after')].map((one) => JSON.parse(one) as unknown)).toEqual([
          {},
          { [KEY]: true },
        ]);
        return 'Record Exactly';
      },
      'Reload Window',
    ];
    await commands.commands.recordExactly({ session: { agent: 'vscode' } });
    expect([diffs, executed]).toEqual([['before after'], ['workbench.action.reloadWindow']]);
    expect(setting).toEqual({ defaultValue: false, globalValue: true });
    expect(shown[0]).toContain('In a window without a folder it logs nothing.');
    expect(shown[1]).toContain('once the window is reloaded: from then on');
    expect(recordsView(requests.switchOf('vscode-debug-log'))?.words).toMatch(
      /^Recording requests since .*2026.*\. Windows are exact once VS Code is reloaded, if a folder is open\.$/,
    );
    await commands.commands.stopRecordingExactly('vscode');
    expect([setting, requests.switchOf('vscode')]).toEqual([
      { defaultValue: false },
      { agent: 'vscode', isOn: false },
    ]);
  });

  it.each([
    ['nothing', { defaultValue: false }],
    ['off', { defaultValue: false, globalValue: false }],
    ['off where the default is on', { defaultValue: true, globalValue: false }],
  ])('is undone with one click if the user had set %s', async (_, before) => {
    const { commands, requests } = scene();
    setting = before;
    answers = ['Record Exactly', 'Undo'];
    await commands.commands.recordExactly('vscode');
    expect([setting, executed]).toEqual([before, []]);
    expect(shown.at(-1)).toBe(`undone: ${KEY} is as it was before in your user settings.`);
    expect(requests.switchOf('vscode')?.isOn).toBe(false);
  });

  it.each([
    ['the user', { defaultValue: false, globalValue: true }],
    ['the default', { defaultValue: true }],
    ['the workspace', { defaultValue: false, workspaceValue: true }],
  ])('changes nothing and says so if %s already turns it on', async (_, before) => {
    const { commands, requests } = scene();
    setting = before;
    answers = ['Record Exactly', 'Undo'];
    await commands.commands.recordExactly('vscode');
    expect(shown).toEqual([
      `nothing was changed: ${KEY} is already on. If it was turned on since the window loaded, reload the window.`,
    ]);
    expect([setting, diffs]).toEqual([before, []]);
    expect(requests.switchOf('vscode')?.isOn).toBe(true);
  });

  it('changes nothing if the user changed the setting while being asked', async () => {
    const { commands } = scene();
    setting = { defaultValue: false };
    answers = [
      () => {
        configure({ defaultValue: false, globalValue: false });
        return 'Record Exactly';
      },
    ];
    await commands.commands.recordExactly('vscode');
    expect(shown.at(-1)).toBe(
      'nothing was changed: your user settings have changed meanwhile. Try again.',
    );
    expect(setting).toEqual({ defaultValue: false, globalValue: false });
  });

  it.each([['Cancel'], [undefined]])('changes nothing if the answer is %s', async (answer) => {
    const { commands } = scene();
    setting = { defaultValue: false };
    answers = [() => answer];
    await commands.commands.recordExactly('vscode');
    expect(setting).toEqual({ defaultValue: false });
  });

  it('changes nothing and says so if the editor has no such agent', async () => {
    const { commands } = scene();
    await commands.commands.recordExactly('vscode');
    expect(shown).toEqual([
      `nothing was changed: Code has no setting ${KEY} here. Its agent, GitHub Copilot Chat, is missing, switched off or too old.`,
    ]);
    expect([setting, diffs]).toEqual([{}, []]);
  });

  it('changes nothing and says so if the workspace turns it off', async () => {
    const { commands, requests } = scene();
    const before = { defaultValue: false, workspaceValue: false };
    setting = before;
    answers = ['Record Exactly'];
    await commands.commands.recordExactly('vscode');
    expect(setting).toEqual(before);
    expect(shown.at(-1)).toContain(`turn ${KEY} off`);
    expect(requests.switchOf('vscode')?.isOn).toBe(false);
  });

  it('is off also where the default is on, and says if the workspace keeps it on', async () => {
    const { commands } = scene();
    setting = { defaultValue: true };
    await commands.commands.stopRecordingExactly('vscode');
    expect(setting).toEqual({ defaultValue: true, globalValue: false });
    for (const globalValue of [undefined, true]) {
      setting = { defaultValue: true, globalValue, workspaceValue: true };
      await commands.commands.stopRecordingExactly('vscode');
      expect(setting).toEqual({ defaultValue: true, globalValue, workspaceValue: true });
    }
    setting = { defaultValue: false, globalValue: true, workspaceValue: true };
    await commands.commands.stopRecordingExactly('vscode');
    expect(shown.at(-1)).toContain("VS Code's agent still logs its requests");
    expect(setting).toEqual({ defaultValue: false, workspaceValue: true });
  });

  it.each([
    ['nothing', { defaultValue: false, workspaceValue: true }],
    ['off', { defaultValue: false, globalValue: false, workspaceValue: true }],
  ])(
    'leaves the user settings as they are if the workspace keeps it on and the user set %s',
    async (_, before) => {
      const { commands } = scene();
      setting = before;
      await commands.commands.stopRecordingExactly('vscode');
      expect(setting).toEqual(before);
      expect(shown.at(-1)).toContain("VS Code's agent still logs its requests");
    },
  );

  it('is shown as it is when the user changes the setting by hand', async () => {
    const { requests, state } = scene();
    let changes = 0;
    requests.onDidChange(() => (changes += 1));
    configure({ defaultValue: false, globalValue: true });
    expect([changes, requests.switchOf('vscode')]).toEqual([1, { agent: 'vscode', isOn: true }]);
    state.set('plimsoll.recordedRequests.since', { vscode: 1 });
    configure({ defaultValue: false });
    await expect.poll(() => changes).toBe(2);
    // A time of an earlier recording would be wrong for the next one.
    expect(state.get('plimsoll.recordedRequests.since')).toEqual({});
  });
});

describe('recorded requests', () => {
  it('are deleted with one command, after a question with their size', async () => {
    const { commands, requests, folder } = scene();
    await commands.commands.deleteRecordedRequests();
    expect(shown).toEqual(['there are no recorded requests.']);
    await requests.store.prepare('claude-code');
    writeFileSync(join(folder, 'a.request.json'), 'x'.repeat(1_250_000));
    answers = [undefined as never];
    await commands.commands.deleteRecordedRequests();
    expect(shown.at(-1)).toContain('(1.3 MB)');
    expect(await requests.store.size()).toBe(1_250_000);
    answers = ['Delete'];
    await commands.commands.deleteRecordedRequests();
    expect(await requests.store.size()).toBe(0);
  });
});
