import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { SessionEvent } from '../../src/contextWindow/event';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { describeInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { requestsSent } from './support/requestsSent';
import { storeSession } from './support/storedSession';
import { until, written } from './support/until';

const [QUESTION = '', OTHER_QUESTION = ''] = DEMO_FOLLOW_UPS;

const NAME = 'The one handed over';
const CONTINUED = `${NAME} (continued)`;

async function onSessionNamed(name: string): Promise<AgentPage> {
  const agent = await AgentPage.onNewSession();
  await agent.perform(QUESTION);
  await vscode.commands.executeCommand('plimsoll.renameSession');
  await agent.editor.quickInput.answer('Plimsoll: Rename Session', name);
  await agent.shows(name);
  return agent;
}

describe('a session continued in a new session', () => {
  let agent: AgentPage;

  before(async () => {
    agent = await onSessionNamed(NAME);
    await vscode.commands.executeCommand('plimsoll.handOverSession');
    await agent.shows(CONTINUED);
    await agent.openDetails();
  });

  it('starts the new session with its task and a summary', async () => {
    await agent.turn(QUESTION).appears();
    await agent.find('session-summary').shows(`Handed over from “${NAME}”`);
  });

  it('and the new session link to each other', async () => {
    await agent.find('link-from').click();
    await agent.shows(NAME);
    await agent.find('session-summary').shows('Summary of this session');
    await agent.find('link-to').click();
    await agent.shows(CONTINUED);
  });

  it('is in the list, with links in both directions', async () => {
    const { quickInput } = agent.editor;
    await vscode.commands.executeCommand('plimsoll.sessions');
    const row = quickInput.row(CONTINUED);
    await row.shows(`continues “${NAME}”`);
    await row.hover();
    await row.at('.action-label[aria-label="Open the session that this one continues"]').click();
    await agent.shows(NAME);
    await agent.find('link-to').click();
    await agent.shows(CONTINUED);
  });

  it('is linked from the Context panel', async () => {
    const panel = await PanelPage.ofSession(agent);
    await panel.find('tab-session').click();
    await panel.find('link-from').click();
    await agent.shows(NAME);
    await panel.find('link-to').click();
    await agent.shows(CONTINUED);
  });

  it('continues with the next prompt, which the strict server accepts', async () => {
    await agent.perform(OTHER_QUESTION);
    const { messages } = (await requestsSent()).at(-1)!;
    const texts = JSON.stringify(messages);
    assert.ok(texts.includes('task_anchor'));
    assert.ok(texts.includes('which this session continues'));
    assert.equal(messages.at(-1)?.role, 'user');
  });

  it('is reported as deleted once it was deleted', async () => {
    await agent.find('link-from').click();
    // The name of the new session begins with the name of this one.
    await agent.find('link-to').appears();
    await vscode.commands.executeCommand('plimsoll.deleteSession');
    await agent.editor.quickInput.choose('Delete it');
    await agent.find('turn').isGone();
    await agent.openSession(CONTINUED);
    await agent.find('link-from').shows('(deleted)');
    await agent.find('link-from').press('Enter');
    await agent.find('refusal').shows('That session was deleted');
  });
});

describeInSoak('a closed session', () => {
  const settings = changedSettings();
  const root = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  /** The log of the first session, which the others copy. */
  let first: string;

  async function onCopyNamed(name: string): Promise<AgentPage> {
    const agent = await AgentPage.onNewSession();
    const lines = (await readFile(first, 'utf8')).trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as SessionEvent);
    const own = events.filter(({ type }) => type !== 'sessionClosed' && type !== 'stateSet');
    storeSession(dirname(first), name, own);
    await agent.openSession(name);
    return agent;
  }

  /** Closes the shown session, waits until it is closed, and returns its log. */
  async function close(agent: AgentPage, meanwhile = async () => {}): Promise<string> {
    const { logFile } = await PanelPage.ofSession(agent);
    await vscode.commands.executeCommand('plimsoll.closeSession');
    await agent.find('turn').isGone();
    await meanwhile();
    await until('the session has left', async () =>
      (await readFile(logFile, 'utf8')).trimEnd().split('\n').at(-1)?.includes('"closed"'),
    );
    return logFile;
  }

  it('disappears from the view, and by default nothing else happens', async () => {
    const agent = await onSessionNamed('Closed with nothing');
    first = await close(agent);
    await agent.openSession('Closed with nothing');
    await agent.turn(QUESTION).appears();
    await agent.find('session-summary').staysGone();
  });

  it('gets a summary at its end if the setting asks for one, and only one for the same end', async () => {
    await settings.set('sessions.onClose', 'summary', 'user');
    const agent = await onCopyNamed('Closed with a summary');
    for (const _time of ['first', 'second']) {
      await close(agent);
      await agent.openSession('Closed with a summary');
      await agent.find('session-summary').shows('Summary of this session');
      await agent.find('session-summary').counts(1);
    }
  });

  it('runs a command that the user approves once', async () => {
    const file = join(root(), 'closed.txt');
    rmSync(file, { force: true });
    await settings.set('sessions.onClose', 'command', 'user');
    await settings.set(
      'sessions.onCloseCommand',
      'echo "$PLIMSOLL_SESSION_TITLE: $PLIMSOLL_SESSION_REASON" > closed.txt',
      'user',
    );
    const agent = await onCopyNamed('Closed with a command');
    await close(agent, async () => {
      // VS Code shows no toasts under test.
      await vscode.commands.executeCommand('notifications.showList');
      await agent.editor
        .at('.notifications-center .monaco-button')
        .withText('Run It')
        .first.click();
    });
    assert.equal(await written(file), 'Closed with a command: closed\n');
    await close(await onCopyNamed('Closed with it again'));
    assert.equal(await written(file), 'Closed with it again: closed\n');
  });
});
