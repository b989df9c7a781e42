import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import * as vscode from 'vscode';
import { performTurn, suggestedPrompt } from '../harness/driver/agentDriver.mjs';
import { editorWindow, type EditorWindow } from './support/editorWindow';

const EDITED = 'What was read so far, in my own words.';

describe('passes in the hands of the user', function () {
  this.timeout(180_000);
  let editor: EditorWindow;
  let agent: FrameLocator;
  let panel: FrameLocator;

  const idle = () =>
    agent.locator('[data-testid="activity"][data-state="idle"]').waitFor({ state: 'attached' });

  const used = async () => Number(await panel.getByTestId('used').getAttribute('data-tokens'));

  const card = (pass: number) => panel.locator(`[data-testid="pass-card"][data-pass="${pass}"]`);

  /** Every pass of the policy `compact` has a summary to be edited. */
  async function askFirst(isOn: boolean): Promise<void> {
    const settings = vscode.workspace.getConfiguration('plimsoll');
    const { Workspace } = vscode.ConfigurationTarget;
    await settings.update('context.compaction', isOn ? 'ask' : undefined, Workspace);
    await settings.update('context.policy', isOn ? 'compact' : undefined, Workspace);
  }

  async function newSession(): Promise<void> {
    await idle();
    await agent.getByTestId('new-session').click();
    await agent.getByTestId('turn').first().waitFor({ state: 'detached' });
  }

  before(async () => {
    editor = await editorWindow();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await editor.openActivity('Plimsoll');
    agent = await editor.webview('Agent');
    await newSession();
    await editor.runCommandViaPalette('Plimsoll: Open the Context Panel');
    panel = await editor.webview('Context');
    await askFirst(true);
  });

  after(async () => {
    await askFirst(false);
    await newSession();
  });

  it('wait for a word, leave what is left, and take the summary as it was edited', async () => {
    let left: string | null = null;
    let postponed = 0;
    await performTurn(agent, await suggestedPrompt(agent), {
      // The task goes no further than its first commands: its files stay as they are.
      answer: ({ kind }) => kind === 'command',
      onTick: async () => {
        const review = panel.getByTestId('review');
        if (left !== null || (await review.count()) === 0) return;
        if (postponed === 0) {
          postponed = await used();
          await panel.getByTestId('review-postpone').click();
          await review.waitFor({ state: 'detached' });
          return;
        }
        // Postponed is postponed: the question comes back only once there is more in the window.
        assert.ok((await used()) > postponed);
        await agent.getByTestId('review-notice').waitFor();
        await editor.page.locator('.statusbar-item', { hasText: 'a pass waits' }).waitFor();
        const item = panel.getByTestId('review-item').first();
        left = await item.getAttribute('data-block-id');
        await item.getByTestId('spare').check();
        await panel.getByTestId('draft-summary').first().fill(EDITED);
        await panel.getByTestId('review-apply').click();
        await card(1).waitFor();
        await agent.getByTestId('stop').click();
      },
    });
    assert.notEqual(left, null, 'a pass was shown');
    const pass = card(1);
    assert.ok(
      Number(await pass.getAttribute('data-after')) <
        Number(await pass.getAttribute('data-before')),
    );
    await pass.getByTestId('decisions').locator('summary').click();
    const decision = pass.locator(`[data-testid="decision-row"][data-block-id="${left}"]`);
    assert.equal(await decision.getAttribute('data-action'), 'keep');
    assert.match(await decision.innerText(), /You took it out of this pass/);
    const compacted = pass.locator('[data-testid="decision-row"][data-action="compact"]');
    assert.match(await compacted.first().innerText(), /edited by you/);
  });

  it('are undone, and marked so', async () => {
    const before = await used();
    await card(1).getByTestId('undo-pass').click();
    await panel.locator('[data-testid="pass-card"][data-undone="true"]').waitFor();
    assert.ok((await used()) > before, 'what the pass took is back');
  });

  it('run at once when asked for', async () => {
    await panel.getByTestId('make-room').click();
    await card(2).waitFor();
    assert.match(await card(2).innerText(), /asked for by you at/);
  });
});
