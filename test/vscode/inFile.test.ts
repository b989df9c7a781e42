import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { callingModel, type ScriptedCalls } from './support/scriptedModel';
import { until } from './support/until';

const LINES = Array.from({ length: 24 }, (_, index) => `line ${index + 1}`);
const BEFORE = `${LINES.join('\n')}\n`;
const ALL = BEFORE.replace('line 3\n', 'edited 3\n')
  .replace('line 12\n', 'edited 12\n')
  .replace('line 20\n', 'edited 20\n');

describe('the agent in a file', () => {
  const settings = changedSettings();
  const root = () => vscode.workspace.workspaceFolders![0]!.uri;
  const file = () => join(root().fsPath, 'inFile.txt');
  const onDisk = () => readFileSync(file(), 'utf8');
  let agent: AgentPage;
  const calls: ScriptedCalls[number][] = [];
  let model: Awaited<ReturnType<typeof callingModel>>;

  const lens = (title: string) => agent.editor.at('.codelens-decoration a').withText(title);

  /** The lines that the editor shows in the colour of the agent's changes. */
  const colouredLines = () => agent.editor.at('.view-overlays [class*="ced-"]');

  before(async () => {
    writeFileSync(file(), BEFORE);
    const edits = [3, 12, 20].map((line) => ({
      old_text: `line ${line}\n`,
      new_text: `edited ${line}\n`,
    }));
    calls.push(['edit_file', { path: 'inFile.txt', edits }]);
    model = await callingModel(settings, calls);
    agent = await AgentPage.onNewSession();
    await vscode.window.showTextDocument(vscode.Uri.file(file()), { preview: false });
    await agent.perform('Change three lines');
  });

  after(async () => {
    await model.close();
    await agent.editor.clear();
    rmSync(file());
  });

  it('marks each change of a turn in the open file, with Keep and Undo', async () => {
    assert.equal(onDisk(), ALL);
    await lens('Keep').counts(4);
    await lens('Next change (1 of 3)').appears();
    await colouredLines().counts(3);
  });

  it('undoes a change in the file and in the Agent view', async () => {
    await lens('Undo').first.click();
    await until(
      'the first line is as it was',
      () => onDisk() === ALL.replace('edited 3', 'line 3'),
    );
    await lens('Next change (1 of 2)').appears();
    await colouredLines().counts(2);
    const row = agent.turn('Change three lines').at('[data-testid="turn-file"]');
    await row.shows(/\+2\s*−2/);
  });

  it('goes to the next change and back', async () => {
    const editor = vscode.window.activeTextEditor!;
    const isAt = (line: number) =>
      until(`the cursor is at line ${line}`, () => editor.selection.active.line === line - 1);
    editor.selection = new vscode.Selection(11, 0, 11, 0);
    await vscode.commands.executeCommand('plimsoll.nextChange');
    await isAt(20);
    await vscode.commands.executeCommand('plimsoll.previousChange');
    await isAt(12);
  });

  it('keeps a change, and none is marked that the user changes', async () => {
    await lens('Keep').first.click();
    await lens('Keep').counts(1);
    const editor = vscode.window.activeTextEditor!;
    assert.equal(editor.document.uri.fsPath, file());
    await vscode.commands.executeCommand('plimsoll.nextChange');
    await until('the cursor is at the change', () => editor.selection.active.line === 19);
    await editor.edit((edit) => edit.insert(editor.selection.active, 'mine '));
    await lens('Keep').isGone();
    await vscode.commands.executeCommand('undo');
    await lens('Keep').appears();
  });

  it('sends a problem that the user asks it to fix', async () => {
    const uri = vscode.Uri.file(file());
    const problems = vscode.languages.createDiagnosticCollection('mast');
    const line = new vscode.Range(4, 0, 4, 4);
    problems.set(uri, [new vscode.Diagnostic(line, 'The mast is loose.')]);
    try {
      // VS Code forgets an action's command 100 ms after it was listed, so a slow list comes empty.
      const { command, arguments: given = [] } = await until('the fix is offered', async () => {
        const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          uri,
          line,
        );
        return actions.find(({ title }) => title === 'Fix with Plimsoll')?.command;
      });
      await vscode.commands.executeCommand(command, ...given);
      await agent.turn('Fix the problem at').shows(/With inFile\.txt:5.*All done\./s);
    } finally {
      problems.dispose();
    }
  });

  it('explains the selection', async () => {
    vscode.window.activeTextEditor!.selection = new vscode.Selection(9, 0, 10, 7);
    await agent.find('attached-offer').shows('inFile.txt:10-11');
    await vscode.commands.executeCommand('plimsoll.explain');
    await agent.turn('Explain inFile.txt:10-11.').shows(/With inFile\.txt:10-11.*All done\./s);
    await agent.does('idle');
    assert.match(model.newest.at(-1)!, /Explain inFile\.txt:10-11\..*line 10.*line 11/s);
  });

  it('edits the selection as the user says, and proposes the edit at its place', async () => {
    const editor = vscode.window.activeTextEditor!;
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
    const [tabsBefore, before] = [tabs(), onDisk()];
    const edit = { old_text: 'line 7\nline 8\n', new_text: 'seven\neight\n' };
    calls[model.asked()] = ['edit_file', { path: 'inFile.txt', edits: [edit] }];
    editor.selection = new vscode.Selection(6, 0, 7, 6);
    void vscode.commands.executeCommand('plimsoll.editSelection');
    await agent.editor.quickInput.answer('Edit inFile.txt:7-8', 'Number them again');
    const peek = agent.editor.at('.peekview-widget');
    await peek.shows(/seven\s*eight/);
    assert.equal(tabs(), tabsBefore);
    assert.equal(onDisk(), before);
    await lens('Deny').appears();
    await lens('Allow').click();
    await peek.isGone();
    await lens('Allow').isGone();
    assert.equal(onDisk(), before.replace(edit.old_text, edit.new_text));
    await agent
      .turn('Edit inFile.txt:7-8: Number them again')
      .shows(/With inFile\.txt:7-8.*All done\./s);
    await agent.does('idle');
  });

  it('closes what it shows in the file if the user answers in the Agent view', async () => {
    const before = onDisk();
    const edit = { old_text: 'line 15\n', new_text: 'fifteen\nand more\n' };
    calls[model.asked()] = ['edit_file', { path: 'inFile.txt', edits: [edit] }];
    vscode.window.activeTextEditor!.selection = new vscode.Selection(14, 0, 14, 7);
    void vscode.commands.executeCommand('plimsoll.editSelection');
    await agent.editor.quickInput.answer('Edit inFile.txt:15', 'Say more');
    const peek = agent.editor.at('.peekview-widget');
    await peek.shows(/fifteen\s*and more/);
    await agent.find('approval-deny').click();
    await peek.isGone();
    await lens('Allow').isGone();
    await agent.does('idle');
    assert.equal(onDisk(), before);
  });

  it('opens a diff instead while the user types in the Agent view', async () => {
    const edit = { old_text: 'line 15\n', new_text: 'fifteen\n' };
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    vscode.window.activeTextEditor!.selection = new vscode.Selection(14, 0, 14, 7);
    calls[model.asked() + 1] = ['edit_file', { path: 'inFile.txt', edits: [edit] }];
    calls[model.asked()] = ['run_command', { command: 'rm gone.txt' }];
    void vscode.commands.executeCommand('plimsoll.editSelection');
    await agent.editor.quickInput.answer('Edit inFile.txt:15', 'Say less');
    await agent.find('approval-subject').shows(/rm gone/);
    await agent.find('composer').focus();
    await agent.find('approval-allow').click();
    await until('the diff is open', () =>
      vscode.window.tabGroups.all.some((group) =>
        group.tabs.some(({ input }) => input instanceof vscode.TabInputTextDiff),
      ),
    );
    await agent.editor.at('.peekview-widget').isGone();
    await agent.find('approval-deny').click();
    await agent.does('idle');
  });

  it('offers the selection in the composer, which a key attaches', async () => {
    vscode.window.activeTextEditor!.selection = new vscode.Selection(6, 0, 7, 4);
    await agent.find('attached-offer').shows('inFile.txt:7-8');
    await agent.find('composer').focus();
    await agent.editor.press('Control+k');
    await agent.editor.press('Control+a');
    await agent.find('attached-item').shows(/inFile\.txt:7-8/);
    await agent.find('attached-offer').isGone();
    await agent.find('attached-remove').click();
    await agent.find('attached-offer').appears();
  });

  it('marks nothing once another session is shown', async () => {
    await vscode.commands.executeCommand('plimsoll.newSession');
    await lens('Keep').isGone();
    assert.equal(
      onDisk(),
      ALL.replace('edited 3', 'line 3').replace('line 7\nline 8\n', 'seven\neight\n'),
    );
  });
});
