import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { scriptedModel } from './support/scriptedModel';

const RUN = 'Run the first command.';
const SLOW = 'Run two commands that wait.';
const SAY = 'Say hello.';

const call = (command: string) => ({ name: 'run_command', input: { command } });

/** A command that ends once its file exists. */
const waiting = (file: string) => call(`until test -e ${file}; do sleep 0.1; done; echo ${file}`);

describe('several sessions at the same time', () => {
  const settings = changedSettings();
  let model: { close(): Promise<void> };
  let agent: AgentPage;

  const file = (name: string) => join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, name);
  /** Ends the command that waits for a file. */
  const release = (name: string) => writeFileSync(file(name), '');

  before(async () => {
    let calls = 0;
    model = await scriptedModel(settings, ({ messages }) => {
      const last = messages.at(-1)!.content;
      const text = JSON.stringify(last);
      const isSlow = JSON.stringify(messages).includes(SLOW);
      const results = JSON.stringify(messages).split('"tool_result"').length - 1;
      if (isSlow && results < 2) {
        const slow = waiting(`go-${results + 1}`);
        return { content: [{ type: 'tool_use', id: `toolu_${++calls}`, ...slow }] };
      }
      if (text.includes('tool_result')) return { content: [{ type: 'text', text: 'It was run.' }] };
      if (text.includes(SAY)) return { content: [{ type: 'text', text: 'Hello to you.' }] };
      return { content: [{ type: 'tool_use', id: `toolu_${++calls}`, ...call('echo 1') }] };
    });
  });

  beforeEach(async () => {
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    for (const name of ['go-1', 'go-2']) rmSync(file(name), { force: true });
  });

  const badge = () =>
    agent.editor.at(
      '.activitybar .action-item:has(> .action-label[aria-label^="Plimsoll"]) .badge-content',
    );

  it('run side by side: one waits, the user works in another, and the first is answered', async () => {
    await agent.submit(RUN);
    await agent.does('awaitingApproval');
    await vscode.commands.executeCommand('plimsoll.newSession');
    await agent.find('turn').isGone();
    await agent.does('idle');
    await agent.find('elsewhere').shows('Another session waits for your answer');
    await agent.editor.statusBarItem('1 session waits').appears();
    await badge().withText('1').first.appears();

    await agent.submit(SAY);
    await agent.turn(SAY).shows(/Hello to you\./);
    await agent.does('idle');
    await agent.find('elsewhere').shows('Another session waits for your answer');

    await agent.find('elsewhere').click();
    const { quickInput } = agent.editor;
    await quickInput.title.shows('Plimsoll: Sessions');
    await quickInput.row(SAY).shows(/idle · .* tokens.* · shown now/s);
    await quickInput.row(RUN).shows(/waits for your answer/);
    await quickInput.choose(RUN);
    await agent.shows(RUN);
    await agent.does('awaitingApproval');
    await agent.find('elsewhere').isGone();
    await agent.find('approval-allow').click();
    await agent.does('idle');
    await agent.turn(RUN).shows(/It was run\./);
    await agent.editor.statusBarItem('1 session waits').isGone();
    await badge().withText('1').isGone();
  });

  itInSoak('notify once of a question and of an end while another session is shown', async () => {
    const { editor } = agent;
    const center = editor.at('.notifications-center');
    await agent.submit(SLOW);
    await agent.find('approval-allow').click();
    await agent.calls('running').appears();
    await vscode.commands.executeCommand('plimsoll.newSession');
    await agent.find('turn').isGone();
    await agent.find('elsewhere').shows('Another session is at work');
    // VS Code shows no toasts under test.
    await vscode.commands.executeCommand('notifications.showList');
    release('go-1');
    const asked = waiting('go-2').input.command;
    await center.text(`Plimsoll asks: Run a command? ${asked} (“${SLOW}”)`).appears();
    await center.button('Show').first.click();
    await agent.shows(SLOW);
    await agent.does('awaitingApproval');
    await agent.find('approval-allow').click();
    await agent.calls('running').appears();
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('plimsoll.newSession');
    await agent.find('turn').isGone();
    await vscode.commands.executeCommand('notifications.showList');
    release('go-2');
    await center.text(`Plimsoll: the agent has finished (“${SLOW}”)`).appears();
    await vscode.commands.executeCommand('notifications.hideList');
    await agent.find('elsewhere').isGone();
    await agent.openSession(SLOW);
    await agent.turn(SLOW).shows(/It was run\./);
  });

  itInSoak('are stopped one by one', async () => {
    await agent.submit(RUN);
    await agent.does('awaitingApproval');
    await vscode.commands.executeCommand('plimsoll.newSession');
    await agent.find('elsewhere').appears();
    await vscode.commands.executeCommand('plimsoll.stopTurn');
    // A first try of this step may have left a session that waits, too.
    await agent.find('elsewhere').shows(/waits? for your answer/);
    await agent.find('elsewhere').click();
    const { quickInput } = agent.editor;
    await quickInput.title.shows('Plimsoll: Sessions');
    await quickInput.row('waits for your answer').first.click();
    await agent.does('awaitingApproval');
    await vscode.commands.executeCommand('plimsoll.stopTurn');
    await agent.does('idle');
    // The user is looking at it, so no notification is shown.
    await vscode.commands.executeCommand('notifications.showList');
    await agent.editor.at('.notifications-center').text('the agent was stopped').staysGone();
    await vscode.commands.executeCommand('notifications.hideList');
  });
});
