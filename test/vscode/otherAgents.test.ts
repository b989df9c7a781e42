import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import {
  opencode,
  OPENCODE_TABLES,
  openDatabase,
  type Writer,
} from '../recordings/lens/support/agentDatabases';
import { claude, codex, write } from '../recordings/lens/support/agentHomes';
import { chat, copilot, gemini, pi } from '../recordings/lens/support/fileAgents';
import {
  EXCHANGES,
  recordRequests,
  SESSION,
  sessionText,
} from '../recordings/captures/support/recordedRequests';
import { isSoak } from '../support/runs';
import { changedSettings } from './support/changedSettings';
import { steps } from './support/claudeCodeLines';
import { PanelPage } from './support/panelPage';
import { until } from './support/until';

const [QUESTION = ''] = DEMO_FOLLOW_UPS;

/** The part of Claude Code's settings that the tests read. */
interface Settings {
  readonly model?: string;
  readonly env?: Readonly<Record<string, string>>;
}

describe('the sessions of other agents', () => {
  const settings = changedSettings();
  let page: PanelPage;
  let home: string;
  let file: string;
  let database: Writer;

  before(async () => {
    page = await PanelPage.onSession([QUESTION]);
    home = await mkdtemp(join(tmpdir(), 'plimsoll-agents-'));
    const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    file = write(
      join(claude.project(home, folder), 'a.jsonl'),
      claude.prompt('Look at every file.', folder),
      ...steps(1, 8),
    );
    // The process of this suite stands for that of the agent.
    write(
      join(home, '.claude', 'sessions', `${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: 'a' }),
    );
    write(
      join(claude.project(home, folder), 'a', 'subagents', 'agent-1.jsonl'),
      claude.prompt('Search the tests.', folder, { isSidechain: true, sessionId: 'a' }),
    );
    write(
      codex.file(home, 'c'),
      codex.meta('c', '/elsewhere'),
      codex.prompt('Mend the mast.'),
      codex.turn('gpt-5.4'),
      codex.count(9_000),
    );
    write(pi.file(home, 'p', folder), pi.head('p', folder), pi.prompt('Trim the sail.'));
    write(
      join(copilot.state(home, 'l'), 'events.jsonl'),
      copilot.start('l', folder),
      copilot.prompt('Paint the hull.'),
      copilot.reply('claude-sonnet-4.6'),
    );
    write(join(gemini.project(home, 'g'), '.project_root'), folder);
    write(
      join(gemini.project(home, 'g'), 'chats', 'session-1.json'),
      JSON.stringify({
        ...gemini.head('g'),
        messages: [gemini.prompt('Sew the flag.'), gemini.reply(900)],
      }),
    );
    const user = join(home, 'User');
    write(join(chat.storage(user), 'workspace.json'), chat.workspace(folder));
    write(
      join(chat.logs(user, 'v'), 'main.jsonl'),
      chat.logged('user_message', { content: 'Coil the line.' }),
      chat.sent(800, 'Coil the line.'),
      chat.said('Coiled.'),
    );
    database = openDatabase(join(home, 'opencode', 'opencode.db'), ...OPENCODE_TABLES['1.15']);
    const places = {
      'claude-code': join(home, '.claude'),
      codex: join(home, '.codex'),
      'copilot-cli': join(home, '.copilot'),
      'gemini-cli': join(home, '.gemini'),
      vscode: join(home, 'User'),
      opencode: join(home, 'opencode'),
      pi: join(home, '.pi', 'agent'),
    };
    await settings.set('lens.places', places, 'user');
  });

  after(async () => {
    await vscode.commands.executeCommand('plimsoll.focusAgent');
    database.close();
    await rm(home, { recursive: true, force: true });
  });

  const row = (text: string) => page.editor.at(`[role="treeitem"][aria-label*="${text}"]`);

  it('are listed for the open folder, opened with a click, and followed while they run', async () => {
    await vscode.commands.executeCommand('plimsoll.otherAgents.focus');
    // Below an open Agent view it has room for four rows.
    await page.editor.at('.pane-header[aria-label^="Agent"]').first.click();
    await vscode.commands.executeCommand('plimsoll.refreshOtherAgents');
    await row('Look at every file.').shows(/Claude Code · running · .*claude-sonnet-4-5/);
    // The embedded editor is a remote one; on the desktop there is nothing to say.
    const { remoteName } = vscode.env;
    const place = page.editor.at('.tree-explorer-viewlet-tree-view .message');
    if (remoteName === undefined) await place.isGone();
    else await place.first.shows(`Sessions on the machine where Plimsoll runs (${remoteName}).`);
    await row('Paint the hull.').shows(/Copilot CLI · .*claude-sonnet-4\.6/);
    await row('Sew the flag.').shows(/Gemini CLI · .*900 tokens/);
    await row('Coil the line.').shows(/VS Code · .*810 tokens/);
    await row('Mend the mast.').isGone();
    await page.editor.statusBarItem('Claude Code 7k / ≈ 200k').appears();
    await row('Look at every file.').click();
    await page.find('session-title').shows('a.jsonl');
    await page.row('step-8').isThere();
    await appendFile(file, steps(9, 9).join(''));
    await page.row('step-9').isThere();
    await page.find('close-recording').click();
    await page.find('source-bar').isGone();
  });

  it('are read from a database and followed while another process writes it', async () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    opencode.session(database, 'ses_1', folder, { title: 'Splice the rope.' });
    const now = Date.now();
    opencode.prompt(database, 'ses_1', now, 'Splice it.');
    opencode.reply(database, 'ses_1', now + 1, 9_000, { finish: 'tool-calls' });
    await vscode.commands.executeCommand('plimsoll.otherAgents.focus');
    // In a low view the rows above the one in use are not drawn.
    await vscode.commands.executeCommand('list.focusFirst');
    await vscode.commands.executeCommand('plimsoll.refreshOtherAgents');
    await row('Splice the rope.').shows(/OpenCode · running · .*9,000 tokens/);
    await row('Splice the rope.').click();
    await page.find('session-title').shows('opencode.db#ses_1');
    await page.row('step-1').isThere();
    const script = `
      const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
      const database = new DatabaseSync(process.argv[1]);
      const data = JSON.stringify({ role: 'assistant', modelID: 'm' });
      database.prepare("INSERT INTO message VALUES ('m9', 'ses_1', ?, 9, ?)").run(Date.now(), data);
      const part = JSON.stringify({ type: 'text', text: 'Spliced.' });
      database.prepare("INSERT INTO part VALUES ('p9', 'm9', 'ses_1', 9, 9, ?)").run(part);`;
    const environment = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const argument = join(home, 'opencode', 'opencode.db');
    const agent = spawn(process.execPath, ['-e', script, argument], { env: environment });
    await once(agent, 'exit');
    await page.row('step-2').isThere();
    await page.find('close-recording').click();
    await page.find('source-bar').isGone();
  });

  it('record their requests on demand, which the panel shows as they were sent', async () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const session = write(
      join(claude.project(home, folder), `${SESSION}.jsonl`),
      sessionText(folder),
    );
    const settingsFile = join(home, '.claude', 'settings.json');
    write(settingsFile, '{ "model": "opus" }');
    const read = async () => JSON.parse(await readFile(settingsFile, 'utf8')) as Settings;
    const open = () => vscode.commands.executeCommand('plimsoll.openRecording', session);
    await open();
    await page.showRecordingDetails();
    await page.find('recording-origin').shows('Reconstructed: this file has no system prompt');
    await page.find('record-exactly').click();
    await page.editor.at('.monaco-diff-editor').first.shows('OTEL_LOG_RAW_API_BODIES');
    await vscode.commands.executeCommand('notifications.showList');
    const button = page.editor.at('.notifications-center .monaco-button');
    await button.withText('Record Exactly').first.click();
    await page.find('requests-recorded').shows('Recording requests since');
    await vscode.commands.executeCommand('notifications.clearAll');
    const { model, env = {} } = await read();
    const [, captures = ''] = /^file:(.+)$/.exec(env['OTEL_LOG_RAW_API_BODIES'] ?? '') ?? [];
    assert.equal(model, 'opus');
    assert.equal((await stat(captures)).mode & 0o777, 0o700);
    try {
      recordRequests(captures, EXCHANGES, { isIndexed: true });
      await open();
      await page.find('source-bar').shows('claude-code recording, exact, read only');
      await page.showRecordingDetails();
      await page.find('recording-origin').shows('Exact: the request of every step was recorded.');
      await page.find('tab-request').click();
      await page.find('request-before').click();
      await page
        .find('request-captured')
        .shows(/Exact: as the agent sent it\. .*883 tokens by its/);
      await page.content.text('System prompt, part 2').appears();
      if (isSoak) {
        // Its summary and its title are rows below it, each a window of its own.
        await vscode.commands.executeCommand('plimsoll.refreshOtherAgents');
        // A low view draws only the rows near the one in use, and the session is the first or the last.
        let at = 'list.focusLast';
        await until('the side requests are listed', async () => {
          at = at === 'list.focusLast' ? 'list.focusFirst' : 'list.focusLast';
          for (const command of ['plimsoll.otherAgents.focus', at, 'list.expand'])
            await vscode.commands.executeCommand(command);
          return row('Side request: compact')
            .appears(1_000)
            .then(
              () => true,
              () => false,
            );
        });
        await row('Side request: compact').shows(/claude-sonnet-4-5/);
        await row('Side request: compact').click();
        await page.find('session-title').shows('0005.request.json');
        await page.editor.press('ArrowDown');
        await row('Side request: generate_session_title').isThere();
      }
      await open();
      await page.showRecordingDetails();
      await page.find('requests-recorded').appears();
      await page.find('record-exactly').click();
      await page.find('requests-recorded').isGone();
      assert.deepEqual(await read(), { model: 'opus' });
    } finally {
      await rm(captures, { recursive: true });
    }
    await page.find('close-recording').click();
    await page.find('source-bar').isGone();
  });

  it("record VS Code's own requests by its setting, which one click changes back", async () => {
    const key = 'github.copilot.chat.agentDebugLog.fileLogging.enabled';
    const values = () => {
      const { defaultValue, globalValue } = vscode.workspace.getConfiguration().inspect(key) ?? {};
      return [defaultValue, globalValue];
    };
    const log = join(chat.logs(join(home, 'User'), 'v'), 'main.jsonl');
    await vscode.commands.executeCommand('plimsoll.openRecording', log);
    await page.showRecordingDetails();
    await page.find('record-exactly').click();
    await page.editor.at('.monaco-diff-editor').first.shows('agentDebugLog');
    await vscode.commands.executeCommand('notifications.showList');
    const button = page.editor.at('.notifications-center .monaco-button');
    assert.deepEqual(values(), [false, undefined]);
    await button.withText('Record Exactly').first.click();
    await page.find('requests-recorded').shows('Windows are exact once VS Code is reloaded');
    assert.deepEqual(values(), [false, true]);
    await vscode.commands.executeCommand('notifications.showList');
    await button.withText('Undo').first.click();
    await page.find('requests-recorded').isGone();
    assert.deepEqual(values(), [false, undefined]);
    await vscode.commands.executeCommand('notifications.clearAll');
    await page.find('close-recording').click();
    await page.find('source-bar').isGone();
  });

  it('are offered by the command, those of other folders on demand', async () => {
    const { quickInput } = page.editor;
    void vscode.commands.executeCommand('plimsoll.inspectSession');
    await quickInput.row('Look at every file.').appears();
    await quickInput.row('Search the tests.').appears();
    await quickInput.row('Trim the sail.').appears();
    await quickInput.choose('Sessions of other folders');
    await quickInput.row('Mend the mast.').appears();
    await page.editor.press('Escape');
  });
});
