import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { scriptedModel } from './support/scriptedModel';
import { until } from './support/until';

const LONG = `echo one >&2\n${'\n'.repeat(200)}echo \u202Etwo; exit 3\n${'# and so on\n'.repeat(60)}`;
const COMMAND = { name: 'run_command', input: { command: LONG } };
const SAYS = { name: 'run_command', input: { command: 'git status --short' } };
const HIDDEN = { name: 'create_file', input: { path: 'a\nb.js', content: 'x' } };
const FILE = 'notes.txt';
const EDIT = {
  name: 'edit_file',
  input: { path: FILE, old_text: 'typed', new_text: 'edited' },
};

describe('the approval of a tool call', () => {
  const settings = changedSettings();
  let model: { close(): Promise<void> };
  let agent: AgentPage;
  /** The model's next calls and the results it got. */
  let next: typeof COMMAND | typeof EDIT | typeof HIDDEN;
  let told: string[];

  const file = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, FILE);

  before(async () => {
    let calls = 0;
    model = await scriptedModel(settings, ({ messages }) => {
      const last = messages.at(-1)!.content;
      const result =
        typeof last === 'string' ? undefined : last.find(({ type }) => type === 'tool_result');
      if (result === undefined) {
        return { content: [{ type: 'tool_use', id: `toolu_${++calls}`, ...next }] };
      }
      told.push(JSON.stringify(result));
      return { content: [{ type: 'text', text: 'That is all.' }] };
    });
    await vscode.workspace.fs.writeFile(file(), Buffer.from('saved\n'));
  });

  beforeEach(async () => {
    told = [];
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    await vscode.workspace.fs.delete(file());
  });

  it('shows the whole command with marks, and Allow waits until the user scrolled to the end', async () => {
    next = COMMAND;
    await agent.submit('Run it.');
    await agent
      .find('approval-subject')
      .shows(/echo one >&2\n⟨200 blank lines⟩\necho ⟨U\+202E⟩two; exit 3\n# and so on/);
    await agent.find('approval-lines').shows('262 lines');
    await agent.find('approval-wait').shows('Scroll to the end to enable Allow.');
    await agent.find('approval-allow').is('aria-disabled', 'true');
    await agent.find('approval-subject').scrollTo('bottom');
    await agent.find('approval-wait').isGone();
    await agent.find('approval-feedback').fill('but only once');
    await agent.find('approval-allow').click();
    await agent.does('idle');
    await agent.calls('failed').find('tool-why').shows('exit code 3');
    assert.match(told[0]!, /exit code 3\\n\\nThe user allowed this and says: but only once/);
  });

  it('is denied by Enter after a typed reason, which the row shows', async () => {
    next = COMMAND;
    await agent.submit('Run it.');
    await agent.find('approval-feedback').fill('not on my machine');
    await agent.find('approval-feedback').press('Enter');
    await agent.does('idle');
    await agent.calls('denied').find('tool-why').shows('not on my machine');
    assert.match(told[0]!, /The user says: not on my machine/);
  });

  it('can create a rule for a chosen time; the rule is listed and can be removed', async () => {
    next = SAYS;
    await agent.submit('Run it.');
    await agent.find('approval-scope').choose('session');
    await agent.find('approval-choice').choose('1');
    await agent.find('approval-rule').shows(/further questions in this session: git status \*/);
    await agent.find('approval-allow').click();
    await agent.does('idle');
    await agent.submit('And again.');
    await agent.does('idle');
    await agent.find('tool-allowed').shows('Rule: allowed in this session: git status *');
    assert.equal(told.length, 2);
    await agent.find('rules').at('summary').click();
    await agent.find('rule').shows(/Allowed in this session: git status \*.* by /);
    await agent.find('revoke-rule').click();
    await agent.find('rules').isGone();
    await agent.submit('Once more.');
    await agent.find('approval-deny').click();
    await agent.does('idle');
  });

  it('never shows a path with invisible characters unmarked', async () => {
    next = HIDDEN;
    await agent.submit('Make it.');
    await agent.does('idle');
    await agent
      .calls('failed')
      .find('tool-why')
      .shows(/"a⟨LF⟩b\.js" contains ⟨LF⟩, which is invisible/);
    await agent.find('approval').staysGone();
  });

  itInSoak('names the file whose unsaved changes the edit would save', async () => {
    next = EDIT;
    const document = await vscode.workspace.openTextDocument(file());
    await vscode.window.showTextDocument(document, { preview: false });
    const change = new vscode.WorkspaceEdit();
    change.insert(file(), new vscode.Position(0, 0), 'typed, not yet ');
    await vscode.workspace.applyEdit(change);
    assert.equal(document.isDirty, true);
    await agent.submit('Edit it.');
    await agent
      .find('approval-unsaved')
      .shows('notes.txt has unsaved changes in the editor. Allow saves them, too.');
    await agent.find('approval-allow').click();
    await agent.does('idle');
    await until(
      'the edit is saved with the typed text',
      async () => (await readFile(file().fsPath, 'utf8')) === 'edited, not yet saved\n',
    );
  });
});
