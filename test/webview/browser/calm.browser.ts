import { expect, it } from 'vitest';
import { conversation, step, tool, turn } from '../conversation/conversations';
import { browserOfTests } from './support/browser';
import { openWebview } from './support/webviewPage';

const context = browserOfTests();

const SIDE_BAR = { width: 300, height: 620 };

it('cuts each line of a running command at its end, with an ellipsis, in the side bar', async () => {
  const { page, tell } = await openWebview(context(), 'agent', 'dark', SIDE_BAR);
  const running = tool('t1', {
    name: 'run_command',
    kind: 'command',
    label: 'run_command npm test',
    state: 'running',
    isMovable: true,
  });
  const turns = [turn({ items: [step(1, '', [running])] })];
  const activity = { state: 'runningTool', toolUseId: 't1', since: 0 } as const;
  await tell({ type: 'conversationChanged', conversation: conversation({ turns, activity }) });
  const text = `one\n${'two '.repeat(40)}\nthree\nfour\n`;
  await tell({ type: 'toolOutputStreamed', toolUseId: 't1', text });
  const lines = page.getByTestId('live-output').locator('span');
  await lines.last().waitFor();
  expect((await lines.allTextContents()).map((line) => line.trim().slice(0, 5))).toEqual([
    'two t',
    'three',
    'four',
  ]);
  const shown = await lines.evaluateAll((all) =>
    all.map((line) => ({
      cut: getComputedStyle(line).textOverflow,
      isCut: line.scrollWidth > line.clientWidth,
      right: line.getBoundingClientRect().right,
    })),
  );
  expect(shown.map(({ cut }) => cut)).toEqual(['ellipsis', 'ellipsis', 'ellipsis']);
  expect(shown.map(({ isCut }) => isCut)).toEqual([true, false, false]);
  expect(Math.max(...shown.map(({ right }) => right))).toBeLessThanOrEqual(SIDE_BAR.width);
  await page.close();
});

it('writes Move to background in the size of the lines around it', async () => {
  const { page, tell } = await openWebview(context(), 'agent', 'dark', SIDE_BAR);
  const running = tool('t1', { kind: 'command', state: 'running', isMovable: true });
  const turns = [turn({ items: [step(1, '', [running])] })];
  const activity = { state: 'runningTool', toolUseId: 't1', since: 0 } as const;
  await tell({ type: 'conversationChanged', conversation: conversation({ turns, activity }) });
  const sizeOf = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).fontSize);
  await page.getByTestId('move-to-background').waitFor();
  expect(await sizeOf('[data-testid="move-to-background"]')).toBe(await sizeOf('.tool-time'));
  await page.close();
});

it('scrolls a wide code block inside its box, and the page stays as wide as the side bar', async () => {
  const { page, tell } = await openWebview(context(), 'agent', 'dark', SIDE_BAR);
  const reply = `Use this:\n\n\`\`\`js\nconst sum = ${'items + '.repeat(30)}0;\n\`\`\``;
  const turns = [turn({ outcome: { type: 'finished' }, items: [step(1, reply)] })];
  await tell({ type: 'conversationChanged', conversation: conversation({ turns }) });
  const code = page.locator('.code-block pre');
  await code.waitFor();
  const box = await code.evaluate((element) => {
    element.scrollLeft = 10_000;
    return { scrolled: element.scrollLeft, right: element.getBoundingClientRect().right };
  });
  expect(box.scrolled).toBeGreaterThan(100);
  expect(box.right).toBeLessThanOrEqual(SIDE_BAR.width);
  expect(await page.locator('pre').count()).toBe(1);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(SIDE_BAR.width);
  await page.close();
});

it('shows no triangle before the numbers of a turn, and keeps a changed file on one line', async () => {
  const { page, tell } = await openWebview(context(), 'agent', 'dark', SIDE_BAR);
  const usage = {
    inputTokens: 9_000,
    cacheReadTokens: 0,
    outputTokens: 100,
    cost: '$0.01',
    elapsedMs: 900,
  };
  const files = [{ path: 'CHANGELOG.md', how: 'made', added: 14, removed: 0 }] as const;
  const ended = turn({ outcome: { type: 'finished' }, items: [step(1, 'Done.')], usage, files });
  await tell({ type: 'conversationChanged', conversation: conversation({ turns: [ended] }) });
  const summary = page.locator('.turn-numbers > summary');
  await summary.waitFor();
  expect(await summary.evaluate((element) => getComputedStyle(element).listStyleType)).toBe('none');
  const tops = await page
    .locator('[data-testid="turn-file"] .turn-file')
    .evaluate((row) => [...row.children].map((child) => child.getBoundingClientRect()));
  const middles = tops.map(({ top, height }) => Math.round(top + height / 2));
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(2);
  await page.close();
});

it('says at the end of its line what the tests said, uncut beside a long command, and not twice', async () => {
  const { page, tell } = await openWebview(context(), 'agent', 'dark', SIDE_BAR);
  const ran = tool('t1', {
    name: 'run_command',
    kind: 'command',
    label: 'run_command npm test -- --only manifest,units --quiet',
    state: 'failed',
    tests: '9 failed',
    elapsedMs: 2_100,
  });
  const turns = [turn({ outcome: { type: 'finished' }, items: [step(1, '', [ran])] })];
  await tell({ type: 'conversationChanged', conversation: conversation({ turns }) });
  const line = page.locator('.tool-line');
  await line.waitFor();
  const said = (await line.innerText()).replace(/\s+/g, ' ');
  expect(said).toBe('Ran npm test -- --only manifest,units --quiet : 9 failed 2.1 s');
  const cut = await line.evaluate((row) =>
    [...row.querySelectorAll('.tool-tests, .tool-time')].filter(
      ({ scrollWidth, clientWidth, getBoundingClientRect }) =>
        scrollWidth > clientWidth + 1 || getBoundingClientRect.call(row).right > innerWidth,
    ),
  );
  expect(cut).toHaveLength(0);
  await page.close();
});

it('shows the text of a queued prompt in the side bar, also of one with all its marks and buttons', async () => {
  const { page, tell } = await openWebview(context(), 'agent', 'dark', { width: 260, height: 620 });
  const text = 'And then the documentation.';
  const beside = { attached: ['src/a.js'], atNextStep: true } as const;
  await tell({
    type: 'conversationChanged',
    conversation: conversation({
      turns: [turn({ items: [step(1, 'I look.')] })],
      activity: { state: 'asking', since: 0 },
      queued: [
        { id: 1, text, ...beside },
        { id: 2, text, ...beside },
        { id: 3, text, ...beside },
      ],
    }),
  });
  const boxes = await page
    .locator('[data-testid="queued-text"], [data-testid="queued-next"]')
    .evaluateAll((all) => all.map((element) => element.getBoundingClientRect()));
  expect(boxes).toHaveLength(6);
  expect(Math.min(...boxes.map(({ width }) => width))).toBeGreaterThan(80);
  expect(Math.max(...boxes.map(({ height }) => height))).toBeLessThan(24);
  await page.close();
});
