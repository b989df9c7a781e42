import * as vscode from 'vscode';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { describeInSoak } from './support/inSoak';
import { scriptedModel } from './support/scriptedModel';
import { until } from './support/until';

const NO_AI = 'chat.disableAIFeatures';

/**
 * This file comes after those that look at the editor's tools: its AI features add more of them.
 */
describeInSoak("the agent in the editor's Chat view", () => {
  const settings = changedSettings();
  let model: { close(): Promise<void> } | undefined;
  let agent: AgentPage;

  const useChat = (isOff: boolean | undefined) =>
    vscode.workspace.getConfiguration().update(NO_AI, isOff, vscode.ConfigurationTarget.Global);

  /** Sends a prompt in the Chat view, in its newest thread. */
  const ask = (prompt: string) =>
    vscode.commands.executeCommand('workbench.action.chat.open', { query: `@plimsoll ${prompt}` });
  const chat = () => agent.editor.at('.interactive-session');

  before(async () => {
    await useChat(false);
    // VS Code asks a participant only when it has a model; no test brings one.
    await until(
      'the chat has the model that Plimsoll offers',
      async () => (await vscode.lm.selectChatModels({ vendor: 'plimsoll' })).length === 1,
    );
    let calls = 0;
    model = await scriptedModel(settings, ({ messages }) => {
      const last = JSON.stringify(messages.at(-1));
      if (last.includes('tool_result')) return { content: [{ type: 'text', text: 'It was run.' }] };
      if (last.includes('hello')) return { content: [{ type: 'text', text: 'Hello to you.' }] };
      const call = { name: 'run_command', input: { command: 'echo from the chat' } };
      return { content: [{ type: 'tool_use', id: `toolu_${++calls}`, ...call }] };
    });
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
    await useChat(true);
    await model?.close();
  });

  it('works in a session that the Agent view shows, and asks with buttons', async () => {
    await ask('Run it.');
    await agent.does('awaitingApproval');
    await chat().text('echo from the chat').first.appears();
    await chat().button('Allow').first.click();
    await chat().text('It was run.').first.appears();
    await agent.does('idle');
    await agent.turn('Run it.').shows(/It was run\./);
  });

  it('continues its session in the same thread', async () => {
    await ask('Say hello.');
    await chat().text('Hello to you.').first.appears();
    await agent.turn('Say hello.').shows(/Hello to you\./);
    await agent.turn('Run it.').appears();
  });

  it('begins a session with a new thread', async () => {
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
    await ask('Say hello again.');
    await agent.turn('Say hello again.').shows(/Hello to you\./);
    await agent.turn('Run it.').isGone();
  });
});
