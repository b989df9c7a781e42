import assert from 'node:assert/strict';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { compaction, prompt, steps } from './support/claudeCodeLines';
import { PanelPage } from './support/panelPage';
import { until } from './support/until';

const [QUESTION = ''] = DEMO_FOLLOW_UPS;

describe("another agent's recording in the Context panel", function () {
  this.timeout(60_000);
  let page: PanelPage;
  let file: string;

  const stored = () => {
    const { workspaceValue: windowTokens } =
      vscode.workspace.getConfiguration('plimsoll').inspect('context.windowTokens') ?? {};
    const { workspaceValue: policy } =
      vscode.workspace.getConfiguration('plimsoll').inspect('context.policy') ?? {};
    return { windowTokens, policy };
  };

  before(async () => {
    page = await PanelPage.onSession([QUESTION]);
    file = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'recorded.jsonl');
    await writeFile(file, [prompt('Look at every file.'), ...steps(1, 8)].join(''));
  });

  after(async () => {
    await rm(file, { force: true });
  });

  it('opens by the command, read only, with its own model', async () => {
    await vscode.commands.executeCommand('plimsoll.openRecording', file);
    const bar = page.find('source-bar');
    await bar.waitFor();
    assert.match(await bar.innerText(), /recorded\.jsonl · .*claude.*code.*read only/is);
    assert.match(await bar.innerText(), /window 200,000/);
    await page.content.getByText('claude-sonnet-4-5', { exact: true }).waitFor();
    await page.row('step-8').waitFor();
    await page.row('step-1').focus();
    await page.editor.page.keyboard.press('x');
    assert.match(await page.find('refusal').innerText(), /was not done\..*recording/is);
    await page.find('menu').click();
    assert.equal(await page.find('fork').getAttribute('aria-disabled'), 'true');
    await page.editor.page.keyboard.press('Escape');
  });

  it('is managed by the window and the policy one chooses, and no setting is stored', async () => {
    const before = stored();
    await page.find('choose-policy').click();
    const dialog = page.find('what-if-dialog');
    await dialog.getByTestId('number-windowTokens').fill('12000');
    await dialog.getByTestId('policy').selectOption('tokenBudget');
    await dialog.getByTestId('what-if-apply').click();
    await page.find('source-bar').getByText('policy tokenBudget · window 12,000').waitFor();
    if ((await dialog.count()) > 0) await dialog.getByTestId('what-if-close').click();
    await page.rowIn('step-1', 'evicted');
    await page.rowIn('step-8', 'whole');
    await page.show('ledger');
    await page.find('pass-card').first().waitFor();
    assert.deepEqual(stored(), before);
  });

  it('is followed while it grows, its own compactions marked', async () => {
    await page.find('follow-recording').check();
    await appendFile(file, steps(9, 10).join(''));
    await page.row('step-10').waitFor();
    await appendFile(file, [compaction(), ...steps(11, 12)].join(''));
    await page.row('step-12').waitFor();
    await page.find('timeline').focus();
    await page.editor.page.keyboard.press('Home');
    await until('the mark of its compaction is read out', async () => {
      await page.editor.page.keyboard.press('ArrowRight');
      return /recorded|compact/i.exec(await page.find('timeline-readout').innerText())?.[0];
    });
    await page.find('follow-recording').uncheck();
    await appendFile(file, steps(13, 13).join(''));
    await page.editor.page.waitForTimeout(600);
    assert.equal(await page.row('step-13').count(), 0);
  });

  it('is closed for the session that is gone on with', async () => {
    await page.find('close-recording').click();
    await page.find('source-bar').waitFor({ state: 'detached' });
    assert.match(await page.find('step').innerText(), /turn 1 · step 3/);
    await page.logged('blockUnpinned', () => page.act('prompt-1', 'unpin'));
  });

  it('opens and closes by the tab Session, the file chosen in a dialog', async () => {
    const files = vscode.workspace.getConfiguration('files');
    const { Global } = vscode.ConfigurationTarget;
    await files.update('simpleDialog.enable', true, Global);
    try {
      await page.show('session');
      await page.find('session-open-recording').click();
      const dialog = page.editor.page.locator('.quick-input-widget');
      const input = dialog.locator('input[type="text"]');
      const row = dialog.locator('.monaco-list-row', { hasText: 'recorded.jsonl' });
      // The dialog fills in the folder it begins with when it has read it.
      await until('the folder is shown', async () => (await input.inputValue()).endsWith('/'));
      await row.first().waitFor();
      await input.fill(file);
      await row.first().waitFor();
      await input.press('Enter');
      await page.find('source-bar').waitFor();
    } finally {
      await files.update('simpleDialog.enable', undefined, Global);
    }
    await page.show('session');
    await page.find('session-close-recording').click();
    await page.find('source-bar').waitFor({ state: 'detached' });
  });
});
