import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { SessionEvent } from '../../src/contextWindow/event';
import { DEMO_TASK } from '../../src/offline/demo/demoPrompts';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { callingModel } from './support/scriptedModel';
import { storeSession } from './support/storedSession';
import { until } from './support/until';

const TITLE = 'Left while it asked';
const NEXT = 'And then say what you did.';

describe('a spending limit', () => {
  const settings = changedSettings();
  let agent: AgentPage;
  let model: Awaited<ReturnType<typeof callingModel>>;

  before(async () => {
    model = await callingModel(settings, [['list_files', {}]]);
    await settings.set('model', 'claude-sonnet-5-5', 'user');
    agent = await AgentPage.onNewSession();
  });

  after(() => model.close());

  it('stops before a request whose input would exceed it, and goes on once it is raised', async () => {
    await settings.set('turn.maxCost', 0.001, 'user');
    await agent.submit('List the files');
    await agent
      .find('turn-outcome')
      .shows(/^The next request was not sent: its input costs ≈ \$0\.0\d+, .* \$0\.001 /);
    assert.equal(model.asked(), 0);
    await settings.set('turn.maxCost', 1, 'user');
    await agent.find('turn-action').withText('Continue').click();
    await agent.turn('List the files').shows(/All done\./);
    assert.equal(model.asked(), 2);
  });
});

describe('a turn that ended early', () => {
  let agent: AgentPage;
  /** The log and its content while the question was open. */
  let folder: string;
  let asked: readonly SessionEvent[];

  before(async () => {
    agent = await AgentPage.onNewSession();
    await agent.submit(DEMO_TASK);
    await agent.find('approval').appears();
    await agent.find('composer').fill(NEXT);
    await agent.find('composer').press('Enter');
    await agent.find('queued').shows(NEXT);
    await vscode.commands.executeCommand('plimsoll.openSessionLog');
    const file = await until('the log was opened', () => {
      const { fsPath = '' } = vscode.window.activeTextEditor?.document.uri ?? {};
      return fsPath.endsWith('.jsonl') ? fsPath : undefined;
    });
    folder = dirname(file);
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    asked = lines.map((line) => JSON.parse(line) as SessionEvent);
    await agent.editor.clear();
  });

  it('says that the user stopped it, sends nothing more, and continues with a button', async () => {
    await agent.find('stop').click();
    await agent.find('turn-outcome').shows('Stopped by you.');
    await agent.find('held').shows('Not sent: you stopped the turn.');
    await agent.find('queued-delete').click();
    await agent.find('queued').isGone();
    await agent.find('turn-action').withText('Continue').click();
    await agent.find('turn-outcome').isGone();
    await agent.find('turn').nth(1).staysGone();
  });

  it('asks the same question again after a reload, and keeps the queued prompts', async () => {
    await agent.startSession();
    storeSession(folder, TITLE, asked);
    await agent.openSession(TITLE);
    await agent.find('approval').appears();
    await agent.find('held').shows('the window reloaded');
    await agent.find('approval-deny').click();
    await agent.calls('denied').appears();
    await agent.does('idle');
    await agent.turn(DEMO_TASK).appears();
    await agent.find('queued').shows(NEXT);
    await agent.find('queued-edit').click();
    await agent.find('queued-field').fill('What can you do?');
    await agent.find('queued-field').press('Enter');
    await agent.find('queued').shows('What can you do?');
    await agent.find('send-queued').click();
    await agent.turn('What can you do?').appears();
    await agent.find('queued').isGone();
    await agent.does('idle');
  });
});
