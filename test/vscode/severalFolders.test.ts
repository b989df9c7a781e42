import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { EditorWindow } from './support/editorWindow';
import { describeInSoak } from './support/inSoak';
import { callingModel, type ScriptedCalls } from './support/scriptedModel';

/** The model's calls, one in each step. */
const CALLS: ScriptedCalls = [
  ['search_text', { pattern: 'tide' }],
  ['edit_file', { path: 'server/tide.txt', edits: [{ old_text: 'ebb', new_text: 'flood' }] }],
  ['run_command', { command: 'pwd', folder: 'server' }],
];

describeInSoak('a workspace of several folders', () => {
  const settings = changedSettings();
  let folder: string;
  let model: Awaited<ReturnType<typeof callingModel>>;
  let second: EditorWindow | undefined;

  before(async function () {
    folder = await realpath(mkdtempSync(join(tmpdir(), 'plimsoll-folders-')));
    const files = {
      'client/tide.txt': 'tide of the client\n',
      'server/tide.txt': 'ebb tide of the server\n',
      'all.code-workspace': JSON.stringify({
        folders: [{ path: 'client' }, { path: 'server' }],
        settings: { 'security.workspace.trust.enabled': false },
      }),
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    model = await callingModel(settings, CALLS);
    const editor = await EditorWindow.connected();
    second = await editor.opened(join(folder, 'all.code-workspace'));
    // On the desktop a window of its own needs a start of its own.
    if (second === undefined) this.skip();
  });

  after(async () => {
    await second?.close();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is searched, changed, and undone in each folder, by the name of the folder', async () => {
    const agent = await AgentPage.in(second!);
    await agent.find('use-key').click();
    await agent.enterKey('sk-ant-only-for-this-test');
    const asked = await agent.perform('Change the tide');
    const [search = '', edit = '', command = ''] = model.results;
    assert.match(search, /client\/tide\.txt:1:tide of the client.*server\/tide\.txt:1:ebb tide/);
    assert.match(edit, /server\/tide\.txt/);
    assert.ok(command.includes(join(folder, 'server')), command);
    const [first, last] = asked;
    assert.match(first?.text ?? '', /server\/tide\.txt/);
    assert.match(last?.text ?? '', /Run a command in server/);
    const text = () => readFileSync(join(folder, 'server/tide.txt'), 'utf8');
    assert.equal(text(), 'flood tide of the server\n');
    await agent.find('turn-files-undo').click();
    await agent.find('turn-files-undo').isGone();
    assert.equal(text(), 'ebb tide of the server\n');
  });
});
