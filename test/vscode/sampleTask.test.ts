import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS, DEMO_TASK } from '../../src/offline/demo/demoPrompts';
import { validateRequest } from '../../src/offline/rules/validateRequest';
import type { PerformedApproval } from '../harness/driver/agentDriver.mjs';
import { AgentPage } from './support/agentPage';
import type { EditorWindow } from './support/editorWindow';
import type { Part } from './support/part';
import { requestsSent } from './support/requestsSent';
import { until } from './support/until';

const root = () => vscode.workspace.workspaceFolders![0]!.uri;
const fileText = (path: string) => readFile(join(root().fsPath, path), 'utf8');

describe('the sample task, clicked through in both webviews', function () {
  this.timeout(180_000);
  let editor: EditorWindow;
  let agent: AgentPage;
  let panel: Part;
  /** The requests of the earlier tests. */
  let sentBefore: number;
  /** The questions during the task and the states of the panel. */
  let approvals: readonly PerformedApproval[];
  let edited: { readonly before: string; readonly atFirstQuestion: string };

  const anchor = () => panel.at('[data-testid="block-row"][data-block-id="prompt-1"]');

  /** Opens the panel, or shows it if it is open. */
  async function openPanel(): Promise<void> {
    await vscode.commands.executeCommand('plimsoll.openContextPanel');
    panel = await editor.webview('Context');
    await panel.find('used').isThere();
  }

  /** Performs an action that opens the text of a block, reads it, and returns to the panel. */
  async function textOpenedBy(act: () => Promise<void>): Promise<string> {
    await act();
    const text = await until('its text was opened', () => {
      const { document } = vscode.window.activeTextEditor ?? {};
      return document?.uri.scheme.startsWith('plimsoll') === true ? document.getText() : undefined;
    });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await openPanel();
    return text;
  }

  before(async () => {
    agent = await AgentPage.onNewSession();
    ({ editor } = agent);
    await editor.runCommandViaPalette('Plimsoll: Open the Context Panel');
    await openPanel();
    sentBefore = (await requestsSent()).length;
    const before = await fileText('src/loadLine.js');
    let atFirstQuestion: string | undefined;
    approvals = await agent.performSuggested({
      answer: async ({ kind }) => {
        if (kind !== 'edit') return true;
        await editor.at('.monaco-diff-editor').first.appears();
        atFirstQuestion ??= await fileText('src/loadLine.js');
        return true;
      },
    });
    edited = { before, atFirstQuestion: atFirstQuestion ?? '' };
  });

  it('says everywhere that the answers are scripted', async () => {
    for (const mark of [agent.find('offline-mark'), panel.find('offline-mark')])
      await mark.shows(/Offline demo\n?: scripted, no AI/);
  });

  it('types, approves and watches the window fill, cross the watermark and run a pass', async () => {
    assert.deepEqual(
      approvals
        .filter(({ kind }) => kind !== 'command')
        .map(({ kind }) => kind)
        .sort(),
      ['create', 'create', 'edit', 'edit'],
    );
    // The page may skip a short-lived state, so the pass says how full the window was.
    const first = panel.find('pass-card').last;
    await first.number('data-before', (tokens) => tokens > 16_704);
    assert.equal(edited.atFirstQuestion, edited.before, 'an edit was shown before it was made');
    assert.notEqual(await fileText('src/loadLine.js'), edited.before);
    await agent.find('turn').last.shows(/63 passed, 0 failed/);
    await agent.find('turn-usage').last.shows(/no charge \(offline\)/);
    await agent.countsAll('tool-row', 'data-tool-use-id', (rows) => rows >= 25);
    await agent.countsAll('pass-row', 'data-pass', (rows) => rows >= 2);
  });

  it('shows the steps with arguments and results on demand', async () => {
    const row = agent.find('tool-row').withText('run_command').first;
    await row.click();
    await agent.find('tool-result').first.appears();
    await row.click();
  });

  it('keeps a ledger of at least two passes with every decision', async () => {
    const cards = panel.find('pass-card');
    await cards.counts((passes) => passes >= 2);
    const first = cards.last;
    const before = await first.number('data-before', () => true);
    await first.number('data-after', (after) => after < before);
    await first.find('decisions').at('summary').click();
    await first.find('decision-row').nth(3).appears();
  });

  it('keeps the task anchor pinned, unpins and pins it, and opens its text', async () => {
    // The list shows its newest block, and the anchor is the oldest.
    await panel.at('.list').scrollTo('top');
    const pinned = anchor().find('verb-unpin');
    await pinned.appears();
    await anchor().press('p');
    await pinned.isGone();
    await anchor().press('p');
    await pinned.appears();
    assert.ok((await textOpenedBy(() => anchor().doubleClick())).includes(DEMO_TASK));
  });

  it('works by keyboard: arrow down, O opens a summarised block', async () => {
    await panel.at('.list').scrollTo('top');
    await anchor().isThere();
    await panel
      .at('[data-testid="block-row"] [tabindex="0"], [data-testid="block-row"][tabindex="0"]')
      .first.focus();
    await editor.press('ArrowDown');
    await textOpenedBy(() => editor.press('o'));
  });

  it('makes edits that the editor can undo', async () => {
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(root(), 'src/deckPlan.js'),
    );
    await editor.focusOn(document, vscode.ViewColumn.Beside);
    const text = document.getText();
    await vscode.commands.executeCommand('undo');
    await until('the edit was undone', () => document.getText() !== text);
    await editor.focusOn(document);
    await vscode.commands.executeCommand('redo');
    await until('the edit was done again', () => document.getText() === text);
    await document.save();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  describe('with two follow-up questions', () => {
    before(async () => {
      for (const _ of DEMO_FOLLOW_UPS) await agent.performSuggested();
      await openPanel();
    });

    it('answers two follow-up questions', async () => {
      await agent.find('turn').last.is('aria-setsize', '3');
    });

    it('shows the same window in the panel, the gauge and the status bar', async () => {
      await panel
        .find('bar-segment')
        .all(
          'data-tokens',
          (parts) => parts.reduce((sum, part) => sum + Number(part), 0) === 26_700,
        );
      const used = (await panel.find('used').tokens()).toLocaleString('en-US');
      await editor.statusBarItem(`${used} / 21,580`).appears();
      await agent.find('gauge').shows(used);
    });

    it('sent only requests that the strict server accepts, with the anchor in each and the newest prompt last', async () => {
      const sent = (await requestsSent()).slice(sentBefore);
      assert.ok(sent.length >= 40, `${sent.length} requests`);
      const prompts = [DEMO_TASK, ...DEMO_FOLLOW_UPS];
      for (const body of sent) {
        assert.equal(validateRequest(body)?.message, undefined);
        const said = body.messages
          .filter(({ role }) => role === 'user')
          .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
          .flatMap((part) => (part.type === 'text' ? [part.text] : []))
          .filter((text) => !text.startsWith('[Reminder, no request: '));
        assert.ok(said[0]!.includes(DEMO_TASK));
        const newest = prompts.findLast((prompt) => said.some((text) => text.includes(prompt)))!;
        assert.ok(said.at(-1)!.includes(newest));
      }
    });
  });
});
