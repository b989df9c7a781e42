import { setTimeout as sleep } from 'node:timers/promises';

/** Longest time for the workbench to show something, ms: a busy machine is not a failure. */
const patience = 60_000;

/**
 * Finds the content of the webview that shows `title`, waiting until it is there and visible.
 *
 * The title is the panel's title or the view's name as contributed in package.json. A webview is an iframe in an
 * iframe; the outer one is pinned by its generated name because its place among its siblings changes.
 */
export async function findWebview(page, title, timeout = patience) {
  const deadline = Date.now() + timeout;
  do {
    for (const outer of await page.locator('iframe.webview').all()) {
      const name = await outer.getAttribute('name', { timeout: 1000 }).catch(() => null);
      if (!name) continue;
      const content = page.frameLocator(`iframe.webview[name="${name}"]`);
      const inner = content.locator('iframe#active-frame');
      const shown = await inner.getAttribute('title', { timeout: 1000 }).catch(() => null);
      if (shown === title && (await inner.isVisible().catch(() => false)))
        return content.frameLocator('#active-frame');
    }
    await sleep(100);
  } while (Date.now() < deadline);
  throw new Error(`No webview titled "${title}" appeared within ${timeout} ms.`);
}

/**
 * Runs a command through the command palette, the way a user does; `title` includes the category, "Plimsoll: ...".
 *
 * Returns once the palette is gone or shows what the command itself asks.
 */
export async function runCommandViaPalette(page, title) {
  await page.keyboard.press('F1');
  const palette = page.locator('.quick-input-widget');
  await palette.waitFor({ timeout: patience });
  const input = palette.locator('input[type="text"]');
  await input.fill(`>${title}`, { timeout: patience });
  const row = palette.locator('.monaco-list-row').filter({ hasText: title }).first();
  await row.click({ timeout: patience });
  const isOpen = async () =>
    (await palette.isVisible()) && (await input.inputValue()).startsWith('>');
  for (const deadline = Date.now() + patience; await isOpen();) {
    if (Date.now() > deadline) throw new Error(`The command palette did not close on "${title}".`);
    await sleep(50);
  }
}

/** Opens a file of the workspace by its path, and waits until the language features know `symbol` in it. */
export async function openFile(page, path, symbol) {
  await page.keyboard.press('F1');
  const picker = page.locator('.quick-input-widget');
  await picker.waitFor({ timeout: patience });
  const input = picker.locator('input[type="text"]');
  const row = (hasText) => picker.locator('.monaco-list-row').filter({ hasText }).first();
  await input.fill(path);
  await row(path.split('/').at(-1)).click({ timeout: patience });
  await picker.waitFor({ state: 'hidden', timeout: patience });
  await page.keyboard.press('F1');
  await picker.waitFor({ timeout: patience });
  await input.fill('@');
  await row(symbol).waitFor({ timeout: patience });
  await page.keyboard.press('Escape');
  await picker.waitFor({ state: 'hidden', timeout: patience });
}

/** Opens a view container by its icon in the activity bar, and waits until it is; a no-op when it is open. */
export async function openActivity(page, title) {
  const icon = (state) =>
    page.locator(`.activitybar .action-item${state}:has(.action-label[aria-label^="${title}"])`);
  await icon('').waitFor({ timeout: patience });
  if ((await icon('.checked').count()) > 0) return;
  // The whole item: a badge may lie over the label.
  await icon('').click({ timeout: patience });
  // Otherwise the item that opens next would still have the icon of the one before.
  await icon('.checked').waitFor({ timeout: patience });
}

/**
 * Waits until the workbench has started all of itself: extensions are loaded and its own late writes are done.
 *
 * Commands given earlier can get lost. The name is VS Code's own performance mark for the last of its start phases.
 */
export async function whenWorkbenchReady(page) {
  const lastPhase = () => performance.getEntriesByName('code/LifecyclePhase/Eventually').length > 0;
  await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: patience });
  for (const deadline = Date.now() + patience; !(await page.evaluate(lastPhase)); await sleep(50)) {
    if (Date.now() > deadline) throw new Error('The workbench did not finish starting.');
  }
}
