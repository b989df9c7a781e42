import { describe, expect, it } from 'vitest';
import type { WhatIfView } from '../../../src/editor/contextPanel/whatIf/state';
import {
  sampleContext,
  samplePlan,
  sampleReview,
  SAMPLE_SETTINGS,
} from '../contextPanel/contextViews';
import { browserOfTests } from './support/browser';
import { openPanel } from './support/panelPage';

const context = browserOfTests();

const NARROW = { width: 320, height: 800 };

/**
 * Room for the arrows of a number field, and for fonts wider than that of the tests; CSS pixels.
 */
const ARROWS = 36;

describe('the layout of the panel', () => {
  it('has the chips above the blocks in at most two rows at 320 px', async () => {
    const panel = await openPanel(context(), 'dark', NARROW);
    await panel.tell({ type: 'contextChanged', context: sampleContext() });
    const tops = await panel.page
      .locator('.block-chip')
      .evaluateAll((chips) => chips.map((chip) => Math.round(chip.getBoundingClientRect().top)));
    expect(tops).toHaveLength(5);
    expect(new Set(tops).size).toBeLessThanOrEqual(2);
    await panel.close();
  });

  it.each([1_228, 900, 600, 480, 320])(
    'cuts off no reason of six words at %i px, in the list or next to it',
    async (width) => {
      const panel = await openPanel(context(), 'dark', { width, height: 900 });
      const blocks = sampleContext().blocks.map((block) => ({
        ...block,
        why: 'large, not used for 24 steps',
        leavesNext: 'evict' as const,
      }));
      await panel.tell({ type: 'contextChanged', context: sampleContext({ blocks }) });
      await panel.page.getByTestId('chip-all').click();
      const cut = await panel.page.locator('.block .why').evaluateAll((reasons) =>
        reasons
          .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
            return scrollWidth > clientWidth || scrollHeight > clientHeight + 1;
          })
          .map(({ textContent }) => textContent),
      );
      expect(cut).toEqual([]);
      await panel.close();
    },
  );

  it.each([
    ['a pass that waits', sampleContext({ review: sampleReview() })],
    ['a step of the past', sampleContext({ travel: { at: 26, first: 1, last: 41 } })],
  ])('has every tab next to the blocks on one line with %s', async (_, view) => {
    const panel = await openPanel(context(), 'dark', { width: 1_228, height: 900 });
    await panel.tell({ type: 'contextChanged', context: view });
    const tabs = await panel.page.getByRole('tab').all();
    const tops = await Promise.all(tabs.map(async (tab) => (await tab.boundingBox())!.y));
    expect(tops.length).toBe(5);
    expect(new Set(tops).size).toBe(1);
    await panel.close();
  });

  it('shows the word of an automatic watermark in full, next to the arrows of its field', async () => {
    const panel = await openPanel(context(), 'dark', { width: 1_228, height: 900 });
    await panel.tell({ type: 'contextChanged', context: sampleContext() });
    await panel.page.getByTestId('what-if').click();
    const settings = { ...SAMPLE_SETTINGS, lowWatermark: null };
    const { balance } = sampleContext();
    const data: WhatIfView = { ok: true, settings, balance, due: true, plan: samplePlan() };
    await panel.answer({ type: 'answered', data }, 'whatIf');
    const room = await panel.page.getByTestId('number-lowWatermark').evaluate((field) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      const ctx = document.createElement('canvas').getContext('2d')!;
      ctx.font = font;
      const words = ctx.measureText((field as HTMLInputElement).placeholder).width;
      return field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - words;
    });
    expect(room).toBeGreaterThanOrEqual(ARROWS);
    await panel.close();
  });

  it.each([1_228, 900, 560, 320])(
    'shows what a restore adds inside its column at %i px',
    async (width) => {
      const panel = await openPanel(context(), 'dark', { width, height: 900 });
      const large = { tokens: 123_456, exact: false };
      const left = { was: large, whole: large, beforeStep: 9 };
      // The last rows are visible.
      const blocks = sampleContext()
        .blocks.slice(0, 12)
        .map((block) => (block.state === 'evicted' ? { ...block, left } : block));
      await panel.tell({ type: 'contextChanged', context: sampleContext({ blocks }) });
      await panel.page.getByTestId('chip-out').click();
      const restore = panel.page.getByTestId('verb-restore').filter({ hasText: '123,456' });
      await restore.first().scrollIntoViewIfNeeded();
      const over = await restore.first().evaluate((button) => {
        const cell = button.closest('.verb')!;
        const range = document.createRange();
        range.selectNodeContents(button);
        const text = range.getBoundingClientRect();
        const room = cell.getBoundingClientRect();
        return [text.left < room.left - 0.5, text.right > room.right + 0.5];
      });
      expect(over).toEqual([false, false]);
      await panel.close();
    },
  );
});
