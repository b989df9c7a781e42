import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { contextHtml } from '../../../src/editor/contextPanel/exports/contextHtml';
import type { Exported } from '../../../src/editor/contextPanel/exports/viewRows';
import { sampleContext, sampleTimeline } from '../contextPanel/contextViews';
import { browserOfTests } from './support/browser';
import { longRecording } from './support/longRecording';
import { inspectionOf } from './support/longSession';
import { seriousIn } from './support/seriousIn';

const context = browserOfTests();

/** An exported page as its recipient opens it, without a network. */
async function opened(exported: Exported, colorScheme: 'light' | 'dark' = 'light') {
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
  await page.setContent(contextHtml(exported), { waitUntil: 'load' });
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
