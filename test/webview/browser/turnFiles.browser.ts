import { expect, it } from 'vitest';
import { conversation, step, tool, turn } from '../conversation/conversations';
import { browserOfTests } from './support/browser';
import { seriousIn } from './support/seriousIn';
import { openWebview, LOOKS, type ThemeName } from './support/webviewPage';

const context = browserOfTests();

const LONG = 'src/a/folder/with/a/rather/long/name/and/more/of/it/measureTheContextWindow.ts';

const TURN = turn({
  prompt: 'Round the totals to whole cents.',
  outcome: { type: 'finished' },
  items: [
    step(1, 'I look at it first.', [tool('t1')]),
    step(2, 'And change it.', [
      tool('t2', { name: 'edit_file', kind: 'edit', diff: ['-one', '+two', '+'.padEnd(200, 'x')] }),
    ]),
  ],
  files: [
    { path: 'src/money.js', how: 'changed', added: 3, removed: 1 },
    { path: LONG, how: 'made', added: 1_240, removed: 0 },
    { path: 'big.bin', how: 'gone', answer: 'kept' },
  ],
});

const HUNKS = {
  before: 'one',
  after: 'other',
  hunks: [
    { line: 1, lines: [' same', '-old', '+new', '+'.padEnd(200, 'y')] },
    { line: 40, lines: ['+more'] },
  ],
};

const LED_TO = {
  prompts: 0,
  steps: 5,
  files: ['src/money.js'],
  commands: 1,
  restore: [
    { path: 'src/money.js', how: 'changes' },
    { path: LONG, how: 'goes', isChangedSince: true },
    { path: 'big.bin', how: 'changes', problem: 'Plimsoll did not keep this version' },
  ],
};

/** A conversation with changed files, one of them open, and the question about going back. */
async function opened(width: number, theme: ThemeName) {
  const view = await openWebview(context(), 'agent', theme, { width, height: 900 });
  const { page, tell } = view;
  await tell({
    type: 'conversationChanged',
    conversation: conversation({ turns: [TURN], restored: 2 }),
  });
  await page.getByTestId('tool-row').last().locator('button').first().click();
  await page.getByTestId('turn-file-open').first().click();
  await view.answer({ type: 'answered', data: HUNKS }, 'fetchHunks');
  await page.getByTestId('undo-prompt').click();
  await view.answer({ type: 'answered', data: LED_TO }, 'fetchPromptEffects');
  await page.getByTestId('go-back-both').click();
  return page;
}

it.each(LOOKS)(
  'changed files and the question about going back fit a page of %i px, uncut, in theme %s',
  async (width, theme) => {
    const page = await opened(width, theme);
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll('.turn-files *, [data-testid="undo-question"] *')]
        .filter((element) => element.closest('pre') === null)
        .filter((element) => {
          const { left, right, width: drawn } = element.getBoundingClientRect();
          return drawn > 0 && (left < 0 || right > innerWidth + 0.5);
        })
        .map(({ outerHTML }) => outerHTML.slice(0, 120)),
    );
    expect(beyond).toEqual([]);
    const rows = await page
      .locator('[data-testid="turn-file"] > .turn-file')
      .evaluateAll((all) => all.map(({ clientHeight }) => clientHeight));
    expect(rows.length).toBeGreaterThan(1);
    // Without room for both, the name is shown and not its folder.
    const namesShown = await page
      .locator('.turn-file-path')
      .evaluateAll((all) =>
        all.map(
          (path) =>
            Math.abs(
              path.lastElementChild!.getBoundingClientRect().top - path.getBoundingClientRect().top,
            ) < 2,
        ),
      );
    expect(namesShown).toEqual([true, true, true]);
    if (width >= 320) expect(rows.every((height) => height < 24)).toBe(true);
    expect(await seriousIn(page)).toEqual([]);
    await page.close();
  },
);
