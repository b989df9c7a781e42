import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { itInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { requestsSent } from './support/requestsSent';
import { until, written } from './support/until';

const LAST = 6;

describe('time travel in the Context panel', () => {
  let page: PanelPage;
  /** The requests sent before this session began. */
  let sentBefore: number;

  /** Waits until the panel shows a past step, or the present. */
  const shows = (at: number | 'now') => page.travelledTo(at, LAST);

  const press = (key: string) => page.editor.press(key);

  before(async () => {
    sentBefore = (await requestsSent()).length;
    page = await PanelPage.onSession(DEMO_FOLLOW_UPS);
  });

  describe('between steps', () => {
    it('shows the step clicked in the timeline, with map, blocks and request', async () => {
      await page.listed(8);
      const track = page.find('timeline');
      await track.hoverAlong(0);
      await page.find('timeline-readout').shows(/^step 1\b/i);
      await track.clickAlong(0);
      await shows(1);
      await page.listed(1);
      await track.clickAlong(1);
      await shows(LAST);
      await page.listed(7);
      await page.find('back-to-now').click();
      await shows('now');
      await page.listed(8);
    });

    it('steps back and forward, and returns to now', async () => {
      await page.find('step-back').click();
      await shows(6);
      await page.find('step-back').click();
      await shows(5);
      await page.find('step-forward').click();
      await shows(6);
      await page.find('step-back').click();
      await shows(5);
      await page.find('back-to-now').click();
      await shows('now');
    });

    it('opens at the step that a search over all sessions finds', async () => {
      const { quickInput } = page.editor;
      await vscode.commands.executeCommand('plimsoll.sessions');
      await quickInput.title.shows('Plimsoll: Sessions');
      await page.editor.at('.quick-input-titlebar a[aria-label^="Search the text"]').click();
      await quickInput.title.shows('Plimsoll: Search Sessions');
      const [, second = ''] = DEMO_FOLLOW_UPS;
      await quickInput.field.fill(second);
      const row = quickInput.row('step ');
      await row.shows(/step \d+, prompt/);
      const [, step] = /step (\d+), prompt/.exec(await row.html()) ?? [];
      await row.click();
      await shows(Number(step));
      await page.find('back-to-now').click();
      await shows('now');
    });

    itInSoak('moves with Alt and the arrow keys, and VS Code does not navigate', async () => {
      const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'package.json');
      await vscode.window.showTextDocument(file, { preview: false });
      await vscode.commands.executeCommand('plimsoll.openContextPanel');
      await page.again();
      const tab = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label;
      await page.find('tab-ledger').focus();
      await press('Alt+ArrowLeft');
      await shows(6);
      await press('Alt+ArrowLeft');
      await shows(5);
      assert.equal(tab(), 'Context');
      await press('Alt+ArrowRight');
      await shows(6);
      await press('Alt+ArrowRight');
      await shows('now');
      assert.equal(tab(), 'Context');
      await vscode.commands.executeCommand('workbench.action.navigateBack');
      await until('there was somewhere to go', () => tab() === 'package.json');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await page.again();
    });

    it('refuses changes in the past, and says why', async () => {
      const { length } = await page.events();
      await page.find('step-back').click();
      await shows(6);
      await page.press('step-1', 'p');
      await page.find('refusal').shows(/was not done\..*(past|step)/is);
      await page.row('step-1').find('block-menu').click();
      await page.action('pin').is('aria-disabled', 'true');
      await press('Escape');
      await page.find('compact-now').has('disabled', () => true);
      assert.equal((await page.events()).length, length);
      await page.find('back-to-now').click();
      await shows('now');
    });
  });

  describe('to one step and its request', () => {
    const sentAt3 = async () => (await requestsSent())[sentBefore + 2]!;

    before(async () => {
      await page.find('timeline').focus();
      await press('Home');
      for (let step = 1; step < 3; step++) await press('ArrowRight');
      await press('Enter');
      await shows(3);
      await page.show('request');
    });

    it('shows the request of the selected step and the matches of a search in it', async () => {
      await page.find('tab-request').shows(/^Request 3$/);
      await page.find('request-facts').appears();
      const { tools, messages } = await sentAt3();
      // All tools share one fold until one of them is searched for.
      const all = 2 + messages.length;
      await page.find('request-section').counts(all);
      await page.content.at('[data-section="tools"]').shows(`${tools!.length} tools`);
      await page.find('request-search').fill('seasonLabel');
      await page.find('request-hits').shows(/\d/);
      await page.find('request-section').counts((sections) => sections < all);
      await page.find('request-search').fill('');
    });

    it('opens the body of a step as it was sent, and copies the same text', async () => {
      const copied = await page.copied();
      await page.find('request-raw').click();
      const { uri, text } = await page.opened((document) => document.languageId === 'json');
      assert.equal(uri.scheme, 'plimsoll-request');
      assert.equal(text, copied);
      assert.deepEqual(JSON.parse(text), await sentAt3());
      await shows(3);
    });

    it("opens the request in a readable layout, with the user's words unchanged", async () => {
      await page.find('request-readable').click();
      const { uri, text } = await page.opened((document) => document.languageId === 'plaintext');
      assert.equal(uri.scheme, 'plimsoll-request');
      assert.ok(text.includes(DEMO_FOLLOW_UPS[0]!));
      assert.throws(() => void JSON.parse(text));
    });

    it('shows what changed between two steps in the diff editor', async () => {
      await page.find('request-diff-step').fill('1');
      await page.find('request-diff-step').press('Tab');
      await page.find('request-diff').click();
      const tab = await until('a diff was opened', () => {
        const shown = vscode.window.tabGroups.activeTabGroup.activeTab;
        return shown?.input instanceof vscode.TabInputTextDiff ? shown : undefined;
      });
      assert.equal(tab.label, 'Request of step 1 ↔ step 3');
      const input = tab.input as vscode.TabInputTextDiff;
      const textOf = async (uri: vscode.Uri) =>
        (await vscode.workspace.openTextDocument(uri)).getText();
      // The calls in between name the file again.
      const named = async (uri: vscode.Uri) =>
        (await textOf(uri)).split('legacy/portbook.js').length;
      assert.ok((await named(input.modified)) > (await named(input.original)));
      // The editor that a command would close may still be the panel.
      await vscode.window.tabGroups.close(tab);
      await page.again();
    });

    it('exports the shown session as HTML, and the log as JSONL', async () => {
      const html = await exported('export-html', 'html');
      assert.match(html, /^<!DOCTYPE html>/);
      assert.match(html, /step 3 of 6/);
      assert.doesNotMatch(html, /<script|https?:/);
      assert.equal(await exported('export-jsonl', 'jsonl'), await readFile(page.logFile, 'utf8'));
    });

    // Runs last: it shows another session.
    it('forks the session at the selected step', async () => {
      await page.choose('fork');
      await page.find('step').shows('step 3 of 3');
      await shows('now');
      await page.listed(4);
      await page.agent.find('turn').last.is('aria-setsize', '1');
      await vscode.commands.executeCommand('plimsoll.openSessionLog');
      const { text } = await page.opened(({ uri }) => uri.path.endsWith('.jsonl'));
      const [started] = text.split('\n').map((line) => line && (JSON.parse(line) as object));
      const { sessionId } = (await page.events()).find((event) => event.type === 'sessionStarted')!;
      assert.deepEqual(Reflect.get(started as object, 'forkedFrom'), { sessionId, step: 3 });
    });

    it('forks at a typed step number in the tab Session', async () => {
      await page.show('session');
      const field = page.find('session-fork-step');
      await field.fill('2');
      await field.press('Tab');
      await page.find('session-fork').click();
      await page.find('step').shows('step 2 of 2');
      await shows('now');
      await page.listed(3);
    });
  });

  /** Exports by the menu to a file named in VS Code's own simple dialog, and reads it. */
  async function exported(item: string, ending: string): Promise<string> {
    const file = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, `exported.${ending}`);
    await page.choose(item);
    await page.editor.quickInput.answerFile(file, new RegExp(`\\.${ending}$`));
    return written(file);
  }
});
