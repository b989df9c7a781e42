import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findWebview, runCommandViaPalette } from '../driver/workbenchPage.mjs';
import { high, panelOf, rest } from './areas.mjs';

/** Share of the input budget in use when the pass is due: above the high watermark. */
const FILLED = 0.9;

/** The prompt before the pass. */
const QUESTION = 'What can you do?';

/** The names of the pictures taken here. */
export const WAITING_PASS = ['review', 'status-bar'];

/** Makes a pass wait for the user's answer, with reviews on and a smaller window. */
export async function awaitReview({ page, workspace }) {
  const { at } = await panelOf(page);
  const used = Number(await at('used').getAttribute('data-tokens'));
  changeSettings(workspace, (settings) => ({
    ...settings,
    'plimsoll.context.compaction': 'ask',
    'plimsoll.context.windowTokens': Math.round(used / FILLED) + reservedOf(settings),
  }));
  await runCommandViaPalette(page, 'Plimsoll: Focus the Agent View');
  const agent = await findWebview(page, 'Agent');
  await agent.getByTestId('composer').fill(QUESTION);
  await agent.getByTestId('send').click();
  await at('review').waitFor({ timeout: 60_000 });
  await runCommandViaPalette(page, 'View: Toggle Primary Side Bar Visibility');
}

/** Takes pictures of the waiting pass and of the status bar, which reports it. */
export async function pictureWaitingPass(scene) {
  await pictureReview(scene);
  await pictureStatusBar(scene);
}

const pictureReview = high(async ({ page, camera }) => {
  const { panel, at } = await panelOf(page);
  await at('tab-ledger').click();
  await at('review').scrollIntoViewIfNeeded();
  await rest(page);
  await camera.crop('review', panel.locator('.side'));
});

/** The item of the status bar and its tooltip. */
async function pictureStatusBar({ page, camera }) {
  const item = page.locator('.statusbar-item', { hasText: 'review a pass' });
  await item.hover();
  const tooltip = page.locator('.monaco-hover', { hasText: 'Plimsoll: context window' });
  await tooltip.waitFor();
  await camera.crop('status-bar', tooltip, item);
  await rest(page);
  await tooltip.waitFor({ state: 'hidden' });
}

/** Tokens that the workspace's settings keep free. */
function reservedOf(settings) {
  const { safetyHeadroomTokens, toolResultHeadroomTokens } = settings['plimsoll.advanced'];
  return (
    settings['plimsoll.context.maxReplyTokens'] + safetyHeadroomTokens + toolResultHeadroomTokens
  );
}

function changeSettings(workspace, change) {
  const file = join(workspace, '.vscode', 'settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify(change(settings), undefined, 2)}\n`);
}
