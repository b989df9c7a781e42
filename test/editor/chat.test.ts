import * as vscode from 'vscode';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { scriptedModel } from './support/scriptedModel';

describe('the agent in the chat of the editor', function () {
  this.timeout(120_000);
  const settings = changedSettings();
  let model: { close(): Promise<void> };
  let agent: AgentPage;

  before(async () => {
    model = await scriptedModel(settings, () => ({
      content: [{ type: 'text', text: 'Hello to you.' }],
    }));
    agent = await AgentPage.onNewSession();
  });

  after(() => model.close());

  it('explore', async () => {
    const out: string[] = [];
    out.push(`version ${vscode.version} chat ${typeof vscode.chat?.createChatParticipant}`);
    const commands = await vscode.commands.getCommands(true);
    out.push(commands.filter((name) => /chat/i.test(name)).join('\n'));
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration().update('chat.disableAIFeatures', false, Global);
    await sleep(3000);
    try {
      const p = vscode.commands.executeCommand('workbench.action.chat.open', {
        query: '@plimsoll Say hello.',
      });
      out.push(`open ${String(await Promise.race([p, sleep(8000, 'timeout')]))}`);
    } catch (error) {
      out.push(`open failed ${String(error)}`);
    }
    await sleep(4000);
    await agent.editor.screenshot('/tmp/sess-chat.png');
    for (const sel of ['.auxiliarybar', '.interactive-session', '.chat-view-welcome', '.monaco-dialog-box']) {
      out.push(`${sel}: ${await Promise.race([agent.editor.at(sel).first.html(), sleep(2000, 'none')])}`.slice(0, 3000));
    }
    await vscode.workspace.getConfiguration().update('chat.disableAIFeatures', undefined, Global);
    writeFileSync('/tmp/sess-chat.txt', out.join('\n---\n'));
  });
});
