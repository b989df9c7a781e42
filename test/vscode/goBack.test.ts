import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { MessagesRequest, ScriptedPart } from '../../src/offline/messagesApi';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { scriptedModel } from './support/scriptedModel';
import { until } from './support/until';

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const BEFORE = `${LINES.join('\n')}\n`;
const AFTER = BEFORE.replace('line 3\n', 'edited 3\n').replace('line 20\n', 'edited 20\n');
const AT_THE_END = AFTER.replace('line 30\n', 'line 30, the last\n');
const BOTH = AT_THE_END.replace('line 12\n', 'edited 12\n');

type Call = readonly [name: string, input: Readonly<Record<string, unknown>>];

/** The model's calls for each prompt, one call in each step. */
const CALLS: Readonly<Record<string, readonly Call[]>> = {
  'Change the files': [
    [
      'edit_file',
      {
        path: 'back/a.txt',
        edits: [
          { old_text: 'line 3\n', new_text: 'edited 3\n' },
          { old_text: 'line 20\n', new_text: 'edited 20\n' },
        ],
      },
    ],
    ['run_command', { command: 'rm back/b.txt && printf made > back/c.txt' }],
  ],
  'And more': [
    [
      'edit_file',
      {
        path: 'back/a.txt',
        edits: [
          { old_text: 'line 12\n', new_text: 'edited 12\n' },
          { old_text: 'line 30\n', new_text: 'line 30, the last\n' },
        ],
      },
    ],
  ],
};

describe('undoing changes of files and prompts', () => {
  const settings = changedSettings();
  const root = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const file = (name: string) => join(root(), 'back', name);
  const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '');
  const requests: MessagesRequest[] = [];
  let agent: AgentPage;
  let model: Awaited<ReturnType<typeof scriptedModel>>;

  before(async () => {
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(join(root(), 'back')));
    let prompt = '';
    let step = 0;
    model = await scriptedModel(settings, (request: MessagesRequest) => {
      requests.push(request);
      const asked = promptOf(request);
      if (asked !== prompt) [prompt, step] = [asked, 0];
      const [name, input] = CALLS[asked]?.[step] ?? [];
      step += 1;
      const content: readonly ScriptedPart[] =
        name === undefined
          ? [{ type: 'text', text: 'All done.' }]
          : [{ type: 'tool_use', id: `toolu_back_${requests.length}`, name, input: input ?? {} }];
      return { content };
    });
  });

  beforeEach(async () => {
    writeFileSync(file('a.txt'), BEFORE);
    writeFileSync(file('b.txt'), 'b\n');
    rmSync(file('c.txt'), { force: true });
    agent = await AgentPage.onNewSession();
    for (const asked of Object.keys(CALLS)) {
      await agent.perform(asked);
      await agent.turn(asked).shows(/All done\./);
    }
  });

  after(async () => {
    await model.close();
    await vscode.workspace.fs.delete(vscode.Uri.file(join(root(), 'back')), { recursive: true });
  });

  /** The row of a file that a turn changed. */
  const row = (prompt: string, path: string) =>
    agent.turn(prompt).at(`[data-testid="turn-file"][data-path="${path}"]`);

  itInSoak(
    'lists the files that each turn changed, also by commands, each with its diff',
    async () => {
      assert.equal(read('a.txt'), BOTH);
      await row('Change the files', 'back/a.txt').shows(/\+2\s*−2/);
      await row('Change the files', 'back/b.txt').shows(/deleted.*−1/s);
      await row('Change the files', 'back/c.txt').shows(/new.*\+1/s);
      await row('And more', 'back/a.txt').shows(/\+2\s*−2/);
      await row('And more', 'back/a.txt').find('turn-file-diff').click();
      const diff = await until('the diff is open', () =>
        vscode.window.tabGroups.all
          .flatMap(({ tabs }) => tabs)
          .map(({ input }) => input)
          .find((input) => input instanceof vscode.TabInputTextDiff),
      );
      assert.equal(diff.modified.fsPath, file('a.txt'));
      const left = await vscode.workspace.openTextDocument(diff.original);
      assert.equal(left.getText(), AFTER);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    },
  );

  it('undoes one change of a later turn, which leaves the earlier turn open, and the Undo button reverts that', async () => {
    const changed = row('And more', 'back/a.txt');
    await changed.find('turn-file-open').click();
    await changed.find('hunk').counts(2);
    await changed.find('hunk-undo').first.click();
    await changed.shows(/\+1\s*−1/);
    await changed.is('data-answer', 'open');
    assert.equal(read('a.txt'), AT_THE_END);
    const earlier = row('Change the files', 'back/a.txt');
    await earlier.is('data-answer', 'open');
    await earlier.find('turn-file-keep').appears();
    await earlier.find('turn-file-undo').appears();
    await agent.find('restored').shows('1 file was restored.');
    await agent.find('undo-restore').click();
    await changed.shows(/\+2\s*−2/);
    assert.equal(read('a.txt'), BOTH);
  });

  it('names and skips the files that something else changed, and continues without the undone prompt', async () => {
    writeFileSync(file('c.txt'), 'theirs');
    await agent.turn('Change the files').find('undo-prompt').click();
    await agent.find('undo-question').shows(/1 later prompt and 5 steps/);
    await agent
      .find('go-back-list')
      .shows(
        /a\.txt changes.*b\.txt is created again.*c\.txt is deleted \(changed by something else/s,
      );
    await agent.find('go-back-both').click();
    await agent.find('undo-confirm').click();
    await agent.find('undone-prompt').counts(2);
    await until('the files are back', () => read('a.txt') === BEFORE && read('b.txt') === 'b\n');
    assert.equal(read('c.txt'), 'theirs');
    await agent.find('composer').holds('Change the files');
    // The log keeps both branches; the model continues without the first.
    await agent.submit('What now?');
    await agent.turn('What now?').shows(/All done\./);
    await agent.does('idle');
    assert.ok(!JSON.stringify(requests.at(-1)!.messages).includes('And more'));
    await agent.find('undone-prompt').counts(2);
  });
});

/** The text of the newest prompt of a request. */
function promptOf({ messages }: MessagesRequest): string {
  const texts = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => [content].flat())
    .map((part) => (typeof part === 'string' ? part : part.type === 'text' ? part.text : ''));
  const known = [...Object.keys(CALLS), 'What now?'];
  return texts.map((text) => known.find((one) => text.includes(one))).findLast(Boolean) ?? '';
}
