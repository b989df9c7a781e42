import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ClosedSession, PlimsollApi } from '../../src/editor/plimsollApi';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { AgentPage } from './support/agentPage';
import { describeInSoak } from './support/inSoak';

const [QUESTION = ''] = DEMO_FOLLOW_UPS;

describeInSoak('the API for other extensions', () => {
  let api: PlimsollApi;
  let agent: AgentPage;

  before(async () => {
    const extension = vscode.extensions.getExtension<PlimsollApi>('plimsoll.plimsoll');
    assert.ok(extension);
    api = await extension.activate();
    agent = await AgentPage.onNewSession();
  });

  it('rejects a request for state while no session is shown, and says why', () => {
    const result = api.setSessionState('test.ticket', 7);
    assert.match(result.ok ? '' : result.reason, /^No session is shown\. Nothing was set\./);
  });

  it('keeps state in the session, and reports once when a value leaves memory', async () => {
    await agent.perform(QUESTION);
    assert.deepEqual(api.setSessionState('test.ticket', { id: 7 }), { ok: true });
    assert.deepEqual(api.sessionState('test.ticket'), { id: 7 });

    const closed: ClosedSession[] = [];
    const settings = vscode.workspace.getConfiguration('plimsoll.sessions');
    const heard = new Promise<void>((resolve) => {
      const listening = api.onSessionClosed((one) => {
        closed.push(one);
        if (one.state['test.ticket'] === undefined) return;
        listening.dispose();
        resolve();
      });
    });
    try {
      await settings.update('ttl', '1s', vscode.ConfigurationTarget.Global);
      await heard;
    } finally {
      await settings.update('ttl', undefined, vscode.ConfigurationTarget.Global);
    }
    const [mine, ...more] = closed.filter(({ state }) => state['test.ticket'] !== undefined);
    assert.equal(mine?.reason, 'expired');
    assert.deepEqual(mine.state, { 'test.ticket': { id: 7 } });
    assert.ok(QUESTION.startsWith(mine.title.replace(/…$/, '')));
    assert.deepEqual(more, []);
    assert.deepEqual(api.sessionState('test.ticket'), { id: 7 });
  });
});
