import { describe, expect, it } from 'vitest';
import type { RulesView } from '../../../src/editor/contextPanel/rules/state';
import { sampleContext } from '../contextPanel/contextViews';
import { browserOfTests } from './support/browser';
import { openPanel } from './support/panelPage';
import { seriousIn } from './support/seriousIn';

const context = browserOfTests();

/** Set to a folder to save pictures. */
const PICTURES = process.env['PLIMSOLL_PICTURES'];

const LONG =
  'The exported functions of src/loadLine.js must keep their names and parameters, since the harbour office calls them from scripts that no one here can change.';

const RULES: RulesView = {
  on: true,
  list: [
    { text: LONG, place: 'block', turn: 2, isAdded: false },
    { text: 'Never edit fixtures/ledger-2025.json.', place: 'prompt', turn: 4, isAdded: false },
    { text: 'Sign every commit.', place: 'note', turn: 5, isAdded: true },
    { text: 'Use only pnpm.', place: 'memory', turn: 3, isAdded: false },
    { text: 'Do not touch the tests.', place: 'struck', turn: 2, isAdded: false },
    { text: 'Before every commit, run npm test.', place: 'omitted', turn: 1, isAdded: false },
  ],
  otherLanguages: [6],
  languages: ['English'],
  most: 537,
};

describe('the standing rules in a browser', () => {
  it.each([
    ['dark', 1_280, 720],
    ['light', 300, 800],
  ] as const)('fit and are accessible, in %s at %i px', async (theme, width, height) => {
    const panel = await openPanel(context(), theme, { width, height });
    await panel.tell({ type: 'contextChanged', context: sampleContext({ rules: RULES }) });
    const { page } = panel;
    const chip = page.getByTestId('rules-chip');
    expect(await chip.textContent()).toBe('5 standing rules, 1 does not fit');
    await picture('chip');
    await chip.focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('rules').waitFor();
    await picture('list');
    expect(await seriousIn(page)).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    await panel.close();

    async function picture(name: string): Promise<void> {
      if (PICTURES === undefined) return;
      await page.screenshot({ path: `${PICTURES}/rules-${name}-${theme}-${width}.png` });
    }
  });
});
