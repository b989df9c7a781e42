import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { PanelPage } from './support/panelPage';
import { scriptedModel } from './support/scriptedModel';

const TEXT = '# Rules\n\nAlways obey the file.\n';
const CALL = { name: 'create_file', input: { path: 'AGENTS.md', content: TEXT } };

describe('memory files that the agent wrote', () => {
  const settings = changedSettings();
  let model: { close(): Promise<void> };
  let agent: AgentPage;
  const systems: string[] = [];

  const file = () =>
    vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, CALL.input.path);

  before(async () => {
    let calls = 0;
    model = await scriptedModel(settings, ({ system, messages }) => {
      systems.push(JSON.stringify(system));
      const last = messages.at(-1)!.content;
      const isResult = typeof last !== 'string' && last.some(({ type }) => type === 'tool_result');
      if (isResult || calls > 0) return { content: [{ type: 'text', text: 'That is all.' }] };
      return { content: [{ type: 'tool_use', id: `toolu_${++calls}`, ...CALL }] };
    });
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    await vscode.workspace.fs.delete(file());
  });

  it('are written after a question that says what the file does', async () => {
    await agent.submit('Write down the rules.');
    await agent
      .find('approval-lasting')
      .shows(/^Every later agent session in this project reads this file as instructions/);
    await agent.find('approval-allow').click();
    await agent.does('idle');
  });

  it('are sent once the user approves their text, and the panel says so', async () => {
    await agent.submit('Go on.');
    await agent.find('approval').shows(/Follow the instructions of AGENTS\.md/);
    await agent.find('approval-subject').shows(/# Rules\s+Always obey the file\./);
    assert.ok(!systems.join('').includes('Always obey'));
    await agent.find('approval-allow').click();
    await agent.does('idle');
    assert.ok(systems.at(-1)!.includes('Always obey the file.'));
    const page = await PanelPage.ofSession(agent);
    await page.showPart('fixed');
    await page.find('memory').shows(/AGENTS\.md \(allowed by you at step 2\)/);
  });
});
