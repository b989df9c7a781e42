import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settingsChangedByEach } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';

const KEY = 'sk-ant-only-for-the-panel';

describe('the layout of the Context panel', () => {
  const settings = settingsChangedByEach();
  let page: PanelPage;

  const command = (name: string) => vscode.commands.executeCommand(`workbench.action.${name}`);
  const press = (key: string) => page.editor.press(key);

  before(async () => {
    page = await PanelPage.onFollowUps();
  });

  it('explains the map once', async () => {
    await page.find('intro').shows((text) => text.match(/[.](\s|$)/g)?.length === 3);
    await page.find('dismiss-intro').click();
    await page.find('intro').isGone();
    await command('closeActiveEditor');
    await vscode.commands.executeCommand('plimsoll.openContextPanel');
    await page.again();
    await page.find('intro').staysGone();
  });

  itInSoak('says once that in a very large window a cap decides when passes begin', async () => {
    await page.find('cap-notice').staysGone();
    await settings.set('context.windowTokens', 1_000_000);
    await page.find('cap-notice').shows(/begins above 200,000 tokens and stops at 120,000/);
    await page.find('mark-pass').has('data-tokens', (tokens) => tokens === '200000');
    await page.find('cap-settings').click();
    await page.editor.at('.settings-editor').appears();
    await command('closeActiveEditor');
    await page.again();
    await page.find('dismiss-cap').click();
    await page.find('cap-notice').isGone();
    await settings.set('context.windowTokens', 900_000);
    await page.showPart('free');
    await page.find('legend-total').shows(/900,000/);
    await page.find('cap-notice').isGone();
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
    await page.lists(...all);
    await page.find('show-filter').click();
    await page.find('filter').fill('deckPlan');
    await page.lists('step-5');
    await page.find('filter').fill('nothing is called so');
    await page.find('show-all').click();
    await page.lists(...all);
    await page.find('chip-pinned').click();
    await page.lists('prompt-1');
    await page.find('chip-all').click();
    await page.find('sort').choose('tokens');
    await page.find('block-row').all('data-block-id', ([heaviest]) => heaviest === 'step-2');
    await page.find('sort').choose('order');
    await page.find('by-turn').click();
    const turns = page.find('turn-row');
    await turns.nth(1).shows(/Turn 2.*4 blocks/s);
    await turns.nth(0).click();
    await page.lists('prompt-2', 'step-4', 'step-5', 'step-6');
    await turns.nth(0).click();
    await page.find('by-turn').click();
    await page.lists(...all);
    await page.find('show-filter').click();
    await page.find('filter').isGone();
  });

  it('works by keyboard alone: rows, details, menu, areas', async () => {
    await page.find('chip-all').focus();
    await press('Home');
    await page.find('chip-in').isFocused();
    await page.find('chip-in').is('aria-checked', 'true');
    await press('Tab');
    await page.find('show-filter').isFocused();
    await press('Tab');
    await page.content.at('[data-testid="block-row"]:focus').appears();
    await press('Home');
    await page.row('prompt-1').isFocused();
    await press('ArrowDown');
    await page.row('step-1').isFocused();
    await press('Enter');
    await page.content.at('[data-testid="block-details"][data-block-id="step-1"]').appears();
    await page.row('step-1').isFocused();
    await press('Tab');
    await page.row('step-1').find('verb-pin').isFocused();
    await press('Tab');
    await page.row('step-1').find('block-menu').isFocused();
    await press('Enter');
    await page.action('open').isFocused();
    await press('ArrowDown');
    await page.action('pin').isFocused();
    const pinned = await page.logged('blockPinned', () => press('Enter'));
    assert.equal(pinned.blockId, 'step-1');
    await page.row('step-1').find('verb-unpin').appears();
    await page.row('step-1').find('block-menu').isFocused();
    await page.logged('blockUnpinned', () => press('p'));
    await press('Shift+Tab');
    await press('Shift+Tab');
    await page.row('step-1').isFocused();
    await page.find('tab-block').focus();
    await press('End');
    await page.find('tab-session').isFocused();
    await page.find('session-facts').appears();
    await page.find('menu').focus();
    await press('ArrowDown');
    await page.find('menu-what-if').isFocused();
    await press('ArrowDown');
    await page.find('settings').isFocused();
    await press('Escape');
    await page.find('menu').isFocused();
  });

  it('opens the text of a block', async () => {
    await page.row('step-2').doubleClick();
    const { uri, text } = await page.opened(({ uri }) => uri.scheme === 'plimsoll-block');
    assert.match(uri.path, /step-2/);
    assert.match(text, /seasonLabel/);
  });

  itInSoak('keeps its state after hiding, moving and a reload', async () => {
    const isAsLeft = async () => {
      await page.find('filter').holds(/^read$/);
      await page.find('chip-in').is('aria-checked', 'true');
      await page.find('sort').holds(/^tokens$/);
      await page.find('tab-request').is('aria-selected', 'true');
      await page.travelledTo(6, 6);
    };
    await page.find('step-back').click();
    await page.find('past-notice').appears();
    await page.find('show-filter').click();
    await page.find('filter').fill('read');
    await page.find('chip-in').click();
    await page.find('sort').choose('tokens');
    await page.show('request');
    await isAsLeft();

    await command('files.newUntitledFile');
    await page.content.at('main').isHidden();
    await command('revertAndCloseActiveEditor');
    await page.again();
    await isAsLeft();

    await command('moveEditorToNextGroup');
    await page.again();
    await isAsLeft();

    await page.reload();
    await isAsLeft();
    await page.find('intro').staysGone();

    await page.find('back-to-now').click();
    await page.find('sort').choose('order');
    await page.find('show-filter').click();
    await page.find('chip-all').click();
    await page.travelledTo('now');
  });

  it('shows how full the window is in the status bar, which opens the panel', async () => {
    const used = await page.find('used').tokens();
    await command('closeActiveEditor');
    const fill = `${used.toLocaleString('en-US')} / 21,580`;
    const item = page.editor.statusBarItem(fill);
    const spoken = `Plimsoll: context window, .*${fill} tokens used, .*%`;
    await item.at('.statusbar-item-label').has('aria-label', new RegExp(spoken));
    await item.click();
    await page.again();
  });

  it('contains the API key in no area', async () => {
    const { secret } = page.editor.quickInput;
    await vscode.commands.executeCommand('plimsoll.setApiKey');
    await secret.fill(KEY);
    await secret.press('Enter');
    await secret.isHidden();
    try {
      await settings.set('baseUrl', 'http://127.0.0.1:9', 'user');
      await settings.set('provider', 'anthropic', 'user');
      await page.find('offline-mark').isGone();
      for (const tab of ['ledger', 'block', 'files', 'request', 'session'] as const) {
        await page.show(tab);
        await page.find(`panel-${tab}`).appears();
        if (tab === 'request') await page.find('request-section').first.appears();
        assert.ok(!(await page.content.html()).includes(KEY), tab);
      }
      const next = JSON.stringify(await page.nextRequest());
      assert.ok(!next.includes(KEY));
    } finally {
      await settings.restore();
      await vscode.commands.executeCommand('plimsoll.clearApiKey');
    }
    await page.find('offline-mark').appears();
  });
});
