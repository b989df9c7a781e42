import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { changedSettings } from './support/changedSettings';
import { EditorWindow } from './support/editorWindow';
import { until } from './support/until';

const KEY = 'sk-ant-only-for-this-test';

describe('the API key', () => {
  const settings = changedSettings();
  let editor: EditorWindow;
  let server: Server;
  /** The keys sent with requests for the model list; undefined means no key. */
  const sent: (string | undefined)[] = [];

  /** Waits until the last request for the model list used this key. */
  const askedWith = (key: string | undefined) =>
    until(`the model list was asked for with ${key ?? 'no key'}`, () =>
      sent.length > 0 && sent.at(-1) === key ? true : undefined,
    );

  async function runCommand(command: string): Promise<void> {
    sent.length = 0;
    await vscode.commands.executeCommand(command);
  }

  before(async () => {
    editor = await EditorWindow.connected();
    await editor.clear();
    await vscode.commands.executeCommand('plimsoll.focusAgent');
    server = createServer(({ headers }, response) => {
      sent.push(headers['x-api-key']?.toString());
      response.writeHead(404).end('{}');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    await settings.set('baseUrl', `http://127.0.0.1:${port}`, 'user');
    await settings.set('provider', 'anthropic', 'user');
  });

  after(async () => {
    await vscode.commands.executeCommand('plimsoll.clearApiKey');
    server.close();
  });

  it('is unset at first, is kept once set, and is gone when cleared', async () => {
    await askedWith(undefined);

    await runCommand('plimsoll.setApiKey');
    const { secret } = editor.quickInput;
    await secret.fill('   ');
    await secret.press('Enter');
    await editor.at('.quick-input-widget').shows('The key must not be blank.');
    await secret.fill(` ${KEY} `);
    await secret.press('Enter');
    // The check asks with the key, too, before it is kept.
    await secret.isHidden();
    await askedWith(KEY);

    await runCommand('plimsoll.clearApiKey');
    await askedWith(undefined);
  });

  it('is stored in no setting', () => {
    const all = JSON.stringify(vscode.workspace.getConfiguration('plimsoll'));
    assert.ok(!all.includes(KEY));
  });
});
