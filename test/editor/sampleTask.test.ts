import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import * as vscode from 'vscode';
import { DEMO_TASK } from '../../src/offline/demo/demoTask';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoFollowUps';
import { validateRequest } from '../../src/offline/validateRequest';
import { performTurn, suggestedPrompt } from '../support/demo/agentDriver.mjs';
import { editorWindow, type EditorWindow } from './support/editorWindow';
import { requestsSent } from './support/requestsSent';
import { until } from './support/until';

const root = () => vscode.workspace.workspaceFolders![0]!.uri;
const fileText = (path: string) => readFile(join(root().fsPath, path), 'utf8');

/** The number an element carries for machines, in tokens. */
async function tokensOf(frame: FrameLocator, testId: string): Promise<number> {
  return Number(await frame.getByTestId(testId).getAttribute('data-tokens'));
}

/** What all rows of a kind are named: those out of sight are not in the page, so it is scrolled. */
async function scrolledThrough(agent: FrameLocator, testId: string, name: string) {
  const names = await agent.locator('main').evaluate(
    async (list, wanted) => {
      const found = new Set<string>();
      for (list.scrollTop = 0; ; list.scrollTop += list.clientHeight) {
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
        const rows = list.querySelectorAll(`[data-testid="${wanted.testId}"]`);
        for (const row of rows) found.add(row.getAttribute(wanted.name) ?? '');
        if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) return [...found];
      }
    },
    { testId, name },
  );
  return new Set(names);
}

describe('the sample task, clicked through in both webviews', function () {
  this.timeout(180_000);
  let editor: EditorWindow;
  let agent: FrameLocator;
  let panel: FrameLocator;
  /** Requests of the tests before these. */
  let sentBefore: number;

  before(async () => {
    editor = await editorWindow();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await editor.openActivity('Plimsoll');
    agent = await editor.webview('Agent');
    await editor.runCommandViaPalette('Plimsoll: Open the Context Panel');
    panel = await editor.webview('Context');
    sentBefore = (await requestsSent()).length;
  });

  it('says everywhere that the answers are scripted', async () => {
    for (const view of [agent, panel]) {
      assert.match(
        await view.getByTestId('offline-mark').innerText(),
        /Offline demo: scripted, no AI/,
      );
    }
  });

  it('types, approves and watches the window fill, cross the watermark and compact', async () => {
    const before = await fileText('src/loadLine.js');
    let sawDiff = false;
    let mostTokens = 0;
    const approvals = await performTurn(agent, await suggestedPrompt(agent), {
      answer: async ({ kind }) => {
        if (kind !== 'edit') return true;
        await editor.page.locator('.monaco-diff-editor').first().waitFor();
        assert.equal(
          await fileText('src/loadLine.js').then((text) => text === before || sawDiff),
          true,
        );
        sawDiff = true;
        return true;
      },
      onTick: async () => {
        if ((await panel.getByTestId('used').count()) > 0) {
          mostTokens = Math.max(mostTokens, await tokensOf(panel, 'used'));
        }
      },
    });
    assert.deepEqual(
      approvals
        .filter(({ kind }) => kind !== 'command')
        .map(({ kind }) => kind)
        .sort(),
      ['create', 'create', 'edit', 'edit'],
    );
    assert.ok(sawDiff, 'an edit was shown in the diff editor');
    assert.ok(mostTokens > 16_704, `the window crossed the high watermark: ${mostTokens}`);
    assert.notEqual(await fileText('src/loadLine.js'), before);
    assert.match(await agent.getByTestId('turn').last().innerText(), /63 passed, 0 failed/);
    assert.match(await agent.getByTestId('turn-usage').last().innerText(), /no charge \(offline\)/);
    assert.ok((await scrolledThrough(agent, 'tool-row', 'data-tool-use-id')).size >= 25);
    assert.ok((await scrolledThrough(agent, 'pass-row', 'data-pass')).size >= 2);
  });

  it('shows the steps with arguments and results on demand', async () => {
    const row = agent.locator('[data-testid="tool-row"]', { hasText: 'run_command' }).first();
    await row.click();
    await agent.getByTestId('tool-result').first().waitFor();
    await row.click();
  });

  it('answers two follow-up questions', async () => {
    for (const _ of DEMO_FOLLOW_UPS) await performTurn(agent, await suggestedPrompt(agent));
    assert.equal(await agent.getByTestId('turn').last().getAttribute('aria-setsize'), '3');
  });

  it('accounts for the whole window in the panel, the gauge and the status bar alike', async () => {
    await vscode.commands.executeCommand('plimsoll.openContextPanel');
    const items = await panel.getByTestId('legend-item').all();
    const numbers = await Promise.all(items.map((item) => item.getAttribute('data-tokens')));
    assert.equal(
      numbers.reduce((sum, tokens) => sum + Number(tokens), 0),
      26_000,
    );
    const used = await tokensOf(panel, 'used');
    const fill = `${used.toLocaleString('en-US')} / 20,880`;
    await editor.page.locator('.statusbar-item', { hasText: fill }).waitFor();
    const gauge = (await agent.getByTestId('gauge').innerText()).replaceAll(',', '');
    assert.ok(gauge.includes(String(used)), `the gauge says ${gauge}, the panel ${used}`);
  });

  it('keeps a ledger of at least two passes with every decision', async () => {
    const cards = panel.getByTestId('pass-card');
    assert.ok((await cards.count()) >= 2);
    const first = cards.last();
    const [tokensBefore, tokensAfter] = await Promise.all([
      first.getAttribute('data-before'),
      first.getAttribute('data-after'),
    ]);
    assert.ok(Number(tokensAfter) < Number(tokensBefore));
    await first.getByTestId('decisions').locator('summary').click();
    // Decisions are fetched when the card is opened.
    await first.getByTestId('decision-row').nth(3).waitFor();
  });

  it('keeps the task anchor pinned, unpins and pins it, and opens its text', async () => {
    const anchor = panel.locator('[data-testid="block-row"][data-block-id="prompt-1"]');
    const pinned = anchor.locator('.p-pinned');
    await pinned.waitFor();
    await anchor.focus();
    await editor.page.keyboard.press('p');
    await pinned.waitFor({ state: 'detached' });
    await anchor.focus();
    await editor.page.keyboard.press('p');
    await pinned.waitFor();
    await anchor.dblclick();
    await until(
      'its text was opened',
      () => vscode.window.activeTextEditor?.document.getText().includes(DEMO_TASK) === true,
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('is reachable by keyboard: arrow down, O opens a compacted block', async () => {
    await vscode.commands.executeCommand('plimsoll.openContextPanel');
    panel = await editor.webview('Context');
    await panel.locator('[data-testid="block-row"][data-block-id="prompt-1"]').waitFor();
    await panel
      .locator('[data-testid="block-row"] [tabindex="0"], [data-testid="block-row"][tabindex="0"]')
      .first()
      .focus();
    await editor.page.keyboard.press('ArrowDown');
    await editor.page.keyboard.press('o');
    await until(
      'its text was opened',
      () => vscode.window.activeTextEditor?.document.uri.scheme.startsWith('plimsoll') === true,
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('makes edits the editor can undo', async () => {
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(root(), 'src/deckPlan.js'),
    );
    await vscode.window.showTextDocument(document);
    const edited = document.getText();
    await vscode.commands.executeCommand('undo');
    assert.notEqual(document.getText(), edited);
    await vscode.commands.executeCommand('redo');
    assert.equal(document.getText(), edited);
    await document.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('sent only requests the strict double accepts, with the anchor in each and the newest prompt last', async () => {
    const sent = (await requestsSent()).slice(sentBefore);
    assert.ok(sent.length >= 40, `${sent.length} requests`);
    const prompts = [DEMO_TASK, ...DEMO_FOLLOW_UPS];
    for (const body of sent) {
      assert.equal(validateRequest(body)?.message, undefined);
      const said = body.messages
        .filter(({ role }) => role === 'user')
        .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .flatMap((part) => (part.type === 'text' ? [part.text] : []));
      assert.ok(said[0]!.includes(DEMO_TASK));
      const newest = prompts.findLast((prompt) => said.some((text) => text.includes(prompt)))!;
      assert.ok(said.at(-1)!.includes(newest));
    }
  });
});
