import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { MessagesRequest } from '../../src/offline/messagesApi';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';

const WORDS = 'The tide rises and falls, and the line on the hull says how deep she lies. '.repeat(
  40,
);

describe('a reply that is cut off', () => {
  const settings = changedSettings();
  let server: StrictServer;
  let agent: AgentPage;

  before(async () => {
    let asked = 0;
    server = await startStrictServer({
      respond: () => ({
        content: [{ type: 'text', text: asked++ === 0 ? WORDS.trim() : 'And that is the end.' }],
      }),
    });
    agent = await AgentPage.onNewSession();
    await settings.set('baseUrl', server.url, 'user');
    await settings.set('context.maxReplyTokens', 300);
    await settings.set('provider', 'anthropic', 'user');
    await agent.giveKey('sk-ant-only-for-going-on');
  });

  after(async () => {
    await vscode.commands.executeCommand('plimsoll.clearApiKey');
    await server.close();
  });

  it('is continued automatically, and the conversation shows both halves', async () => {
    await agent.submit('Tell');
    await agent.turn('Tell').shows(/The tide rises.*And that is the end\./s);
    await agent.does('idle');
    const bodies = server.requests.flatMap(({ path, body, status }) =>
      path === '/v1/messages' ? [{ body: body as MessagesRequest, status }] : [],
    );
    assert.deepEqual(
      bodies.map(({ status, body }) => [status, body.max_tokens, body.messages.at(-1)?.role]),
      [
        [200, 300, 'user'],
        [200, 300, 'user'],
      ],
    );
  });
});
