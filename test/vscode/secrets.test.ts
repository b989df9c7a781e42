import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { MessagesRequest, ScriptedPart } from '../../src/offline/messagesApi';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { PanelPage } from './support/panelPage';
import { scriptedModel } from './support/scriptedModel';

const TOKEN = `ghp_${'Ab3'.repeat(12)}`;

describe('masked secrets', () => {
  const settings = changedSettings();
  const file = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'deploy-notes.txt');
  const requests: MessagesRequest[] = [];
  let model: Awaited<ReturnType<typeof scriptedModel>>;
  let page: PanelPage;

  before(async () => {
    writeFileSync(file, `Deploy with ${TOKEN}.\n`);
    model = await scriptedModel(settings, (request: MessagesRequest) => {
      requests.push(request);
      const content: readonly ScriptedPart[] =
        requests.length === 1
          ? [
              {
                type: 'tool_use',
                id: 'toolu_1',
                name: 'read_file',
                input: { path: 'deploy-notes.txt' },
              },
            ]
          : [{ type: 'text', text: 'All done.' }];
      return { content };
    });
    const agent = await AgentPage.onNewSession();
    await agent.perform('Read the notes.');
    page = await PanelPage.ofSession(agent);
  });

  after(async () => {
    rmSync(file, { force: true });
    await model.close();
  });

  const sent = () => JSON.stringify(requests.at(-1)?.messages);

  it('reach neither the model nor the log nor the pages', async () => {
    assert.match(sent(), /Deploy with \[masked: GitHub token [0-9a-f]{4,}\]/);
    assert.ok(!sent().includes(TOKEN));
    assert.ok(!readFileSync(page.logFile, 'utf8').includes(TOKEN));
    assert.ok(!(await page.content.at('main').html()).includes(TOKEN));
    await page.act('step-1', 'open');
    const { text } = await page.opened(({ uri }) => uri.scheme === 'plimsoll-block');
    assert.match(text, /\[masked: GitHub token/);
  });

  it('are shown to the user alone by one click', async () => {
    await page.act('step-1', 'showSecrets');
    const { text } = await page.opened(({ uri }) => uri.scheme === 'plimsoll-block');
    assert.ok(text.includes(`Deploy with ${TOKEN}.`));
    assert.ok(!(await page.content.at('main').html()).includes(TOKEN));
  });

  it('are sent by one click until they are masked again, and the log keeps the mark', async () => {
    const { marks } = await page.logged('secretsSent', () => page.act('step-1', 'sendSecrets'));
    assert.equal(marks.length, 1);
    await page.ask('And now?');
    assert.ok(sent().includes(`Deploy with ${TOKEN}.`));
    assert.ok(!readFileSync(page.logFile, 'utf8').includes(TOKEN));
    const again = await page.logged('secretsSent', () => page.act('step-1', 'maskSecrets'));
    assert.deepEqual(again.marks, []);
    await page.ask('And at last?');
    assert.ok(!sent().includes(TOKEN));
    assert.ok(sent().includes(marks[0]!));
  });
});
