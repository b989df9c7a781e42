import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import type { Part } from './support/part';
import { scriptedModel } from './support/scriptedModel';
import { until } from './support/until';

const NAME = 'tides.js';
const BEFORE = 'function high() {\n  return 1;\n}\n\nfunction low() {\n  return 2;\n}\n';
const CODE = 'function low() {\n  return 3;\n}\n';
const REPLY = `In \`${NAME}:6\` and in \`gone.js:1\`:\n\n\`\`\`js ${NAME}\n${CODE}\`\`\`\n`;

describe('code and file names in a reply', () => {
  const settings = changedSettings();
  const file = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, NAME);
  let model: { close(): Promise<void> };
  let agent: AgentPage;
  let step: Part;

  before(async () => {
    await writeFile(file, BEFORE);
    model = await scriptedModel(settings, () => ({ content: [{ type: 'text', text: REPLY }] }));
    agent = await AgentPage.onNewSession();
    await agent.submit('Which?');
    await agent.does('idle');
    step = agent.find('step').last;
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await rm(file, { force: true });
    await model.close();
  });

  it('is highlighted by a bundle that loads on demand', async () => {
    await step.at('.hljs-keyword').first.shows('function');
  });

  it('is copied by a button', async () => {
    await vscode.env.clipboard.writeText('before');
    await step.at('[aria-label="Copy this code"]').click();
    await until('the code is in the clipboard', async () =>
      (await vscode.env.clipboard.readText()) === CODE ? true : undefined,
    );
  });

  itInSoak('opens a file at its line, or says that the file does not exist', async () => {
    await step.at(`a[title="${NAME}:6"]`).click();
    await until('the file is open at line 6', () => {
      const { activeTextEditor } = vscode.window;
      const isThere = activeTextEditor?.document.uri.fsPath === file;
      return isThere && activeTextEditor.selection.active.line === 5 ? true : undefined;
    });
    await step.at('a[title="gone.js:1"]').click();
    await agent.find('refusal').shows('There is no file gone.js in this workspace.');
  });

  it('is inserted at the cursor', async () => {
    const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file), {
      selection: new vscode.Range(4, 0, 4, 0),
    });
    await step.at('[aria-label="Insert at the cursor"]').click();
    const at = BEFORE.indexOf('function low');
    await until('the code stands there', () =>
      document.getText() === BEFORE.slice(0, at) + CODE + BEFORE.slice(at) ? true : undefined,
    );
    await agent.editor.focusOn(document);
    await vscode.commands.executeCommand('undo');
    await until('it was taken back', () => (document.getText() === BEFORE ? true : undefined));
    await document.save();
  });

  itInSoak(
    'is applied to the lines that it revises, unsaved, next to the version on disk',
    async () => {
      await step.at(`[aria-label="Apply to ${NAME}"]`).click();
      const document = await vscode.workspace.openTextDocument(file);
      await until('the editor has it', () =>
        document.getText() === BEFORE.replace('return 2', 'return 3') ? true : undefined,
      );
      await until('both are compared', () => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return input instanceof vscode.TabInputTextDiff && input.modified.fsPath === file
          ? true
          : undefined;
      });
      assert.equal(await readFile(file, 'utf8'), BEFORE);
      await step.at(`[aria-label="Apply to ${NAME}"]`).click();
      await agent.find('refusal').shows(`${NAME} already has this code.`);
      await document.save();
    },
  );
});
