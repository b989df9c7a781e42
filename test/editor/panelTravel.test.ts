import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { PanelPage } from './support/panelPage';
import { requestsSent } from './support/requestsSent';
import { until } from './support/until';

const LAST = 6;

describe('travelling in the Context panel', function () {
  this.timeout(60_000);
  let page: PanelPage;
  /** Requests that were sent before this session. */
  let sentBefore: number;

  /** Waits until a step of the past is shown, or the present. */
  const shows = (at: number | 'now') =>
    at === 'now'
      ? page.find('past-notice').waitFor({ state: 'detached' })
      : page.find('past-notice').getByText(`Step ${at} of ${LAST}:`).waitFor();

  const blocks = async () =>
    Number(await page.content.getByRole('grid').getAttribute('aria-rowcount'));

  const sentAt = async (step: number) => (await requestsSent())[sentBefore + step - 1];

  before(async () => {
    page = await PanelPage.onSession(DEMO_FOLLOW_UPS);
    sentBefore = (await requestsSent()).length - LAST;
  });

  it('goes to the step that is clicked in the timeline, with map, blocks and request', async () => {
    assert.equal(await blocks(), 8);
    const track = page.find('timeline');
    const { width, height } = (await track.boundingBox())!;
    await track.hover({ position: { x: 2, y: height / 2 } });
    assert.match(await page.find('timeline-readout').innerText(), /^step 1\b/i);
    await track.click({ position: { x: 2, y: height / 2 } });
    await shows(1);
    assert.equal(await blocks(), 1);
    await track.click({ position: { x: width - 2, y: height / 2 } });
    await shows(LAST);
    assert.equal(await blocks(), 7);
    await page.find('back-to-now').click();
    await shows('now');
    assert.equal(await blocks(), 8);
  });

  it('steps back and forward, and goes back to now', async () => {
    await page.find('step-back').click();
    await shows(6);
    await page.find('step-back').click();
    await shows(5);
    await page.find('step-forward').click();
    await shows(6);
    await page.find('step-back').click();
    await shows(5);
    await page.find('live').click();
    await shows('now');
  });

  it('travels with Alt and the arrow keys, and VS Code goes nowhere', async () => {
    const { keyboard } = page.editor.page;
    const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'package.json');
    await vscode.window.showTextDocument(file, { preview: false });
    await vscode.commands.executeCommand('plimsoll.openContextPanel');
    await page.again();
    const tab = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label;
    await page.find('tab-ledger').focus();
    await keyboard.press('Alt+ArrowLeft');
    await shows(6);
    await keyboard.press('Alt+ArrowLeft');
    await shows(5);
    assert.equal(tab(), 'Context');
    await keyboard.press('Alt+ArrowRight');
    await shows(6);
    await keyboard.press('Alt+ArrowRight');
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
    await page.row('step-1').focus();
    await page.editor.page.keyboard.press('p');
    const refusal = page.find('refusal');
    await refusal.waitFor();
    assert.match(await refusal.innerText(), /was not done\..*(past|step)/is);
    await page.row('step-1').getByTestId('block-menu').click();
    const pin = page.content.locator('[data-testid="block-action"][data-action="pin"]');
    assert.equal(await pin.getAttribute('aria-disabled'), 'true');
    await page.editor.page.keyboard.press('Escape');
    assert.notEqual(await page.find('compact-now').getAttribute('disabled'), null);
    assert.equal((await page.events()).length, length);
    await page.find('live').click();
    await shows('now');
  });

  it('shows the request of the step it is at, and what is looked for in it', async () => {
    await page.find('timeline').focus();
    await page.editor.page.keyboard.press('Home');
    for (let step = 1; step < 3; step++) await page.editor.page.keyboard.press('ArrowRight');
    await page.editor.page.keyboard.press('Enter');
    await shows(3);
    await page.show('request');
    assert.equal(await page.find('tab-request').innerText(), 'Request 3');
    await page.find('request-facts').waitFor();
    const all = await page.find('request-section').count();
    assert.equal(all, (await sentAt(3))!.tools!.length + 1 + (await sentAt(3))!.messages.length);
    await page.find('request-search').fill('seasonLabel');
    await page.find('request-hits').filter({ hasText: /\d/ }).waitFor();
    assert.ok((await page.find('request-section').count()) < all);
    await page.find('request-search').fill('');
  });

  it('opens the body of a step as it was sent, and copies the same', async () => {
    const sent = await sentAt(3);
    await vscode.env.clipboard.writeText('');
    await page.find('request-copy').click();
    const copied = await until(
      'the request was copied',
      async () => (await vscode.env.clipboard.readText()) || false,
    );
    await page.find('request-raw').click();
    const { uri, text } = await page.opened((document) => document.languageId === 'json');
    assert.equal(uri.scheme, 'plimsoll-request');
    assert.equal(text, copied);
    assert.deepEqual(JSON.parse(text), sent);
    await shows(3);
  });

  it('opens the request laid out to be read, with the words of the user as they are', async () => {
    await page.find('request-readable').click();
    const { uri, text } = await page.opened((document) => document.languageId === 'plaintext');
    assert.equal(uri.scheme, 'plimsoll-request');
    assert.ok(text.includes(DEMO_FOLLOW_UPS[0]!));
    assert.throws(() => void JSON.parse(text));
  });

  it('shows what changed between two steps in the diff editor', async () => {
    await page.show('request');
    await page.find('request-diff-step').fill('1');
    await page.find('request-diff-step').press('Tab');
    await page.find('request-diff').click();
    const input = await until('a diff was opened', () => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab;
      return shown?.input instanceof vscode.TabInputTextDiff
        ? { ...shown.input, label: shown.label }
        : undefined;
    });
    assert.equal(input.label, 'Request of step 1 ↔ step 3');
    const textOf = async (uri: vscode.Uri) =>
      (await vscode.workspace.openTextDocument(uri)).getText();
    assert.ok(!(await textOf(input.original)).includes('portCard'));
    assert.ok((await textOf(input.modified)).includes('portCard'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await page.again();
  });

  it('exports what is shown as HTML and Markdown, and the log as JSONL', async () => {
    const files = vscode.workspace.getConfiguration('files');
    const { Global } = vscode.ConfigurationTarget;
    await files.update('simpleDialog.enable', true, Global);
    try {
      const html = await exported('export-html', 'html');
      assert.match(html, /^<!DOCTYPE html>/);
      assert.match(html, /step 3 of 6/);
      assert.doesNotMatch(html, /<script|https?:/);
      assert.match(await exported('export-markdown', 'md'), /^# Context window: .*\n\nstep 3 of 6/);
      assert.equal(await exported('export-jsonl', 'jsonl'), await readFile(page.logFile, 'utf8'));
    } finally {
      await files.update('simpleDialog.enable', undefined, Global);
    }
  });

  it('forks the session from the step it is at', async () => {
    await page.choose('fork');
    await page.content.locator('[data-testid="step"]', { hasText: 'step 3' }).waitFor();
    await shows('now');
    assert.equal(await blocks(), 4);
    await page.agent.getByTestId('turn').nth(1).waitFor({ state: 'detached' });
    await vscode.commands.executeCommand('plimsoll.openSessionLog');
    const { text } = await page.opened(({ uri }) => uri.path.endsWith('.jsonl'));
    const [started] = text.split('\n').map((line) => line && (JSON.parse(line) as object));
    const { sessionId } = (await page.events()).find((event) => event.type === 'sessionStarted')!;
    assert.deepEqual(Reflect.get(started as object, 'forkedFrom'), { sessionId, step: 3 });
  });

  it('forks from a step that is typed, by the tab Session', async () => {
    await page.show('session');
    const field = page.find('session-fork-step');
    await field.fill('2');
    await field.press('Tab');
    await page.find('session-fork').click();
    await page.content.locator('[data-testid="step"]', { hasText: 'step 2' }).waitFor();
    await shows('now');
    assert.equal(await blocks(), 3);
  });

  /** Exports by the menu to a file that is named in VS Code's own simple dialog, and reads it. */
  async function exported(item: string, ending: string): Promise<string> {
    const file = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, `exported.${ending}`);
    await page.choose(item);
    const input = page.editor.page.locator('.quick-input-widget input[type="text"]');
    await until('a file was asked for', async () =>
      (await input.inputValue()).endsWith(`.${ending}`),
    );
    await input.fill(file);
    await input.press('Enter');
    const text = await until(
      'the file was written',
      async () => (await readFile(file, 'utf8').catch(() => '')) || false,
    );
    await rm(file);
    return text;
  }
});
