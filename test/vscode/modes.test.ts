import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { MessagesRequest, ScriptedPart } from '../../src/offline/messagesApi';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { scriptedModel } from './support/scriptedModel';
import { until } from './support/until';

const PLAN = '# A note\n\n1. Write note.md.';

/** A model that tries to write a file, and says its plan when that is refused. */
function answer(requests: MessagesRequest[]) {
  return (request: MessagesRequest): { readonly content: readonly ScriptedPart[] } => {
    requests.push(request);
    const last = JSON.stringify(request.messages.at(-1));
    if (last.includes('Denied: plan mode')) return { content: [{ type: 'text', text: PLAN }] };
    if (last.includes('tool_result')) return { content: [{ type: 'text', text: 'Written.' }] };
    const input = { path: 'note.md', content: `Note ${requests.length}.\n` };
    return { content: [{ type: 'tool_use', name: 'create_file', input }] };
  };
}

describe('the modes', () => {
  const settings = changedSettings();
  const requests: MessagesRequest[] = [];
  let agent: AgentPage;
  let model: { close(): Promise<void> };
  let note: string;

  const lastWords = () => JSON.stringify(requests.at(-1)?.messages);
  const plans = () =>
    vscode.workspace.textDocuments.filter(({ uri }) => /plan-.*\.md$/.test(uri.path));

  before(async () => {
    note = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'note.md');
    model = await scriptedModel(settings, answer(requests));
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    rmSync(note, { force: true });
  });

  it('end a plan with a document, and change nothing', async () => {
    await agent.find('mode').holds('ask');
    for (const mode of ['acceptEdits', 'plan']) {
      await agent.find('composer').press('Control+.');
      await agent.find('mode').holds(mode);
    }
    await agent.submit('Plan a note');
    await agent.find('plan').appears();
    await agent.calls('denied').counts(1);
    await until('the plan is shown', () => plans()[0]?.getText() === `${PLAN}\n`);
    assert.equal(existsSync(note), false);
    assert.match(lastWords(), /\[Mode: plan\..*Plan a note/);
  });

  it('start the work on the plan as the user edited it, in this session', async () => {
    const [plan] = plans();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(plan!.uri, new vscode.Position(plan!.lineCount, 0), '2. Say hello.\n');
    await vscode.workspace.applyEdit(edit);
    await agent.find('plan-start').click();
    await agent.find('approval').is('data-kind', 'create');
    await agent.find('mode').holds('ask');
    await agent.find('approval-allow').click();
    await agent.does('idle');
    assert.ok(existsSync(note));
    assert.match(lastWords(), /\[Mode: ask\..*I changed it.*2\. Say hello\./);
    await agent.find('plan').isGone();
    rmSync(note);
  });

  it('accept an edit without a question, and say so', async () => {
    await agent.find('mode').choose('acceptEdits');
    await agent.submit('Write it again');
    await agent.find('tool-allowed').last.shows('Mode: accept edits');
    await agent.does('idle');
    assert.ok(existsSync(note));
    await vscode.commands.executeCommand('plimsoll.openContextPanel');
    const panel = await agent.editor.webview('Context');
    await panel.text('Mode: accept edits').first.appears();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    rmSync(note);
  });

  itInSoak('start the work on a plan in a new session', async () => {
    await agent.find('mode').choose('plan');
    await agent.submit('Plan another note');
    await agent.find('plan-start-new').click();
    await agent.find('approval').appears();
    await agent.find('approval-deny').click();
    await agent.does('idle');
    await agent.find('mode').holds('ask');
    await agent.find('turn').last.is('aria-setsize', '1');
    assert.match(lastWords(), /Carry out this plan:.*1\. Write note\.md\./);
  });

  itInSoak('are switched by a command, before the first prompt of a session as well', async () => {
    agent = await AgentPage.onNewSession();
    await vscode.commands.executeCommand('plimsoll.focusAgent');
    void vscode.commands.executeCommand('plimsoll.chooseMode');
    await agent.editor.quickInput.choose('Plan');
    await agent.find('mode').holds('plan');
    await agent.submit('Plan from the start');
    await agent.find('plan').appears();
    assert.match(lastWords(), /\[Mode: plan\..*Plan from the start/);
  });
});
