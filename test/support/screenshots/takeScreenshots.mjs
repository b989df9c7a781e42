// `npm run screenshots`: performs the demo in a real editor and takes every picture of the README
// there, and the theme variables the panel's tests in a browser draw with.
import '../requireNode.mjs';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { inRepository } from '../paths.mjs';
import { build, ensureDependencies } from '../prepareClone.mjs';
import { startOnce } from '../startOnce.mjs';
import { runCommandViaPalette } from '../workbenchPage.mjs';
import { pictureAreas } from './areas.mjs';
import { cameraOf } from './camera.mjs';
import { shrinkPng } from './shrinkPng.mjs';
import { chooseTheme, keepThemes, readTheme, THEMES } from './themes.mjs';

const SIZE = { width: 1280, height: 1000 };

const say = (line) => console.log(line);
const taken = (name) => inRepository('out', 'screenshots', name);
const media = (name) => inRepository('media', name);

/** Takes the pictures once the demo is through; its session stays, the theme changes. */
async function pictureAll({ page, workspace }) {
  const camera = cameraOf(page, (name) => taken(`context-panel-${name}.png`));
  await page.setViewportSize(SIZE);
  await runCommandViaPalette(page, 'View: Toggle Primary Side Bar Visibility');
  await runCommandViaPalette(page, 'Notifications: Clear All Notifications');
  const themes = {};
  for (const theme of THEMES) {
    say(`Pictures: ${theme.label}`);
    await chooseTheme(page, theme);
    themes[theme.name] = await readTheme(page);
    await camera.whole(theme.name);
  }
  await chooseTheme(page, THEMES[0]);
  say('Pictures: every area');
  await pictureAreas({ page, camera, workspace });
  keepThemes(themes);
}

/** Puts the pictures in the place of the former ones, once all are taken. */
function keepPictures() {
  for (const name of readdirSync(media(''))) {
    if (/^context-panel.*\.png$/.test(name)) rmSync(media(name));
  }
  for (const name of readdirSync(taken(''))) copyFileSync(taken(name), media(name));
}

try {
  await ensureDependencies(say);
  await build(say);
  rmSync(taken(''), { recursive: true, force: true });
  mkdirSync(taken(''), { recursive: true });
  await startOnce({ say, afterwards: pictureAll });
  const agent = readFileSync(inRepository('out', 'demo', 'agent.png'));
  writeFileSync(taken('agent.png'), shrinkPng(agent));
  keepPictures();
  process.exit(0);
} catch (error) {
  console.error(`\n${process.env.PLIMSOLL_VERBOSE ? error.stack : error.message}`);
  process.exit(1);
}
