import { expect, it } from 'vitest';
import { conversation, step, tool, turn } from '../conversation/conversations';
import { browserOfTests } from './support/browser';
import { seriousIn } from './support/seriousIn';
import { openWebview, LOOKS, type ThemeName } from './support/webviewPage';

const context = browserOfTests();

const COMMANDS = [
  { handle: 'cmd3', command: 'npm run dev', startedAt: 0, hasOutput: true },
  {
    handle: 'cmd2',
    command: 'node --inspect server/with/a/long/name.js --port 5173 --host 127.0.0.1 --watch src',
    startedAt: 0,
    hasOutput: true,
  },
  {
    handle: 'cmd1',
    command: 'npm test',
    startedAt: 0,
    ended: 'stopped when the session ended',
    ranMs: 65_000,
    hasOutput: true,
  },
] as const;

/** A foreground command, and the open list of background commands. */
async function opened(width: number, theme: ThemeName) {
  const { page, tell } = await openWebview(context(), 'agent', theme, { width, height: 700 });
  const call = tool('t1', {
    name: 'run_command',
    kind: 'command',
    label: 'run_command npm test -- --watch',
    state: 'running',
    isMovable: true,
  });
  await tell({
    type: 'conversationChanged',
    conversation: conversation({
      turns: [turn({ prompt: 'Start it.', items: [step(1, 'I start it.', [call])] })],
      activity: { state: 'runningTool', toolUseId: 't1', since: 0 },
      commands: COMMANDS,
    }),
  });
  await page.getByTestId('commands').locator('summary').click();
  await page.getByTestId('command-type').first().click();
  await page.getByTestId('command-field').waitFor();
  return page;
}

it.each(LOOKS)(
  'background commands fit a page of %i px, uncut, in theme %s',
  async (width, theme) => {
    const page = await opened(width, theme);
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll('.commands *, .tool-move')]
        .filter((element) => {
          const { left, right, width: drawn } = element.getBoundingClientRect();
          return drawn > 0 && (left < 0 || right > innerWidth + 0.5);
        })
        .map(({ outerHTML }) => outerHTML.slice(0, 120)),
    );
    expect(beyond).toEqual([]);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.command-state, .command-buttons, .tool-move')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .map(({ textContent }) => textContent),
    );
    expect(cut).toEqual([]);
    expect(await seriousIn(page)).toEqual([]);
    await page.close();
  },
);

it('in the side bar of a 1280 x 720 window, a question beside them leaves five lines and the prompt', async () => {
  const size = { width: 300, height: 620 };
  const { page, tell } = await openWebview(context(), 'agent', 'dark', size);
  const command = Array.from({ length: 40 }, (_, at) => `npm run step-${at}`).join(' && ');
  await tell({
    type: 'conversationChanged',
    conversation: conversation({
      turns: [turn({ prompt: 'Start it.', items: [step(1, 'I start it.', [tool('t1')])] })],
      activity: {
        state: 'awaitingApproval',
        approval: { toolUseId: 't1', kind: 'command', title: 'Run a command', subject: command },
      },
      commands: COMMANDS,
      todo: [{ text: 'Start it', state: 'doing' }],
    }),
  });
  await page.getByTestId('commands').locator('summary').click();
  const seen = await page.evaluate(() => {
    const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
    const cards = document.querySelector('.dock-cards')!;
    const style = getComputedStyle(document.querySelector('.turns-frame')!);
    return {
      lines: box('.turns-frame').height / (Number.parseFloat(style.fontSize) * 1.4),
      prompt: box('[data-testid="composer"]').bottom,
      stop: box('[data-testid="stop"]').bottom,
      isReachable: cards.scrollHeight > cards.clientHeight,
      isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    };
  });
  expect(seen.lines).toBeGreaterThanOrEqual(5);
  expect(Math.max(seen.prompt, seen.stop)).toBeLessThanOrEqual(size.height);
  expect(seen.isReachable).toBe(true);
  expect(seen.isWide).toBe(false);
  await page.getByTestId('command-stop').last().scrollIntoViewIfNeeded();
  const stop = (await page.getByTestId('command-stop').last().boundingBox())!;
  const prompt = (await page.locator('.composer').boundingBox())!;
  expect(stop.y + stop.height).toBeLessThanOrEqual(prompt.y);
  await page.close();
});
