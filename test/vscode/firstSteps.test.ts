import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { DEMO_TASK } from '../../src/offline/demo/demoPrompts';
import { AgentPage } from './support/agentPage';
import { itInSoak } from './support/inSoak';
import { until } from './support/until';

interface Keybinding {
  readonly key: string;
  readonly command: string;
}

/** The default keybindings of VS Code and its extensions; the document has comments at its end. */
async function defaultKeybindings(): Promise<readonly Keybinding[]> {
  const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  const found = text.matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/g);
  return [...found].map(([, key = '', command = '']) => ({ key, command }));
}

describe('keybindings, walkthrough and reports', () => {
  let agent: AgentPage;

  beforeEach(async () => {
    agent = await AgentPage.onNewSession();
  });

  it('stops the turn with Escape in the prompt', async () => {
    await agent.submit(DEMO_TASK);
    await agent.find('approval').appears();
    await agent.find('composer').press('Escape');
    await agent.does('idle');
    await agent.find('turn').last.shows(/[Ss]topped/);
  });

  itInSoak(
    'shows that Ctrl+Enter sends at the next step, and allows once with it only inside the card',
    async () => {
      await agent.submit(DEMO_TASK);
      await agent.find('approval').appears();
      await agent.find('composer').fill('Mind the tabs.');
      await agent.find('composer').press('Control+Enter');
      await agent.find('queued-next').shows('at the next step');
      await agent.find('composer').press('Control+Enter');
      await agent.does('awaitingApproval');
      // The card ignores keys during its first half second.
      await sleep(600);
      await agent.find('approval-feedback').press('Control+Enter');
      await agent.find('said').shows(/While the agent worked.*Mind the tabs\./s);
      await agent.calls('denied').isGone();
      await agent.startSession();
    },
  );

  it('opens a report that contains numbers and no text of the conversation', async () => {
    await agent.perform('What can you do?');
    await vscode.commands.executeCommand('plimsoll.reportIssue');
    const text = await until('the report is open', () => {
      const shown = vscode.window.activeTextEditor?.document;
      const isReport = shown?.isUntitled === true && shown.languageId === 'markdown';
      return isReport && shown.getText() !== '' ? shown.getText() : undefined;
    });
    assert.match(text, /^# Plimsoll: issue report\n/);
    assert.match(text, new RegExp(`^- VS Code: ${vscode.version.replaceAll('.', '\\.')}$`, 'm'));
    assert.match(text, /^- Plimsoll: \d+\.\d+\.\d+$/m);
    assert.match(text, /^- turns: 1$/m);
    assert.match(text, /^- tokens sent: [1-9]\d*$/m);
    assert.match(text, /^- `plimsoll\.provider`: offline$/m);
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    for (const theirs of ['What can you do', root, process.env['HOME'] ?? root]) {
      assert.ok(theirs !== '' && !text.includes(theirs), theirs);
    }
  });

  it('shows the walkthrough with its five steps', async () => {
    await vscode.commands.executeCommand(
      'workbench.action.openWalkthrough',
      'plimsoll.plimsoll#start',
    );
    const steps = agent.editor.at('.getting-started-step');
    await steps.withText('Try the offline demo').appears();
    await steps.counts(5);
  });

  it('overrides no keybinding of another command', async () => {
    const bindings = await defaultKeybindings();
    const isOurs = ({ command }: Keybinding) => command.startsWith('plimsoll.');
    const ours = new Set(bindings.filter(isOurs).map(({ key }) => key));
    assert.equal(ours.size, 8);
    // No text editor has the focus in the list of keybindings.
    const isOfTheirList = ({ command }: Keybinding) => command.startsWith('keybindings.editor.');
    const others = bindings.filter(
      (binding) => ours.has(binding.key) && !isOurs(binding) && !isOfTheirList(binding),
    );
    assert.deepEqual(others, []);
  });
});
