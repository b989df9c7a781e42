import { describe, expect, it } from 'vitest';
import { browserOfTests } from './support/browser';
import {
  sampleContext,
  samplePlan,
  sampleRecording,
  sampleRequest,
  sampleTimeline,
  SAMPLE_SETTINGS,
} from '../context/contextViews';
import type { TravelView } from '../../../src/protocol/contextPanel';
import type { NextView } from '../../../src/protocol/nextView';
import type { WhatIfView } from '../../../src/protocol/whatIf';
import { longRecording } from './support/longRecording';
import { inspectionOf, longSession } from './support/longSession';
import { openPanel, THEMES, type PanelPage } from './support/panelPage';
import { seriousIn as seriousInPage, type Finding } from './support/seriousIn';

const context = browserOfTests();

const NEXT: NextView = {
  type: 'planned',
  blocks: 3,
  freedTokens: 2_400,
  rungs: [{ rung: 'clear', blocks: 3, tokens: 2_400 }],
};

const NO_STEP: TravelView = { at: 'now', first: 0, last: 0 };

const WHAT_IF: WhatIfView = {
  ok: true,
  settings: SAMPLE_SETTINGS,
  balance: sampleContext().balance,
  due: true,
  plan: samplePlan(),
};

/** Tells a panel all that a session comes to. */
async function show(panel: PanelPage, steps: number): Promise<void> {
  const inspection = inspectionOf(longSession(steps));
  await panel.tell(
    { type: 'timelineChanged', timeline: inspection.timeline() },
    { type: 'contextChanged', context: inspection.view() },
  );
}

/** What axe-core finds serious in a panel as it is. */
const seriousIn = ({ page }: PanelPage): Promise<readonly Finding[]> => seriousInPage(page);

describe('the Context panel in a browser', () => {
  it.each(THEMES)(
    'has nothing axe-core finds serious in any of its areas, in %s',
    async (theme) => {
      const panel = await openPanel(context(), theme);
      await panel.tell(
        { type: 'timelineChanged', timeline: sampleTimeline(17) },
        { type: 'contextChanged', context: sampleContext({ showIntro: true, next: NEXT }) },
      );
      const found: Record<string, readonly Finding[]> = { ledger: await seriousIn(panel) };
      for (const name of ['Block', 'Scratchpad', 'Session', /request/i]) {
        await panel.page.getByRole('tab', { name }).click();
        if (name === 'Block') await panel.page.getByTestId('block-row').nth(2).click();
        if (name instanceof RegExp) {
          await panel.answer({ type: 'requestFetched', request: sampleRequest() });
        }
        found[String(name)] = await seriousIn(panel);
      }
      await panel.page.getByTestId('what-if').click();
      await panel.answer({ type: 'whatIfShown', whatIf: WHAT_IF });
      found['what if'] = await seriousIn(panel);
      expect(Object.fromEntries(Object.entries(found).filter(([, of]) => of.length > 0))).toEqual(
        {},
      );
      await panel.close();
    },
  );

  it('has no serious finding in a recording, in the past, or before the first prompt', async () => {
    for (const view of [
      sampleContext({ source: sampleRecording() }),
      sampleContext({ travel: { at: 3, first: 1, last: 17 }, whyReadOnly: 'Step 3 is past.' }),
      sampleContext({ blocks: [], passes: [], turn: 0, step: 0, travel: NO_STEP }),
    ]) {
      const panel = await openPanel(context(), 'light');
      await panel.tell({ type: 'contextChanged', context: view });
      expect(await seriousIn(panel)).toEqual([]);
      await panel.close();
    }
  });

  it('draws 10,000 blocks with a few rows, and scrolls to the last', async () => {
    const panel = await openPanel(context(), 'dark');
    await show(panel, 10_000);
    const rows = panel.page.getByTestId('block-row');
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(100);
    await rows.first().focus();
    await panel.page.keyboard.press('End');
    await panel.page.getByText('read_file src/part10000.ts').first().waitFor();
    await panel.page.keyboard.press('Home');
    await panel.page.locator('[data-block-id="prompt-1"]').waitFor();
    await panel.close();
  });

  it('travels to a step by a click on the timeline of 600', async () => {
    const panel = await openPanel(context(), 'dark');
    await show(panel, 600);
    const plot = panel.page.getByTestId('timeline');
    const box = (await plot.boundingBox())!;
    await plot.click({ position: { x: box.width / 2, y: box.height / 3 } });
    const [wish] = (await panel.wishes()).filter(({ type }) => type === 'travelTo');
    const at = wish?.type === 'travelTo' ? Number(wish.at) : 0;
    expect(at).toBeGreaterThan(250);
    expect(at).toBeLessThan(350);
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
    expect(await panel.page.getByTestId('pass-card').count()).toBe(view.passes.length);
    expect(await panel.page.getByTestId('block-row').count()).toBeLessThan(100);
    await panel.page.getByTestId('timeline').focus();
    await panel.page.keyboard.press('Home');
    await panel.page.keyboard.press('Enter');
    expect((await panel.wishes()).at(-1)).toEqual({ type: 'travelTo', at: 1 });
    await panel.close();
  });

  it.each([
    [1_232, 420, 50],
    [560, 560, 80],
    [320, 700, 80],
  ])('comes to the blocks soon at %i px, and moves nothing as one points', async (...of) => {
    const [width, most, header] = of;
    const panel = await openPanel(context(), 'dark', { width, height: 900 });
    await panel.tell(
      { type: 'timelineChanged', timeline: sampleTimeline(41) },
      { type: 'contextChanged', context: sampleContext({ next: NEXT }) },
    );
    const { page } = panel;
    const boxOf = async (part: string) => (await page.locator(part).first().boundingBox())!;
    expect((await boxOf('.header')).height).toBeLessThanOrEqual(header);
    const { y } = await boxOf('.columns');
    expect(y).toBeLessThanOrEqual(most);
    await page.locator('[data-part="segment-reserved"]').hover();
    expect((await boxOf('.columns')).y).toBe(y);
    await page.getByTestId('timeline').hover();
    expect((await boxOf('.columns')).y).toBe(y);
    await panel.close();
  });

  it.each([320, 480, 900, 2_400])(
    'fits a width of %i px without a scroll bar below it',
    async (width) => {
      const panel = await openPanel(context(), 'dark', { width, height: 800 });
      await show(panel, 40);
      const overflow = await panel.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
      await panel.close();
    },
  );
});
