import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import * as vscode from 'vscode';
import { DEMO_TASK } from '../../src/offline/demo/demoPrompts';
import { performTurn } from '../support/demo/agentDriver.mjs';
import { editorWindow, type EditorWindow } from './support/editorWindow';

describe('steering the agent', function () {
  this.timeout(60_000);
  let editor: EditorWindow;
  let agent: FrameLocator;

  const activity = () => agent.getByTestId('activity').getAttribute('data-state');

  const idle = () =>
    agent.locator('[data-testid="activity"][data-state="idle"]').waitFor({ state: 'attached' });

  async function submit(prompt: string): Promise<void> {
    await agent.getByTestId('composer').fill(prompt);
    await agent.getByTestId('send').click();
  }

  async function setSetting(name: string, value: unknown): Promise<void> {
    await vscode.workspace
      .getConfiguration('plimsoll')
      .update(name, value, vscode.ConfigurationTarget.Workspace);
  }

  before(async () => {
    editor = await editorWindow();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await editor.openActivity('Plimsoll');
    agent = await editor.webview('Agent');
  });

  beforeEach(async () => {
    await idle();
    await agent.getByTestId('new-session').click();
    await agent.getByTestId('turn').first().waitFor({ state: 'detached' });
  });

  it('tells the agent what was not done after a no, with the words typed along', async () => {
    await submit(DEMO_TASK);
    const approval = agent.getByTestId('approval');
    await approval.waitFor();
    await agent.getByTestId('approval-feedback').fill('not on my machine');
    await agent.getByTestId('approval-deny').click();
    await idle();
    const denied = agent.locator('[data-testid="tool-row"][data-state="denied"]');
    assert.equal(await denied.count(), 1);
    await denied.click();
    const result = agent.getByTestId('tool-result').filter({ hasText: 'Denied' });
    assert.match(
      await result.innerText(),
      /Denied by the user\. Not done: .*\nThe user says: not on my machine/,
    );
  });

  it('stops within two seconds while a reply streams', async () => {
    await submit(DEMO_TASK);
    await agent.getByTestId('stop').click();
    const clicked = Date.now();
    await idle();
    assert.ok(Date.now() - clicked < 2_000);
    assert.match(await agent.getByTestId('turn').last().innerText(), /[Ss]topped/);
  });

  it('stops while it waits for an answer, and what is typed meanwhile does not answer for the user', async () => {
    await submit(DEMO_TASK);
    await agent.getByTestId('approval').waitFor();
    await agent.getByTestId('composer').fill('yes');
    await agent.getByTestId('composer').press('Enter');
    await agent.getByTestId('queued').waitFor();
    assert.equal(await activity(), 'awaitingApproval');
    await agent.getByTestId('stop').click();
    await agent.getByTestId('turn').nth(1).waitFor();
    await idle();
    const prompts = await agent.getByTestId('turn').count();
    assert.equal(prompts, 2, 'the queued prompt was sent once, after the stop');
  });

  it('asks again when the view was hidden while the question was open', async () => {
    await submit(DEMO_TASK);
    await agent.getByTestId('approval').waitFor();
    await editor.openActivity('Explorer');
    await editor.runCommandViaPalette('Plimsoll: Focus the Agent View');
    agent = await editor.webview('Agent');
    await agent.getByTestId('approval-deny').click();
    await agent.locator('[data-testid="tool-row"][data-state="denied"]').waitFor();
    await idle();
  });

  it('is steered by keyboard alone, and no stray key allows anything', async () => {
    const { keyboard } = editor.page;
    await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup');
    await editor.runCommandViaPalette('Plimsoll: Focus the Agent View');
    await agent.locator('[data-testid="composer"]:focus').waitFor();
    await keyboard.type(DEMO_TASK);
    await keyboard.press('Enter');
    await agent.locator('[data-testid="approval"]:focus').waitFor();
    await keyboard.press('Enter');
    await keyboard.press('Space');
    assert.equal(await activity(), 'awaitingApproval');
    await keyboard.press('Tab');
    await keyboard.type('later');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await agent.locator('[data-testid="tool-row"][data-state="denied"]').waitFor();
    await idle();
  });

  it('refuses a turn under settings that cannot work, and names the setting', async () => {
    await setSetting('context.highWatermark', 1.2);
    try {
      await submit('Hello');
      const problem = agent.getByTestId('problem');
      await problem.waitFor();
      assert.match(
        await problem.innerText(),
        /plimsoll\.context\.highWatermark must be a fraction of the input budget below 1/,
      );
    } finally {
      await setSetting('context.highWatermark', undefined);
    }
  });

  it('takes a changed budget at the next step', async () => {
    await performTurn(agent, 'What can you do?');
    await setSetting('context.windowTokens', 40_000);
    try {
      await performTurn(agent, 'And now?');
      assert.match(await agent.getByTestId('gauge').innerText(), /34,880/);
    } finally {
      await setSetting('context.windowTokens', 26_000);
    }
  });

  it('says what to do when there is no key, and sends nothing', async () => {
    await setSetting('provider', 'anthropic');
    try {
      await submit('Hello');
      const problem = agent.getByTestId('problem');
      await problem.waitFor();
      assert.match(await problem.innerText(), /no Anthropic API key/);
      await agent.getByTestId('problem-action').click();
      await editor.page.locator('.quick-input-widget input[type="password"]').waitFor();
      await editor.page.keyboard.press('Escape');
    } finally {
      await setSetting('provider', 'offline');
    }
  });

  it('says honestly what the offline demo is when asked something else', async () => {
    await performTurn(agent, 'What is the weather?');
    const turn = agent.getByTestId('turn').last();
    assert.match(await turn.innerText(), /offline demo/);
    assert.match(
      await turn.getByTestId('turn-offline-mark').innerText(),
      /Offline demo: scripted, no AI/,
    );
  });
});
