import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { AgentPage } from './support/agentPage';
import type { QuickInput } from './support/quickInput';
import { written } from './support/until';

const [QUESTION = '', OTHER_QUESTION = ''] = DEMO_FOLLOW_UPS;

/** The names of the session and of its fork. */
const NAME = 'The first of them';
const FORK = `${NAME} (from step 1)`;

describe('the sessions of a workspace', () => {
  let agent: AgentPage;
  let quickInput: QuickInput;

  /** Opens the list and leaves it open. */
  async function list(): Promise<void> {
    await vscode.commands.executeCommand('plimsoll.sessions');
    // Another list may be about to close.
    await quickInput.title.shows('Plimsoll: Sessions');
    await quickInput.rows.first.appears();
  }

  before(async () => {
    agent = await AgentPage.onNewSession();
    ({ quickInput } = agent.editor);
    await agent.perform(QUESTION);
    await vscode.commands.executeCommand('plimsoll.renameSession');
    await quickInput.answer('Plimsoll: Rename Session', NAME);
    await agent.shows(NAME);
  });

  it('can be renamed, and the list shows the name', async () => {
    await list();
    await quickInput.row(NAME).shows(/just now · \d+ steps?.* shown now/s);
    await quickInput.leave();
  });

  it('are continued from the list', async () => {
    await agent.startSession();
    await agent.perform(OTHER_QUESTION);
    await agent.openSession(NAME);
    await agent.turn(QUESTION).appears();
  });

  it('are exported to a file that the user names', async () => {
    const file = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'exported.md');
    await vscode.commands.executeCommand('plimsoll.exportSession');
    await quickInput.choose('Markdown');
    await quickInput.answerFile(file, /\.md$/);
    assert.match(await written(file), /^# Plimsoll session/);
  });

  describe('after a fork', () => {
    before(async () => {
      await agent.openSession(NAME);
      await vscode.commands.executeCommand('plimsoll.forkSession');
      await quickInput.answer('Plimsoll: Fork Session', '1');
      await agent.shows(FORK);
    });

    it('are forked at a step, with everything up to it', async () => {
      await list();
      await quickInput.row(FORK).appears();
      await quickInput.leave();
      await agent.turn(QUESTION).appears();
    });

    it('are deleted after a confirmation', async () => {
      await list();
      await quickInput.row(FORK).hover();
      await quickInput.row(FORK).at('.action-label[aria-label="Delete"]').click();
      await quickInput.choose('Delete it');
      await agent.find('turn').isGone();
      await list();
      await quickInput.rows.withText('(from step 1)').isGone();
      await quickInput.leave();
    });
  });
});
