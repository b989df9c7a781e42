import * as vscode from 'vscode';
import { startStrictServer, type StrictServer } from '../../../src/offline/strictServer';
import { AgentPage } from './agentPage';
import type { changedSettings } from './changedSettings';

type Respond = NonNullable<Parameters<typeof startStrictServer>[0]>['respond'];

/** Lets a function of the test stand in for the model, with a key that nobody else takes. */
export async function scriptedModel(
  settings: ReturnType<typeof changedSettings>,
  respond: Respond,
): Promise<{ close(): Promise<void> }> {
  const server: StrictServer = await startStrictServer({ respond });
  const agent = await AgentPage.onNewSession();
  await settings.set('baseUrl', server.url, 'user');
  await settings.set('provider', 'anthropic', 'user');
  await agent.giveKey('sk-ant-only-for-this-test');
  return {
    close: async () => {
      await vscode.commands.executeCommand('plimsoll.clearApiKey');
      await server.close();
    },
  };
}
