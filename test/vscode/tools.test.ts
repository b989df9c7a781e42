import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { describeInSoak } from './support/inSoak';
import { callingModel, type ScriptedCalls } from './support/scriptedModel';
import { until } from './support/until';

/** The model's calls, one in each step. */
const CALLS: ScriptedCalls = [
  ['ask_user', { question: 'Which name?', choices: ['tide', 'ebb'] }],
  ['todo', { items: [{ text: 'Make the file', state: 'doing' }] }],
  ['create_file', { path: 'tools/tide.js', content: 'export const tide = 1;\n' }],
  ['move_file', { path: 'tools/tide.js', to: 'tools/ebb.js' }],
  ['delete_file', { path: 'tools/ebb.js' }],
];

/** A language server that reports a problem of every new file as soon as it is opened. */
function languageServer(): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tides');
  const opened = vscode.workspace.onDidOpenTextDocument(({ uri }) => {
    if (!uri.path.endsWith('/tide.js')) return;
    const range = new vscode.Range(0, 0, 0, 6);
    const problem = new vscode.Diagnostic(range, 'The tide is no constant.');
    problem.source = 'tides';
    collection.set(uri, [problem]);
  });
  return vscode.Disposable.from(collection, opened);
}

describe('the file tools and the question tool', () => {
  const settings = changedSettings();
  let agent: AgentPage;
  let model: Awaited<ReturnType<typeof callingModel>>;
  let server: vscode.Disposable;

  before(async () => {
    server = languageServer();
    model = await callingModel(settings, CALLS);
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    server.dispose();
    await model.close();
  });

  it('ask a question, and the answer is the button or the typed text', async () => {
    await agent.submit('Make a file');
    await agent.find('question-text').shows('Which name?');
    await agent.find('question-answer').withText('ebb').click();
    await agent.find('todo').shows(/0 of 1 done.*Make the file/);
    assert.match(model.results[0]!, /The user answers: ebb/);
  });

  it('create, move and delete a file, each after an approval', async () => {
    const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const card = agent.find('approval');
    for (const kind of ['create', 'move', 'delete']) {
      await card.is('data-kind', kind);
      await agent.find('approval-allow').click();
    }
    await agent.turn('Make a file').shows(/All done\./);
    await agent.does('idle');
    assert.match(
      model.results[2]!,
      /tools\/tide\.js:1: error: The tide is no constant\. \(tides\)/,
    );
    assert.match(model.results[3]!, /Moved tools\/tide\.js to tools\/ebb\.js/);
    assert.match(
      model.results[4]!,
      /(Moved tools\/ebb\.js to the trash|Deleted tools\/ebb\.js permanently)\./,
    );
    assert.ok(!existsSync(join(root, 'tools/ebb.js')));
    await vscode.workspace.fs.delete(vscode.Uri.file(join(root, 'tools')), { recursive: true });
  });
});

describeInSoak('files without a tab', () => {
  const CLOSED: ScriptedCalls = [
    ['edit_file', { path: 'closed/knots.ts', old_text: '= 1', new_text: "= 'one'" }],
    [
      'run_command',
      { command: 'printf \'export const depth: number = "deep";\\n\' > closed/depth.ts' },
    ],
  ];
  const settings = changedSettings();
  const folder = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'closed');
  let agent: AgentPage;
  let model: Awaited<ReturnType<typeof callingModel>>;

  before(async () => {
    const write = (name: string, text: string) =>
      vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder(), name), Buffer.from(text));
    await write(
      'knots.ts',
      'export const knots: number = 1;\nexport const old: number = "older";\n',
    );
    await write('depth.ts', 'export const depth: number = 9;\n');
    // The server starts with the first file of its language; that takes longer than an edit waits.
    await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder(), 'depth.ts'));
    await until('the language server answers', async () => {
      const file = vscode.Uri.joinPath(folder(), 'depth.ts');
      const asked = vscode.commands.executeCommand<{ body?: unknown }>(
        'typescript.tsserverRequest',
        'semanticDiagnosticsSync',
        { file },
      );
      return (await asked.then(undefined, () => undefined))?.body !== undefined;
    });
    model = await callingModel(settings, CLOSED);
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    await vscode.workspace.fs.delete(folder(), { recursive: true });
  });

  it('are checked after an edit and after a command that changed them, and not shown', async () => {
    await agent.submit('Change them');
    await agent.find('approval').is('data-kind', 'edit');
    // The diff of the proposal is no tab of the file.
    await agent.find('approval-allow').click();
    await agent.find('approval').is('data-kind', 'command');
    await agent.find('approval-allow').click();
    await agent.turn('Change them').shows(/All done\./);
    const problem =
      /closed\/knots\.ts:1: error: Type 'string' is not assignable to type 'number'\. \(ts 2322\)/;
    assert.match(model.results[0]!, problem);
    assert.doesNotMatch(model.results[0]!, /knots\.ts:2/, 'older than the edit');
    assert.match(model.results[0]!, /New problems in the file/);
    assert.match(model.results[1]!, /closed\/depth\.ts:1: error: Type 'string'.*exit code 0/s);
    const shown = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
    assert.ok(!shown.some(({ input }) => input instanceof vscode.TabInputText));
  });
});

describeInSoak('files in other encodings', () => {
  const TEXT = 'Straße nach Köln\n';
  const AFTER = 'Straße nach Bonn\n';
  const mark = '\uFEFF';
  const WRITTEN = {
    'latin1.txt': (text: string) => Buffer.from(text, 'latin1'),
    'utf16.txt': (text: string) => Buffer.from(mark + text, 'utf16le'),
    'marked.txt': (text: string) => Buffer.from(mark + text, 'utf8'),
  };
  const NAMES = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[];
  const settings = changedSettings();
  const uri = (name: string) =>
    vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'encoded', name);
  let agent: AgentPage;
  let model: Awaited<ReturnType<typeof callingModel>>;

  before(async () => {
    for (const name of NAMES) await vscode.workspace.fs.writeFile(uri(name), WRITTEN[name](TEXT));
    const edits = NAMES.map((name) => {
      const input = { path: `encoded/${name}`, old_text: 'Köln', new_text: 'Bonn' };
      return ['edit_file', input] as const;
    });
    model = await callingModel(settings, edits);
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    await vscode.workspace.fs.delete(uri('.'), { recursive: true });
  });

  it('are edited in the editor and keep their encoding', async () => {
    await agent.submit('Edit them');
    for (const _name of NAMES) {
      await agent.find('approval').is('data-kind', 'edit');
      await agent.find('approval-allow').click();
    }
    await agent.turn('Edit them').shows(/All done\./);
    for (const name of NAMES) {
      const bytes = Buffer.from(await vscode.workspace.fs.readFile(uri(name)));
      assert.equal(bytes.toString('hex'), WRITTEN[name](AFTER).toString('hex'), name);
    }
  });
});

describe('a notebook', () => {
  const NOTEBOOK = {
    cells: [
      { cell_type: 'markdown', metadata: {}, source: ['# Tides'] },
      {
        cell_type: 'code',
        execution_count: 1,
        metadata: {},
        outputs: [{ name: 'stdout', output_type: 'stream', text: ['high\n'] }],
        source: ["print('high')"],
      },
    ],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 2,
  };
  const settings = changedSettings();
  const uri = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'tides.ipynb');
  let agent: AgentPage;
  let model: Awaited<ReturnType<typeof callingModel>>;

  before(async () => {
    await vscode.workspace.fs.writeFile(uri(), Buffer.from(JSON.stringify(NOTEBOOK, null, 1)));
    const input = { path: 'tides.ipynb', old_text: "print('high')", new_text: "print('low')" };
    model = await callingModel(settings, [['edit_file', input]]);
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uri());
  });

  it('is edited cell by cell in the open notebook editor, and its outputs stay', async () => {
    const open = await vscode.workspace.openNotebookDocument(uri());
    await agent.submit('Edit it');
    await agent.find('approval').is('data-kind', 'edit');
    await agent.find('approval-allow').click();
    await agent.turn('Edit it').shows(/All done\./);
    assert.match(model.results[0]!, /Edited tides\.ipynb/);
    assert.equal(open.cellAt(1).document.getText(), "print('low')");
    assert.equal(open.cellAt(1).outputs.length, 1);
    assert.ok(!open.isDirty);
    const onDisk = Buffer.from(await vscode.workspace.fs.readFile(uri())).toString();
    assert.match(onDisk, /print\('low'\)/);
    assert.match(onDisk, /high\\n/);
  });
});
