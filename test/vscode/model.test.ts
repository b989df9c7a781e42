import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { MessagesRequest } from '../../src/offline/messagesApi';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { scriptedModel } from './support/scriptedModel';
import { until } from './support/until';

const THOUGHT = 'First I look at the load line.\nThen I answer.';

describe('the model and its thinking', () => {
  const settings = changedSettings();
  const asked: MessagesRequest[] = [];
  let server: { close(): Promise<void> };
  let agent: AgentPage;

  const setTo = (name: string, value: string) =>
    until(`plimsoll.${name} is ${value}`, () =>
      vscode.workspace.getConfiguration('plimsoll').get(name) === value ? true : undefined,
    );

  /** Opens the picker by the button near the composer, and chooses a row. */
  async function choose(row: string): Promise<void> {
    await agent.find('choose-model').click();
    await agent.editor.quickInput.title.shows('Choose the Model');
    await agent.editor.quickInput.choose(row);
  }

  before(async () => {
    server = await scriptedModel(settings, (request) => {
      asked.push(request);
      return {
        content: [
          { type: 'thinking', thinking: THOUGHT },
          { type: 'text', text: `Answer ${asked.length}.` },
        ],
        delayMs: 5,
      };
    });
    await settings.set('model', 'claude-sonnet-5-5', 'user');
    await settings.set('thinking.mode', 'auto', 'user');
    await settings.set('effort', 'auto', 'user');
    agent = await AgentPage.onNewSession();
  });

  after(() => server.close());

  it('is chosen from the list of the API, with its window, price and abilities', async () => {
    await agent.find('choose-model').shows('claude-sonnet-5-5');
    await agent.find('choose-model').click();
    const { quickInput } = agent.editor;
    await quickInput
      .row('Claude Sonnet 5.5')
      .shows(/window 1,000,000 · \$2\.00 in, \$10\.00 out per million tokens.*thinking/s);
    await quickInput.choose('Claude Haiku 4.5');
    await setTo('model', 'claude-haiku-4-5');
    await agent.find('choose-model').shows('claude-haiku-4-5');
    // No question appears because the session has not begun.
    await choose('Claude Sonnet 5.5');
    await agent.find('choose-model').shows('claude-sonnet-5-5');
  });

  it('follows the effort and thinking settings, and shows its thinking folded and counted', async () => {
    await choose('Thinking:');
    await agent.editor.quickInput.title.shows('plimsoll.thinking.mode');
    await agent.editor.quickInput.choose('adaptive');
    await setTo('thinking.mode', 'adaptive');
    await choose('Effort:');
    await agent.editor.quickInput.title.shows('plimsoll.effort');
    await agent.editor.quickInput.choose('low');
    await agent
      .find('choose-model')
      .has('title', 'claude-sonnet-5-5, thinking adaptive, effort low');
    await agent.submit('Look');
    await agent.turn('Look').shows('Answer 1.');
    await agent.does('idle');
    assert.deepEqual(asked[0]?.thinking, { type: 'adaptive', display: 'summarized' });
    assert.deepEqual(asked[0]?.output_config, { effort: 'low' });
    const thinking = agent.find('thinking');
    await thinking.shows(/^Thought · \d+ tokens$/);
    await thinking.at('summary').click();
    await thinking.shows('First I look at the load line.');
    await agent.submit('Again');
    await agent.turn('Again').shows('Answer 2.');
    await agent.does('idle');
    const sent = JSON.stringify(asked[1]?.messages);
    assert.match(sent, /"type":"thinking","thinking":"First I look[^"]*","signature":"[^"]+"/);
  });

  itInSoak(
    'has the same costs in the details of the session and in the Context panel',
    async () => {
      await agent.openDetails();
      const line = agent.find('costs');
      const words = await line.shows(/turn \$\d+\.\d{2,4}.*session \$\d+\.\d{2,4}.*% from cache/s);
      const [, cost = '', share = ''] = /session (\$[\d.]+)\D*(\d+)\s%/.exec(words) ?? [];
      await agent.find('details-panel').click();
      // It opens the panel, which would otherwise cover the log that is opened next.
      await agent.editor.webview('Context');
      const panel = await PanelPage.ofSession(agent);
      await panel.find('fold-timeline').click();
      await panel.find('timeline-totals').shows(cost);
      await panel.find('timeline-totals').shows(new RegExp(`${share}\\s% read from cache`));
    },
  );

  it('is switched in the middle of a session after a message about the effect', async () => {
    const { quickInput } = agent.editor;
    await choose('Claude Haiku 4.5');
    await quickInput.title.shows('Switch to Claude Haiku 4.5?');
    await quickInput.row('It goes from 1,000,000 to 200,000 tokens').appears();
    await quickInput.row('no pass follows').appears();
    await quickInput.row('Starts again: claude-haiku-4-5 reads nothing').appears();
    await quickInput
      .row('Its input without cache')
      .shows(/≈ \$\d\.\d+; from the cache of claude-sonnet-5-5: ≈ \$\d/);
    await quickInput.row('Of 2 steps, bound to claude-sonnet-5-5').appears();
    await quickInput.row('Stay with claude-sonnet-5-5').click();
    await agent.find('choose-model').shows('claude-sonnet-5-5');
    await choose('Claude Haiku 4.5');
    await quickInput.row('Switch to Claude Haiku 4.5').click();
    await agent.find('choose-model').shows(/^claude-haiku-4-5$/);
    await agent
      .find('setting-notice')
      .withText('claude-haiku-4-5 does not support thinking')
      .appears();
    const before = asked.length;
    await agent.submit('And now');
    await agent.turn('And now').shows(`Answer ${before + 1}.`);
    await agent.does('idle');
    assert.equal(asked[before]?.model, 'claude-haiku-4-5');
    assert.equal(asked[before]?.thinking, undefined);
    assert.equal(asked[before]?.output_config, undefined);
  });
});
