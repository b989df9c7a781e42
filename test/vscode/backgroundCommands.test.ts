import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isRunning, pidsIn, untilWritten } from '../tools/support/processes';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { callingModel, type ScriptedCalls } from './support/scriptedModel';
import { until } from './support/until';

const SERVER =
  'echo $$ >> server.pids; sleep 900 & echo $! >> server.pids; echo listening; read line; echo "got $line"; wait';
const LONG = 'echo $$ >> long.pids; echo first; sleep 901';

/** The script of the model: one call in each step. */
const CALLS: ScriptedCalls = [
  ['run_command', { command: SERVER, background: true }],
  ['read_output', { handle: 'cmd1' }],
  ['run_command', { command: LONG }],
];

describe('background commands', () => {
  const settings = changedSettings();
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const told = (index: number) => until('the result arrives', () => model.results[index]);
  let agent: AgentPage;
  let model: Awaited<ReturnType<typeof callingModel>>;

  before(async () => {
    model = await callingModel(settings, CALLS);
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    for (const file of ['server.pids', 'long.pids']) rmSync(join(root, file), { force: true });
  });

  it('start after an approval like any other command, and are listed while they run', async () => {
    await agent.submit('Start the server');
    await agent.find('approval').shows(/Run in the background/);
    await agent.find('approval-allow').click();
    await agent.find('commands').is('data-running', '1');
    await untilWritten(join(root, 'server.pids'), 2);
    assert.match(await told(0), /started in the background; it runs as cmd1/);
  });

  it('include a command that the user moves there while it runs', async () => {
    await agent.find('approval').shows(/Run a command/);
    // A slow command prints its first output only after the check at its start.
    const wasSoon = (await told(0)).includes('listening\\nstarted in the background');
    assert.match(await told(1), wasSoon ? /\(nothing new\)\\nrunning/ : /listening\\nrunning/);
    await agent.find('approval-allow').click();
    await untilWritten(join(root, 'long.pids'), 1);
    await agent.find('live-output').shows('first');
    await agent.find('move-to-background').click();
    await agent.turn('Start the server').shows(/All done\./);
    await agent.does('idle');
    assert.match(await told(2), /first\\nmoved to the background by the user after .* as cmd2/);
    await agent.find('commands').is('data-running', '2');
  });

  it('show their output in a read-only document', async () => {
    await agent.find('commands').at('summary').click();
    await agent.find('command-output').withText('Show output').first.click();
    await until('the output is shown', async () =>
      vscode.workspace.textDocuments.some(
        (document) =>
          document.uri.scheme === 'plimsoll-output' && /^\$ .*\nfirst\n/s.test(document.getText()),
      ),
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('read a line that the user types', async () => {
    const server = agent.find('command').withText('server.pids');
    await server.find('command-type').click();
    await server.find('command-field').fill('ahoy');
    await server.find('command-field').press('Enter');
    await server.find('command-output').click();
    await until('the output has the line', async () =>
      vscode.workspace.textDocuments.some((document) => document.getText().includes('got ahoy')),
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('end with the session, which asks first and leaves no process running', async () => {
    const pids = [...pidsIn(join(root, 'server.pids')), ...pidsIn(join(root, 'long.pids'))];
    assert.equal(pids.filter(isRunning).length, 3);
    const { quickInput } = agent.editor;
    await vscode.commands.executeCommand('plimsoll.closeSession');
    await quickInput.row('Stop them and end').shows(/cmd1 .*cmd2/s);
    await quickInput.choose('Keep the session');
    assert.equal(pids.filter(isRunning).length, 3);
    await vscode.commands.executeCommand('plimsoll.closeSession');
    await quickInput.choose('Stop them and end');
    await until('every process is gone', async () => !pids.some(isRunning));
    await agent.find('turn').isGone();
    await agent.find('commands').isGone();
  });
});
