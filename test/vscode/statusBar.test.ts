import assert from 'node:assert/strict';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { changedSettings } from './support/changedSettings';
import { PanelPage } from './support/panelPage';
import type { Part } from './support/part';

const [QUESTION = ''] = DEMO_FOLLOW_UPS;

/** The reserve in the sample's settings, in tokens: reply, headroom and tool results. */
const RESERVED = 2_048 + 1_024 + 2_048;

/** A line of the tooltip that counts toward the window: "Working 1,208, ≈ 300 of it estimated". */
const PART =
  /^(?:Tools|System prompt|Agent’s notes|Task|Summary|Older|Recent|Headroom|Reserved for [a-z ]+?) (?:≈ ?)?([\d,]+)/;

const tokens = (text: string) => Number(text.replaceAll(',', ''));

describe('the status bar', () => {
  const settings = changedSettings();
  let page: PanelPage;
  let item: Part;
  let used: number;

  /** Sets the used tokens to this share of the input budget. */
  async function fill(share: number): Promise<void> {
    const inputBudget = Math.round(used / share);
    await settings.set('context.windowTokens', inputBudget + RESERVED);
    await item.shows(`${used.toLocaleString('en-US')} / ${inputBudget.toLocaleString('en-US')}`);
  }

  /** Waits until the item has VS Code's `warning` or `error` background, or none. */
  const becomes = (kind: 'warning' | 'error' | undefined) =>
    item.has('class', (classes) => /\b(warning|error)-kind\b/.exec(classes)?.[1] === kind);

  const spoken = () => item.at('[aria-label]').first;

  before(async () => {
    page = await PanelPage.onSession([QUESTION]);
    used = await page.find('used').tokens();
    item = page.editor.at('.statusbar-item[id="plimsoll.plimsoll.plimsoll.gauge"]');
  });

  it('is plain up to the high watermark', async () => {
    await fill(0.5);
    await becomes(undefined);
    await spoken().has('aria-label', (words) => !/watermark|over/.test(words));
  });

  it('is amber above it, and says so to screen readers', async () => {
    await fill(0.9);
    await becomes('warning');
    await spoken().has('aria-label', /above the high watermark/);
  });

  it('is red above the input budget', async () => {
    await fill(1.1);
    await becomes('error');
    await spoken().has('aria-label', /over the input budget/);
  });

  it('shows in its tooltip what fills the window, and the lines sum up to it', async () => {
    await fill(0.9);
    await page.editor.pointNowhere();
    await item.hover();
    const hover = page.editor.at('.monaco-hover').withText('Plimsoll: context window');
    const text = await hover.shows(
      /tokens of the input budget, (?:≈ )?90 %.*: above the high watermark/,
    );
    await page.editor.pointNowhere();
    assert.match(text, /High watermark [\d,]+, low [\d,]+/);
    const lines = text.split('\n');
    const parts = lines.map((line) => PART.exec(line)?.[1]).filter((part) => part !== undefined);
    const whole = lines.map((line) => /^Context window ([\d,]+) /.exec(line)?.[1]).find(Boolean);
    assert.ok(parts.length >= 7, text);
    assert.equal(
      parts.map(tokens).reduce((sum, part) => sum + part, 0),
      tokens(whole ?? ''),
      text,
    );
  });

  it('is plain again once there is room', async () => {
    await fill(0.9);
    await becomes('warning');
    await fill(0.5);
    await becomes(undefined);
  });
});
