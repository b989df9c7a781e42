import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { POLICY_NAMES } from '../../src/contextWindow/plan';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { itInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';

describe('the comparison of all policies in the Context panel', () => {
  let page: PanelPage;

  const stored = () =>
    vscode.workspace.getConfiguration('plimsoll.context').inspect('policy')?.workspaceValue;

  /** Opens the scratch copy and waits until it is stable. */
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

  it('shows every policy in the scratch copy with its known numbers', async () => {
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
    // The session fits, so nothing was removed. The price of the offline model is unknown.
    await rowOf('ladder').shows(/^laddercurrent\s*0\s*0\s*not known\s*≈\s[\d,]+$/);
    // The tokenizer was loaded: without it the notes would say that estimates get rougher.
    await dialog
      .find('comparison-notes')
      .shows(/^(?!.*rougher).*The cost is unknown: there is no list price for /s);
  });

  it('tries a policy by a click on its row: the fields and the result change', async () => {
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

  itInSoak('shows which policies would have kept the content that was needed again', async () => {
    await page.logged('passApplied', () => page.find('compact-now').click());
    // The same question again: the agent reads the files that the pass removed.
    await page.ask(DEMO_FOLLOW_UPS[0] ?? '');
    await page.show('ledger');
    await page.find('ask-kept').click();
    // A session that fits needs no pass of any policy.
    await page.find('would-have-kept').shows(/^ladder, .* would have kept /);
    await page
      .card(1)
      .find('regret')
      .shows(/Needed again: .* would have kept /);
  });
});
