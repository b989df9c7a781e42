import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { MessagesRequest, ScriptedPart } from '../../src/offline/messagesApi';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { PanelPage } from './support/panelPage';
import { scriptedModel } from './support/scriptedModel';
import { stays } from './support/until';

const AGENT = `---
name: scribe
description: Writes notes.
tools: Read, Write
model: haiku
---
Write one file, and say where it is.
`;

const isOfCounter = ({ system }: MessagesRequest) =>
  JSON.stringify(system).includes('the sub-agent \\"Count files\\"');

/** A model that has two sub-agents work at the same time: one of the project, one of the call. */
function answer(requests: MessagesRequest[]) {
  return (request: MessagesRequest): { readonly content: readonly ScriptedPart[] } => {
    requests.push(request);
    const system = JSON.stringify(request.system);
    const hasResult = JSON.stringify(request.messages.at(-1)).includes('tool_result');
    const says = (text: string) => ({ content: [{ type: 'text' as const, text }] });
    if (system.includes('the sub-agent \\"scribe\\"')) {
      if (hasResult) return says('It is in scribed.md.');
      const input = { path: 'scribed.md', content: 'Scribed.\n' };
      return { content: [{ type: 'tool_use', name: 'create_file', input }] };
    }
    if (system.includes('the sub-agent \\"Count files\\"')) {
      if (hasResult) return says('There are some.');
      return { content: [{ type: 'tool_use', name: 'list_files', input: {} }] };
    }
    if (hasResult) return says('Both are done.');
    const tasks = [
      { title: 'Write a note', prompt: 'Write scribed.md.', agent: 'scribe' },
      { title: 'Count files', prompt: 'How many files are there?' },
    ];
    return { content: tasks.map((input) => ({ type: 'tool_use', name: 'task', input })) };
  };
}

describe('sub-agents', () => {
  const settings = changedSettings();
  const requests: MessagesRequest[] = [];
  let agent: AgentPage;
  let model: { close(): Promise<void> };
  let root: string;

  before(async () => {
    root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    mkdirSync(join(root, '.claude', 'agents'), { recursive: true });
    writeFileSync(join(root, '.claude', 'agents', 'scribe.md'), AGENT);
    model = await scriptedModel(settings, answer(requests));
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await model.close();
    rmSync(join(root, '.claude', 'agents'), { recursive: true, force: true });
    rmSync(join(root, 'scribed.md'), { force: true });
  });

  it('work beside each other, and ask under their own name', async () => {
    await agent.submit('Let two others do it');
    await agent.find('approval-by').shows(/^scribe: $/);
    await agent.find('approval-allow').click();
    await agent.find('turn').last.shows(/Both are done\./);
    await agent.does('idle');
    assert.ok(existsSync(join(root, 'scribed.md')));
    const results = JSON.stringify(requests.at(-1)?.messages.at(-1));
    assert.match(results, /It is in scribed\.md\..*There are some\./);
    const scribe = requests.find(({ system }) => JSON.stringify(system).includes('"scribe'));
    const names = scribe?.tools?.map((tool) => ('name' in tool ? tool.name : ''));
    const [own, counter] = [scribe, requests.find(isOfCounter)].map((one) => one?.model);
    assert.match(own ?? '', /haiku/);
    assert.equal(counter, requests[0]?.model);
    assert.ok(names?.includes('create_file') && !names.includes('task'), String(names));
    // What a sub-agent changed is kept or undone with the turn.
    await agent.find('turn-files').shows(/scribed\.md/);
  });

  it('have windows of their own, which the Context panel shows', async () => {
    const panel = await PanelPage.ofSession(agent);
    await agent.find('open-sub-agent').first.click();
    await panel.find('source-bar').shows(/scribe · a sub-agent of this session/);
    await panel.row('prompt-1').shows(/Task: Write scribed\.md\./);
    await panel.find('back-to-session').click();
    await panel.find('source-bar').isGone();
    await panel.find('window-picker').holds('');
  });

  it('end with their turn when the user stops it', async () => {
    await agent.again();
    // Also ends what a first try left.
    await agent.startSession();
    rmSync(join(root, 'scribed.md'), { force: true });
    await agent.submit('Let two others do it again');
    await agent.find('approval-by').shows(/^scribe: $/);
    await vscode.commands.executeCommand('plimsoll.stopTurn');
    await agent.does('idle');
    await agent.find('approval-by').isGone();
    const { length } = requests;
    await stays('no sub-agent asks the model', () => requests.length === length);
    assert.equal(existsSync(join(root, 'scribed.md')), false);
  });
});
