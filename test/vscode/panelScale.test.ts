import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { changedSettings } from './support/changedSettings';
import { compaction, prompt, steps } from './support/claudeCodeLines';
import { describeInSoak } from './support/inSoak';
import { fileOf, longSession } from './support/longSessionLog';
import { PanelPage } from './support/panelPage';
import { storeSession } from './support/storedSession';

const [QUESTION = ''] = DEMO_FOLLOW_UPS;

/** The title of the long session in the list. */
const TITLE = 'A hundred shelves';

/** Longest time for the panel to show long content, in ms. No test asserts a speed. */
const PATIENCE = 120_000;

describeInSoak('a long session in the Context panel', function () {
  this.timeout(2 * PATIENCE);
  let page: PanelPage;

  const press = (key: string) => page.editor.press(key);

  /** Waits until the newest step is at the end of the timeline. */
  const reaches = (step: number) =>
    page.find('timeline').number('aria-valuemax', (last) => last === step, PATIENCE);

  /** Clicks half-way along the timeline; returns the step shown then. */
  async function travelHalfWay(last: number): Promise<number> {
    await page.find('timeline').clickAlong(0.5);
    const words = new RegExp(`step ([\\d,]+) of ${last.toLocaleString('en-US')}`);
    await page.find('past-notice').appears(PATIENCE);
    const notice = await page.find('step').shows(words, PATIENCE);
    return Number(words.exec(notice)?.[1]?.replaceAll(',', ''));
  }

  async function backToNow(): Promise<void> {
    await page.find('back-to-now').click();
    await page.find('past-notice').isGone(PATIENCE);
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
      await vscode.commands.executeCommand('plimsoll.openRecording', file);
      await page.find('source-bar').appears(PATIENCE);
      await reaches(STEPS);
    });

    after(async () => {
      await page.find('close-recording').click();
      await page.find('source-bar').isGone();
      await rm(file, { force: true });
    });

    it('open, and each one is on the timeline', async () => {
      await page.find('timeline').is('aria-valuemin', '1');
      await page.listed((rows) => rows > STEPS);
    });

    it('scroll from end to end', async () => {
      const list = page.content.at('.list');
      await list.scrollTo('bottom');
      await page.row(`step-${STEPS}`).isInSight();
      await list.scrollTo('top');
      await page.row('prompt-1').isInSight();
    });

    it('are selected by a click on the timeline', async () => {
      const all = await page.listed((rows) => rows > STEPS);
      const step = await travelHalfWay(STEPS);
      assert.ok(Math.abs(step - STEPS / 2) <= STEPS / 100, `${step}`);
      await page.listed((rows) => rows < 0.6 * all);
      await page.row(`step-${STEPS}`).isGone();
      await backToNow();
      await page.listed(all);
    });
  });

  describe("10,000 blocks of Plimsoll's own", () => {
    const BLOCKS = 10_000;
    const TURNS = 100;
    const STEPS = BLOCKS - TURNS;
    const settings = changedSettings();

    before(async () => {
      await settings.set('context.windowTokens', 1_000_000);
      storeSession(dirname(page.logFile), TITLE, longSession(TURNS));
      await vscode.commands.executeCommand('plimsoll.sessions');
      await page.editor.quickInput.choose(TITLE);
      await page.listed(BLOCKS, PATIENCE);
      await reaches(STEPS);
    });

    after(async () => {
      await vscode.commands.executeCommand('plimsoll.deleteSession');
      await page.editor.quickInput.choose('Delete it');
      await page.agent.find('turn').isGone();
    });

    it('open from the list of sessions', async () => {
      await page.find('used').tokens((used) => used > 10 * BLOCKS);
    });

    it('are scrolled by keyboard: End, Home, Page Up', async () => {
      const first = page.row('prompt-1');
      const last = page.row(`step-${STEPS}`);
      await page.find('show-filter').focus();
      await press('Tab');
      await press('Home');
      await first.isFocused(PATIENCE);
      await first.isInSight();
      await press('End');
      await last.isFocused(PATIENCE);
      await last.isInSight();
      await press('PageUp');
      await last.isLeft();
      await press('Home');
      await first.isFocused(PATIENCE);
      await first.isInSight();
    });

    it('are filtered down to one near the end, whose details are shown', async () => {
      const near = STEPS - 20;
      await page.find('show-filter').click();
      await page.find('filter').fill(fileOf(near));
      await page.listed(1, PATIENCE);
      await page.row(`step-${near}`).click();
      await page.content
        .at(`[data-testid="block-details"][data-block-id="step-${near}"]`)
        .appears();
      await page.find('show-filter').click();
      await page.listed(BLOCKS, PATIENCE);
      await page.row(`step-${near}`).isInSight();
    });

    it('are selected by a click on the timeline', async () => {
      const step = await travelHalfWay(STEPS);
      assert.ok(Math.abs(step - STEPS / 2) <= STEPS / 100, `${step}`);
      await page.listed((rows) => Math.abs(rows - BLOCKS / 2) <= BLOCKS / 100);
      await backToNow();
      await page.listed(BLOCKS);
    });
  });
});
