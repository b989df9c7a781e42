import { describe, expect, it } from 'vitest';
import type { FindingView } from '../../../src/editor/contextPanel/findings/state';
import type { WhatIfView } from '../../../src/editor/contextPanel/whatIf/state';
import {
  sampleContext,
  sampleDecisions,
  samplePlan,
  sampleRecording,
  sampleReview,
  sampleTimeline,
  SAMPLE_SETTINGS,
} from '../contextPanel/contextViews';
import { browserOfTests } from './support/browser';
import { firstScreenOf, MOST } from './support/firstScreen';
import { openPanel } from './support/panelPage';

const context = browserOfTests();

const NARROW = { width: 320, height: 800 };

/**
 * Room for the arrows of a number field, and for fonts wider than that of the tests; CSS pixels.
 */
const ARROWS = 36;

const LONGEST_REASONS = ['old, unused 124 steps, no file', 'large first, least likely needed'];

const FINDING: FindingView = {
  kind: 'unusedResult',
  blockId: 'step-12',
  label: 'run_command npm test',
  share: 0.18,
  steps: 12,
  tokens: { tokens: 2_962, exact: false },
  act: { type: 'clearBlock', blockId: 'step-12' },
};

describe('the layout of the panel', () => {
  it('answers at 1280 x 720 in few words and numbers above the list, which is in sight', async () => {
    const panel = await openPanel(context(), 'dark', { width: 1_280, height: 720 });
    const findings = [FINDING, { ...FINDING, blockId: 'step-13' }];
    await panel.tell(
      { type: 'timelineChanged', timeline: sampleTimeline(41) },
      { type: 'contextChanged', context: sampleContext({ findings, busy: false }) },
    );
    const { words, numbers, text } = await firstScreenOf(panel.page.locator('main'));
    expect(words, text).toBeLessThanOrEqual(MOST.words);
    expect(numbers, text).toBeLessThanOrEqual(MOST.numbers);
    for (const answer of ['64 % full', 'Removed next', 'Removed last', 'What it cost', 'Pinned']) {
      expect(text.replaceAll('\u00a0', ' ')).toContain(answer);
    }
    const list = (await panel.page.locator('.list').boundingBox())!;
    expect(720 - list.y).toBeGreaterThan(200);
    await panel.close();
  });

  it.each([300, 320, 980, 1_280, 1_600])(
    'writes whole labels into the bar, each in the colour of one segment, at %i px',
    async (width) => {
      const panel = await openPanel(context(), 'dark', { width, height: 1_000 });
      await panel.tell({ type: 'contextChanged', context: sampleContext() });
      await panel.page.evaluate(async () => void (await document.fonts.ready));
      const labels = await panel.page.locator('.part-label > span').evaluateAll((all) =>
        all.map((label) => {
          const own = label.getBoundingClientRect();
          const segments = [...label.closest('.bar-part')!.querySelectorAll('.segment')];
          // Within the colour of one segment.
          const isIn = segments.some((segment) => {
            const room = segment.getBoundingClientRect();
            return own.left >= room.left && own.right <= room.right;
          });
          return isIn && own.height < 24;
        }),
      );
      expect(labels.length).toBeGreaterThan(width > 900 ? 1 : -1);
      expect(labels.every(Boolean)).toBe(true);
      const right = await panel.page.evaluate(() => document.documentElement.scrollWidth);
      expect(right).toBeLessThanOrEqual(width);
      await panel.close();
    },
  );

  it.each([300, 1_280])('has room for the table of speed and errors at %i px', async (width) => {
    const panel = await openPanel(context(), 'dark', { width, height: 900 });
    const pace = [25, 50, 75, 100].map((upTo) => ({
      upTo,
      steps: 1_204,
      firstTokenMs: 12_400,
      replyMs: 185_000,
      calls: 1_310,
      failedCalls: 122,
      repeatedCalls: 203,
      neededAgain: 18,
    }));
    await panel.tell(
      { type: 'timelineChanged', timeline: { ...sampleTimeline(41), pace } },
      { type: 'contextChanged', context: sampleContext({ offline: false }) },
    );
    await panel.page.getByTestId('tab-session').click();
    const table = panel.page.getByTestId('pace');
    await table.locator('summary').click();
    const tab = (await panel.page.getByTestId('session-facts').boundingBox())!;
    const box = (await table.locator('table').boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(tab.x + tab.width + 1);
    await panel.close();
  });

  it.each([300, 1_280])('has room for the choice of a window at %i px', async (width) => {
    const panel = await openPanel(context(), 'dark', { width, height: 720 });
    const windows = [
      { isShown: false },
      { toolUseId: 't1', name: 'Find every caller of the parser', tokens: 12_480, isShown: true },
    ];
    const source = sampleRecording({
      format: 'subAgent',
      file: 'Find every caller',
      asItWas: true,
    });
    await panel.tell({ type: 'contextChanged', context: sampleContext({ windows, source }) });
    const picker = (await panel.page.getByTestId('window-picker').boundingBox())!;
    expect(picker.x + picker.width).toBeLessThanOrEqual(width);
    expect(picker.width).toBeGreaterThan(80);
    const right = await panel.page.evaluate(() => document.documentElement.scrollWidth);
    expect(right).toBeLessThanOrEqual(width);
    await panel.close();
  });

  it('draws the bar of a window of 1,000,000 to the mark, with 25,000 tokens and their label in it', async () => {
    const panel = await openPanel(context(), 'dark', { width: 1_280, height: 720 });
    const { balance } = sampleContext();
    const large = {
      ...balance,
      contextWindowTokens: 1_000_000,
      inputBudget: 977_712,
      highTokens: 200_000,
      lowTokens: 120_000,
      used: { tokens: 25_000, exact: true },
      headroom: 952_712,
      categories: { ...balance.categories, archive: 0, working: 0 },
    };
    const { categories } = large;
    const others = Object.values(categories).reduce((sum, tokens) => sum + tokens, 0);
    categories.working = 25_000 - others;
    await panel.tell({
      type: 'contextChanged',
      context: sampleContext({ balance: large, passAbove: 200_000 }),
    });
    const { page } = panel;
    const bar = (await page.getByTestId('bar').boundingBox())!;
    const mark = (await page.getByTestId('mark-pass').boundingBox())!;
    expect((mark.x - bar.x) / bar.width).toBeGreaterThan(0.9);
    const part = page.locator('[data-testid="bar-part"][data-part="conversation"]');
    expect((await part.boundingBox())!.width).toBeGreaterThan(80);
    expect(await part.locator('.part-label').textContent()).toContain('conversation');
    expect(await page.getByTestId('mark-label-beyond').textContent()).toBe('budget 977,712 ▸');
    await panel.close();
  });

  it.each([1_280, 320])('keeps the mark of the bar clear of its label at %i px', async (width) => {
    const panel = await openPanel(context(), 'dark', { width, height: 720 });
    await panel.tell({ type: 'contextChanged', context: sampleContext() });
    const [label, line] = await Promise.all(
      ['mark-label-pass', 'mark-pass'].map(
        async (id) => (await panel.page.getByTestId(id).boundingBox())!,
      ),
    );
    expect(line!.y).toBeGreaterThanOrEqual(label!.y + label!.height);
    await panel.close();
  });

  it('is worked by the keyboard alone from the answer to the blocks, and read out in that order', async () => {
    const panel = await openPanel(context(), 'dark', { width: 1_280, height: 720 });
    const findings = [FINDING, { ...FINDING, blockId: 'step-13' }];
    await panel.tell(
      { type: 'timelineChanged', timeline: sampleTimeline(41) },
      { type: 'contextChanged', context: sampleContext({ findings, busy: false }) },
    );
    const { page } = panel;
    const stop = () =>
      page.evaluate(() => {
        const focused = document.activeElement as HTMLElement;
        return focused.dataset['testid'] ?? focused.className;
      });
    await page.getByTestId('open-sum').focus();
    const stops = [await stop()];
    while (stops.at(-1) !== 'show-filter' && stops.length < 30) {
      await page.keyboard.press('Tab');
      stops.push(await stop());
    }
    expect(stops.join(' ')).toBe(
      'open-sum bar-part ' +
        'card-next-open card-next-more leaving-block keep leaving-block keep ' +
        'card-last-open what-and-why undo-last card-cost-open cost-again ' +
        'finding-act all-findings fold-timeline timeline chip-in show-filter',
    );
    const said = await page.locator('main').ariaSnapshot();
    const places = [
      '64 % full',
      'heading "Removed next"',
      'heading "Removed last, before step 13"',
      'heading "What it cost"',
      'region "Findings"',
      'heading "Timeline"',
      'radiogroup "Blocks to show"',
    ].map((words) => said.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    await page.getByTestId('keep').first().press('Enter');
    await page.getByTestId('finding-act').press('Enter');
    await page.getByTestId('cost-again').press('Enter');
    await page.locator('[data-testid="chip-again"]:focus').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.locator('[data-testid="chip-pinned"]:focus[aria-checked="true"]').waitFor();
    const wished = (await panel.wishes()).map(({ type }) => type);
    expect(wished).toEqual(expect.arrayContaining(['pinBlock', 'clearBlock']));
    await panel.close();
  });

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
    'cuts off none of the longest reasons at %i px, in the list or next to it',
    async (width) => {
      const panel = await openPanel(context(), 'dark', { width, height: 900 });
      const blocks = sampleContext().blocks.map((block, at) => ({
        ...block,
        why: LONGEST_REASONS[at % LONGEST_REASONS.length]!,
        ...(block.category === undefined ? {} : { leavesNext: 'evict' as const }),
      }));
      const move = { restore: { tokens: 12_345, exact: false } };
      const moves = Object.fromEntries(blocks.map(({ id }) => [id, move]));
      await panel.tell({ type: 'contextChanged', context: sampleContext({ blocks, moves }) });
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

  it('breaks no word in the rungs of a pass at 300 px, and shows the end of long paths', async () => {
    const panel = await openPanel(context(), 'dark', { width: 300, height: 900 });
    const path = '/Users/someone/work/a-project/with-folders/src/area/zones.js';
    const label = `Read ${path}`;
    const blocks = sampleContext().blocks.map((block) =>
      block.id === 'step-12' ? { ...block, label, tools: ['Read'] } : block,
    );
    await panel.tell({ type: 'contextChanged', context: sampleContext({ blocks, busy: false }) });
    const { page } = panel;
    await page.getByTestId('decisions').first().locator('summary').click();
    const decisions = sampleDecisions().map((one, at) =>
      at === 0 ? { ...one, blockId: 'step-12', label } : one,
    );
    await panel.answer({ type: 'answered', data: decisions }, 'fetchDecisions');
    const row = page
      .locator('[data-testid="decision-row"][data-block-id="step-12"] .label')
      .first();
    expect(await row.textContent()).toContain('…/src/area/zones.js');
    expect(await row.getAttribute('title')).toContain(path);
    const broken = await page.locator('.rung dt, .rung dd').evaluateAll((all) =>
      all.flatMap((part) => {
        const text = part.firstChild;
        return [...(text?.textContent ?? '').matchAll(/\S+/g)].flatMap(({ index, 0: word }) => {
          const range = document.createRange();
          range.setStart(text!, index);
          range.setEnd(text!, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        });
      }),
    );
    expect(broken).toEqual([]);
    expect(await page.locator('.rung dt').allTextContents()).toContain('Kept');
    await panel.close();
  });

  it.each([1_228, 600])(
    'shows the word of an automatic watermark in full, next to the arrows of its field, at %i px',
    async (width) => {
      const panel = await openPanel(context(), 'dark', { width, height: 900 });
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
    },
  );

  it.each([1_228, 900, 560, 320])(
    'shows what a restore adds inside its column at %i px',
    async (width) => {
      const panel = await openPanel(context(), 'dark', { width, height: 900 });
      // The last rows are visible.
      const blocks = sampleContext().blocks.slice(0, 12);
      const restore = { tokens: 123_456, exact: false };
      const moves = Object.fromEntries(blocks.map(({ id }) => [id, { restore }]));
      await panel.tell({ type: 'contextChanged', context: sampleContext({ blocks, moves }) });
      await panel.page.getByTestId('chip-out').click();
      const button = panel.page.getByTestId('verb-restore').filter({ hasText: '123,456' });
      await button.first().scrollIntoViewIfNeeded();
      const over = await button.first().evaluate((element) => {
        const cell = element.closest('.verb')!;
        const range = document.createRange();
        range.selectNodeContents(element);
        const text = range.getBoundingClientRect();
        const room = cell.getBoundingClientRect();
        return [text.left < room.left - 0.5, text.right > room.right + 0.5];
      });
      expect(over).toEqual([false, false]);
      await panel.close();
    },
  );
});
