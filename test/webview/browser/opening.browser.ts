import { describe, expect, it } from 'vitest';
import { browserOfTests } from './support/browser';
import { openPanel } from './support/panelPage';
import { seriousIn } from './support/seriousIn';

const context = browserOfTests();

const OPENING = {
  file: 'a-session-with-a-long-name-of-another-agent-7c0e21b4.jsonl',
  format: 'claude-code',
  model: 'claude-sonnet-4-5',
  steps: 1_204,
  compactions: 1,
  recordedTokens: 141_200,
  cost: '$12.40',
  task: 'Task: Mend the parser, and say which of its tests had never failed before.',
  newest: Array.from({ length: 8 }, (_, index) => ({
    step: 1_204 - index,
    label: `Read src/parser/with/a/rather/long/path/part${index}.ts`,
    tools: [],
    callKinds: [],
  })),
  share: 0.417,
};

describe('a recording that is being opened, in a browser', () => {
  it.each([
    ['dark', 1_280],
    ['light', 320],
    ['highContrast', 600],
  ] as const)('has no serious axe-core finding and fits, in %s at %s px', async (theme, width) => {
    const { page, tell, close } = await openPanel(context(), theme, { width, height: 720 });
    await tell({ type: 'recordingOpening', opening: OPENING });
    await page.getByTestId('opening').waitFor();
    expect(await seriousIn(page)).toEqual([]);
    const { scrolls, lowest } = await page.evaluate(() => ({
      scrolls: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      lowest: document.querySelector('[data-testid="opening"]')!.getBoundingClientRect().bottom,
    }));
    expect(scrolls).toBe(false);
    expect(lowest).toBeLessThanOrEqual(720);
    const picture = process.env['PLIMSOLL_PICTURES'];
    if (picture) await page.screenshot({ path: `${picture}/opening-${theme}-${width}.png` });
    await close();
  });
});
