import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import * as vscode from 'vscode';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { PanelPage } from './support/panelPage';
import { until } from './support/until';

const [QUESTION = ''] = DEMO_FOLLOW_UPS;

/** What the sample's settings keep free: for the reply, as headroom, for tool results; tokens. */
const RESERVED = 2_048 + 1_024 + 2_048;

/** A line of the tooltip that is a part of the window; "Working 1,208, ≈ 300 of it estimated". */
const PART =
  /^(?:Tools|System prompt|Scratchpad|Task anchor|Summary|Archive|Working|Headroom|Reserved for [a-z ]+?) (?:≈ ?)?([\d,]+)/;

const tokens = (text: string) => Number(text.replaceAll(',', ''));

describe('the status bar', function () {
  this.timeout(60_000);
  let page: PanelPage;
  let item: Locator;
  let used: number;
  let former: number | undefined;

  const settings = () => vscode.workspace.getConfiguration('plimsoll');

  const windowTokens = (tokens: number | undefined) =>
    settings().update('context.windowTokens', tokens, vscode.ConfigurationTarget.Workspace);

  /** Makes the window such that what is used fills this share of the input budget; returns that. */
  async function fill(share: number): Promise<string> {
    const inputBudget = Math.round(used / share);
    await windowTokens(inputBudget + RESERVED);
    const words = `${used.toLocaleString('en-US')} / ${inputBudget.toLocaleString('en-US')}`;
    await item.filter({ hasText: words }).waitFor();
    return words;
  }

  /** VS Code's name for the colour behind the item. */
  const kind = async () =>
    /\b(warning|error)-kind\b/.exec((await item.getAttribute('class')) ?? '')?.[1];

  const becomes = (wanted: string | undefined) =>
    until(`the item is ${wanted ?? 'plain'}`, async () => (await kind()) === wanted);

  const spoken = () => item.locator('[aria-label]').first().getAttribute('aria-label');

  before(async () => {
    page = await PanelPage.onSession([QUESTION]);
    used = Number(await page.find('used').getAttribute('data-tokens'));
    former = settings().inspect<number>('context.windowTokens')?.workspaceValue;
    item = page.editor.page.locator('.statusbar-item[id="plimsoll.plimsoll.plimsoll.gauge"]');
  });

  after(() => windowTokens(former));

  it('is plain up to the high watermark', async () => {
    await fill(0.5);
    await becomes(undefined);
    assert.doesNotMatch((await spoken()) ?? '', /watermark|over/);
  });

  it('is amber above it, and says so to who does not see it', async () => {
    await fill(0.9);
    await becomes('warning');
    assert.match((await spoken()) ?? '', /above the high watermark/);
  });

  it('is red above the input budget', async () => {
    await fill(1.1);
    await becomes('error');
    assert.match((await spoken()) ?? '', /over the input budget/);
  });

  it('tells when pointed at what fills the window, and the parts sum up to it', async () => {
    const { page: window } = page.editor;
    await fill(0.9);
    await window.mouse.move(640, 200);
    await item.hover();
    const hover = window.locator('.monaco-hover', { hasText: 'Plimsoll: context window' });
    await hover.waitFor();
    const lines = (await hover.innerText()).split('\n');
    await window.mouse.move(640, 200);
    assert.match(
      lines.join('\n'),
      /tokens of the input budget, ≈?90 %.*: above the high watermark/,
    );
    assert.match(lines.join('\n'), /High watermark [\d,]+, low [\d,]+/);
    const parts = lines.map((line) => PART.exec(line)?.[1]).filter((part) => part !== undefined);
    const whole = lines.map((line) => /^Context window ([\d,]+) /.exec(line)?.[1]).find(Boolean);
    assert.ok(parts.length >= 7, lines.join('\n'));
    assert.equal(
      parts.map(tokens).reduce((sum, part) => sum + part, 0),
      tokens(whole ?? ''),
      lines.join('\n'),
    );
  });

  it('is plain again where there is room', async () => {
    await fill(0.5);
    await becomes(undefined);
  });
});
