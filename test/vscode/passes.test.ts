import assert from 'node:assert/strict';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import type { Part } from './support/part';

const EDITED = 'What was read so far, in my own words.';

describe('passes that the user reviews', function () {
  this.timeout(180_000);
  const settings = changedSettings();
  let agent: AgentPage;
  let panel: Part;
  /** Tokens in the window when a pass was postponed. */
  let postponed = 0;
  /** The block that the user spared from the pass. */
  let spared = '';

  const card = (pass: number) => panel.at(`[data-testid="pass-card"][data-pass="${pass}"]`);

  /**
   * Postpones the first pass under review, and applies the second with one block spared and its
   * summary edited.
   */
  async function decide(review: Part): Promise<void> {
    const used = panel.find('used');
    if (postponed === 0) {
      postponed = await used.tokens();
      await review.find('review-postpone').click();
      await review.isGone();
      return;
    }
    // After a postponement the question returns only when the window holds more.
    await used.tokens((tokens) => tokens > postponed);
    await agent.find('review-notice').appears();
    await agent.editor.statusBarItem('review a pass').appears();
    const item = review.find('review-item').first;
    spared = await item.has('data-block-id', /./);
    await review.find('proposed-summary').first.fill(EDITED);
    const plan = await review.has('data-proposed-pass', /./);
    await item.find('spare').tick(true);
    await review.has('data-proposed-pass', new RegExp(`^(?!${plan}$)`));
    await review.find('review-apply').shows('Apply');
    await review.find('review-apply').click();
    await card(1).appears();
    await agent.find('stop').click();
  }

  before(async () => {
    agent = await AgentPage.onNewSession();
    await agent.editor.runCommandViaPalette('Plimsoll: Open the Context Panel');
    panel = await agent.editor.webview('Context');
    // Every pass of the policy `summarise` has a summary to edit.
    await settings.set('context.compaction', 'ask');
    await settings.set('context.policy', 'summarise');
    await agent.performSuggested({
      // The task stops at its first commands, so its files stay unchanged.
      answer: ({ kind }) => kind === 'command',
      onTick: async () => {
        const review = panel.find('review');
        if (spared === '' && (await review.isSeen())) await decide(review);
      },
    });
  });

  after(() => agent.startSession());

  it('wait for approval, spare the chosen blocks, and use the edited summary', async () => {
    assert.notEqual(spared, '', 'a pass was shown twice');
    const pass = card(1);
    const before = await pass.number('data-before', () => true);
    await pass.number('data-after', (after) => after < before);
    await pass.find('decisions').at('summary').click();
    const decision = pass.at(`[data-testid="decision-row"][data-block-id="${spared}"]`);
    await decision.is('data-action', 'keep');
    // Rows out of sight have no text.
    await decision.hover();
    await decision.shows(/Spared by you in this pass/);
    const compacted = pass.at('[data-testid="decision-row"][data-action="summarise"]');
    await compacted.first.hover();
    await compacted.first.shows(/edited by you/);
  });

  it('can be undone, and are then marked as undone', async () => {
    const before = await panel.find('used').tokens();
    await card(1).find('undo-pass').click();
    await card(1).is('data-undone', 'true');
    await panel.find('used').tokens((tokens) => tokens > before);
  });

  it('run immediately when the user asks for one', async () => {
    await panel.find('compact-now').click();
    await card(2).find('decisions').at('summary').click();
    await card(2).shows(/Compact Now at/);
  });
});
