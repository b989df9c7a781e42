import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { changedSettings } from './support/changedSettings';
import { PanelPage } from './support/panelPage';

const inWorkspace = (name: string) => join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, name);

/** A session as Gemini CLI records it: the model reads one file and says so. */
function geminiSession(): string {
  const result = [{ functionResponse: { response: { output: 'const port = 1;\n'.repeat(50) } } }];
  const call = { id: 'c1', name: 'read_file', args: { file_path: 'port.js' }, status: 'success' };
  return JSON.stringify({
    sessionId: 'recorded',
    projectHash: 'made for a test',
    messages: [
      { id: '1', type: 'user', content: [{ text: 'Which port is it?' }] },
      {
        id: '2',
        type: 'gemini',
        content: 'I look.',
        model: 'gemini-3-flash-preview',
        toolCalls: [{ ...call, result }],
        tokens: { input: 900, output: 10, cached: 0, thoughts: 0, tool: 0, total: 910 },
      },
      { id: '3', type: 'gemini', content: 'Port 1.', model: 'gemini-3-flash-preview' },
    ],
  });
}

describe("files opened in the Context panel: Plimsoll's own log and another format", () => {
  const settings = changedSettings();
  const own = inWorkspace('own.jsonl');
  const gemini = inWorkspace('session-gemini.json');
  let page: PanelPage;
  /** The pass's decision on a block. */
  let left: string;

  before(async () => {
    page = await PanelPage.onFollowUps();
    await settings.set('context.lowWatermark', 0.3);
    await page.logged('passApplied', () => page.find('compact-now').click());
    left = await page.rowOut('step-2');
    await copyFile(page.logFile, own);
    await writeFile(gemini, geminiSession());
  });

  after(async () => {
    await rm(own, { force: true });
    await rm(gemini, { force: true });
  });

  afterEach(async () => {
    await page.find('close-recording').click();
    await page.find('source-bar').isGone();
  });

  it('show an own log as it was: the pass, the removed blocks, a past step', async () => {
    const bar = page.find('source-bar');
    const open = async () => {
      await vscode.commands.executeCommand('plimsoll.openRecording', own);
      await bar.shows(/A session of Plimsoll, as it was, read\s+only · policy ladder/);
    };
    await open();
    const used = await page.find('used').shows(/\d/);
    // The session itself, whose estimate may still have changed after the pass.
    await page.find('close-recording').click();
    await bar.isGone();
    await page.find('used').shows(used);
    await open();
    await page.rowIn('step-2', left);
    await page.show('ledger');
    await page.find('pass-card').first.appears();
    await page.find('step-back').click();
    await page.find('past-notice').shows(/What the model saw then/);
    await page.find('back-to-now').click();
    await page.press('step-6', 'x');
    await page.find('refusal').shows(/opened from a file is read only/);
  });

  it('show a session of Gemini CLI as Plimsoll would have managed it', async () => {
    await vscode.commands.executeCommand('plimsoll.openRecording', gemini);
    await page.find('source-bar').shows(/gemini-cli recording, reconstructed, read\s+only/);
    await page.find('session-title').has('title', /Model: gemini-3-flash-preview/);
    await page.rowIn('step-1', 'whole');
    await page.row('step-2').isThere();
  });
});
