import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { EventOf } from '../../src/contextWindow/event';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { requestsSent } from './support/requestsSent';
import { until } from './support/until';

type Pass = EventOf<'passApplied'>['pass'];

const WISH = 'Keep the names of all ports. Name a file that does not exist.';
const REWRITTEN = 'The legacy module was looked through; seasonLabel has the bug.';

/** The settings that the test makes the what-if dialog store, and removes again. */
const STORED = ['policy', 'lowWatermark'] as const;

/** The decisions that change something, of a pass or as the panel shows them. */
const CHANGES = '[data-testid="decision-row"]:not([data-action="keep"])';

describe('passes in the Context panel', () => {
  let page: PanelPage;

  const context = () => vscode.workspace.getConfiguration('plimsoll.context');
  const stored = (name: string) => context().inspect(name)?.workspaceValue;
  const changesOf = ({ decisions }: Pass) => decisions.filter(({ action }) => action !== 'keep');

  /** Runs a pass by the Compact Now button of the header. */
  const compactNow = async () =>
    (await page.logged('passApplied', () => page.find('compact-now').click())).pass;

  describe('before they run', () => {
    const restoreSettings = async () => {
      for (const name of STORED)
        await context().update(name, undefined, vscode.ConfigurationTarget.Workspace);
    };

    /** Opens the scratch copy and waits until it is stable: an answer makes it larger. */
    async function openWhatIf() {
      await page.find('what-if').click();
      const dialog = page.find('what-if-dialog');
      await dialog.at('.result').is('aria-busy', 'false');
      return dialog;
    }

    before(async () => {
      page = await PanelPage.onFollowUps();
    });

    after(restoreSettings);

    it('show the plan that would run now, and run nothing', async () => {
      const { length } = await page.events();
      await page.show('ledger');
      await page.find('preview-pass').click();
      const preview = page.find('preview');
      await preview.find('decision-row').counts((rows) => rows > 0);
      await preview.find('plan-kept').at('summary').click();
      const anchor = '[data-testid="decision-row"][data-block-id="prompt-1"][data-action="keep"]';
      await preview.at(anchor).appears();
      await page.editor.press('Escape');
      await preview.isGone();
      assert.equal((await page.events()).length, length);
    });

    it('try settings on a scratch copy, and dragging stores nothing', async () => {
      const dialog = await openWhatIf();
      const words = dialog.find('what-if-words');
      await words.shows((text) => !text.includes('A pass would begin'));
      try {
        await dialog.find('slider-lowWatermark').dragAlong(0.5, 0.25);
        // The new result may move the other slider.
        await dialog.at('.result').is('aria-busy', 'false');
        await dialog.find('slider-highWatermark').dragAlong(0.8, 0.4);
        await words.shows(/A pass would begin before the next step/);
      } finally {
        // Open, it would be in the way of a second try.
        await dialog.find('what-if-close').click();
      }
      await dialog.isGone();
      assert.deepEqual(STORED.map(stored), [undefined, undefined]);
      assert.equal(stored('highWatermark'), undefined);
    });

    it('store the tried settings after a confirmation, and not after a refusal', async () => {
      const { quickInput } = page.editor;
      const dialog = await openWhatIf();
      await dialog.find('policy').choose('summarise');
      await dialog.find('number-lowWatermark').fill('30');

      await dialog.find('what-if-apply').click();
      await quickInput.choose('Leave the settings as they are');
      await dialog.find('what-if-refusal').appears();
      assert.deepEqual(STORED.map(stored), [undefined, undefined]);

      await dialog.find('what-if-apply').click();
      await quickInput.choose('Store them');
      await until('the settings were stored', () =>
        STORED.every((name) => stored(name) !== undefined),
      );
      assert.deepEqual(STORED.map(stored), ['summarise', 0.3]);
      await dialog.find('what-if-close').click();
      await page.find('session-title').has('title', /Policy: summarise$/);
    });

    it('leave the settings as they were', async () => {
      await restoreSettings();
      await page.find('session-title').has('title', /Policy: ladder$/);
      assert.deepEqual(STORED.map(stored), [undefined, undefined]);
    });
  });

  describe('run with an instruction to the summariser', () => {
    const settings = changedSettings();
    let pass: Pass;

    before(async () => {
      page = await PanelPage.onFollowUps();
      await settings.set('context.policy', 'summarise');
      await settings.set('context.lowWatermark', 0.3);
      await page.find('session-title').has('title', /Policy: summarise$/);
      await page.show('ledger');
      await page.content.at('.instructions summary').click();
      await page.find('instructions').fill(WISH);
      ({ pass } = await page.logged('passApplied', () => page.find('compact-now').click()));
    });

    it('run Compact Now and give the summariser the instruction', async () => {
      assert.equal(pass.trigger, 'manual');
      assert.ok(pass.summaries.length > 0);
      assert.ok(JSON.stringify((await requestsSent()).at(-1)).includes(WISH));
      await page.card(1).appears();
    });

    it('fold the summarised blocks under their summary', async () => {
      await page.row('step-1').isGone();
      await page.find('unfold').first.click();
      await page.rowIn('step-1', 'summarised');
      await page
        .row('step-1')
        .at('.why')
        .has('title', /was .+ · removed by pass 1/);
      await page.find('unfold').first.click();
      await page.row('step-1').isGone();
    });

    it('correct a summary that names a file which does not exist, and say so', async () => {
      const [summary] = pass.summaries;
      assert.deepEqual(summary!.check?.unfounded, ['src/ports/tideGauge.js']);
      assert.ok(!summary!.text.includes('tideGauge'));
      assert.equal(summary!.exchange?.correction?.answer?.includes('tideGauge'), false);
      await page.card(1).find('decisions').at('summary').click();
      await page
        .card(1)
        .find('summary-checked')
        .first.shows(/did not occur .*: src\/ports\/tideGauge\.js\. The model was asked once/);
      await page.card(1).find('decisions').at('summary').click();
    });

    itInSoak('keep the request to the summariser and its answer verbatim', async () => {
      // The last summary belongs to the last request but that for its correction.
      const summary = pass.summaries.at(-1)!;
      const sent = (await requestsSent()).findLast(({ messages }) => messages.length === 1)!;
      await page.card(1).find('decisions').at('summary').click();
      await page.card(1).find('exchange').counts(pass.summaries.length);
      const exchange = page.card(1).find('exchange').last;
      const opened = (name: string) =>
        page.opened(({ uri }) => uri.path === `/${name}-${summary.id}.txt`);
      await exchange.find('exchange-asked').click();
      const { text: asked } = await opened('asked');
      for (const { content } of sent.messages) {
        const parts = typeof content === 'string' ? [] : content;
        for (const part of parts) if (part.type === 'text') assert.ok(asked.includes(part.text));
      }
      await exchange.find('exchange-answered').click();
      const { text: answered } = await opened('answered');
      assert.ok(answered.includes(summary.text));
      await exchange.find('exchange-raw').click();
      const raw = await page.opened(({ uri }) => uri.path === `/asked-${summary.id}.json`);
      assert.deepEqual(JSON.parse(raw.text).messages, sent.messages);
      await page.card(1).find('decisions').at('summary').click();
    });

    it('keep every decision in the ledger, also the reason why blocks stayed', async () => {
      await page.card(1).find('decisions').at('summary').click();
      await page.card(1).find('decision-row').counts(pass.decisions.length);
      const kept = page.card(1).at('[data-testid="decision-row"][data-action="keep"]');
      const anchor = '[data-testid="decision-row"][data-action="keep"][data-block-id="prompt-1"]';
      // Rows out of sight have no text.
      await page.card(1).at(anchor).hover();
      await page
        .card(1)
        .at(anchor)
        .shows(/anchor|task/i);
      const stayed = pass.decisions.filter(({ action }) => action === 'keep').length;
      await kept.counts(stayed);
      for (let at = 0; at < stayed; at += 1) {
        await kept.nth(at).hover();
        await kept.nth(at).shows(/kept? · \S/i);
      }
    });

    it('open a report of a pass in an editor, ready for an issue', async () => {
      await page.card(1).find('export-pass').click();
      const { text } = await page.opened(({ languageId }) => languageId === 'markdown');
      assert.match(text, /^# Pass 1 before step 7: Compact Now, policy summarise/);
      assert.match(text, /## What it kept \(\d+\)/);
    });

    describe('with a rewritten summary', () => {
      let summary: string;
      let rewrite: Pass;

      before(async () => {
        [summary = ''] = pass.summaries.map(({ id }) => id as string);
        await page.act(summary, 'rewrite');
        const dialog = page.find('summary-dialog');
        await dialog.find('summary-text').fill(REWRITTEN);
        const save = dialog.find('summary-save');
        ({ pass: rewrite } = await page.logged('passApplied', () => save.click()));
        await dialog.isGone();
      });

      it('rewrite a summary, and the next request contains the new text', async () => {
        const decision = rewrite.decisions.find(({ blockId }) => blockId === summary);
        assert.equal(decision?.action, 'rewrite');
        assert.ok(JSON.stringify(await page.nextRequest()).includes(REWRITTEN));
      });

      it('say why a pass cannot be undone while a later one depends on it', async () => {
        const { length } = await page.events();
        await page.show('ledger');
        await page.refused(/Undo that one first/, () =>
          page.card(1).find('undo-pass').press('Enter'),
        );
        assert.equal((await page.events()).length, length);
      });

      it('undo the last pass, then the one before', async () => {
        await page.show('ledger');
        const undoRewrite = page.change(2).find('undo-pass');
        const last = await page.logged('passUndone', () => undoRewrite.click());
        assert.equal(last.number, 2);
        assert.ok(!JSON.stringify(await page.nextRequest()).includes(REWRITTEN));
        await page.show('ledger');
        const undo = page.card(1).find('undo-pass');
        const first = await page.logged('passUndone', () => undo.click());
        assert.equal(first.number, 1);
        await page.rowIn('step-1', 'whole');
      });
    });
  });

  describe('run immediately', () => {
    beforeEach(async () => {
      page = await PanelPage.onFollowUps();
      await page.show('ledger');
    });

    it('run by the Compact Now button of the header, and are undone', async () => {
      const pass = await compactNow();
      assert.equal(pass.trigger, 'manual');
      assert.ok(pass.after.tokens < pass.before.tokens);
      const undo = page.card(pass.number).find('undo-pass');
      assert.equal((await page.logged('passUndone', () => undo.click())).number, pass.number);
    });

    it('run exactly what the preview showed', async () => {
      await page.find('preview-pass').click();
      const preview = page.find('preview');
      const shown = await preview.at(CHANGES).all('data-block-id', (ids) => ids.length > 0);
      const { pass } = await page.logged('passApplied', () => preview.find('preview-run').click());
      assert.deepEqual(
        changesOf(pass)
          .map(({ blockId }) => blockId)
          .toSorted(),
        shown.toSorted(),
      );
      await preview.isGone();
    });

    it('restore one evicted block whole at its place, and undo only that', async () => {
      const [taken] = changesOf(await compactNow());
      const id = taken!.blockId;
      const state = await page.rowOut(id);
      const { pass } = await page.logged('passApplied', () => page.act(id, 'restore'));
      assert.equal(pass.trigger, 'byHand');
      assert.deepEqual(
        changesOf(pass).map(({ blockId, action }) => [blockId, action]),
        [[id, 'restore']],
      );
      await page.rowIn(id, 'whole');
      const undo = page.change(pass.number).find('undo-pass');
      await page.logged('passUndone', () => undo.click());
      await page.rowIn(id, state);
    });
  });
});
