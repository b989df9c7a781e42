import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { editorWindow, type EditorWindow } from './support/editorWindow';

const KEY = 'sk-ant-only-for-this-test';

describe('the API key', function () {
  this.timeout(60_000);
  let editor: EditorWindow;
  let server: Server;
  const sent: (string | undefined)[] = [];

  async function set(name: string, value: unknown, target: vscode.ConfigurationTarget) {
    await vscode.workspace.getConfiguration('plimsoll').update(name, value, target);
  }

  /** Waits until a model list was asked for, and answers with the key that came along. */
  async function nextKey(): Promise<string | undefined> {
    for (let tries = 0; sent.length === 0 && tries < 100; tries++) await sleep(100);
    assert.ok(sent.length > 0, 'nobody asked for the model list');
    return sent.pop();
  }

  async function runCommand(command: string): Promise<void> {
    sent.length = 0;
    await vscode.commands.executeCommand(command);
  }

  before(async () => {
    editor = await editorWindow();
    await vscode.commands.executeCommand('plimsoll.focusAgent');
    server = createServer(({ headers }, response) => {
      sent.push(headers['x-api-key']?.toString());
      response.writeHead(404).end('{}');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    await set('baseUrl', `http://127.0.0.1:${port}`, vscode.ConfigurationTarget.Global);
    await set('provider', 'anthropic', vscode.ConfigurationTarget.Workspace);
  });

  after(async () => {
    await set('provider', 'offline', vscode.ConfigurationTarget.Workspace);
    await set('baseUrl', undefined, vscode.ConfigurationTarget.Global);
    server.close();
  });

  it('is none at first, is kept when set, and gone when cleared', async () => {
    assert.equal(await nextKey(), undefined);

    await runCommand('plimsoll.setApiKey');
    const input = editor.page.locator('.quick-input-widget input[type="password"]');
    await input.fill('   ');
    await input.press('Enter');
    await editor.page.getByText('The key must not be blank.').waitFor();
    await input.fill(` ${KEY} `);
    await input.press('Enter');
    assert.equal(await nextKey(), KEY);

    await runCommand('plimsoll.clearApiKey');
    assert.equal(await nextKey(), undefined);
  });

  it('is in no setting', () => {
    const settings = JSON.stringify(vscode.workspace.getConfiguration('plimsoll'));
    assert.ok(!settings.includes(KEY));
  });
});
