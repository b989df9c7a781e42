import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Conversation, TurnView } from '../../../src/editor/conversation/state';
import { conversationPatch } from '../../../src/editor/conversation/conversationPatch';
import { approval, conversation, step, tool, turn, returning } from '../conversation/conversations';
import { browserOfTests } from './support/browser';
import { seriousInThemes } from './support/seriousIn';
import { openWebview, type ThemeName } from './support/webviewPage';

const context = browserOfTests();

const TURN_STEPS = 40;

/** The text of a step: a line, a paragraph, or nothing. */
function textOf(number: number): string {
  if (number % 3 === 0) return '';
  if (number % 7 > 0) return `Next is part ${number}: **what** it exports.`;
  return `Part ${number}.\n\n- one\n- two\n\n${'It has more than one thinks. '.repeat(number % 20)}`;
}

const called = (number: number) => step(number, textOf(number), [tool(`t${number}`)]);

const USAGE = {
  inputTokens: 48_210,
  cacheReadTokens: 36_000,
  outputTokens: 1_203,
  cost: '$0.0123',
  elapsedMs: 41_000,
};

const COSTS = {
  turn: '$0.0123',
  session: '$1.84',
  cacheReadShare: 0.87,
  saved: { passes: 2, tokens: 45_000, exact: false },
};

function turnsOf(steps: number): readonly TurnView[] {
  return Array.from({ length: steps / TURN_STEPS }, (_, index) =>
    turn({
      turn: index + 1,
      prompt: `Look at part ${index + 1} of the library.`,
      usage: USAGE,
      outcome: { type: 'finished' },
      items: Array.from({ length: TURN_STEPS }, (_item, at) => called(index * TURN_STEPS + at + 1)),
    }),
  );
}

async function openAgent(shown: Conversation, theme: ThemeName = 'dark') {
  const view = await openWebview(context(), 'agent', theme, { width: 380, height: 800 });
  const { page } = view;
  let known = shown;
  let number = 1;
  await view.tell({ type: 'conversationChanged', conversation: shown, number });
  const list = page.locator('main');
  await page.getByTestId('step').first().waitFor();
  return {
    ...view,
    change: async (next: Conversation) => {
      number += 1;
      const patch = conversationPatch(known, next);
      known = next;
      await view.tell({ type: 'conversationPatched', number, patch });
    },
    /** The distance to the end, CSS pixels. */
    toEnd: () =>
      list.evaluate((at) => Math.round(at.scrollHeight - at.clientHeight - at.scrollTop)),
    /** The position of a step's row on the screen, CSS pixels. */
    topOf: (of: number) =>
      page
        .locator(`[data-testid="step"][data-step="${of}"]`)
        .evaluate((row) => Math.round(row.getBoundingClientRect().top)),
    /** Rows that overlap, or have a gap between them. */
    misplaced: () =>
      page.evaluate(() => {
        const boxes = [...document.querySelectorAll('.row')].map((row) =>
          row.getBoundingClientRect(),
        );
        return boxes.filter((box, at) => {
          const next = boxes[at + 1];
          return next !== undefined && Math.abs(next.top - box.bottom) > 1;
        }).length;
      }),
    scrollBy: async (pixels: number) => {
      await list.evaluate((at, by) => void (at.scrollTop += by), pixels);
      await frames(page);
    },
  };
}

/** Waits for three frames: to draw, to measure, and to correct positions. */
async function frames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame += 1) {
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    }
  });
}

/** The conversation with one more step in its last turn. */
function goesOn(before: Conversation, number: number, text: string): Conversation {
  const last = before.turns.at(-1)!;
  const items = [...last.items, step(number, text, [tool(`t${number}`)])];
  return { ...before, turns: [...before.turns.slice(0, -1), { ...last, items }] };
}

describe('the Agent view in a browser', () => {
  it('draws 10,000 steps with a few elements, at the end and anywhere', async () => {
    const agent = await openAgent(conversation({ turns: turnsOf(10_000) }));
    const elements = () => agent.page.locator('main *').count();
    await agent.page.locator('[data-step="10000"]').waitFor();
    await expect.poll(agent.toEnd).toBe(0);
    expect(await elements()).toBeLessThan(900);
    await expect.poll(agent.misplaced).toBe(0);
    for (let page = 0; page < 5; page += 1) await agent.scrollBy(-700);
    await expect.poll(agent.misplaced).toBe(0);
    await agent.page.locator('main').evaluate((list) => void (list.scrollTop = 0));
    await agent.page.getByText('Look at part 1 of the library.').waitFor();
    expect(await elements()).toBeLessThan(900);
    await agent.page.getByTestId('newest').click();
    await agent.page.locator('[data-step="10000"]').waitFor();
    await expect.poll(agent.toEnd).toBe(0);
    await agent.page.close();
  });

  it('follows new rows within a frame, and does not move for a user who has scrolled up', async () => {
    const asking = { state: 'asking', since: 0 } as const;
    let shown = conversation({ turns: turnsOf(400), activity: asking });
    const agent = await openAgent(shown);
    for (let number = 401; number < 410; number += 1) {
      await agent.tell({
        type: 'replyStreamed',
        step: number,
        text: 'A line of it.\n\n'.repeat(9),
      });
      expect(await agent.toEnd()).toBe(0);
      shown = goesOn(shown, number, 'A line of it.\n\n'.repeat(9));
      await agent.change(shown);
      expect(await agent.toEnd()).toBe(0);
    }
    await agent.scrollBy(-2_000);
    const seen = Number(await agent.page.getByTestId('step').nth(12).getAttribute('data-step'));
    const top = await agent.topOf(seen);
    await agent.change(goesOn(shown, 410, 'More. '.repeat(200)));
    await agent.tell({ type: 'replyStreamed', step: 411, text: 'And more. '.repeat(200) });
    expect(await agent.topOf(seen)).toBe(top);
    await agent.page.close();
  });

  it('keeps rows in place while the user scrolls up through rows that were never drawn', async () => {
    const agent = await openAgent(conversation({ turns: turnsOf(4_000) }));
    await agent.page.locator('main').hover();
    for (let times = 0; times < 30; times += 1) {
      const steps = agent.page.getByTestId('step');
      const middle = Math.floor((await steps.count()) / 2);
      const seen = Number(await steps.nth(middle).getAttribute('data-step'));
      const before = await agent.topOf(seen);
      // A wheel moves the list in the frame that reports it. A script moves it before, so that a row
      // measured in between takes the scroll back.
      await agent.page.mouse.wheel(0, -100);
      const moved = async () => Math.abs((await agent.topOf(seen)) - before - 100);
      await expect.poll(moved).toBeLessThanOrEqual(2);
    }
    await agent.page.close();
  });

  it('answers one question with a double click, even if the next one appears before the second click', async () => {
    const asked = conversation({ turns: turnsOf(40), activity: approval('t1') });
    const agent = await openAgent(asked);
    const { x, y, width, height } = (await agent.page.getByTestId('approval-allow').boundingBox())!;
    const { mouse } = agent.page;
    const at = [x + width / 2, y + height / 2] as const;
    const answers = async () =>
      JSON.stringify(await agent.posts()).match(/"toolUseId":"t\d"/g) ?? [];
    await mouse.click(...at, { clickCount: 1 });
    expect(await answers()).toEqual(['"toolUseId":"t1"']);
    await agent.change({ ...asked, activity: approval('t2') });
    await mouse.move(...at);
    await mouse.down({ clickCount: 2 });
    await mouse.up({ clickCount: 2 });
    expect(await answers()).toEqual(['"toolUseId":"t1"']);
    await mouse.click(...at, { clickCount: 1 });
    expect(await answers()).toEqual(['"toolUseId":"t1"', '"toolUseId":"t2"']);
    await agent.page.close();
  });

  it('moves with Tab through the view in reading order', async () => {
    const { page } = await openAgent(
      conversation({
        turns: turnsOf(40),
        activity: approval('t1'),
        queued: [{ id: 1, text: 'Then the docs.' }],
      }),
    );
    // From the start of the view, since the card has the focus.
    await page.getByTestId('new-session').focus();
    await page.keyboard.press('Shift+Tab');
    const stops: { readonly name: string; readonly top: number; readonly left: number }[] = [];
    // Behind the last element, Tab reaches none once and then the first one of the view again.
    for (let presses = 0; presses < 200; presses += 1) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const at = document.activeElement;
        if (at === null || at === document.body) return undefined;
        const { top, left, bottom } = at.getBoundingClientRect();
        const name = at.getAttribute('data-testid') ?? at.tagName;
        // An element that scrolls counts as its list.
        return { name, isInList: at.closest('main') !== null, top: (top + bottom) / 2, left };
      });
      if (stops.length > 0 && stop?.name === 'gauge') break;
      if (stop?.isInList === false) stops.push(stop);
    }
    const names = stops.map(({ name }) => name);
    for (const name of ['new-session', 'approval-feedback', 'queued-edit', 'composer', 'stop']) {
      expect(names).toContain(name);
    }
    /** Half a line, CSS pixels: neighbours on a line differ by less. */
    const line = 12;
    const backwards = stops.filter(({ top, left }, at) => {
      const before = stops[at - 1];
      if (before === undefined) return false;
      return top < before.top - line || (Math.abs(top - before.top) <= line && left < before.left);
    });
    expect(backwards).toEqual([]);
    await page.close();
  });

  it('asks how to continue an idle session, by keyboard alone and in a narrow view', async () => {
    const agent = await openAgent(conversation({ turns: turnsOf(40), returning }));
    await agent.page.setViewportSize({ width: 240, height: 700 });
    await agent.page.getByTestId('return').focus();
    const focused = () =>
      agent.page.evaluate(
        () =>
          document.activeElement?.getAttribute('data-testid') ?? document.activeElement?.tagName,
      );
    const order: unknown[] = [];
    for (let tabs = 0; tabs < 5; tabs += 1) {
      await agent.page.keyboard.press('Tab');
      order.push(await focused());
    }
    expect(order).toEqual([
      'SUMMARY',
      'return-continue',
      'return-summary',
      'return-new',
      'return-remember',
    ]);
    await agent.page.keyboard.press('Space');
    await agent.page.keyboard.press('Shift+Tab');
    await agent.page.keyboard.press('Enter');
    expect(JSON.stringify(await agent.posts())).toContain(
      '{"type":"answerReturn","choice":"new","remember":true}',
    );
    const [card, view] = await agent.page.evaluate(() => [
      document.querySelector('[data-testid="return"]')!.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(card).toBeLessThanOrEqual(view!);
    await agent.page.close();
  });

  it.each([178, 300, 320, 600])('is readable at %s pixels', async (width) => {
    const path = 'packages/some/deep/folder/of/the/workspace/src/loadLine.ts';
    const agent = await openAgent(
      conversation({
        turns: [
          turn({
            items: [
              {
                ...step(1, 'I edit it.', [
                  tool('t1', { label: `read_file ${path}` }),
                  tool('t2', { label: `edit_file ${path}`, state: 'denied', why: 'No, use v2.' }),
                ]),
                thinking: { text: 'I weigh it at length. '.repeat(20), tokens: 1_812 },
              },
            ],
          }),
        ],
        activity: { state: 'runningTool', toolUseId: 't2', since: 0 },
        reasoning: 'thinking adaptive, effort xhigh',
        costs: COSTS,
        problem: {
          message: 'There is no API key.',
          action: { label: 'Set the key', wish: { type: 'setApiKey' } },
        },
        queued: [{ id: 1, text: 'and then the other thing' }],
      }),
    );
    const { page } = agent;
    await page.setViewportSize({ width, height: 800 });
    await page.getByTestId('session-details').click();
    await frames(page);
    await expect.poll(agent.misplaced).toBe(0);
    const seen = await page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
      const file = document.querySelector<HTMLElement>('.path-file')!;
      return {
        isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        problem: box('.banner > p').width,
        activity: box('.activity').width,
        why: box('.tool-why').width,
        button: box('.prompt-model').width,
        thinking: box('.thinking').width,
        costs: [...document.querySelectorAll('.header-details .parts > span')].every((part) => {
          return part.getBoundingClientRect().right <= document.documentElement.clientWidth;
        }),
        fileShown: file.clientWidth / file.scrollWidth,
      };
    });
    expect(seen.isWide).toBe(false);
    expect(seen.problem).toBeGreaterThanOrEqual(Math.min(160, width - 60));
    expect(Math.min(seen.activity, seen.why)).toBeGreaterThan(90);
    expect(Math.min(seen.button, seen.thinking)).toBeGreaterThan(90);
    expect(seen.costs).toBe(true);
    expect(seen.fileShown).toBeGreaterThan(0.85);
    await page.close();
  });

  it('has no serious axe-core finding, in any theme', async () => {
    const thinking = { text: 'I weigh it.', tokens: 1_812 };
    const last = turn({ turn: 11, items: [{ ...called(401), thinking }] });
    const turns = [...turnsOf(400), last];
    const agent = await openAgent(conversation({ turns, returning, costs: COSTS }));
    await agent.page.getByTestId('thinking').locator('summary').click();
    await agent.page.getByTestId('tool-row').last().locator('button').click();
    await agent.page.getByText('What changed').click();
    await agent.page.getByTestId('session-details').click();
    expect(await seriousInThemes(agent.page)).toEqual({});
    await agent.page.close();
  });
});

it('has one header line in the side bar of 300 pixels, with the title in sight', async () => {
  const gauge = { usedTokens: 26_881, exact: false, inputBudget: 26_880 };
  const title = 'Find out why the season checks fail since release 2.3';
  const agent = await openAgent(conversation({ title, gauge, turns: turnsOf(40), costs: COSTS }));
  const { page } = agent;
  await page.setViewportSize({ width: 300, height: 620 });
  const seen = await page.evaluate(() => {
    const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
    return {
      header: box('.header').height,
      title: box('.header-title').width,
      beyond: Math.max(box('.gauge').right, box('.header-more').right),
      middles: ['.header-title', '.gauge', '.header-more'].map((part) => {
        const { top, bottom } = box(part);
        return (top + bottom) / 2;
      }),
    };
  });
  expect(seen.header).toBeLessThan(38);
  expect(seen.title).toBeGreaterThan(80);
  expect(seen.beyond).toBeLessThanOrEqual(300);
  expect(Math.max(...seen.middles) - Math.min(...seen.middles)).toBeLessThan(2);
  await page.close();
});

describe('the composer with an open list and chips', () => {
  const items = [
    { id: 1, kind: 'file', name: `src/${'deep/'.repeat(30)}harbour.js`, tokens: 12_345 },
    { id: 2, kind: 'page', name: 'https://example.com/' },
  ] as const;
  const choices = Array.from({ length: 30 }, (_, at) => ({
    mention: { type: 'file', path: `src/part${at}.js` },
    label: `part${at}.js`,
    detail: 'src',
  }));

  it('has no serious axe-core finding, in any theme', async () => {
    const shown = conversation({ turns: turnsOf(40), attached: { items, crosses: true } });
    const { page, posts, answer } = await openAgent(shown);
    await page.getByTestId('composer').pressSequentially('Look at @part');
    await expect.poll(async () => JSON.stringify((await posts()).at(-1))).toContain('"part"');
    await answer({ type: 'answered', data: choices }, 'findMentions');
    await page.getByTestId('composer-list').waitFor();
    for (let down = 0; down < 20; down += 1) await page.keyboard.press('ArrowDown');
    const active = page.locator('[aria-selected="true"]');
    await expect.poll(() => active.textContent()).toContain('part20.js');
    // The active choice is visible, and nothing is wider than the view.
    const isInSight = async () => {
      const list = (await page.getByTestId('composer-list').boundingBox())!;
      const box = (await active.boundingBox())!;
      return box.y >= list.y && box.y + box.height <= list.y + list.height + 1;
    };
    await expect.poll(isInSight).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(380);
    expect(await seriousInThemes(page)).toEqual({});
    await page.close();
  });
});
