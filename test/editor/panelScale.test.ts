import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { compaction, prompt, steps } from './support/claudeCodeLines';
import { fileOf, writeLongSession } from './support/longSessionLog';
import { PanelPage } from './support/panelPage';
import { until } from './support/until';

const [QUESTION = ''] = DEMO_FOLLOW_UPS;

/** The title of the long session in the list. */
const TITLE = 'A hundred shelves';

/** How long the panel may take to show what is long; ms. No test asserts a speed. */
const PATIENCE = 120_000;

describe('a long session in the Context panel', function () {
  this.timeout(2 * PATIENCE);
  let page: PanelPage;

  const press = (key: string) => page.editor.page.keyboard.press(key);

  const focused = (blockId: string) =>
    page.content
      .locator(`[data-testid="block-row"][data-block-id="${blockId}"]:focus`)
      .waitFor({ timeout: PATIENCE });

  /** Blocks in the list, in sight or not. */
  const listed = async () =>
    Number(await page.content.getByRole('grid').getAttribute('aria-rowcount'));

  const lastStep = async () => Number(await page.find('timeline').getAttribute('aria-valuemax'));

  /** True while a row lies within the part of the list that is in sight. */
  const isInSight = (blockId: string) =>
    page.row(blockId).evaluate((row) => {
      const list = row.closest('.list')!.getBoundingClientRect();
      const { top, bottom } = row.getBoundingClientRect();
      return top >= list.top - 1 && bottom <= list.bottom + 1;
    });

  /** Waits until the newest step is at the end of the timeline. */
  const showsStep = (step: number) =>
    until(
      `the timeline goes up to step ${step}`,
      async () => (await lastStep()) === step,
      PATIENCE,
    );

  /** Clicks half way along the timeline; returns the step that is shown then. */
  async function travelHalfWay(last: number): Promise<number> {
    const track = page.find('timeline');
    const { width, height } = (await track.boundingBox())!;
    await track.click({ position: { x: width / 2, y: height / 2 } });
    const notice = page.find('past-notice').getByText(`of ${last.toLocaleString('en-US')}:`);
    await notice.waitFor({ timeout: PATIENCE });
    return Number(/Step ([\d,]+) of/.exec(await notice.innerText())?.[1]?.replaceAll(',', ''));
  }

  async function backToNow(): Promise<void> {
    await page.find('back-to-now').click();
    await page.find('past-notice').waitFor({ state: 'detached', timeout: PATIENCE });
  }

  before(async () => {
    page = await PanelPage.onSession([QUESTION]);
  });

  describe('600 steps of another agent', () => {
    const STEPS = 600;
    let file: string;

    before(async () => {
      file = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'long.jsonl');
      const lines = [
        prompt('Look at every file.'),
        ...steps(1, STEPS / 2),
        compaction(),
        ...steps(STEPS / 2 + 1, STEPS),
      ];
      await writeFile(file, lines.join(''));
    });

    after(async () => {
      await page.find('close-recording').click();
      await page.find('source-bar').waitFor({ state: 'detached' });
      await rm(file, { force: true });
    });

    it('open, and every one is on the timeline', async () => {
      await vscode.commands.executeCommand('plimsoll.openRecording', file);
      await page.find('source-bar').waitFor({ timeout: PATIENCE });
      await showsStep(STEPS);
      assert.equal(await page.find('timeline').getAttribute('aria-valuemin'), '1');
      assert.ok((await listed()) > STEPS);
    });

    it('scroll from end to end', async () => {
      const list = page.content.locator('.list');
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.row(`step-${STEPS}`).waitFor();
      assert.ok(await isInSight(`step-${STEPS}`));
      await list.evaluate((element) => element.scrollTo(0, 0));
      await page.row('prompt-1').waitFor();
      assert.ok(await isInSight('prompt-1'));
    });

    it('are travelled by a click', async () => {
      const all = await listed();
      const step = await travelHalfWay(STEPS);
      assert.ok(Math.abs(step - STEPS / 2) <= STEPS / 100, `${step}`);
      assert.ok((await listed()) < 0.6 * all);
      assert.equal(await page.row(`step-${STEPS}`).count(), 0);
      await backToNow();
      assert.equal(await listed(), all);
    });
  });

  describe('10,000 blocks of our own', () => {
    const BLOCKS = 10_000;
    const TURNS = 100;
    const STEPS = BLOCKS - TURNS;

    const quickRow = (text: string) =>
      page.editor.page.locator('.quick-input-widget .monaco-list-row', { hasText: text }).first();

    const windowTokens = (tokens: number | undefined) =>
      vscode.workspace
        .getConfiguration('plimsoll')
        .update('context.windowTokens', tokens, vscode.ConfigurationTarget.Workspace);

    let former: number | undefined;

    before(async () => {
      former = vscode.workspace
        .getConfiguration('plimsoll')
        .inspect<number>('context.windowTokens')?.workspaceValue;
      await windowTokens(1_000_000);
      writeLongSession(dirname(page.logFile), TITLE, TURNS);
    });

    after(async () => {
      await vscode.commands.executeCommand('plimsoll.deleteSession');
      await quickRow('Delete it').click();
      await page.agent.getByTestId('turn').first().waitFor({ state: 'detached' });
      await windowTokens(former);
    });

    it('open from the list of sessions', async () => {
      await vscode.commands.executeCommand('plimsoll.sessions');
      await quickRow(TITLE).click();
      await until('every block is listed', async () => (await listed()) === BLOCKS, PATIENCE);
      await showsStep(STEPS);
      const used = Number(await page.find('used').getAttribute('data-tokens'));
      assert.ok(used > 10 * BLOCKS, `${used}`);
    });

    it('are gone through by keyboard: End, Home, Page Up', async () => {
      await page.find('show-keys').focus();
      await press('Tab');
      await press('Home');
      await focused('prompt-1');
      assert.ok(await isInSight('prompt-1'));
      await press('End');
      await focused(`step-${STEPS}`);
      assert.ok(await isInSight(`step-${STEPS}`));
      await press('PageUp');
      await page
        .row(`step-${STEPS}`)
        .and(page.content.locator(':focus'))
        .waitFor({ state: 'detached' });
      await press('Home');
      await focused('prompt-1');
      assert.ok(await isInSight('prompt-1'));
    });

    it('are filtered down to one near the end, whose details are shown', async () => {
      const near = STEPS - 20;
      await page.find('filter').fill(fileOf(near));
      await until('one is left', async () => (await listed()) === 1, PATIENCE);
      await page.row(`step-${near}`).click();
      await page.content
        .locator(`[data-testid="block-details"][data-block-id="step-${near}"]`)
        .waitFor();
      await page.find('filter').fill('');
      await until('all are back', async () => (await listed()) === BLOCKS, PATIENCE);
      assert.ok(await isInSight(`step-${near}`));
    });

    it('are travelled by a click', async () => {
      const step = await travelHalfWay(STEPS);
      assert.ok(Math.abs(step - STEPS / 2) <= STEPS / 100, `${step}`);
      const blocks = await listed();
      assert.ok(Math.abs(blocks - BLOCKS / 2) <= BLOCKS / 100, `${blocks}`);
      await backToNow();
      assert.equal(await listed(), BLOCKS);
    });
  });
});
