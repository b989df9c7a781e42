import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { PanelPage } from './support/panelPage';
import { requestsSent } from './support/requestsSent';
import { until } from './support/until';

const WISH = 'Keep the names of all ports.';
const REWRITTEN = 'The legacy module was looked through; seasonLabel has the bug.';

/** What the what-if dialog is made to store, and what is taken out again. */
const STORED = ['policy', 'lowWatermark'] as const;

describe('passes, planned and taken back in the Context panel', function () {
  this.timeout(60_000);
  let page: PanelPage;

  const context = () => vscode.workspace.getConfiguration('plimsoll.context');
  const stored = (name: string) => context().inspect(name)?.workspaceValue;
  const card = (pass: number) =>
    page.content.locator(`[data-testid="pass-card"][data-pass="${pass}"]`);
  const hand = (pass: number) =>
    page.content.locator(`[data-testid="hand-pass"][data-pass="${pass}"]`);

  const restoreSettings = async () => {
    for (const name of STORED)
      await context().update(name, undefined, vscode.ConfigurationTarget.Workspace);
  };

  before(async () => {
    page = await PanelPage.onSession(DEMO_FOLLOW_UPS);
  });

  after(restoreSettings);

  it('shows the plan that would run now, and runs nothing', async () => {
    const { length } = await page.events();
    await page.show('ledger');
    await page.find('preview-pass').click();
    const preview = page.find('preview');
    await preview.waitFor();
    assert.ok((await preview.getByTestId('decision-row').count()) > 0);
    await preview.getByTestId('plan-kept').locator('summary').click();
    await preview
      .locator('[data-testid="decision-row"][data-block-id="prompt-1"][data-action="keep"]')
      .waitFor();
    await page.editor.page.keyboard.press('Escape');
    await preview.waitFor({ state: 'detached' });
    assert.equal((await page.events()).length, length);
  });

  it('tries settings on a scratch copy: dragging stores nothing', async () => {
    await page.find('what-if').click();
    const dialog = page.find('what-if-dialog');
    const words = dialog.getByTestId('what-if-words');
    const before = await words.innerText();
    const slider = dialog.getByTestId('slider-highWatermark');
    const { mouse } = page.editor.page;
    const said = await until('the dragged watermark made a pass due', async () => {
      const now = await words.innerText();
      if (now !== before) return now;
      // Once it stands still: what the dialog waited for has made it larger.
      await slider.hover();
      const { x, y, width, height } = (await slider.boundingBox())!;
      await mouse.move(x + width * 0.8, y + height / 2);
      await mouse.down();
      await mouse.move(x + width * 0.55, y + height / 2, { steps: 5 });
      await mouse.up();
      await page.editor.page.waitForTimeout(500);
      return undefined;
    });
    assert.match(said, /A pass would begin before the next step/);
    await dialog.getByTestId('what-if-close').click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(STORED.map(stored), [undefined, undefined]);
    assert.equal(stored('highWatermark'), undefined);
  });

  it('stores settings that were tried after one more question, and not after a no', async () => {
    await page.find('what-if').click();
    const dialog = page.find('what-if-dialog');
    await dialog.getByTestId('policy').selectOption('compact');
    await dialog.getByTestId('number-lowWatermark').fill('30');
    const question = page.editor.page.locator('.quick-input-widget');
    const answer = (text: string) =>
      question.locator('.monaco-list-row', { hasText: text }).first().click();

    await dialog.getByTestId('what-if-apply').click();
    await answer('Leave the settings as they are');
    await dialog.getByTestId('what-if-refusal').waitFor();
    assert.deepEqual(STORED.map(stored), [undefined, undefined]);

    await dialog.getByTestId('what-if-apply').click();
    await answer('Store them');
    await until('the settings were stored', () =>
      STORED.every((name) => stored(name) !== undefined),
    );
    assert.deepEqual(STORED.map(stored), ['compact', 0.3]);
    await dialog.getByTestId('what-if-close').click();
    await page.content.getByText('policy: compact').waitFor();
  });

  it('makes room now, and tells the summariser what the user wishes', async () => {
    await page.content.locator('.instructions summary').click();
    await page.find('instructions').fill(WISH);
    const { pass } = await page.logged('passApplied', () => page.find('make-room').click());
    assert.equal(pass.trigger, 'manual');
    assert.ok(pass.summaries.length > 0);
    assert.ok(JSON.stringify((await requestsSent()).at(-1)).includes(WISH));
    await card(1).waitFor();
    await page.rowIn('step-1', 'compacted');
  });

  it('keeps every decision in the ledger, with the reason why the kept ones stayed', async () => {
    await card(1).getByTestId('decisions').locator('summary').click();
    const rows = card(1).getByTestId('decision-row');
    await rows.first().waitFor();
    const { pass } = (await page.events()).findLast((event) => event.type === 'passApplied')!;
    assert.equal(await rows.count(), pass.decisions.length);
    const kept = card(1).locator('[data-testid="decision-row"][data-action="keep"]');
    const anchor = kept.and(page.content.locator('[data-block-id="prompt-1"]'));
    assert.match(await anchor.innerText(), /anchor|task/i);
    for (const words of await kept.allInnerTexts()) assert.match(words, /kept? · \S/i);
  });

  it('reports a pass in an editor, ready for an issue', async () => {
    await card(1).getByTestId('export-pass').click();
    const { text } = await page.opened(({ languageId }) => languageId === 'markdown');
    assert.match(text, /^# Pass 1 before step 7: manual, policy compact/);
    assert.match(text, /## What it kept \(\d+\)/);
  });

  it('rewrites a summary, and the next request says it so', async () => {
    const summary = page.content.locator('[data-testid="block-row"][data-block-id^="summary"]');
    const id = (await summary.first().getAttribute('data-block-id'))!;
    await page.act(id, 'rewrite');
    const dialog = page.find('summary-dialog');
    await dialog.getByTestId('summary-text').fill(REWRITTEN);
    const { pass } = await page.logged('passApplied', () =>
      dialog.getByTestId('summary-save').click(),
    );
    assert.equal(pass.decisions.find(({ blockId }) => blockId === id)?.action, 'rewrite');
    await dialog.waitFor({ state: 'detached' });
    assert.ok(JSON.stringify(await page.nextRequest()).includes(REWRITTEN));
  });

  it('says why a pass cannot be undone while a later one rests on it', async () => {
    const { length } = await page.events();
    await page.show('ledger');
    await card(1).getByTestId('undo-pass').press('Enter');
    await page.find('refusal').waitFor();
    assert.match(await page.find('refusal').innerText(), /undo that one first/);
    assert.equal((await page.events()).length, length);
  });

  it('undoes the last pass, then the one before', async () => {
    const last = await page.logged('passUndone', () => hand(2).getByTestId('undo-pass').click());
    assert.equal(last.number, 2);
    assert.ok(!JSON.stringify(await page.nextRequest()).includes(REWRITTEN));
    await page.show('ledger');
    const first = await page.logged('passUndone', () => card(1).getByTestId('undo-pass').click());
    assert.equal(first.number, 1);
    await page.rowIn('step-1', 'whole');
  });

  it('has the settings back as they were', async () => {
    await restoreSettings();
    await page.content.getByText('policy: ladder').waitFor();
    assert.deepEqual(STORED.map(stored), [undefined, undefined]);
  });

  it('makes room by the button of the header, and takes it back', async () => {
    const { pass } = await page.logged('passApplied', () => page.find('compact-now').click());
    assert.equal(pass.trigger, 'manual');
    assert.ok(pass.after.tokens < pass.before.tokens);
    const undo = card(pass.number).getByTestId('undo-pass');
    assert.equal((await page.logged('passUndone', () => undo.click())).number, pass.number);
  });

  it('runs what the preview showed', async () => {
    await page.show('ledger');
    await page.find('preview-pass').click();
    const preview = page.find('preview');
    const changes = preview.locator('[data-testid="decision-row"]:not([data-action="keep"])');
    await changes.first().waitFor();
    const shown = await changes.evaluateAll((rows) =>
      rows.map((row) => row.getAttribute('data-block-id')),
    );
    const { pass } = await page.logged('passApplied', () =>
      preview.getByTestId('preview-run').click(),
    );
    const changed = pass.decisions.filter(({ action }) => action !== 'keep');
    assert.deepEqual(changed.map(({ blockId }) => blockId).toSorted(), shown.toSorted());
    await preview.waitFor({ state: 'detached' });
  });

  it('restores one block the pass took, whole in its place, and takes that back alone', async () => {
    const { pass } = (await page.events()).findLast((event) => event.type === 'passApplied')!;
    const { blockId: id } = pass.decisions.find(({ action }) => action !== 'keep')!;
    const state = await page.stateOnceOut(id);
    const restored = await page.logged('passApplied', () => page.act(id, 'restore'));
    assert.equal(restored.pass.trigger, 'byHand');
    const done = restored.pass.decisions.filter(({ action }) => action !== 'keep');
    assert.deepEqual(
      done.map(({ blockId, action }) => [blockId, action]),
      [[id, 'restore']],
    );
    await page.rowIn(id, 'whole');
    const undo = hand(restored.pass.number).getByTestId('undo-pass');
    await page.logged('passUndone', () => undo.click());
    await page.rowIn(id, state);
  });
});
