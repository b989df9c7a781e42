import assert from 'node:assert/strict';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { compaction, prompt, readAgain, steps } from './support/claudeCodeLines';
import { itInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { until, written } from './support/until';

const [QUESTION = ''] = DEMO_FOLLOW_UPS;

/** The step whose request the other agent sent after it had compacted, where the file has grown. */
const AFTER_COMPACTION = 11;

describe("another agent's recording in the Context panel", () => {
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
  });

  after(() => rm(file, { force: true }));

  /** Each test begins with the original recording, closed. */
  beforeEach(async () => {
    await writeFile(file, [prompt('Look at every file.'), ...steps(1, 8)].join(''));
  });

  describe('opened by the command', () => {
    beforeEach(async () => {
      await vscode.commands.executeCommand('plimsoll.openRecording', file);
      await page.find('session-title').shows('recorded.jsonl');
      await page.row('step-8').isThere();
    });

    afterEach(async () => {
      await page.find('close-recording').click();
      await page.find('source-bar').isGone();
    });

    it('opens by the command, read only, with its own model', async () => {
      const bar = page.find('source-bar');
      await bar.shows(/claude-code recording, reconstructed, read only · as if run with ladder/);
      await page.showRecordingDetails();
      await bar.shows(/recorded\.jsonl · window 200,000/);
      await page.show('session');
      await page.content.text('claude-sonnet-4-5').first.appears();
      await page.press('step-1', 'x');
      await page.find('refusal').shows(/was not done\..*recording/is);
      await page.find('menu').click();
      await page.find('fork').is('aria-disabled', 'true');
      await page.editor.press('Escape');
    });

    it('shows the tokens that its API counted, and two bills, each with its name', async () => {
      await page.find('timeline').focus();
      await page.editor.press('End');
      await page.find('timeline-readout').shows(/recorded request 7,200 by its server's count/);
      await page
        .find('timeline-readout')
        .shows(/Plimsoll would have paid: .*the recorded agent's bill: /);
      await page.editor.press('Enter');
      await page.find('past-notice').appears();
      await page.showPart('free');
      await page
        .find('recorded-size')
        .shows(/own request held 7,200 tokens by its server's count, the same as this one/);
      await page.find('used').tokens((tokens) => tokens === 7_200);
      await page.find('source').shows("counted by the recorded agent's server");
      await page.find('back-to-now').click();
      await page.find('past-notice').isGone();
    });

    it('is managed by the window and policy that the user chooses, and no setting is stored', async () => {
      const before = stored();
      await page.find('choose-policy').click();
      const dialog = page.find('what-if-dialog');
      await dialog.find('number-windowTokens').fill('12000');
      await dialog.find('policy').choose('tokenBudget');
      await dialog.find('what-if-apply').click();
      await page.find('source-bar').shows('as if run with tokenBudget');
      await dialog.find('what-if-close').click();
      await page.showRecordingDetails();
      await page.find('recording-facts').shows('window 12,000');
      await page.rowIn('step-1', 'evicted');
      await page.rowIn('step-8', 'whole');
      await page.show('ledger');
      await page.find('pass-card').first.appears();
      assert.deepEqual(stored(), before);
    });

    it('is followed while it grows, and its own compactions are marked', async () => {
      await page.find('follow-recording').tick(true);
      await appendFile(file, steps(9, 10).join(''));
      await page.row('step-10').isThere();
      await appendFile(file, [compaction(), ...steps(11, 12)].join(''));
      await page.row('step-12').isThere();
      await page.find('timeline').focus();
      await page.editor.press('Home');
      const readout = page.find('timeline-readout');
      await readout.shows(/^step 1\b/i);
      for (let step = 2; step <= AFTER_COMPACTION; step += 1) {
        await page.editor.press('ArrowRight');
        await readout.shows(new RegExp(`^step ${step}\\b`, 'i'));
      }
      await readout.shows(/The recorded agent compacted its conversation/);
      await page.find('follow-recording').tick(false);
      // The box immediately shows the request; the content below confirms it.
      await appendFile(file, steps(13, 13).join(''));
      await page.row('step-13').staysGone();
    });

    it('has a card for its own compaction, with the file that was read again', async () => {
      await page.find('show-losses').isGone();
      await page.find('follow-recording').tick(true);
      await appendFile(file, [compaction(), readAgain(2, 9)].join(''));
      await page.find('show-losses').shows('What its compaction lost');
      await page
        .find('show-losses')
        .is('title', 'The recorded agent compacted once; 1 thing was needed again.');
      await page.find('show-losses').click();
      const card = page.find('loss-card');
      await card.shows(/Compaction 1\s*before step 9\s*7,200 → 8,100 tokens/);
      await card.shows(/Read again at step 9: src\/file2\.js \(≈\s[\d,]+ tokens, ≈\s\$0\.\d+\)/);
      await card.find('lost-blocks').at('summary').click();
      await card.find('lost-block').first.appears();
    });

    it('is saved as a report, which the user sees before it is saved', async () => {
      await page.choose('save-report');
      await page.editor.quickInput.choose('Names and summaries');
      const preview = await until('the report is shown', () =>
        vscode.window.tabGroups.all
          .flatMap(({ tabs }) => tabs)
          .find(({ label }) => label === 'Report'),
      );
      const saved = file.replace(/\.jsonl$/, '.html');
      await vscode.commands.executeCommand('plimsoll.saveReport', 'shown');
      await page.editor.quickInput.answerFile(saved, /\.html$/);
      const html = await written(saved);
      await vscode.window.tabGroups.close(preview);
      assert.match(html.replaceAll('<!-- -->', ''), /claude-code · claude-sonnet-4-5 · 8 steps/);
      assert.match(html, /Window after step.*src\/file2\.js/s);
      assert.doesNotMatch(html, /<script|https?:|command:/);
    });
  });

  it('is closed when the user continues a session', async () => {
    await vscode.commands.executeCommand('plimsoll.openRecording', file);
    await page.find('close-recording').click();
    await page.find('source-bar').isGone();
    await page.find('step').shows(/step 3 of 3/);
    await page.logged('blockUnpinned', () => page.act('prompt-1', 'unpin'));
  });

  describe('of 4 MB', function () {
    this.timeout(240_000);
    let large: string;

    before(async () => {
      large = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'large.jsonl');
      const lines = [prompt('Look at every file.'), ...steps(1, 1_150)];
      await writeFile(large, lines.join(''));
      assert.ok(lines.join('').length > 3_500_000);
    });

    after(() => rm(large, { force: true }));

    itInSoak('shows what its file says while it is replayed, until that is cancelled', async () => {
      const opened = vscode.commands.executeCommand('plimsoll.openRecording', large);
      await page.find('opening').shows(/large\.jsonl.*1,150 steps/s);
      await page.find('stop-opening').clickInOneGo();
      await opened;
      await page.find('opening').isGone();
      await page.find('source-bar').isGone();
      await page.find('step').shows(/step 3 of 3/);
    });

    itInSoak('leaves less than 100 MB in the extension host after it is closed', async () => {
      const before = await heldMegabytes();
      await vscode.commands.executeCommand('plimsoll.openRecording', large);
      await page.find('session-title').shows('large.jsonl');
      await page.row('step-1150').isThere();
      await page.find('close-recording').click();
      await page.find('source-bar').isGone();
      const after = await heldMegabytes();
      assert.ok(after - before < 100, `${before} MB before, ${after} MB after`);
    });
  });

  it('opens and closes by the tab Session, with the file chosen in a dialog', async () => {
    const { quickInput } = page.editor;
    await page.show('session');
    await page.find('session-open-recording').click();
    // The dialog fills in its initial folder once it has read it.
    await quickInput.field.holds(/\/$/);
    await quickInput.row('recorded.jsonl').appears();
    await quickInput.field.fill(file);
    await quickInput.row('recorded.jsonl').appears();
    await quickInput.field.press('Enter');
    await page.find('source-bar').appears();
    await page.show('session');
    await page.find('session-close-recording').click();
    await page.find('source-bar').isGone();
  });
});

/** What this extension host holds after garbage collection; megabytes. */
async function heldMegabytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    await sleep(100);
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
}
