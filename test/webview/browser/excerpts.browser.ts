import { describe, expect, it } from 'vitest';
import type { ContextWish } from '../../../src/editor/contextPanel/wishes';
import { samplePlan } from '../contextPanel/contextViews';
import { CHOSEN_FILE, contextWithView, SHOWN } from '../contextPanel/files/shownSamples';
import { browserOfTests } from './support/browser';
import { openPanel, type PanelPage } from './support/panelPage';
import { seriousInThemes } from './support/seriousIn';

const context = browserOfTests();

/** Set to a folder to save pictures. */
const PICTURES = process.env['PLIMSOLL_PICTURES'];

/** The areas of the panel that show excerpts. */
const PARTS: readonly (readonly [string, (panel: PanelPage) => Promise<void>])[] = [
  [
    'block',
    async (panel) => {
      const { page } = panel;
      // The list opens at the newest block.
      await page.getByTestId('block-row').first().focus();
      await page.keyboard.press('Home');
      const row = page.locator('[data-testid="block-row"][data-block-id="files-2"]');
      await answer(panel, 'fetchExcerpts', SHOWN, () => row.click());
      await page.getByTestId('region').first().waitFor();
      await page.getByTestId('hidden-files').locator('summary').click();
    },
  ],
  [
    'excerpts',
    async (panel) => {
      const tab = panel.page.getByTestId('tab-files');
      await answer(panel, 'fetchFiles', [CHOSEN_FILE], () => tab.click());
      await panel.page.getByTestId('chosen-lines').first().waitFor();
    },
  ],
  [
    'ledger',
    async (panel) => {
      await panel.page.getByTestId('tab-ledger').click();
      const summary = panel.page.getByTestId('pass-shows').locator('summary').first();
      await answer(panel, 'fetchExcerpts', SHOWN, () => summary.click());
      await panel.page.getByTestId('region').first().waitFor();
    },
  ],
  [
    'preview',
    async (panel) => {
      const preview = panel.page.getByTestId('preview-pass');
      const plan = samplePlan({ shows: SHOWN });
      await answer(panel, 'previewPass', plan, () => preview.click());
      await panel.page.getByTestId('plan-shows').locator('summary').first().click();
    },
  ],
];

/** Triggers a wish, waits for it, and answers it; the panel sends other wishes, too. */
async function answer(
  panel: PanelPage,
  type: ContextWish['type'],
  data: unknown,
  ask: () => Promise<void>,
): Promise<void> {
  const asked = async () => (await panel.wishes()).filter((wish) => wish.type === type).length;
  const before = await asked();
  await ask();
  await expect.poll(asked).toBe(before + 1);
  await panel.answer({ type: 'answered', data }, type);
}

const overflowOf = ({ page }: PanelPage): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function picture(panel: PanelPage, name: string): Promise<void> {
  if (PICTURES !== undefined) {
    await panel.page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
  }
}

describe('excerpts in a browser', () => {
  it('has no serious axe-core finding, in any theme', async () => {
    const panel = await openPanel(context(), 'dark');
    await panel.tell({ type: 'contextChanged', context: contextWithView({ busy: false }) });
    for (const [name, open] of PARTS) {
      await open(panel);
      await picture(panel, name);
      expect(await seriousInThemes(panel.page), name).toEqual({});
    }
    await panel.close();
  });

  it('fits 320 px in every area', async () => {
    const panel = await openPanel(context(), 'dark', { width: 320, height: 700 });
    await panel.tell({ type: 'contextChanged', context: contextWithView({ busy: false }) });
    const wide: Record<string, number> = {};
    for (const [name, open] of PARTS) {
      await open(panel);
      await picture(panel, `320-${name}`);
      const px = await overflowOf(panel);
      if (px > 0) wide[name] = px;
    }
    expect(wide).toEqual({});
    await panel.close();
  });

  it('works by keyboard alone', async () => {
    const panel = await openPanel(context(), 'dark');
    await panel.tell({ type: 'contextChanged', context: contextWithView({ busy: false }) });
    await PARTS[0]![1](panel);
    const { page } = panel;
    await page.getByTestId('open-region').first().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    const chosen = (await panel.wishes()).flatMap((wish) =>
      wish.type === 'chooseFile' ? [wish.choice] : [],
    );
    expect(chosen).toEqual(['always', 'never']);
    await panel.close();
  });
});
