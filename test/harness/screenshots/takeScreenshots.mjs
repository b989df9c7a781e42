// `npm run screenshots [-- --theme light --area map ...]`: performs both tasks of the demo in a
// real editor and takes every picture of the README, each area and the Agent view in every theme.
// It also saves the theme variables for the panel's browser tests. Limited to some themes or areas
// it only writes pictures to out/screenshots.
import '../requireNode.mjs';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runOnce } from '../demo/runOnce.mjs';
import { findWebview, runCommandViaPalette } from '../driver/workbenchPage.mjs';
import { inRepository } from '../paths.mjs';
import { build, ensureDependencies } from '../prepareClone.mjs';
import { AGENT_VIEW, pictureAgentView } from './agentView.mjs';
import { ANIMATION, filmPanel } from './animation.mjs';
import { ANSWERS, AREAS } from './areas.mjs';
import { animatedPng, shrinkPng } from './shrinkPng.mjs';
import { chooseTheme, keepThemes, readTheme, THEMES } from './themes.mjs';
import { awaitReview, pictureWaitingPass, WAITING_PASS } from './waitingPass.mjs';

/** Longest time for the workbench to come to rest (layout, fonts, the map), in ms. */
const REST = 900;

const SIZE = { width: 1280, height: 1000 };

const { values: wanted } = parseArgs({
  options: {
    theme: { type: 'string', multiple: true, default: THEMES.map(({ name }) => name) },
    area: { type: 'string', multiple: true },
  },
});
const themes = THEMES.filter(({ name }) => wanted.theme.includes(name));
const isWanted = (names) =>
  wanted.area === undefined || names.some((name) => wanted.area.includes(name));
const isNarrowed = wanted.area !== undefined || themes.length < THEMES.length;

const say = (line) => console.log(line);
const taken = (name) => inRepository('out', 'screenshots', name);
const media = (name) => inRepository('media', name);

/** The camera for a theme: the file names contain the theme, except for the first. */
function cameraFor(page, { name: theme }) {
  const ending = theme === THEMES[0].name ? '' : `-${theme}`;
  return cameraOf(page, (area) => taken(`context-panel-${area}${ending}.png`));
}

/** Chooses one theme after the other, and takes pictures in each. */
async function inEveryTheme(page, order, picture) {
  for (const theme of order) {
    await chooseTheme(page, theme);
    await picture(cameraFor(page, theme), theme);
  }
}

/** Takes the pictures of the panel before the first prompt. */
async function pictureBeginning({ page }) {
  if (isWanted(['key'])) await pictureKey(page);
  if (!isWanted(['intro'])) return;
  say('Pictures: the first look');
  const size = page.viewportSize();
  await page.setViewportSize(SIZE);
  await inEveryTheme(page, themes.toReversed(), async (camera) => {
    const panel = await findWebview(page, 'Context');
    await camera.crop('intro', panel.locator('body'));
  });
  await page.setViewportSize(size);
}

/** Takes the picture of the question for a key, for the walkthrough. */
async function pictureKey(page) {
  say('Pictures: the key');
  const field = page.locator('.quick-input-widget');
  await page.keyboard.press('F1');
  await field.locator('input[type="text"]').fill('>Plimsoll: Set the Anthropic API Key');
  await field.locator('.monaco-list-row').filter({ hasText: 'Set the Anthropic' }).first().click();
  await field.locator('input[type="password"]').waitFor();
  // Away from the field, whose tooltip would cover it.
  await page.mouse.move(40, 900);
  await cameraOf(page, (name) => taken(`${name}.png`)).crop('walkthrough-key', field);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'hidden' });
}

/** Takes the pictures after the demo; its session stays, the theme changes. */
async function pictureAll({ page, workspace }) {
  await page.setViewportSize(SIZE);
  await runCommandViaPalette(page, 'View: Toggle Primary Side Bar Visibility');
  await runCommandViaPalette(page, 'Notifications: Clear All Notifications');
  const variables = {};
  const whole = cameraOf(page, (theme) => taken(`context-panel-${theme}.png`));
  await inEveryTheme(page, themes, async (_, { name, label }) => {
    say(`Pictures: the panel, ${label}`);
    variables[name] = await readTheme(page);
    await whole.whole(name);
  });
  // In reverse order, so that the current theme is not chosen again.
  await inEveryTheme(page, themes.toReversed(), async (camera, { label }) => {
    say(`Pictures: the answers, ${label}`);
    // Before the others, which restore blocks: the ledger keeps that.
    if (isWanted(ANSWERS.names)) await ANSWERS.picture({ page, camera });
  });
  if (isWanted([ANIMATION])) {
    await chooseTheme(page, THEMES[0]);
    say('Pictures: the animation');
    writeFileSync(taken(`context-panel-${ANIMATION}.png`), animatedPng(await filmPanel(page)));
  }
  await inEveryTheme(page, themes, async (camera, { label }) => {
    say(`Pictures: every area, ${label}`);
    for (const { names, picture } of AREAS) {
      if (isWanted(names)) await picture({ page, camera, workspace });
    }
  });
  if (isWanted(WAITING_PASS)) {
    say('Pictures: a pass that waits');
    await awaitReview({ page, workspace });
    await inEveryTheme(page, themes, (camera) => pictureWaitingPass({ page, camera }));
  }
  if (!isNarrowed) keepThemes(variables);
}

/** Takes the pictures of the Agent view, after the everyday task. */
async function pictureEveryday() {
  await runOnce({
    say,
    task: 'everyday',
    outFolder: inRepository('out', 'everyday'),
    afterwards: ({ page }) => {
      say('Pictures: the Agent view');
      const camera = cameraOf(page, (name) => taken(`${name}.png`));
      return pictureAgentView({ page, themes, camera });
    },
  });
}

/** Replaces the old pictures once all new ones are taken. */
function keepPictures() {
  for (const name of readdirSync(media(''))) {
    if (/^(context-panel|agent-view|walkthrough).*\.png$/.test(name)) rmSync(media(name));
  }
  for (const name of readdirSync(taken(''))) copyFileSync(taken(name), media(name));
}

/** Takes pictures of a page; `fileFor` returns the file for a name. */
function cameraOf(page, fileFor) {
  const take = async (name, clip) =>
    writeFileSync(fileFor(name), shrinkPng(await page.screenshot({ clip })));
  return {
    /** Takes the whole window. */
    async whole(name) {
      await page.waitForTimeout(REST);
      await take(name);
    },
    /** Takes the smallest part of the window that shows all of `locators`. */
    async crop(name, ...locators) {
      await page.waitForTimeout(REST);
      const boxes = [];
      for (const locator of locators) {
        const box = await locator.boundingBox();
        if (box === null) throw new Error(`Nothing to see for the picture ${name}.`);
        boxes.push(box);
      }
      await take(name, clipOf(boxes, page.viewportSize()));
    },
  };
}

function clipOf(boxes, viewport) {
  const x = Math.max(0, Math.min(...boxes.map((box) => box.x)));
  const y = Math.max(0, Math.min(...boxes.map((box) => box.y)));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return {
    x,
    y,
    width: Math.min(right, viewport.width) - x,
    height: Math.min(bottom, viewport.height) - y,
  };
}

try {
  await ensureDependencies(say);
  await build(say);
  rmSync(taken(''), { recursive: true, force: true });
  mkdirSync(taken(''), { recursive: true });
  if (wanted.area?.every((name) => name === AGENT_VIEW) !== true) {
    await runOnce({ say, beforehand: pictureBeginning, afterwards: pictureAll });
    const agent = readFileSync(inRepository('out', 'demo', 'agent.png'));
    writeFileSync(taken('agent.png'), shrinkPng(agent));
  }
  if (isWanted([AGENT_VIEW])) await pictureEveryday();
  if (isNarrowed) say(`The pictures are in ${taken('')}; those of media/ are as they were.`);
  else keepPictures();
  process.exit(0);
} catch (error) {
  console.error(`\n${process.env.PLIMSOLL_VERBOSE ? error.stack : error.message}`);
  process.exit(1);
}
