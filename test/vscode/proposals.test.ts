import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Proposals } from '../../src/editor/approvals/proposals';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { EditorWindow } from './support/editorWindow';
import { itInSoak } from './support/inSoak';
import { scriptedModel } from './support/scriptedModel';
import { stays, until } from './support/until';

const EDIT = { kind: 'edit', path: 'package.json', before: '{}', after: '{ "a": 1 }' } as const;

const diffs = () =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff);

describe('the diff of a proposal', () => {
  before(async () => {
    await (await EditorWindow.connected()).clear();
  });

  it('closes even when the answer arrives while it opens', async () => {
    const proposals = new Proposals({ beside: vscode.ViewColumn.One });
    const root = vscode.workspace.workspaceFolders![0]!.uri;
    proposals.add('toolu_race', EDIT, (path) => join(root.fsPath, path));
    const opened = proposals.open('toolu_race');
    const closed = proposals.close('toolu_race');
    await Promise.all([opened, closed]);
    await stays('no diff is open', () => diffs().length === 0);
  });
});

describe('a proposed edit in its diff', () => {
  const settings = changedSettings();
  let model: { close(): Promise<void> };
  let agent: AgentPage;
  let told: string[];
  const file = (name: string) =>
    vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, name);
  const onDisk = (name: string) => readFile(file(name).fsPath, 'utf8');
  const edit = (path: string, index: number) => ({
    type: 'tool_use' as const,
    id: `toolu_${path}_${index}`,
    name: 'edit_file',
    input: { path, old_text: 'old', new_text: 'proposed' },
  });
  /** The right side of the open diff. */
  const proposal = () =>
    until(
      'the diff of the proposal is open',
      () => diffs().map(({ input }) => (input as vscode.TabInputTextDiff).modified)[0],
    );

  before(async () => {
    let asked = 0;
    model = await scriptedModel(settings, ({ messages }) => {
      const last = messages.at(-1)!.content;
      const results =
        typeof last === 'string' ? [] : last.filter(({ type }) => type === 'tool_result');
      told = results.map((result) => JSON.stringify(result));
      if (results.length > 0) return { content: [{ type: 'text', text: 'That is all.' }] };
      asked += 1;
      const text = typeof last === 'string' ? last : JSON.stringify(last);
      const names = text.includes('both') ? ['one.txt', 'two.txt'] : ['one.txt'];
      return { content: names.map((name) => edit(name, asked)) };
    });
  });

  beforeEach(async () => {
    told = [];
    for (const name of ['one.txt', 'two.txt']) {
      await vscode.workspace.fs.writeFile(file(name), Buffer.from('old\n'));
    }
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    for (const name of ['one.txt', 'two.txt']) await vscode.workspace.fs.delete(file(name));
  });

  it('is denied and allowed by buttons in the title of its editor', async () => {
    const { editor } = agent;
    await agent.submit('Edit it.');
    await proposal();
    await editor.at('.editor-actions a[aria-label^="Deny This Edit"]').click();
    await agent.calls('denied').appears();
    await agent.does('idle');
    // Otherwise this diff would be found instead of the next one.
    await until('the diff is closed', () => diffs().length === 0);
    await agent.submit('Edit it after all.');
    await proposal();
    await editor.at('.editor-actions a[aria-label^="Allow This Edit"]').click();
    await agent.does('idle');
    assert.equal(await onDisk('one.txt'), 'proposed\n');
    await until('the diff is closed', () => diffs().length === 0);
  });

  it('is written as the user edited it, saved or not, and the model gets the difference', async () => {
    await agent.submit('Edit it.');
    const uri = await proposal();
    const document = await vscode.workspace.openTextDocument(uri);
    const change = new vscode.WorkspaceEdit();
    change.replace(uri, new vscode.Range(0, 0, 0, 8), 'mine');
    assert.equal(await vscode.workspace.applyEdit(change), true);
    assert.equal(document.isDirty, true);
    await agent.find('approval-revised').appears();
    await agent.find('approval-allow').click();
    await agent.does('idle');
    assert.equal(await onDisk('one.txt'), 'mine\n');
    assert.match(told[0]!, /The user changed the proposal before approving it.*-proposed.*\+mine/);
    await until('the diff is closed', () => diffs().length === 0);
  });

  it('is answered together with the other edits of its reply', async () => {
    await agent.submit('Edit both.');
    await agent.find('further-edit').shows(/Edit two\.txt.*\+1.*−1/s);
    await agent.find('further-diff').click();
    await until(
      'its diff is open',
      () => diffs().some(({ label }) => label.startsWith('two.txt')) || undefined,
    );
    await agent.find('approval-together').click();
    await agent.find('approval-allow').click();
    await agent.does('idle');
    assert.deepEqual(
      [await onDisk('one.txt'), await onDisk('two.txt')],
      ['proposed\n', 'proposed\n'],
    );
    await until('the diffs are closed', () => diffs().length === 0);
  });

  itInSoak('can be answered in a notification while the side bar is hidden', async () => {
    const { editor } = agent;
    await agent.submit('Edit it.');
    await agent.find('approval').appears();
    await editor.openActivity('Explorer');
    // VS Code shows no toasts under test.
    await vscode.commands.executeCommand('notifications.showList');
    const center = editor.at('.notifications-center');
    await center.text('Plimsoll asks: Edit one.txt?').first.appears();
    await center.at('.monaco-button').text('Allow').first.click();
    await until('it is written', async () => (await onDisk('one.txt')) === 'proposed\n');
    await editor.runCommandViaPalette('Plimsoll: Focus the Agent View');
    await agent.again();
    await agent.does('idle');
  });
});
