import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagesRequest, ScriptedPart } from '../../src/offline/messagesApi';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { EditorWindow } from './support/editorWindow';
import { describeInSoak } from './support/inSoak';
import { scriptedModel, type ScriptedCalls } from './support/scriptedModel';
import { until } from './support/until';

/** The model's calls for the first prompt, one in each step. */
const CALLS: ScriptedCalls = [
  ['search_text', { pattern: 'tide' }],
  ['edit_file', { path: 'server/tide.txt', edits: [{ old_text: 'ebb', new_text: 'flood' }] }],
  ['edit_file', { path: 'client/tide.txt', edits: [{ old_text: 'ebb', new_text: 'flood' }] }],
  ['create_file', { path: 'server/new.txt', content: 'new\n' }],
  ['run_command', { command: 'pwd', folder: 'server' }],
];

/** A call whose question keeps the turn open. */
const OPEN_CALL = ['run_command', { command: 'sleep 4' }] as const;

/** No user reloads a window sooner after a key, ms. */
const AFTER_A_KEY = 100;

describeInSoak('a workspace of several folders', () => {
  const settings = changedSettings();
  /** The newest message of each request, and the result of each call. */
  const sent: string[] = [];
  const results: string[] = [];
  let folder: string;
  let model: Awaited<ReturnType<typeof scriptedModel>>;
  let second: EditorWindow | undefined;
  let agent: AgentPage;

  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const lens = (title: string) => second!.at('.codelens-decoration a').withText(title);
  const row = (path: string) => agent.find('turn-files').at(`[data-path="${path}"]`);

  function answer({ messages }: MessagesRequest): { readonly content: readonly ScriptedPart[] } {
    // A note may come before the prompt.
    const text = JSON.stringify(messages.at(-1)?.content);
    sent.push(text);
    if (text.includes('"tool_result"')) results.push(text);
    const call = text.includes('Wait for me') ? OPEN_CALL : CALLS[sent.length - 1];
    if (call === undefined) {
      const says = text.includes('once more') ? 'See [tide](server/tide.txt#L1).' : 'All done.';
      return { content: [{ type: 'text', text: says }] };
    }
    const [name, input] = call;
    return { content: [{ type: 'tool_use', id: `toolu_folders_${sent.length}`, name, input }] };
  }

  before(async function () {
    folder = await realpath(mkdtempSync(join(tmpdir(), 'plimsoll-folders-')));
    const files = {
      'client/tide.txt': 'ebb tide of the client\n',
      'server/tide.txt': 'ebb tide of the server\n',
      'server/broken.js': ')\n',
      'all.code-workspace': JSON.stringify({
        folders: [{ path: 'client' }, { path: 'server' }],
        settings: { 'security.workspace.trust.enabled': false },
      }),
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    for (const name of ['client', 'server']) {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-C', join(folder, name), ...args]);
      git('init', '-q');
      git('add', 'tide.txt');
      git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'Tides');
    }
    model = await scriptedModel(settings, answer);
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

  it('is searched and changed in each folder, by the name of the folder', async () => {
    agent = await AgentPage.in(second!);
    await agent.find('use-key').click();
    await agent.enterKey('sk-ant-only-for-this-test');
    const asked = await agent.perform('Change the tide');
    const [search = '', edit = ''] = results;
    assert.match(search, /client\/tide\.txt:1:ebb tide.*server\/tide\.txt:1:ebb tide/);
    assert.match(edit, /server\/tide\.txt/);
    assert.ok(results.at(-1)!.includes(join(folder, 'server')), results.at(-1));
    assert.match(asked[0]?.text ?? '', /server\/tide\.txt/);
    assert.match(asked.at(-1)?.text ?? '', /Run a command in server/);
    assert.equal(read('server/tide.txt'), 'flood tide of the server\n');
  });

  it('has Keep and Undo in the files of each folder, and in the Agent view', async () => {
    await second!.openFile(join(folder, 'client/tide.txt'));
    await lens('Keep').first.click();
    await row('client/tide.txt').is('data-answer', 'kept');
    await second!.openFile(join(folder, 'server/tide.txt'));
    await lens('Undo').first.click();
    await row('server/tide.txt').is('data-answer', 'undone');
    assert.equal(read('server/tide.txt'), 'ebb tide of the server\n');
    assert.equal(read('client/tide.txt'), 'flood tide of the client\n');
    await row('server/new.txt').find('turn-file-undo').click();
    await row('server/new.txt').is('data-answer', 'undone');
    assert.ok(!existsSync(join(folder, 'server/new.txt')));
  });

  it('lists the file used last first, whichever its folder', async () => {
    await agent.find('composer').fill('Look at @tide');
    await agent.find('composer-choice').first.shows(/tide\.txt.*server/s);
    await agent.find('composer').fill('');
  });

  it('fixes a problem in any folder', async () => {
    await second!.openFile(join(folder, 'server/broken.js'));
    await second!.at('.squiggly-error').first.appears();
    await second!.runCommandViaPalette('Plimsoll: Fix with Plimsoll');
    await agent
      .turn('Fix the problem at server/broken.js:1')
      .shows(/With server\/broken\.js:1.*All done\./s);
  });

  it('asks of which repository it shall write the commit message', async () => {
    await second!.runCommandViaPalette('Plimsoll: Write Commit Message');
    const { quickInput } = second!;
    await quickInput.row('client').appears();
    await quickInput.choose('server');
    const request = await until('the changes were sent', () =>
      sent.find((text) => text.includes('new file, not added')),
    );
    assert.match(request, /broken\.js/);
    assert.doesNotMatch(request, /tide of the client/);
    await second!.openActivity('Source Control');
    await second!.at('.scm-view').text('All done.').first.appears();
    await second!.openActivity('Plimsoll');
  });

  it('keeps a text typed right before a reload while the agent works, and the file it mentions', async () => {
    agent = await AgentPage.in(second!);
    await agent.submit('Wait for me');
    await agent.find('approval').appears();
    await agent.find('composer').fill('Look at @tide');
    await agent.find('composer-choice').first.shows(/tide\.txt/);
    await agent.find('composer').press('Enter');
    await agent.find('attached-item').shows(/tokens/);
    const begun = 'Look at @tide.txt once more';
    await agent.find('composer').fill(begun);
    await sleep(AFTER_A_KEY);
    await second!.reload();
    agent = await AgentPage.in(second!);
    await agent.find('composer').holds(begun);
    await agent.find('attached-item').shows(/tide\.txt/);
    await agent.find('approval-deny').click();
    await agent.does('idle');
  });

  it('shows after a reload what a prompt mentions, its title, and the links of the reply', async () => {
    await agent.find('new-session').click();
    await agent.find('turn').isGone();
    const prompt = 'Look at @tide.txt once more';
    await agent.find('composer').holds(prompt);
    // The embedded editor forgets secrets at a reload.
    await second!.runCommandViaPalette('Plimsoll: Set the Anthropic API Key');
    await agent.enterKey('sk-ant-only-for-this-test');
    await agent.find('send').click();
    await agent.turn(prompt).shows(/See tide\./);
    await agent.does('idle');
    assert.match(sent.at(-1)!, /<attached kind=\\"file\\" name=\\"server\/tide\.txt\\"/);
    await second!.reload();
    agent = await AgentPage.in(second!);
    await agent.shows(prompt);
    await agent.turn(prompt).shows(/With server\/tide\.txt/);
    await agent.find('attached-item').isGone();
    await agent.find('composer').holds('');
    await agent.turn(prompt).at('a[title="server/tide.txt:1"]').click();
    await second!.at('.tab.active').withText('tide.txt').appears();
  });
});
