import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { describeInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { scriptedModel } from './support/scriptedModel';

/** Files of several agents, with the rule that each holds. */
const FILES: Readonly<Record<string, string>> = {
  'AGENTS.md': 'Rule of AGENTS.',
  'CLAUDE.md': 'Rule of CLAUDE. See @style/one.md.',
  'style/one.md': 'Rule of the import. See @two.md.',
  'style/two.md': 'Rule of the second import.',
  'quay/AGENTS.md': 'Rule of the folder quay.',
  '.claude/rules/boats.md': '---\npaths: "quay/**"\n---\nRule of Claude for boats.',
  '.github/copilot-instructions.md': 'Rule of Copilot.',
  '.github/instructions/all.instructions.md': '---\napplyTo: "**"\n---\nRule of Copilot for all.',
  '.github/instructions/boats.instructions.md':
    '---\napplyTo: "quay/*.boat"\n---\nRule of Copilot for boats.',
  '.cursor/rules/all.mdc': '---\nalwaysApply: true\n---\nRule of Cursor.',
  '.clinerules/all.md': 'Rule of Cline.',
  'quay/vega.boat': 'A boat.',
};

/** Their rules that hold only for files in the folder `quay`. */
const OF_THE_QUAY = ['of the folder quay', 'of Claude for boats', 'of Copilot for boats'];

describeInSoak('instruction files that a project has for other agents', () => {
  const settings = changedSettings();
  const root = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const requests: string[] = [];
  let agent: AgentPage;
  let model: { close(): Promise<void> };

  before(async () => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root(), path)), { recursive: true });
      writeFileSync(join(root(), path), text);
    }
    model = await scriptedModel(settings, ({ system, messages }) => {
      requests.push(JSON.stringify([system, messages]));
      const last = JSON.stringify(messages.at(-1));
      if (!last.includes('Read the boat') || last.includes('tool_result')) {
        return { content: [{ type: 'text', text: 'All done.' }] };
      }
      const input = { path: 'quay/vega.boat' };
      return { content: [{ type: 'tool_use', id: 'toolu_boat', name: 'read_file', input }] };
    });
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    const first = Object.keys(FILES).map((path) => path.replace(/(\/rules)?\/[^/]+$/, ''));
    for (const path of new Set(first)) rmSync(join(root(), path), { recursive: true, force: true });
  });

  /** The names of the rules in the last request. */
  const rules = (): readonly string[] =>
    [...requests.at(-1)!.matchAll(/Rule ([\w ]+)\./g)].map(([, name]) => name!).sort();

  it('are sent from the first request on where they hold for all files, with their imports', async () => {
    await agent.submit('Look around');
    await agent.turn('Look around').shows(/All done\./);
    await agent.does('idle');
    const expected = Object.values(FILES).flatMap(
      (text) => /Rule ([\w ]+)\./.exec(text)?.[1] ?? [],
    );
    assert.deepEqual(rules(), expected.filter((name) => !OF_THE_QUAY.includes(name)).sort());
  });

  it('are sent with the first file that they hold for', async () => {
    await agent.submit('Read the boat');
    await agent.turn('Read the boat').shows(/All done\./);
    await agent.does('idle');
    assert.deepEqual(
      OF_THE_QUAY.filter((name) => !rules().includes(name)),
      [],
    );
  });

  it('are listed with their tokens, and switched off one by one', async () => {
    const panel = await PanelPage.ofSession(agent);
    await panel.showPart('fixed');
    const row = (path: string) => panel.find('memory-file').withText(path).first;
    await row('.cursor/rules/all.mdc').shows(/≈\s*\d+/);
    await row('.clinerules/all.md').shows(/≈\s*\d+/);
    await row('.cursor/rules/all.mdc').click();
    await agent.submit('And now?');
    await agent.turn('And now?').shows(/All done\./);
    await agent.does('idle');
    assert.ok(!rules().includes('of Cursor'));
    assert.ok(rules().includes('of Cline'));
    await row('.cursor/rules/all.mdc').click();
    await agent.submit('Again?');
    await agent.turn('Again?').shows(/All done\./);
    await agent.does('idle');
    assert.ok(rules().includes('of Cursor'));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
