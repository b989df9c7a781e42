import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findWebview, runCommandViaPalette } from '../driver/workbenchPage.mjs';
import { claudeCodeRecording } from './claudeCodeRecording.mjs';

/** The height of the page for pictures of single areas: high enough that nothing scrolls. */
const HIGH = { width: 1280, height: 1300 };

/** The window in the recording's picture, in tokens: small enough that passes would have run. */
const RECORDING_WINDOW = '24000';

/** The list's key for "Rewrite the summary". */
const REWRITE_KEY = 'e';

/** The smallest width the panel is designed for, in CSS pixels. */
const NARROW = 320;

/** The whole panel, by the names of its pictures; the panel has the window to itself. */
export const ANSWERS = {
  names: ['answers', 'answers-wide', 'answers-widest'],
  picture: pictureAnswers,
};

/** Areas in one picture, by the picture's name. */
export const AREAS = [
  { names: ['map', 'timeline'], picture: high(pictureUpper) },
  { names: ['blocks', 'block'], picture: high(pictureBlocks) },
  { names: ['ledger', 'preview', 'what-if'], picture: high(pictureLedger) },
  { names: ['scratchpad', 'scratchpad-dialog'], picture: high(pictureScratchpad) },
  { names: ['request'], picture: high(pictureRequest) },
  { names: ['session'], picture: high(pictureSession) },
  { names: ['summary-dialog'], picture: high(pictureSummary) },
  { names: ['diff'], picture: pictureDiff },
  { names: ['past'], picture: picturePast },
  { names: ['recording'], picture: pictureRecording },
  { names: ['narrow'], picture: pictureNarrow },
];

/** Makes the page high while pictures are taken. */
export function high(picture) {
  return async (scene) => {
    const size = scene.page.viewportSize();
    await scene.page.setViewportSize(HIGH);
    await picture(scene);
    await scene.page.setViewportSize(size);
  };
}

/**
 * The whole panel in a small window and in larger ones, with a past step pointed at: it answers what
 * fills the window, what is pinned, what was removed and why, what is removed next, what it cost, and
 * what the model saw at a step.
 */
async function pictureAnswers({ page, camera }) {
  const { at } = await panelOf(page);
  const size = page.viewportSize();
  for (const [name, width, height] of [
    ['answers', 1280, 720],
    ['answers-wide', 1600, 1000],
    ['answers-widest', 1920, 1080],
  ]) {
    await page.setViewportSize({ width, height });
    await pointAlong(page, at('timeline'), 0.62);
    await camera.whole(name);
  }
  await page.setViewportSize(size);
}

async function pictureUpper({ page, camera }) {
  const { panel, at } = await panelOf(page);
  await camera.crop('map', panel.locator('.fill'));
  await pointAlong(page, at('timeline'), 0.62);
  await camera.crop('timeline', panel.locator('.timeline'));
}

/** The list by turn with a menu open, then the details of the same block. */
async function pictureBlocks({ page, camera }) {
  const { panel, at } = await panelOf(page);
  await at('show-filter').click();
  await at('by-turn').click();
  await panel.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight));
  const block = panel.locator('[data-testid="block-row"][data-state="whole"]').nth(-3);
  await block.getByTestId('block-menu').click();
  await camera.crop('blocks', panel.locator('.blocks'), at('block-actions'));
  await page.keyboard.press('Escape');
  await block.click();
  await at('block-details').waitFor();
  await rest(page);
  await camera.crop('block', panel.locator('.side'));
  // A block stays chosen while the panel is open, and would be so in all later pictures.
  await runCommandViaPalette(page, 'View: Close Editor');
  await runCommandViaPalette(page, 'Plimsoll: Open the Context Panel');
  const { at: again } = await panelOf(page);
  await again('block-row').first().waitFor();
}

/** A pass with its decisions, the plan that would run now, and one with other settings. */
async function pictureLedger({ page, camera }) {
  const { panel, at } = await panelOf(page);
  await at('tab-ledger').click();
  const unfold = at('decisions').first().locator('summary');
  await unfold.click();
  await at('decision-row').first().waitFor();
  await rest(page);
  await camera.crop('ledger', panel.locator('.side'));
  await unfold.click();

  await at('preview-pass').click();
  await at('preview').waitFor();
  await rest(page);
  await camera.crop('preview', panel.locator('.side'));
  await at('preview-close').click();

  await at('what-if').click();
  await at('number-highWatermark').fill('60');
  await at('policy').selectOption('tokenBudget');
  await at('what-if-result').waitFor();
  await rest(page);
  await camera.crop('what-if', at('what-if-dialog'));
  await at('what-if-close').click();
}

/** The agent's notes and the dialog that changes them. */
async function pictureScratchpad({ page, camera }) {
  const { panel, at } = await panelOf(page);
  await panel.locator('[data-testid="bar-part"][data-part="kept"]').press('Enter');
  await rest(page);
  await camera.crop('scratchpad', at('part-details'));
  await at('notes-edit').click();
  await rest(page);
  await camera.crop('scratchpad-dialog', at('scratchpad-dialog'));
  await at('scratchpad-cancel').click();
  await at('close-details').click();
}

async function pictureSession({ page, camera }) {
  const { panel, at } = await panelOf(page);
  await at('tab-session').click();
  await rest(page);
  await camera.crop('session', panel.locator('.side'));
}

/** The dialog that rewrites a summary; one that a pass removed is restored for the picture only. */
async function pictureSummary({ page, camera }) {
  const { panel, at } = await panelOf(page);
  const whole = panel.locator('[data-testid="block-row"][data-state="whole"]');
  const summary = panel.locator('[data-testid="block-row"][data-block-id^="summary"]').last();
  await at('tab-ledger').click();
  await at('chip-all').click();
  await at('show-filter').click();
  await at('filter').fill('summary');
  await summary.waitFor();
  const isRemoved = (await summary.and(whole).count()) === 0;
  if (isRemoved) await summary.getByTestId('verb-restore').click();
  await summary.and(whole).press(REWRITE_KEY);
  await at('summary-dialog').waitFor();
  await rest(page);
  await camera.crop('summary-dialog', at('summary-dialog'));
  await at('summary-cancel').click();
  if (isRemoved) {
    await panel
      .locator('.ledger')
      .getByTestId(/^undo-(pass|edit)$/)
      .first()
      .click();
    await summary.and(whole).waitFor({ state: 'detached' });
  }
  await at('show-filter').click();
  await at('chip-in').click();
}

async function pictureRequest({ page, camera }) {
  const { panel, at } = await panelOf(page);
  await at('tab-request').click();
  await at('request-search').fill('isWithin');
  await at('request-section').first().waitFor();
  await rest(page);
  await camera.crop('request', panel.locator('.side'));
  await at('request-search').fill('');
}

async function pictureDiff({ page, camera }) {
  const { at } = await panelOf(page);
  await at('tab-ledger').click();
  await at('diff-pass').first().click();
  await page.locator('.monaco-diff-editor .view-line').first().waitFor();
  await rest(page);
  await camera.whole('diff');
  await runCommandViaPalette(page, 'View: Close Editor');
}

async function picturePast({ page, camera }) {
  const { at } = await panelOf(page);
  await at('tab-ledger').click();
  const { x, y, width, height } = await at('timeline').boundingBox();
  await page.mouse.click(x + width * 0.62, y + height / 2);
  await at('past-notice').waitFor();
  await runCommandViaPalette(page, 'Notifications: Clear All Notifications');
  await rest(page);
  await camera.whole('past');
  await at('back-to-now').click();
  await at('past-notice').waitFor({ state: 'detached' });
}

/** Opens a recording of another agent and replays it in a smaller window. */
async function pictureRecording({ page, camera, workspace }) {
  const file = join(workspace, 'claude-code-session.jsonl');
  writeFileSync(file, claudeCodeRecording(workspace));
  await runCommandViaPalette(page, 'Plimsoll: Open a Recording');
  await chooseFile(page, file);
  const { at } = await panelOf(page);
  await at('source-bar').waitFor({ timeout: 60_000 });
  await at('choose-policy').click();
  await at('number-windowTokens').fill(RECORDING_WINDOW);
  await at('what-if-result').waitFor();
  await at('what-if-apply').click();
  await at('pass-card').first().waitFor({ state: 'attached', timeout: 60_000 });
  await at('what-if-close').click();
  await runCommandViaPalette(page, 'Notifications: Clear All Notifications');
  await rest(page);
  await camera.whole('recording');
  await at('close-recording').click();
  await at('source-bar').waitFor({ state: 'detached' });
}

/** Answers VS Code's own file dialog, which fills in its initial folder a little late. */
async function chooseFile(page, file) {
  const dialog = page.locator('.quick-input-widget');
  await dialog.locator('.monaco-list-row').first().waitFor();
  await page.waitForTimeout(1_500);
  await dialog.locator('input[type="text"]').fill(file);
  await dialog
    .locator('.monaco-list-row')
    .filter({ hasText: basename(file) })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
}

/** Makes the window so small that the panel has its smallest width. */
async function pictureNarrow({ page, camera }) {
  const { panel, at } = await panelOf(page);
  await at('tab-ledger').click();
  const { width, height } = page.viewportSize();
  const beside = width - (await panel.locator('body').boundingBox()).width;
  await page.setViewportSize({ width: beside + NARROW, height: 1500 });
  await camera.crop('narrow', panel.locator('body'));
  await page.setViewportSize({ width, height });
}

/** The current panel: if another editor covered it, VS Code draws it again. */
export async function panelOf(page) {
  const panel = await findWebview(page, 'Context', 60_000);
  return { panel, at: (testId) => panel.getByTestId(testId) };
}

async function pointAlong(page, locator, share) {
  const { x, y, width, height } = await locator.boundingBox();
  await page.mouse.move(x + width * share - 2, y + height / 2);
  await page.mouse.move(x + width * share, y + height / 2);
}

/** Moves the pointer away from everything that has a tooltip. */
export async function rest(page) {
  await page.mouse.move(640, 4);
}
