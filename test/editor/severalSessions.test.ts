import * as vscode from 'vscode';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { scriptedModel } from './support/scriptedModel';

const RUN = 'Run the first command.';
const EDIT = 'Run the slow command.';
const SAY = 'Say hello.';

const ask = { name: 'run_command', input: { command: 'echo from the first' } };

describe('several sessions at once', function () {
  this.timeout(120_000);
  const settings = changedSettings();
  let model: { close(): Promise<void> };
  let agent: AgentPage;

  before(async () => {
    let calls = 0;
    model = await scriptedModel(settings, ({ messages }) => {
      const last = messages.at(-1)!.content;
      const text = JSON.stringify(last);
      if (text.includes('tool_result')) return { content: [{ type: 'text', text: 'It was run.' }] };
      if (text.includes(SAY)) return { content: [{ type: 'text', text: 'Hello to you.' }] };
      return { content: [{ type: 'tool_use', id: `toolu_${++calls}`, ...ask }] };
    });
  });

  beforeEach(async () => {
    agent = await AgentPage.onNewSession();
  });

  after(() => model.close());

  const badge = () =>
    agent.editor.at('.activitybar .action-item .badge-content, .activitybar .badge .badge-content');

  it('work side by side: one waits, another is worked in, and the first is answered', async () => {
    await agent.submit(RUN);
    await agent.does('awaitingApproval');
    await vscode.commands.executeCommand('plimsoll.newSession');
    await agent.find('turn').isGone();
    await agent.does('idle');
    await agent.find('elsewhere').shows('Another session waits for your answer');
    await agent.editor.statusBarItem('1 session waits').appears();
    await badge().withText('1').first.appears();

    await agent.submit(SAY);
    await agent.turn(SAY).shows(/Hello to you\./);
    await agent.does('idle');
    await agent.find('elsewhere').shows('Another session waits for your answer');

    await agent.find('elsewhere').click();
    const { quickInput } = agent.editor;
    await quickInput.title.shows('Plimsoll: Sessions');
    await quickInput.row(SAY).shows(/idle · .* tokens.* · shown now/s);
    await quickInput.row(RUN).shows(/waits for your answer/);
    await quickInput.choose(RUN);
    await agent.shows(RUN);
    await agent.does('awaitingApproval');
    await agent.find('elsewhere').isGone();
    await agent.find('approval-allow').click();
    await agent.does('idle');
    await agent.turn(RUN).shows(/It was run\./);
    await agent.editor.statusBarItem('1 session waits').isGone();
    await badge().withText('1').isGone();
  });

  it('tell of a question and of an end where another session is shown', async () => {
    await agent.submit(EDIT);
    await agent.does('awaitingApproval');
    await vscode.commands.executeCommand('plimsoll.newSession');
    await agent.find('turn').isGone();
    await agent.openSession(EDIT);
    await agent.does('awaitingApproval');
    await agent.find('approval-allow').click();
    await agent.turn(EDIT).shows(/It was run\./);
  });

  it('are stopped one by one', async () => {
    await agent.submit(RUN);
    await agent.does('awaitingApproval');
    await vscode.commands.executeCommand('plimsoll.newSession');
    await agent.find('elsewhere').appears();
    await vscode.commands.executeCommand('plimsoll.stopTurn');
    await agent.find('elsewhere').shows('Another session waits for your answer');
    await agent.find('elsewhere').click();
    const { quickInput } = agent.editor;
    await quickInput.title.shows('Plimsoll: Sessions');
    await quickInput.row('waits for your answer').click();
    await agent.does('awaitingApproval');
    await vscode.commands.executeCommand('plimsoll.stopTurn');
    await agent.does('idle');
  });
});
