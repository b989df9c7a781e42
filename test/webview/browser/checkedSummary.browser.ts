import { describe, expect, it } from 'vitest';
import type { SummaryFindingsView } from '../../../src/editor/contextPanel/ledger/state';
import { sampleContext, sampleDecisions } from '../contextPanel/contextViews';
import { browserOfTests } from './support/browser';
import { openPanel } from './support/panelPage';
import { seriousIn } from './support/seriousIn';

const context = browserOfTests();

/** Set to a folder to save pictures. */
const PICTURES = process.env['PLIMSOLL_PICTURES'];

const FINDINGS: SummaryFindingsView = {
  checked: [
    'Checked: 2 of 41 names, paths, numbers and quoted errors of the summary did not occur in what it replaced or in the request for it: src/ports/tideGauge.js, 4,711. The model was asked once, and corrected or left out some of it. 1 text removed.',
  ],
  removed: [
    {
      text: '- src/ports/tideGauge.js: holds the gauge readings of all ports since 1998.',
      why: 'Not found: src/ports/tideGauge.js',
    },
  ],
  droppedText: 'Not in the summary: 1 prompt, 2 decisions.',
  dropped: [
    { kind: 'Prompt', blockId: 'prompt-2', text: 'Keep the names of all exported functions.' },
    {
      kind: 'Decision',
      blockId: 'step-4',
      text: 'I will keep the old parser rather than a lexer.',
    },
    { kind: 'Decision', blockId: 'step-6', text: 'The user answers: keep the ports of Hamburg' },
  ],
  usedText: 'Needed later: 12 names that the summary kept, and 2 that it had dropped.',
  needed: [
    { step: 14, text: 'Used at step 14: src/ports/seasonLabel.js' },
    { step: 15, text: 'Read again at step 15: fixtures/ledger-2025.json' },
  ],
};

describe('the findings about a summary in a browser', () => {
  it.each([
    ['dark', 1_280, 900],
    ['light', 300, 900],
  ] as const)('fit and are accessible, in %s at %i px', async (theme, width, height) => {
    const panel = await openPanel(context(), theme, { width, height });
    await panel.tell({ type: 'contextChanged', context: sampleContext() });
    const { page } = panel;
    if (!(await page.getByTestId('decisions').first().isVisible())) {
      await page.getByRole('tab', { name: /ledger/i }).click();
    }
    await page.getByTestId('decisions').first().locator('summary').click();
    await panel.answer({ type: 'answered', data: sampleDecisions() }, 'fetchDecisions');
    await panel.answer({ type: 'answered', data: FINDINGS }, 'fetchSummaryFindings');
    const findings = page.getByTestId('summary-findings');
    await findings.scrollIntoViewIfNeeded();
    if (PICTURES !== undefined) {
      await page.screenshot({ path: `${PICTURES}/summary-${theme}-${width}.png` });
    }
    expect(await seriousIn(page)).toEqual([]);
    const overflow = await findings.evaluate(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    );
    expect(overflow).toBe(0);
    await panel.close();
  });
});
