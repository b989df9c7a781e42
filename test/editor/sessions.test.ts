import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameLocator, Locator } from 'playwright-core';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { editorWindow, type EditorWindow } from './support/editorWindow';

const [QUESTION = '', OTHER_QUESTION = ''] = DEMO_FOLLOW_UPS;

describe('the sessions of a workspace', function () {
  this.timeout(120_000);
  let editor: EditorWindow;
  let agent: FrameLocator;
  let quickInput: Locator;

  const idle = () =>
    agent.locator('[data-testid="activity"][data-state="idle"]').waitFor({ state: 'attached' });

  async function startWith(prompt: string): Promise<void> {
    await vscode.commands.executeCommand('plimsoll.newSession');
    await agent.getByTestId('turn').first().waitFor({ state: 'detached' });
    await agent.getByTestId('composer').fill(prompt);
    await agent.getByTestId('send').click();
    await agent.getByTestId('turn').first().waitFor();
    await idle();
  }

  /** Has files asked for in a quick input, which a test can fill in. */
  const simpleDialogs = (value: true | undefined) =>
    vscode.workspace
      .getConfiguration('files')
      .update('simpleDialog.enable', value, vscode.ConfigurationTarget.Global);

  const row = (text: string) => quickInput.locator('.monaco-list-row', { hasText: text }).first();

  async function answer(text: string): Promise<void> {
    const input = quickInput.locator('input[type="text"]');
    await input.waitFor();
    await input.fill(text);
    await input.press('Enter');
  }

  /** Opens the list, and leaves it open. */
  async function list(): Promise<void> {
    await vscode.commands.executeCommand('plimsoll.sessions');
    await quickInput.locator('.monaco-list-row').first().waitFor();
  }

  before(async () => {
    editor = await editorWindow();
    quickInput = editor.page.locator('.quick-input-widget');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await editor.openActivity('Plimsoll');
    agent = await editor.webview('Agent');
    await idle();
    await simpleDialogs(true);
    await startWith(QUESTION);
  });

  // The view that was opened takes the focus last; a question asked before would lose it.
  beforeEach(() => sleep(1_000));

  after(() => simpleDialogs(undefined));

  it('can be renamed, and the list says the name', async () => {
    await vscode.commands.executeCommand('plimsoll.renameSession');
    await answer('The first of them');
    await sleep(200);
    await list();
    assert.match(await row('The first of them').innerText(), /just now · \d+ steps?.* shown now/s);
    await editor.page.keyboard.press('Escape');
  });

  it('are gone on with from the list', async () => {
    await startWith(OTHER_QUESTION);
    await list();
    await row('The first of them').click();
    await agent.getByTestId('turn').filter({ hasText: QUESTION }).first().waitFor();
  });

  it('are forked at a step, with everything up to it', async () => {
    await vscode.commands.executeCommand('plimsoll.forkSession');
    await answer('1');
    await sleep(1_000);
    await list();
    await row('The first of them (from step 1)').waitFor();
    await editor.page.keyboard.press('Escape');
    await agent.getByTestId('turn').filter({ hasText: QUESTION }).first().waitFor();
  });

  it('are exported to where the user says', async () => {
    const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const file = join(root, 'exported.md');
    await vscode.commands.executeCommand('plimsoll.exportSession');
    await row('Markdown').click();
    const input = quickInput.locator('input[type="text"]');
    while (!(await input.inputValue()).endsWith('.md')) await sleep(50);
    await answer(file);
    let text = '';
    for (let tries = 0; tries < 50 && text === ''; tries++) {
      await sleep(100);
      text = await readFile(file, 'utf8').catch(() => '');
    }
    assert.match(text, /^# Plimsoll session/);
    await rm(file);
  });

  it('are deleted after a question', async () => {
    await list();
    const forked = row('(from step 1)');
    await sleep(500);
    await forked.hover();
    await forked.locator('.action-label[aria-label="Delete"]').click();
    await row('Delete it').click();
    await agent.getByTestId('turn').first().waitFor({ state: 'detached' });
    await list();
    assert.equal(
      await quickInput.locator('.monaco-list-row', { hasText: '(from step 1)' }).count(),
      0,
    );
    await editor.page.keyboard.press('Escape');
  });
});
