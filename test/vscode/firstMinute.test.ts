import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { until } from './support/until';

describe('the first minute', () => {
  const settings = changedSettings();
  let server: StrictServer;
  let agent: AgentPage;
  const told: string[] = [];
  const { showInformationMessage } = vscode.window;

  before(async () => {
    Object.assign(vscode.window, {
      showInformationMessage: async (message: string) => void told.push(message),
    });
    server = await startStrictServer({
      respond: () => ({ content: [{ type: 'text', text: 'It is built from src.' }] }),
    });
    agent = await AgentPage.onNewSession();
    await settings.set('context.windowTokens', undefined);
    await settings.set('context.maxReplyTokens', undefined);
    await settings.set('baseUrl', server.url, 'user');
    await settings.set('provider', 'anthropic', 'user');
  });

  after(async () => {
    Object.assign(vscode.window, { showInformationMessage });
    await vscode.commands.executeCommand('plimsoll.clearApiKey');
    await server.close();
  });

  it('leads from an empty session to a streamed answer with two clicks and one paste', async () => {
    await agent.find('empty').appears();
    // The first click.
    await agent.find('use-key').click();
    const { secret } = agent.editor.quickInput;
    // The paste.
    await secret.fill('sk-ant-only-for-this-test');
    await secret.press('Enter');
    await secret.isHidden();
    const said = await until('the key is said to be saved', () =>
      told.find((message) => message.includes('saved')),
    );
    assert.match(said, /saved in VS Code's secret storage\. 127\.0\.0\.1:\d+ accepted it\.$/);
    await agent.find('use-key').isGone();
    // The second click; Enter sends.
    await agent.find('suggestion').withText('README.md').click();
    await agent.find('composer').press('Enter');
    await agent.find('turn').last.shows(/It is built from src\./);
  });
});
