import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { sessionReport } from '../../../src/editor/contextPanel/exports/sessionReport';
import { chargesInLog, reportOfWindow } from '../../../src/replay/inspectSession';
import { requestsInLog } from '../../../src/replay/measures/cacheRewrites';
import { estimate } from '../../support/player';
import { contextHtml } from '../../../src/editor/contextPanel/exports/contextHtml';
import type { Exported } from '../../../src/editor/contextPanel/exports/viewRows';
import { sampleContext, sampleTimeline } from '../contextPanel/contextViews';
import { browserOfTests } from './support/browser';
import { longRecording } from './support/longRecording';
import { inspectionOf } from './support/longSession';
import { seriousIn } from './support/seriousIn';

const context = browserOfTests();

const opened = (exported: Exported, colorScheme: 'light' | 'dark' = 'light') =>
  openedPage(contextHtml(exported), colorScheme);

/** An exported page as its recipient opens it, without a network. */
async function openedPage(html: string, colorScheme: 'light' | 'dark') {
  const page = await context().newPage();
  const asked: string[] = [];
  const said: string[] = [];
  await page.emulateMedia({ colorScheme });
  await page.route('**/*', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  await page.setContent(html, { waitUntil: 'load' });
  return { page, asked, said };
}

/** Positions of the matching elements from the left edge of the first of `of`; CSS pixels. */
async function placesOf(page: Page, selector: string, of: string): Promise<readonly number[]> {
  const { x } = (await page.locator(of).first().boundingBox())!;
  const boxes = await page.locator(selector).all();
  return Promise.all(boxes.map(async (box) => (await box.boundingBox())!.x - x));
}

describe('an exported page in a browser', () => {
  it.each(['light', 'dark'] as const)(
    'loads nothing, logs nothing and has no serious finding, in %s',
    async (scheme) => {
      const recorded = inspectionOf(await longRecording(60));
      for (const exported of [
        { view: sampleContext({ showIntro: false }), timeline: sampleTimeline(17) },
        { view: recorded.view(), timeline: recorded.timeline() },
        {
          view: sampleContext({ blocks: [], passes: [] }),
          timeline: { ...sampleTimeline(17), points: [] },
        },
      ]) {
        const { page, asked, said } = await opened(exported, scheme);
        expect(asked).toEqual([]);
        expect(said).toEqual([]);
        expect(await seriousIn(page)).toEqual([]);
        await page.close();
      }
    },
  );

  it.each(['light', 'dark'] as const)(
    'is a report that loads nothing, has no serious finding and fits 360 pixels, in %s',
    async (scheme) => {
      const { events, window, inForce } = await longRecording(60);
      const report = await reportOfWindow(
        {
          shown: window,
          last: window,
          charges: chargesInLog(events),
          served: requestsInLog(events),
          losses: [],
          budget: inForce.budget,
          step: undefined,
        },
        { estimate, warm: async () => undefined },
      );
      const session = { format: 'claude-code', model: 'claude-sonnet-4-5', report } as const;
      for (const texts of ['none', 'names'] as const) {
        const { page, asked, said } = await openedPage(sessionReport(session, texts), scheme);
        await page.setViewportSize({ width: 360, height: 800 });
        expect([asked, said, await seriousIn(page)]).toEqual([[], [], []]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(360);
        await page.close();
      }
    },
  );

  it('draws bar and timeline as wide as the page, with the watermarks at their positions', async () => {
    const view = sampleContext();
    const { page } = await opened({ view, timeline: sampleTimeline(17) });
    const bar = (await page.locator('.bar').boundingBox())!;
    const { lowTokens, highTokens, inputBudget, contextWindowTokens } = view.balance;
    const lines = await placesOf(page, '.bar .line', '.bar');
    for (const [index, tokens] of [lowTokens, highTokens, inputBudget].entries()) {
      expect(Math.abs(lines[index]! - (tokens / contextWindowTokens) * bar.width)).toBeLessThan(4);
    }
    const svg = (await page.locator('svg').first().boundingBox())!;
    expect(Math.abs(svg.width - bar.width)).toBeLessThan(4);
    expect(svg.height).toBeGreaterThan(80);
    for (const polygon of await page.locator('svg').first().locator('polygon').all()) {
      expect((await polygon.boundingBox())!.width).toBeGreaterThan(svg.width - 4);
    }
    await page.close();
  });
});
