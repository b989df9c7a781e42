import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { requestsSent } from './support/requestsSent';
import { until } from './support/until';

describe("outdated agent's notes", () => {
  const settings = changedSettings();
  let page: PanelPage;

  before(async () => {
    page = await PanelPage.onFollowUps();
  });

  it('are marked as outdated in the panel, and the task replaces the objective', async () => {
    await page.showPart('kept');
    await page.find('notes-age').shows('Notes: none in 6 steps.');
    await page.find('note-task').shows(/legacy\/portbook\.js[\s\S]*until an objective is written/);
  });

  it('reach the agent in a note before the next prompt, which stays the last thing it reads', async () => {
    await settings.set('advanced', { remindAfterSteps: 5 }, 'user');
    const sentBefore = (await requestsSent()).length;
    await page.ask(DEMO_FOLLOW_UPS[1]!);
    await page.row('note-1').shows(/Reminder of the notes, 6 steps old/);
    const body = (await requestsSent())[sentBefore]!;
    const said = body.messages
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .flatMap((part) => (part.type === 'text' ? [part.text] : []));
    assert.ok(said.at(-2)!.startsWith('[Reminder, no request: you have written no notes in 6'));
    assert.equal(said.at(-1), DEMO_FOLLOW_UPS[1]);
  });
});

describe('the profile for all projects', () => {
  const settings = changedSettings();
  let folder: string;
  let file: string;
  let server: StrictServer;
  let agent: AgentPage;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plimsoll-profile-'));
    file = join(folder, 'profile.md');
    await writeFile(file, '- Answer in German.\n');
    let asked = 0;
    server = await startStrictServer({
      respond: ({ messages }) => {
        const last = messages.at(-1)!.content;
        const isResult =
          typeof last !== 'string' && last.some(({ type }) => type === 'tool_result');
        if (isResult) return { content: [{ type: 'text', text: 'That is all.' }] };
        const input = { text: 'Use tabs.', where: 'profile' };
        const id = `toolu_${++asked}`;
        return { content: [{ type: 'tool_use', id, name: 'remember', input }] };
      },
    });
    agent = await AgentPage.onNewSession();
    await settings.set('memory.profile', file, 'user');
    await settings.set('baseUrl', server.url, 'user');
    await settings.set('provider', 'anthropic', 'user');
    await agent.giveKey('sk-ant-only-for-the-profile');
  });

  after(async () => {
    await vscode.commands.executeCommand('plimsoll.clearApiKey');
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const text = () => readFileSync(file, 'utf8');
  const diff = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .map(({ input }) => input)
      .find((input) => input instanceof vscode.TabInputTextDiff);

  /** Makes the agent ask, looks at the diff, and answers. */
  async function asked(answer: 'approval-allow' | 'approval-deny'): Promise<void> {
    await agent.submit('In all projects: tabs.');
    await agent.find('approval').shows(/Edit your profile for all projects/);
    const shown = await until('the diff is open', () => diff());
    assert.equal(shown.original.fsPath, file);
    const after = await vscode.workspace.openTextDocument(shown.modified);
    assert.equal(after.getText(), '- Answer in German.\n- Use tabs.\n');
    assert.equal(text(), '- Answer in German.\n');
    await agent.find(answer).click();
    await agent.does('idle');
    // Otherwise the next question would find this diff.
    await until('the diff is closed', () => diff() === undefined);
  }

  itInSoak('stays unchanged after a denial', async () => {
    await asked('approval-deny');
    assert.equal(text(), '- Answer in German.\n');
  });

  it('gets the line after an approval', async () => {
    await asked('approval-allow');
    await until('the line is written', () => text() === '- Answer in German.\n- Use tabs.\n');
  });

  itInSoak('is shown in the panel with its tokens, and opens from there', async () => {
    const page = await PanelPage.ofSession(agent);
    await page.showPart('fixed');
    await page.find('profile').shows(/Profile for all projects: .*profile\.md, ≈ \d+ tokens Open/);
    await page.find('open-profile').click();
    await until('the profile is open', () =>
      vscode.window.activeTextEditor?.document.uri.fsPath === file ? true : undefined,
    );
  });
});
