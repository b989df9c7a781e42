import { describe, expect, it } from 'vitest';
import { browserOfTests } from './support/browser';
import {
  sampleBlocks,
  sampleContext,
  sampleDecisions,
  samplePass,
  samplePlan,
  sampleRecording,
  sampleRequest,
  sampleReview,
  sampleTimeline,
  SAMPLE_SCRATCHPAD,
  SAMPLE_SETTINGS,
} from '../contextPanel/contextViews';
import { sampleComparison } from '../contextPanel/comparison/comparisons';
import type { ContextView, TravelView } from '../../../src/editor/contextPanel/state';
import type { NextView } from '../../../src/editor/contextPanel/ledger/state';
import type { WhatIfView } from '../../../src/editor/contextPanel/whatIf/state';
import { longRecording } from './support/longRecording';
import { inspectionOf, longSession } from './support/longSession';
import { openPanel, type PanelPage } from './support/panelPage';
import { seriousInThemes } from './support/seriousIn';

const context = browserOfTests();

const NEXT: NextView = {
  type: 'planned',
  due: false,
  afterTokens: 6_763,
  blocks: 3,
  shortens: false,
  largest: [],
  freedTokens: 2_400,
};

const NO_STEP: TravelView = { at: 'now', first: 0, last: 0 };

/** The panel in situations other than the middle of a session. */
const OTHER_VIEWS: Readonly<Record<string, ContextView>> = {
  recording: sampleContext({ source: sampleRecording() }),
  past: sampleContext({ travel: { at: 3, first: 1, last: 17 }, whyReadOnly: 'Step 3 is past.' }),
  empty: sampleContext({ blocks: [], passes: [], turn: 0, step: 0, travel: NO_STEP }),
  review: sampleContext({ review: sampleReview() }),
};

const WHAT_IF: WhatIfView = {
  ok: true,
  settings: SAMPLE_SETTINGS,
  balance: sampleContext().balance,
  due: true,
  plan: samplePlan(),
};

/** Sends a panel everything about a session. */
async function show(panel: PanelPage, steps: number): Promise<void> {
  const inspection = inspectionOf(longSession(steps));
  await panel.tell(
    { type: 'timelineChanged', timeline: inspection.timeline() },
    { type: 'contextChanged', context: inspection.view() },
  );
}

/** What `found` is if no part has a finding. */
const none = (found: object) => Object.fromEntries(Object.keys(found).map((part) => [part, {}]));

/** By how much the drawn content is wider than the page, CSS pixels. */
const overflowOf = ({ page }: PanelPage): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const CAPPED = 'This model has a large window: a pass begins above 200,000 tokens.';

describe('the Context panel in a browser', () => {
  it.each([
    ['its own column', { width: 1280, height: 720 }],
    ['one page', { width: 320, height: 720 }],
  ])('scrolls to a pass that waits for review if the ledger scrolls in %s', async (_, size) => {
    const panel = await openPanel(context(), 'dark');
    const { page } = panel;
    await page.setViewportSize(size);
    // The user works elsewhere, such as in the terminal: no focus moves here.
    await page.evaluate(() => (document.hasFocus = () => false));
    const passes = Array.from({ length: 30 }, (__, index) => samplePass({ number: 30 - index }));
    await panel.tell({ type: 'contextChanged', context: sampleContext({ passes }) });
    await page.getByTestId('pass-card').last().scrollIntoViewIfNeeded();
    const review = sampleReview();
    await panel.tell({ type: 'contextChanged', context: sampleContext({ passes, review }) });
    const title = page.getByTestId('review').getByRole('alert');
    await expect
      .poll(() =>
        title.evaluate((element) => {
          const { top, left } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(left + 2, top + 2));
        }),
      )
      .toBe(true);
    await panel.close();
  });

  it('has no serious axe-core finding in any area, in any theme', async () => {
    const panel = await openPanel(context(), 'dark');
    await panel.tell(
      { type: 'timelineChanged', timeline: sampleTimeline(17) },
      {
        type: 'contextChanged',
        context: sampleContext({ showIntro: true, capNotice: CAPPED, next: NEXT }),
      },
    );
    const found: Record<string, object> = { ledger: await seriousInThemes(panel.page) };
    for (const name of ['Block', 'Files', 'Session', /request/i]) {
      await panel.page.getByRole('tab', { name }).click();
      if (name === 'Block') await panel.page.getByTestId('block-row').nth(2).click();
      if (name instanceof RegExp) {
        await panel.answer({ type: 'answered', data: sampleRequest() }, 'fetchRequest');
      }
      found[String(name)] = await seriousInThemes(panel.page);
    }
    await panel.page.getByTestId('what-if').click();
    await panel.answer({ type: 'answered', data: WHAT_IF }, 'whatIf');
    found['what if'] = await seriousInThemes(panel.page);
    await panel.page.getByTestId('compare-policies').click();
    found['comparing'] = await seriousInThemes(panel.page);
    await panel.answer({ type: 'answered', data: sampleComparison() }, 'comparePolicies');
    await panel.page.getByTestId('policy-table').waitFor();
    found['all policies'] = await seriousInThemes(panel.page);
    expect(found).toEqual(none(found));
    await panel.close();
  });

  it('has no serious finding in a recording, in the past, or before the first prompt, in any theme', async () => {
    const found: Record<string, object> = {};
    for (const [name, view] of Object.entries(OTHER_VIEWS)) {
      const panel = await openPanel(context(), 'dark');
      await panel.tell({ type: 'contextChanged', context: view });
      found[name] = await seriousInThemes(panel.page);
      await panel.close();
    }
    expect(found).toEqual(none(found));
  });

  it('has no serious finding in unfolded decisions, a refusal, and the dialogs, in any theme', async () => {
    const panel = await openPanel(context(), 'dark');
    const { page } = panel;
    const found: Record<string, object> = {};
    const exchanges = [{ summaryId: 'summary-1', covers: 8, hasAnswer: true }];
    const passes = [samplePass({ exchanges })];
    await panel.tell({ type: 'contextChanged', context: sampleContext({ busy: false, passes }) });
    await page.getByTestId('decisions').first().locator('summary').click();
    await panel.answer({ type: 'answered', data: sampleDecisions() }, 'fetchDecisions');
    found['decisions'] = await seriousInThemes(panel.page);
    await page.getByTestId('compact-now').click();
    await panel.answer({ type: 'refused', message: 'A step is running.' }, 'compactNow');
    await page.getByTestId('refusal').waitFor();
    found['refusal'] = await seriousInThemes(panel.page);
    await page.locator('[data-testid="bar-part"][data-part="kept"]').press('Enter');
    await page.getByTestId('notes-edit').click();
    await panel.answer({ type: 'answered', data: SAMPLE_SCRATCHPAD }, 'fetchScratchpad');
    found['scratchpad'] = await seriousInThemes(panel.page);
    await page.getByTestId('scratchpad-objective').fill('Mine');
    await page.keyboard.press('Escape');
    await page.getByTestId('discard-question').waitFor();
    found['question'] = await seriousInThemes(panel.page);
    await page.getByTestId('discard-typed').click();
    await page.locator('[data-testid="block-row"][data-block-id^="summary"]').click();
    await page.getByTestId('block-rewrite').click();
    await panel.answer({ type: 'answered', data: 'Read the harbour.' }, 'fetchSummary');
    await page.getByTestId('summary-dialog').waitFor();
    found['summary'] = await seriousInThemes(panel.page);
    expect(found).toEqual(none(found));
    await panel.close();
  });

  it('draws 10,000 blocks with a few rows, and scrolls to the last', async () => {
    const panel = await openPanel(context(), 'dark');
    await show(panel, 10_000);
    await panel.page.getByTestId('chip-all').click();
    const rows = panel.page.getByTestId('block-row');
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(100);
    await rows.first().focus();
    await panel.page.keyboard.press('End');
    await panel.page.getByText('Read src/part10000.ts').first().waitFor();
    await panel.page.keyboard.press('Home');
    await panel.page.locator('[data-block-id="prompt-1"]').waitFor();
    await panel.close();
  });

  it('travels to a step with a click on a timeline of 600', async () => {
    const panel = await openPanel(context(), 'dark');
    await show(panel, 600);
    const plot = panel.page.getByTestId('timeline');
    const box = (await plot.boundingBox())!;
    await plot.click({ position: { x: box.width / 2, y: box.height / 3 } });
    const wished = async () => (await panel.wishes()).find(({ type }) => type === 'travelTo');
    await expect.poll(wished).toBeDefined();
    const wish = await wished();
    const at = wish?.type === 'travelTo' ? Number(wish.at) : 0;
    expect(at).toBeGreaterThan(250);
    expect(at).toBeLessThan(350);
    await panel.close();
  });

  it('tells the areas of the timeline apart in high contrast by pattern, one above the other', async () => {
    const panel = await openPanel(context(), 'highContrast');
    const sample = sampleTimeline(30);
    const points = sample.points.map((point) => ({
      ...point,
      system: 8_000,
      archive: 8_000,
      working: 8_000,
      marks: [],
    }));
    await panel.tell(
      { type: 'timelineChanged', timeline: { ...sample, points } },
      { type: 'contextChanged', context: sampleContext() },
    );
    await panel.page.getByTestId('fold-timeline').click();
    // From the foot up, the share of each row of pixels that is not as dark as the canvas.
    const shares = await panel.page
      .getByTestId('timeline')
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const width = 140;
        const from = Math.round(canvas.width * 0.3);
        const { data } = canvas.getContext('2d')!.getImageData(from, 0, width, canvas.height);
        return Array.from({ length: canvas.height }, (_, row) => {
          const pixels = Array.from({ length: width }, (__, x) => (row * width + x) * 4);
          const lit = pixels.filter((at) => data[at]! + data[at + 1]! + data[at + 2]! > 200);
          return lit.length / width;
        }).toReversed();
      });
    const rowsLit = (least: number, most: number) =>
      shares.flatMap((share, row) => (share > least && share <= most ? [row] : []));
    const [dotted, striped, even] = [rowsLit(0.2, 0.6), rowsLit(0.6, 0.9), rowsLit(0.95, 1)];
    expect(dotted.length).toBeGreaterThan(5);
    expect(striped.length).toBeGreaterThan(15);
    expect(even.length).toBeGreaterThan(15);
    expect(Math.max(...dotted)).toBeLessThan(Math.min(...striped));
    expect(Math.max(...striped)).toBeLessThan(Math.min(...even));
    await panel.close();
  });

  it('opens a recording of 600 steps, with its passes and the other agent’s own compaction', async () => {
    const panel = await openPanel(context(), 'dark');
    const inspection = inspectionOf(await longRecording(600));
    const timeline = inspection.timeline();
    const view = inspection.view();
    await panel.tell(
      { type: 'timelineChanged', timeline },
      { type: 'contextChanged', context: view },
    );
    expect(timeline.points.length).toBe(600);
    const marked = timeline.points.filter(({ marks }) =>
      marks.some(({ kind }) => kind === 'compacted'),
    );
    expect(marked.map(({ step }) => step)).toEqual([301]);
    expect(view.passes.length).toBeGreaterThan(2);
    await expect.poll(() => panel.page.getByTestId('pass-card').count()).toBe(view.passes.length);
    expect(await panel.page.getByTestId('block-row').count()).toBeLessThan(100);
    await panel.page.getByTestId('timeline').focus();
    await panel.page.keyboard.press('Home');
    await panel.page.keyboard.press('Enter');
    await expect
      .poll(async () => (await panel.wishes()).at(-1))
      .toEqual({ type: 'travelTo', at: 1 });
    await panel.close();
  });

  it.each([
    [1_232, 420, 50],
    [560, 560, 80],
    [320, 700, 80],
  ])(
    'shows the blocks near the top at %i px, and moves nothing under the pointer',
    async (...of) => {
      const [width, most, header] = of;
      const panel = await openPanel(context(), 'dark', { width, height: 900 });
      await panel.tell(
        { type: 'timelineChanged', timeline: sampleTimeline(41) },
        { type: 'contextChanged', context: sampleContext({ next: NEXT }) },
      );
      const { page } = panel;
      const boxOf = async (part: string) => (await page.locator(part).first().boundingBox())!;
      // Symbols have another height until their font is loaded.
      await page.evaluate(async () => void (await document.fonts.ready));
      expect((await boxOf('.header')).height).toBeLessThanOrEqual(header);
      const { y } = await boxOf('.columns');
      expect(y).toBeLessThanOrEqual(most);
      await page.locator('[data-part="reserved"]').hover();
      expect((await boxOf('.columns')).y).toBe(y);
      await page.getByTestId('timeline').hover();
      expect((await boxOf('.columns')).y).toBe(y);
      await panel.close();
    },
  );

  it.each([320, 480, 900, 2_400])(
    'fits a width of %i px without a horizontal scroll bar',
    async (width) => {
      const panel = await openPanel(context(), 'dark', { width, height: 800 });
      await show(panel, 40);
      expect(await overflowOf(panel)).toBeLessThanOrEqual(0);
      await panel.close();
    },
  );

  it('keeps the labels of its buttons inside them, on one line', async () => {
    const panel = await openPanel(context(), 'dark', { width: 1_232, height: 900 });
    await panel.tell({ type: 'contextChanged', context: sampleContext() });
    await panel.page.getByTestId('tab-request').click();
    await panel.answer({ type: 'answered', data: sampleRequest() }, 'fetchRequest');
    const copy = panel.page.getByTestId('request-copy');
    const [button, word] = [
      await copy.boundingBox(),
      await copy.getByText('Copy', { exact: true }).boundingBox(),
    ];
    expect(word!.height).toBeLessThan(24);
    expect(word!.x).toBeGreaterThan(button!.x);
    expect(word!.x + word!.width).toBeLessThan(button!.x + button!.width);
    await panel.close();
  });

  it('fits 320 px in every area and in the scratch copy, whose buttons nothing covers', async () => {
    const panel = await openPanel(context(), 'dark', { width: 320, height: 700 });
    await panel.tell(
      { type: 'timelineChanged', timeline: sampleTimeline(17) },
      { type: 'contextChanged', context: sampleContext({ next: NEXT }) },
    );
    const { page } = panel;
    const wide: Record<string, number> = {};
    for (const tab of ['block', 'files', 'session', 'request', 'ledger']) {
      await page.getByTestId(`tab-${tab}`).click();
      if (tab === 'request') {
        await panel.answer({ type: 'answered', data: sampleRequest() }, 'fetchRequest');
      }
      wide[tab] = await overflowOf(panel);
    }
    await page.getByTestId('menu').click();
    await page.getByTestId('menu-what-if').click();
    await panel.answer({ type: 'answered', data: WHAT_IF }, 'whatIf');
    const dialog = page.getByTestId('what-if-dialog');
    wide['what if'] = await dialog.evaluate((box) => box.scrollWidth - box.clientWidth);
    await page.getByTestId('compare-policies').click();
    await panel.answer({ type: 'answered', data: sampleComparison() }, 'comparePolicies');
    await page.getByTestId('policy-table').waitFor();
    wide['all policies'] = await dialog.evaluate((box) => box.scrollWidth - box.clientWidth);
    expect(Object.entries(wide).filter(([, px]) => px > 0)).toEqual([]);
    const over = await dialog.evaluate((box) => {
      const bar = box.querySelector(':scope > .answers')!;
      const strangers = new Set<string>();
      for (let top = 0; top <= box.scrollHeight; top += 40) {
        box.scrollTop = top;
        const { left, right, top: from, bottom } = bar.getBoundingClientRect();
        for (let x = left + 1; x < right; x += 3) {
          for (let y = from + 2; y < bottom; y += 6) {
            const drawn = document.elementFromPoint(x, y);
            if (drawn !== null && !bar.contains(drawn)) strangers.add(drawn.className);
          }
        }
      }
      return [...strangers];
    });
    expect(over).toEqual([]);
    await panel.close();
  });

  it('shows a refusal at any scroll position, and not over the focused element', async () => {
    const panel = await openPanel(context(), 'dark', { width: 320, height: 700 });
    const idle = sampleContext({ next: NEXT, busy: false });
    await panel.tell({ type: 'contextChanged', context: idle });
    const { page } = panel;
    // At the end of the view, where the refusal will be.
    await page
      .getByTestId('preview-pass')
      .evaluate((button) => button.scrollIntoView({ block: 'end' }));
    const boxOf = async (testId: string) => (await page.getByTestId(testId).boundingBox())!;
    await page.getByTestId('preview-pass').click();
    await panel.answer(
      { type: 'refused', message: 'A step is running: try again later.' },
      'previewPass',
    );
    const bar = () => boxOf('refusal');
    await expect.poll(async () => Math.round((await bar()).y + (await bar()).height)).toBe(700);
    const covered = async () => {
      const button = await boxOf('preview-pass');
      return button.y + button.height - (await bar()).y;
    };
    await expect.poll(covered).toBeLessThanOrEqual(0);
    await panel.close();
  });

  it('keeps the newest block visible when the panel becomes narrow, and wide again', async () => {
    const panel = await openPanel(context(), 'dark', { width: 1280, height: 720 });
    const { page } = panel;
    const blocks = [1, 2, 3, 4].flatMap((time) =>
      sampleBlocks().map((block) => ({ ...block, id: `${block.id}-${time}` })),
    );
    await panel.tell({
      type: 'contextChanged',
      context: sampleContext({ blocks }),
    });
    const isNewestInSight = () =>
      page.evaluate(() => {
        const list = document.querySelector('.list')!;
        const rows = [...list.querySelectorAll('[data-testid="block-row"]')];
        const bottoms = rows.map((row) => row.getBoundingClientRect().bottom);
        const atEnd = list.scrollHeight - list.clientHeight - list.scrollTop <= 8;
        return atEnd && Math.max(...bottoms) <= list.getBoundingClientRect().bottom + 8;
      });
    await expect.poll(isNewestInSight).toBe(true);
    // Less room alone causes no scroll event, and one that a new layout causes is not the user's.
    for (const height of [500, 720, 560]) {
      await page.setViewportSize({ width: 1280, height });
      await page.evaluate(() =>
        document.querySelector('.list')!.dispatchEvent(new Event('scroll')),
      );
      await expect.poll(isNewestInSight).toBe(true);
    }
    for (const width of [320, 1280, 700, 320, 1280]) {
      await page.setViewportSize({ width, height: width < 841 ? 1500 : 720 });
      await expect.poll(isNewestInSight).toBe(true);
    }
    await panel.close();
  });

  it('moves nothing with reduced motion', async () => {
    const panel = await openPanel(context(), 'dark');
    const { page } = panel;
    const moving = () =>
      page.evaluate(() => {
        const changed = document.querySelector<HTMLElement>('.line')!;
        changed.style.left = '10%';
        return document.getAnimations().length;
      });
    await panel.tell({ type: 'contextChanged', context: sampleContext({ busy: true }) });
    expect(await moving()).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await moving()).toBe(0);
    await panel.close();
  });
});
