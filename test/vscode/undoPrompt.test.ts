import assert from 'node:assert/strict';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { PanelPage } from './support/panelPage';
import { requestsSent } from './support/requestsSent';

describe('undoing the newest prompt', () => {
  const [first = '', second = ''] = DEMO_FOLLOW_UPS;
  let page: PanelPage;

  const nextText = async () => JSON.stringify(await page.nextRequest());

  before(async () => {
    page = await PanelPage.onFollowUps();
  });

  it('asks first and says what the prompt led to; nothing changes if the user keeps it', async () => {
    const { length } = await page.events();
    await page.agent.find('undo-prompt').last.click();
    await page.agent
      .find('undo-question')
      .shows(/This also removes \d+ steps? from the context window/);
    await page.agent.find('undo-keep').click();
    await page.agent.find('undo-question').isGone();
    assert.equal((await page.events()).length, length);
  });

  it('removes it from the next request and returns its text to the composer', async () => {
    const { pass } = await page.logged('passApplied', async () => {
      await page.agent.find('undo-prompt').last.press('Enter');
      await page.agent.find('undo-confirm').press('Enter');
    });
    assert.equal(pass.undonePrompt?.turn, 2);
    assert.equal(pass.cache.rewrittenTokens, 0);
    await page.agent.find('composer').holds(second);
    await page.agent.find('undone-prompt').shows(/Undone with \d+ step/);
    await page.rowIn('prompt-2', 'excluded');
    const next = await nextText();
    assert.ok(next.includes(first));
    assert.ok(!next.includes(second));
    assert.doesNotMatch(next, /left the context window/);
  });

  it('is restored from the ledger', async () => {
    await page.show('ledger');
    await page.find('hand-pass').shows(/You undid “Prompt: .*” and .* after it: /);
    await page.logged('passUndone', () => page.find('undo-pass').click());
    await page.rowIn('prompt-2', 'whole');
    await page.agent.find('undone-prompt').isGone();
    assert.ok((await nextText()).includes(second));
  });

  it('sends it no more, keeps it in the log, and the next prompt continues without it', async () => {
    await page.logged('passApplied', async () => {
      await page.agent.find('undo-prompt').last.click();
      await page.agent.find('undo-confirm').click();
    });
    await page.ask('What can you do?');
    const sent = JSON.stringify((await requestsSent()).at(-1));
    assert.ok(sent.includes('What can you do?') && sent.includes(first));
    assert.ok(!sent.includes(second));
    const typed = (await page.events()).flatMap((event) =>
      event.type === 'promptSubmitted' ? [event.text] : [],
    );
    assert.deepEqual(typed, [first, second, 'What can you do?']);
    await page.row('prompt-3').appears();
  });
});
