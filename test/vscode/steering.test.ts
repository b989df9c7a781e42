import * as vscode from 'vscode';
import { DEMO_TASK } from '../../src/offline/demo/demoPrompts';
import { AgentPage } from './support/agentPage';
import { settingsChangedByEach } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { until } from './support/until';

describe('steering the agent', () => {
  const settings = settingsChangedByEach();
  let agent: AgentPage;

  beforeEach(async () => {
    agent = await AgentPage.onNewSession();
  });

  it('sends the agent the denial with the reason that the user typed', async () => {
    await agent.submit(DEMO_TASK);
    await agent.find('approval').appears();
    await agent.find('approval-feedback').fill('not on my machine');
    await agent.find('approval-deny').click();
    await agent.does('idle');
    const denied = agent.calls('denied');
    await denied.counts(1);
    await denied.click();
    await agent
      .find('tool-result')
      .withText('Denied')
      .shows(/Denied by the user\. Not done: .*\nThe user says: not on my machine/);
  });

  it('stops while a reply streams', async () => {
    await agent.submit(DEMO_TASK);
    await agent.find('stop').click();
    await agent.does('idle');
    await agent.find('turn').last.shows(/[Ss]topped/);
  });

  itInSoak(
    'stops while it waits for an answer, and text typed meanwhile is no answer',
    async () => {
      await agent.submit(DEMO_TASK);
      await agent.find('approval').appears();
      await agent.find('composer').fill('yes');
      await agent.find('composer').press('Enter');
      await agent.find('queued').appears();
      await agent.does('awaitingApproval');
      await agent.find('stop').click();
      await agent.find('held').shows('Not sent: you stopped the turn.');
      await agent.find('turn').nth(1).staysGone();
      await agent.find('send-queued').click();
      await agent.find('turn').nth(1).appears();
      await agent.does('idle');
      // The user sends it, once.
      await agent.find('turn').last.is('aria-setsize', '2');
      await agent.find('turn').nth(2).staysGone();
    },
  );

  itInSoak('sends the text typed meanwhile at the next step if the user chooses that', async () => {
    await agent.submit(DEMO_TASK);
    await agent.find('approval').appears();
    await agent.submit('Mind the tabs.');
    await agent.find('queued-tell').click();
    await agent.find('queued-next').shows('at the next step');
    await agent.find('approval-deny').click();
    await agent.find('said').shows(/While the agent worked.*Mind the tabs\./s);
    await agent.find('queued').isGone();
    await agent.does('idle');
  });

  itInSoak('asks again after the view was hidden while the question was open', async () => {
    await agent.submit(DEMO_TASK);
    await agent.find('approval').appears();
    await agent.editor.openActivity('Explorer');
    await agent.editor.runCommandViaPalette('Plimsoll: Focus the Agent View');
    await agent.again();
    await agent.find('approval-deny').click();
    await agent.calls('denied').appears();
    await agent.does('idle');
  });

  itInSoak('works by keyboard alone, and no stray key allows anything', async () => {
    const { editor } = agent;
    await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup');
    await editor.runCommandViaPalette('Plimsoll: Focus the Agent View');
    await agent.find('composer').isFocused();
    await editor.type(DEMO_TASK);
    await editor.press('Enter');
    await agent.find('approval').isFocused();
    await editor.press('Enter');
    await editor.press('Space');
    await agent.find('approval').staysFocused();
    await agent.does('awaitingApproval');
    await editor.press('Tab');
    await editor.type('later');
    await editor.press('Tab');
    await editor.press('Enter');
    await agent.calls('denied').appears();
    await agent.does('idle');
  });

  itInSoak('reports a bad setting once, with a link to it, and uses the valid ones', async () => {
    await settings.set('context.highWatermark', 1.2);
    await settings.set('context.windowTokens', 40_000);
    await agent
      .find('setting-notice')
      .shows(
        /plimsoll\.context\.highWatermark must be a fraction of the input budget below 1.* Current value: automatic\./s,
      );
    await agent.perform('What can you do?');
    await agent.find('gauge').has('title', /34,880/);
    await agent.find('setting-action').click();
    await until(
      'the settings editor is open',
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'Settings' || undefined,
    );
    await settings.restore();
    await agent.find('setting-notice').isGone();
  });

  it('says what to do without a key, and sends nothing', async () => {
    await settings.set('provider', 'anthropic', 'user');
    await agent.send('Hello');
    await agent.find('problem').shows(/no Anthropic API key/);
    await agent.find('problem-action').click();
    await agent.editor.quickInput.secret.appears();
    await agent.editor.quickInput.secret.press('Escape');
  });

  it('says clearly that the offline demo is scripted when it is asked something else', async () => {
    await agent.perform('What is the weather?');
    await agent.find('turn').last.shows(/offline demo/);
    await agent.find('offline-mark').shows(/Offline demo: scripted, no AI/);
  });
});
