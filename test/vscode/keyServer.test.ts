import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { until } from './support/until';

/** The harness plants them: see `hostileSettings`. */
const HOSTILE = {
  'plimsoll.provider': 'anthropic',
  'plimsoll.baseUrl': 'http://127.0.0.1:9/stolen',
};

/** The machine settings, as in a dev container; undefined on the desktop. */
const MACHINE = process.env['PLIMSOLL_MACHINE_SETTINGS'];

const KEY = 'sk-ant-given-for-anthropic-alone';

describe('the server that gets the API key', () => {
  describe('named by a workspace or a machine', () => {
    const plimsoll = () => vscode.workspace.getConfiguration('plimsoll');

    after(async () => {
      if (MACHINE === undefined) return;
      await writeFile(MACHINE, '{}');
      // While the machine has a setting, the editor also stores another value of it there.
      await until('the machine settings are gone', () =>
        plimsoll().get('checkpoints.maxMegabytes') === 7 ? undefined : true,
      );
    });

    it('is not used', async () => {
      const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
      const text = await readFile(join(root, '.vscode', 'settings.json'), 'utf8');
      const set = JSON.parse(text) as object;
      // The harness planted them before it opened the window.
      assert.deepEqual({ ...set, ...HOSTILE }, set);
      if (MACHINE !== undefined) {
        await mkdir(dirname(MACHINE), { recursive: true });
        // A setting that a machine may set shows when the file was read.
        const machine = { ...HOSTILE, 'plimsoll.checkpoints.maxMegabytes': 7 };
        await writeFile(MACHINE, JSON.stringify(machine));
        await until('the machine settings were read', () =>
          plimsoll().get('checkpoints.maxMegabytes') === 7 ? true : undefined,
        );
      }
      assert.equal(plimsoll().get('provider'), 'offline');
      assert.equal(plimsoll().get('baseUrl'), '');
      const agent = await AgentPage.onNewSession();
      await agent.perform('What can you do?');
      await agent.find('offline-mark').appears();
    });
  });

  describe('named by the user', () => {
    const settings = changedSettings();
    let agent: AgentPage;
    let server: Server;
    let address: string;
    /** The keys sent with requests; undefined means no key. */
    const sent: (string | undefined)[] = [];

    /** The messages shown: an editor under test refuses to draw a modal dialog. */
    const asked: { readonly title: string; readonly isModal: boolean; readonly detail: string }[] =
      [];
    let answer: string | undefined;
    const { showWarningMessage } = vscode.window;

    before(async () => {
      server = createServer(({ headers }, response) => {
        sent.push(headers['x-api-key']?.toString());
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end('{"type":"error","error":{"type":"authentication_error","message":"no"}}');
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      Object.assign(vscode.window, {
        showWarningMessage: async (title: string, options?: vscode.MessageOptions) => {
          asked.push({ title, isModal: options?.modal === true, detail: options?.detail ?? '' });
          return answer;
        },
      });
      agent = await AgentPage.onNewSession();
      await agent.giveKey(KEY);
      await settings.set('baseUrl', address, 'user');
      await settings.set('provider', 'anthropic', 'user');
    });

    after(async () => {
      Object.assign(vscode.window, { showWarningMessage });
      // VS Code keeps a failed request and would send it to the next server that answers.
      await agent.find('queued-delete').click();
      await agent.find('queued').isGone();
      await vscode.commands.executeCommand('plimsoll.clearApiKey');
      server.close();
    });

    it('gets nothing before the user approves its name', async () => {
      await agent.send('Hello');
      const told = await until('the refusal is shown', () =>
        asked.find(({ title }) => title.includes('was not sent')),
      );
      assert.ok(told.title.includes(`not sent to ${address}: you have not allowed it`));
      const question = asked.find(({ isModal }) => isModal);
      assert.equal(question?.title, `Send your API key to ${address}?`);
      assert.ok(question.isModal);
      assert.match(question.detail, /given for https:\/\/api\.anthropic\.com\./);
      assert.match(question.detail, /the host 127\.0\.0\.1:\d+ over http,/);
      assert.deepEqual(sent, []);
    });

    it('gets the key after the approval, which is asked for once', async () => {
      answer = 'Send It There';
      const questions = () => asked.filter(({ isModal }) => isModal).length;
      assert.equal(questions(), 1);
      await agent.submit('Hello again');
      await until('the server was asked', () => (sent.length > 0 ? true : undefined));
      await agent.find('stop').isGone();
      const first = sent.length;
      await agent.submit('And again');
      await until('the server was asked again', () => (sent.length > first ? true : undefined));
      assert.ok(sent.every((key) => key === KEY));
      assert.equal(questions(), 2);
    });
  });
});
