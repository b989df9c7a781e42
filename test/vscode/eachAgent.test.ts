import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { LENS_AGENTS } from '../../src/settings/settings';
import { isSoak } from '../support/runs';
import { changedSettings } from './support/changedSettings';
import { madeSessions, type MadeSession } from './support/eachAgent';
import { PanelPage } from './support/panelPage';

const [QUESTION = ''] = DEMO_FOLLOW_UPS;

(isSoak ? describe : describe.skip)('a session of each other agent', () => {
  const settings = changedSettings();
  let page: PanelPage;
  let home: string;
  let sessions: readonly MadeSession[];

  before(async () => {
    page = await PanelPage.onSession([QUESTION]);
    home = await mkdtemp(join(tmpdir(), 'plimsoll-each-'));
    sessions = madeSessions(home, vscode.workspace.workspaceFolders![0]!.uri.fsPath);
    const places = sessions.map(({ agent, place }) => [agent, place] as const);
    await settings.set('lens.places', Object.fromEntries(places), 'user');
  });

  after(async () => {
    for (const { close } of sessions) close?.();
    await rm(home, { recursive: true, force: true });
  });

  it('is made by this test', () => {
    assert.deepEqual(sessions.map(({ agent }) => agent).toSorted(), [...LENS_AGENTS].toSorted());
  });

  for (const [at, agent] of LENS_AGENTS.entries()) {
    it(`is found, opened, and followed while it grows: ${agent}`, async () => {
      const { title, name, grow } = sessions.find((one) => one.agent === agent)!;
      void vscode.commands.executeCommand('plimsoll.inspectSession');
      await page.editor.quickInput.row(title).appears();
      await page.editor.quickInput.choose(title);
      // Until then the panel shows the recording before it.
      await page.find('session-title').shows(name);
      await page.find('source-bar').appears();
      await page.row('step-1').isThere();
      await page.row('step-2').isGone();
      await page.find('follow-recording').tick(true);
      grow();
      await page.row('step-2').isThere();
      if (at < LENS_AGENTS.length - 1) return;
      await page.find('close-recording').click();
      await page.find('source-bar').isGone();
    });
  }
});
