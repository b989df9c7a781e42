import { PROMPT } from '../demo/everydayTask.mjs';
import { performTurn } from '../driver/agentDriver.mjs';
import { findWebview } from '../driver/workbenchPage.mjs';
import { chooseTheme } from './themes.mjs';

/** The name of these pictures for `--area`. */
export const AGENT_VIEW = 'agent-view';

/**
 * The widths of the Agent view in the pictures, in CSS pixels: the narrowest side bar, usual, wide.
 */
const WIDTHS = [178, 300, 600];

/**
 * Heights for an answer with code and files above a question, in CSS pixels: the narrower, the
 * higher.
 */
const heightFor = (width) => (width < 300 ? 2400 : 1500);
const PAGE_WIDTH = 1280;

/** The whole window with the Agent view in its side bar, on a small screen and on a large one. */
const SCREENS = [
  { width: 1280, height: 720, sideBar: 340 },
  { width: 1920, height: 1080, sideBar: 480 },
];

/** Most drags of the edge of the side bar for one width. */
const MOST_DRAGS = 4;

/** Longest time for one check, in ms. */
const PATIENCE = { timeout: 60_000 };

/**
 * Takes pictures of the Agent view in every theme and width, with a whole turn above the question
 * about an edit, and a background command.
 */
export async function pictureAgentView({ page, themes, camera }) {
  const agent = await findWebview(page, 'Agent');
  await askTwice(agent);
  // In reverse order: the editor begins with the first theme.
  for (const theme of themes.toReversed()) {
    await chooseTheme(page, theme, 'Agent');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width: PAGE_WIDTH, height: heightFor(width) });
      await widen(page, agent, width);
      await camera.crop(`agent-view-${theme.name}-${width}`, agent.locator('body'));
    }
    for (const { width, height, sideBar } of SCREENS) {
      await page.setViewportSize({ width, height });
      await widen(page, agent, sideBar);
      await camera.whole(`agent-view-${theme.name}-${width}x${height}`);
    }
  }
}

/**
 * Performs the task, restores its files, and asks for it again, up to the question about its first
 * edit.
 */
async function askTwice(agent) {
  await agent.getByTestId('new-session').click();
  await agent.getByTestId('turn').first().waitFor({ state: 'detached' });
  await performTurn(agent, PROMPT);
  await agent.locator('main.turns').evaluate((turns) => turns.scrollTo(0, 0));
  await agent.locator('[data-step="2"]').getByTestId('go-back').click(PATIENCE);
  await agent.getByTestId('go-back-files').check(PATIENCE);
  await agent.getByTestId('undo-confirm').click();
  await agent.getByTestId('restored').waitFor(PATIENCE);
  await agent.getByTestId('composer').fill(PROMPT);
  await agent.getByTestId('send').click();
  await cardOf(agent, 'command').getByTestId('approval-allow').click(PATIENCE);
  await cardOf(agent, 'edit').waitFor(PATIENCE);
  await agent.getByTestId('commands').locator('summary').click();
  if (await agent.getByTestId('newest').isVisible()) await agent.getByTestId('newest').click();
}

function cardOf(agent, kind) {
  return agent.locator(`[data-testid="approval"][data-kind="${kind}"]`);
}

/**
 * Drags the edge of the side bar until the Agent view has the wanted width. A drag that begins while
 * the window is still laid out again moves nothing, so it is tried again.
 */
async function widen(page, agent, width) {
  const widthNow = async () => (await agent.locator('body').boundingBox()).width;
  for (let tries = 0; tries < MOST_DRAGS; tries += 1) {
    await dragEdge(page, width - (await widthNow()));
    if (Math.abs((await widthNow()) - width) <= 1) return;
  }
  throw new Error(`The Agent view is ${Math.round(await widthNow())} px wide, not ${width}.`);
}

/** Drags the edge of the side bar by a number of pixels, to the right if it is positive. */
async function dragEdge(page, further) {
  const sideBar = await page.locator('.part.sidebar').boundingBox();
  const edge = sideBar.x + sideBar.width;
  const y = sideBar.y + sideBar.height / 2;
  await page.mouse.move(edge, y);
  await page.mouse.down();
  await page.mouse.move(edge + further / 2, y, { steps: 5 });
  await page.mouse.move(edge + further, y, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(640, 4);
  await page.waitForTimeout(300);
}
