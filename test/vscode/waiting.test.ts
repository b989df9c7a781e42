import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';

const BUSY = { kind: 'status', status: 529 } as const;

/** Failures that are retried immediately: the next pause is at least 4 s, so that it is visible. */
const FAILED_BEFORE = 3;

describe('a server that fails for a while', () => {
  const settings = changedSettings();
  let server: StrictServer;
  let agent: AgentPage;

  const asked = () => server.requests.filter(({ path }) => path === '/v1/messages').length;

  before(async () => {
    server = await startStrictServer({
      respond: () => ({
        content: [{ type: 'text', text: 'The first half of the answer, and the second half.' }],
      }),
    });
    agent = await AgentPage.onNewSession();
    await settings.set('baseUrl', server.url, 'user');
    await settings.set('provider', 'anthropic', 'user');
    await agent.giveKey('sk-ant-only-for-waiting');
  });

  after(async () => {
    await vscode.commands.executeCommand('plimsoll.clearApiKey');
    await server.close();
  });

  const failBefore = () => {
    for (let times = 0; times < FAILED_BEFORE; times += 1) {
      server.addFault({ path: '/v1/messages', effect: { ...BUSY, retryAfterMs: 1 } });
    }
  };

  beforeEach(async () => {
    agent = await AgentPage.onNewSession();
  });

  it('is retried after a countdown, or immediately by a button', async () => {
    const before = asked();
    server.addFault({ path: '/v1/messages', effect: { ...BUSY, retryAfterSeconds: 54 } });
    await agent.submit('Look');
    await agent.does('waiting');
    await agent
      .find('wait-notice')
      .shows(/The API is overloaded \(529\)\. Try 2 of 10 in [1-5]\d\ss\./);
    await agent.find('try-now').click();
    await agent.turn('Look').shows('the second half');
    await agent.does('idle');
    await agent.find('wait-notice').isGone();
    assert.equal(asked() - before, 2);
  });

  it('is retried at a time of day after a long wait, which can be stopped', async () => {
    const before = asked();
    const effect = { kind: 'status', status: 429, retryAfterSeconds: 3_600 } as const;
    server.addFault({ path: '/v1/messages', effect });
    await agent.submit('Look');
    await agent.find('wait-notice').shows(/Try 2 of 10 at \d{1,2}:\d\d.*, in (1\sh|59\smin)/);
    await agent.find('stop').click();
    await agent.does('idle');
    await agent.find('wait-notice').isGone();
    assert.equal(asked() - before, 1);
  });

  itInSoak(
    'gets the request again automatically after an interrupted reply, which stays visible',
    async () => {
      const before = asked();
      failBefore();
      server.addFault({ path: '/v1/messages', effect: { kind: 'cut', at: 'messageStop' } });
      server.addFault({ path: '/v1/messages', effect: { ...BUSY, retryAfterSeconds: 50 } });
      await agent.submit('Look');
      await agent.find('wait-notice').shows('The reply broke off');
      await agent.find('wait-notice').shows('overloaded');
      await agent.turn('Look').shows(/the second half.*The reply broke off here/s);
      await agent.find('try-now').click();
      await agent.does('idle');
      assert.equal(asked() - before, FAILED_BEFORE + 3);
      await agent.turn('Look').shows((text) => text.split('the second half').length === 2);
    },
  );

  itInSoak('is reported when it sends nothing, and gets the request again', async () => {
    // The notice appears after half of the time and stays visible until the end.
    await settings.set('idleLimit', '6s', 'user');
    failBefore();
    server.addFault({ path: '/v1/messages', effect: { kind: 'hang', at: 'firstDelta' } });
    await agent.submit('Look');
    await agent.find('silence-notice').shows(/for \d+\ss\. After 6\ss Plimsoll sends/);
    await agent.find('wait-notice').shows('nothing came for 6 s');
    await agent.find('try-now').click();
    await agent.turn('Look').shows('the second half');
    await agent.does('idle');
  });
});
