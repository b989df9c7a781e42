import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { POLICY_NAMES } from '../../src/contextWindow/plan';
import { PanelPage } from './support/panelPage';

describe('all policies over the session, in the Context panel', () => {
  let page: PanelPage;

  const stored = () =>
    vscode.workspace.getConfiguration('plimsoll.context').inspect('policy')?.workspaceValue;

  /** Opens the scratch copy, and waits until it stands still. */
  async function openWhatIf() {
    await page.find('what-if').click();
    const dialog = page.find('what-if-dialog');
    await dialog.at('.result').is('aria-busy', 'false');
    return dialog;
  }

  const rowOf = (policy: string) =>
    page.content.at(`[data-testid="policy-row"][data-policy="${policy}"]`);

  before(async () => {
    page = await PanelPage.onFollowUps();
  });

  it('are compared in the scratch copy, with what is known of each', async () => {
    const dialog = await openWhatIf();
    await dialog.find('compare-policies').click();
    await dialog.find('policy-table').appears();
    await dialog
      .find('policy-row')
      .all(
        'data-policy',
        (policies) => policies.join() === [...POLICY_NAMES, 'ladderNoExcerpts'].join(),
      );
    await rowOf('ladder').is('data-in-force', 'true');
    // The session fits, so nothing left; what the offline model would cost, nobody knows.
    await rowOf('ladder').shows(/^laddercurrent\s*0\s*0\s*not known\s*≈\s[\d,]+$/);
    // The tokenizer was at work: without it the notes would say that estimates get rougher.
    await dialog
      .find('comparison-notes')
      .shows(/^(?!.*rougher).*No cost is known: there is no list price for /s);
  });

  it('are tried by a click on their row: the fields and the result change', async () => {
    const dialog = page.find('what-if-dialog');
    await rowOf('lastTurns').click();
    await dialog.find('policy').holds('lastTurns');
    await dialog.find('number-keepTurns').appears();
    await rowOf('lastTurns').find('try-row').is('aria-pressed', 'true');
    await dialog.at('.result').is('aria-busy', 'false');
    await dialog.find('what-if-close').click();
    await dialog.isGone();
    assert.equal(stored(), undefined);
  });

  it('say which of them would have kept what was needed again', async () => {
    const { pass } = await page.logged('passApplied', () => page.find('compact-now').click());
    const taken = pass.decisions.find(({ action }) => action !== 'keep')!;
    await page.rowOut(taken.blockId);
    await page.logged('passApplied', () => page.act(taken.blockId, 'restore'));
    await page.show('ledger');
    await page.find('ask-kept').click();
    // No policy makes room in a session that fits.
    await page.find('would-have-kept').shows(/^ladder, .* and \d more would have kept it\./);
    await page
      .card(1)
      .find('regret')
      .shows(/Needed again: .* would have kept it\.$/);
  });
});
