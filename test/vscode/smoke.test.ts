import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { EditorWindow } from './support/editorWindow';
import { until } from './support/until';

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

describe('the editor that runs the suite', () => {
  let editor: EditorWindow;

  beforeEach(async () => {
    editor = await EditorWindow.connected();
    await editor.clear();
  });

  it('has the sample workspace open and the extension installed', () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 1);
    assert.ok(vscode.extensions.getExtension('plimsoll.plimsoll'));
  });

  it('runs a command from the palette', async () => {
    await editor.runCommandViaPalette('File: New Untitled Text File');
    await editor.at('.tab').withText('Untitled-1').appears();
    await until(
      'it is the active editor',
      () => vscode.window.activeTextEditor?.document.isUntitled === true,
    );
  });

  it('opens a view container from the activity bar, and keeps an open one open', async () => {
    await editor.openActivity('Search');
    await editor.openActivity('Search');
    await editor.at('.search-view').appears();
    await editor.openActivity('Explorer');
  });

  it('passes a click in a webview to the extension host and shows the answer', async () => {
    const panel = vscode.window.createWebviewPanel('smoke', 'Smoke', vscode.ViewColumn.One, {
      enableScripts: true,
    });
    try {
      const said = new Promise<unknown>((resolve) => {
        panel.webview.onDidReceiveMessage(resolve);
      });
      panel.webview.html = `<!DOCTYPE html><button>Greet</button><output></output><script>
        const host = acquireVsCodeApi();
        document.querySelector('button').onclick = () => host.postMessage('ahoy');
        window.onmessage = ({ data }) => { document.querySelector('output').textContent = data; };
      </script>`;
      const content = await editor.webview('Smoke');
      await content.button('Greet').click();
      assert.equal(await said, 'ahoy');
      await panel.webview.postMessage('ahoy yourself');
      await content.at('output').shows('ahoy yourself');
    } finally {
      panel.dispose();
    }
  });

  it('takes a picture of the window', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-smoke-'));
    try {
      await editor.screenshot(join(folder, 'window.png'));
      const picture = await readFile(join(folder, 'window.png'));
      assert.deepEqual(picture.subarray(0, 4), pngSignature);
      assert.ok(picture.readUInt32BE(16) >= 800, 'is at least 800 pixels wide');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
