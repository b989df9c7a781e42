import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { PanelPage } from './support/panelPage';
import { until } from './support/until';

const KEY = 'sk-ant-only-for-the-panel';

describe('the form of the Context panel', function () {
  this.timeout(60_000);
  let page: PanelPage;

  const command = (name: string) => vscode.commands.executeCommand(`workbench.action.${name}`);
  const press = (key: string) => page.editor.page.keyboard.press(key);
  const rowIds = () =>
    page
      .find('block-row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-block-id')));
  const hasRows = (...ids: readonly string[]) =>
    until(`the rows are ${ids.join(', ')}`, async () => (await rowIds()).join() === ids.join());
  const focused = (selector: string) => page.content.locator(`${selector}:focus`).waitFor();
  const rowFocused = (id: string) => focused(`[data-testid="block-row"][data-block-id="${id}"]`);

  /** What the user chose to see, as it stands on the page. */
  const look = async () => ({
    filter: await page.find('filter').inputValue(),
    states: await page.find('states').inputValue(),
    sort: await page.find('sort').inputValue(),
    tab: await page.content.locator('[role="tab"][aria-selected="true"]').getAttribute('data-tab'),
    at: await page.find('past-notice').locator('.message').allInnerTexts(),
  });

  before(async () => {
    page = await PanelPage.onSession(DEMO_FOLLOW_UPS);
  });

  it('explains the map once', async () => {
    const intro = page.find('intro');
    await intro.waitFor();
    assert.equal((await intro.innerText()).match(/[.](\s|$)/g)?.length, 3, 'three sentences');
    await page.find('dismiss-intro').click();
    await intro.waitFor({ state: 'detached' });
    await command('closeActiveEditor');
    await vscode.commands.executeCommand('plimsoll.openContextPanel');
    await page.again();
    assert.equal(await intro.count(), 0);
  });

  it('filters, searches, sorts and groups the blocks', async () => {
    const all = [
      'prompt-1',
      'step-1',
      'step-2',
      'step-3',
      'prompt-2',
      'step-4',
      'step-5',
      'step-6',
    ];
    await hasRows(...all);
    await page.find('filter').fill('deckPlan');
    await hasRows('step-5');
    await page.find('filter').fill('nothing is called so');
    await page.find('show-all').click();
    await hasRows(...all);
    await page.find('states').selectOption('pinned');
    await hasRows('prompt-1');
    await page.find('states').selectOption('all');
    await page.find('sort').selectOption('tokens');
    await until('the heaviest is first', async () => (await rowIds())[0] === 'step-2');
    await page.find('sort').selectOption('order');
    await page.find('by-turn').click();
    const turns = page.find('turn-row');
    await turns.nth(1).waitFor();
    assert.match(await turns.nth(1).innerText(), /Turn 2.*4 blocks/s);
    await turns.nth(0).click();
    await hasRows('prompt-2', 'step-4', 'step-5', 'step-6');
    await turns.nth(0).click();
    await page.find('by-turn').click();
    await hasRows(...all);
  });

  it('is worked by keyboard alone: rows, details, menu, areas', async () => {
    await page.find('show-keys').focus();
    await press('Tab');
    await focused('[data-testid="block-row"]');
    await press('Home');
    await rowFocused('prompt-1');
    await press('ArrowDown');
    await rowFocused('step-1');
    await press('Enter');
    await page.content.locator('[data-testid="block-details"][data-block-id="step-1"]').waitFor();
    await rowFocused('step-1');
    await press('Tab');
    await focused('[data-testid="block-menu"]');
    await press('Enter');
    const item = (name: string) => `[data-testid="block-action"][data-action="${name}"]`;
    await focused(item('open'));
    await press('ArrowDown');
    await focused(item('pin'));
    const pinned = await page.logged('blockPinned', () => press('Enter'));
    assert.equal(pinned.blockId, 'step-1');
    await page.row('step-1').locator('.p-pinned').waitFor();
    await focused('[data-testid="block-menu"]');
    await page.logged('blockUnpinned', () => press('p'));
    await press('Shift+Tab');
    await rowFocused('step-1');
    await page.find('tab-block').focus();
    await press('End');
    await focused('[data-testid="tab-session"]');
    await page.find('session-facts').waitFor();
    await page.find('menu').focus();
    await press('ArrowDown');
    await focused('[data-testid="menu-what-if"]');
    await press('ArrowDown');
    await focused('[data-testid="settings"]');
    await press('Escape');
    await focused('[data-testid="menu"]');
  });

  it('opens the text of a block', async () => {
    await page.row('step-2').dblclick();
    const { uri, text } = await page.opened(({ uri }) => uri.scheme === 'plimsoll-block');
    assert.match(uri.path, /step-2/);
    assert.match(text, /seasonLabel/);
  });

  it('comes back after hiding, moving and a reload as it was left', async () => {
    await page.find('step-back').click();
    await page.find('past-notice').waitFor();
    await page.find('filter').fill('read');
    await page.find('states').selectOption('in');
    await page.find('sort').selectOption('tokens');
    await page.show('request');
    const left = await look();
    assert.equal(left.at.length, 1);
    const asLeft = () =>
      until(
        `the panel is as it was left: ${JSON.stringify(left)}`,
        async () => JSON.stringify(await look()) === JSON.stringify(left),
      );

    await command('files.newUntitledFile');
    await page.content.locator('main').waitFor({ state: 'hidden' });
    await command('revertAndCloseActiveEditor');
    await page.again();
    await asLeft();

    await command('moveEditorToNextGroup');
    await page.again();
    await asLeft();

    const before = await page.content.locator('main').elementHandle();
    await command('webview.reloadWebviewAction');
    await until(
      'the page was made anew',
      async () => !(await before!.evaluate((main) => main.isConnected).catch(() => false)),
    );
    await page.again();
    await asLeft();
    assert.equal(await page.find('intro').count(), 0);
    await page.find('live').click();
    await page.find('filter').fill('');
    await page.find('states').selectOption('all');
    await page.find('sort').selectOption('order');
  });

  it('says how full the window is in the status bar, which opens the panel', async () => {
    const used = Number(await page.find('used').getAttribute('data-tokens'));
    await command('closeActiveEditor');
    const fill = `${used.toLocaleString('en-US')} / 20,880`;
    const item = page.editor.page.locator('.statusbar-item', { hasText: fill });
    const spoken = `Plimsoll: context window, .*${fill} tokens used, .*%`;
    assert.match(
      (await item.locator('.statusbar-item-label').getAttribute('aria-label')) ?? '',
      new RegExp(spoken),
    );
    await item.click();
    await page.again();
  });

  it('knows nothing of the API key, in any area', async () => {
    const plimsoll = vscode.workspace.getConfiguration('plimsoll');
    const { Workspace } = vscode.ConfigurationTarget;
    await vscode.commands.executeCommand('plimsoll.setApiKey');
    const input = page.editor.page.locator('.quick-input-widget input[type="password"]');
    await input.fill(KEY);
    await input.press('Enter');
    await input.waitFor({ state: 'hidden' });
    try {
      await plimsoll.update('baseUrl', 'http://127.0.0.1:9', vscode.ConfigurationTarget.Global);
      await plimsoll.update('provider', 'anthropic', Workspace);
      await page.find('offline-mark').waitFor({ state: 'detached' });
      for (const tab of ['ledger', 'block', 'scratchpad', 'request', 'session'] as const) {
        await page.show(tab);
        if (tab === 'request') await page.find('request-section').first().waitFor();
        const html = await page.content.locator('html').evaluate((root) => root.outerHTML);
        assert.ok(html.includes(`panel-${tab}`));
        assert.ok(!html.includes(KEY), tab);
      }
      const next = JSON.stringify(await page.nextRequest());
      assert.ok(!next.includes(KEY));
    } finally {
      await plimsoll.update('provider', 'offline', Workspace);
      await plimsoll.update('baseUrl', undefined, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('plimsoll.clearApiKey');
    }
    await page.find('offline-mark').waitFor();
  });
});
