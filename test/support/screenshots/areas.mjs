import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findWebview, runCommandViaPalette } from '../workbenchPage.mjs';
import { claudeCodeRecording } from './claudeCodeRecording.mjs';

/** The window of the recording's picture, tokens: small enough that passes would have run. */
const RECORDING_WINDOW = '32000';

/** As narrow as the panel is drawn for, CSS pixels. */
const NARROW = 320;

/** Takes one picture of every area of the panel; the panel is open and has the window to itself. */
export async function pictureAreas({ page, camera, workspace }) {
  const panel = await findWebview(page, 'Context');
  const at = (testId) => panel.getByTestId(testId);
  const side = panel.locator('.side');
  const rest = () => page.mouse.move(640, 4);

  await camera.crop('map', panel.locator('.fill'));

  await pointAt(page, at('timeline'), 0.62);
  await camera.crop('timeline', panel.locator('.timeline'));
  await rest();

  await at('by-turn').click();
  await panel.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight));
  const whole = panel.locator('[data-testid="block-row"][data-state="whole"]');
  await whole.nth(-3).getByTestId('block-menu').click();
  await camera.crop('blocks', panel.locator('.blocks'), at('block-actions'));
  await page.keyboard.press('Escape');

  await whole.nth(-3).click();
  await at('block-details').waitFor();
  await rest();
  await camera.crop('block', side);
  await at('by-turn').click();

  await at('tab-ledger').click();
  const decisions = at('decisions').first();
  await decisions.locator('summary').click();
  await at('decision-row').first().waitFor();
  await rest();
  await camera.crop('ledger', side);
  await decisions.locator('summary').click();

  await at('preview-pass').click();
  await at('preview').waitFor();
  await rest();
  await camera.crop('preview', at('preview'));
  await at('preview-close').click();

  await at('what-if').click();
  await at('what-if-dialog').waitFor();
  await at('number-highWatermark').fill('60');
  await at('policy').selectOption('tokenBudget');
  await at('what-if-result').waitFor();
  await rest();
  await camera.crop('what-if', at('what-if-dialog'));
  await at('what-if-close').click();

  await at('tab-request').click();
  await at('request-search').fill('lightship');
  await rest();
  await camera.crop('request', side);
  await at('request-search').fill('');

  await at('tab-ledger').click();
  await at('diff-pass').first().click();
  await page.locator('.monaco-diff-editor .view-line').first().waitFor();
  await rest();
  await camera.whole('diff');
  await runCommandViaPalette(page, 'View: Close Editor');

  const track = await at('timeline').boundingBox();
  await page.mouse.click(track.x + track.width * 0.62, track.y + track.height / 2);
  await at('past-notice').waitFor();
  await rest();
  await camera.whole('past-step');
  await at('back-to-now').click();
  await at('past-notice').waitFor({ state: 'detached' });

  await pictureNarrow({ page, camera, panel });
  await pictureRecording({ page, camera, panel, workspace });
}

async function pointAt(page, locator, share) {
  const { x, y, width, height } = await locator.boundingBox();
  await page.mouse.move(x + width * share - 2, y + height / 2);
  await page.mouse.move(x + width * share, y + height / 2);
}

/** Makes the window so small that the panel is as narrow as it is drawn for. */
async function pictureNarrow({ page, camera, panel }) {
  const size = page.viewportSize();
  const { width } = await panel.locator('body').boundingBox();
  await page.setViewportSize({ width: size.width - width + NARROW, height: 1100 });
  await camera.crop('narrow', panel.locator('body'));
  await page.setViewportSize(size);
}

/** Opens a recording of another agent and replays it in a smaller window. */
async function pictureRecording({ page, camera, panel, workspace }) {
  const file = join(workspace, 'claude-code-session.jsonl');
  writeFileSync(file, claudeCodeRecording(workspace));
  await runCommandViaPalette(page, 'Plimsoll: Open a Recording of Another Agent');
  const input = page.locator('.quick-input-widget input[type="text"]');
  await input.fill(file);
  await page.keyboard.press('Enter');
  const at = (testId) => panel.getByTestId(testId);
  await at('source-bar').waitFor({ timeout: 60_000 });
  await at('choose-policy').click();
  await at('number-windowTokens').fill(RECORDING_WINDOW);
  await at('what-if-result').waitFor();
  await at('what-if-apply').click();
  await at('what-if-close').click();
  await at('pass-card').first().waitFor();
  await page.mouse.move(640, 4);
  await runCommandViaPalette(page, 'Notifications: Clear All Notifications');
  await camera.whole('recording');
  await at('close-recording').click();
  await at('source-bar').waitFor({ state: 'detached' });
}
