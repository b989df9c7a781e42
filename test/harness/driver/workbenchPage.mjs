import { setTimeout as sleep } from 'node:timers/promises';

/** Longest time for the workbench to show something, in ms: a busy machine is not a failure. */
const patience = 60_000;

/**
 * Finds the content of the webview titled `title`, and waits until it exists and is visible.
 *
 * The title is the panel's title or the view's name in package.json. A webview is an iframe in an
 * iframe; the outer one is identified by its generated name because its position among its siblings
 * changes.
 */
export async function findWebview(page, title, timeout = patience) {
  return contentOf(page, await nameOfWebview(page, title, timeout));
}

/**
 * The same, as a function that returns the content as it is now.
 *
 * It returns a frame: a frame locator would find both iframes again for every question, which takes
 * four times as long. While there is no frame, it returns the locator, which waits for one.
 */
export async function followWebview(page, title, timeout = patience) {
  const name = await nameOfWebview(page, title, timeout);
  return () => {
    const outer = page.frames().find((frame) => frame.name() === name && !frame.isDetached());
    // VS Code loads new content in a second frame, and removes the first one when it is ready.
    return outer?.childFrames()[0] ?? contentOf(page, name);
  };
}

function contentOf(page, name) {
  return page.frameLocator(`iframe.webview[name="${name}"]`).frameLocator('#active-frame');
}

async function nameOfWebview(page, title, timeout) {
  const deadline = Date.now() + timeout;
  do {
    for (const outer of await page.locator('iframe.webview').all()) {
      const name = await outer.getAttribute('name', { timeout: 1000 }).catch(() => null);
      if (!name) continue;
      const inner = page
        .frameLocator(`iframe.webview[name="${name}"]`)
        .locator('iframe#active-frame');
      const shown = await inner.getAttribute('title', { timeout: 1000 }).catch(() => null);
      if (shown === title && (await inner.isVisible().catch(() => false))) return name;
    }
    await sleep(100);
  } while (Date.now() < deadline);
  throw new Error(`No webview titled "${title}" appeared within ${timeout} ms.`);
}

/**
 * Runs a command through the command palette as a user does; `title` includes the category,
 * "Plimsoll: ...".
 *
 * Returns once the palette is gone or shows the command's own question.
 */
export async function runCommandViaPalette(page, title) {
  await page.keyboard.press('F1');
  const palette = page.locator('.quick-input-widget');
  await palette.waitFor({ timeout: patience });
  const input = palette.locator('input[type="text"]');
  await input.fill(`>${title}`, { timeout: patience });
  const row = palette.locator('.monaco-list-row').filter({ hasText: title }).first();
  await row.click({ timeout: patience });
  // Waits for nothing: the palette may close at any moment, and a command that reloads the window
  // takes the page with it.
  const isOpen = () =>
    input
      .evaluateAll((fields) =>
        fields.some((field) => field.checkVisibility() && field.value.startsWith('>')),
      )
      .catch(() => false);
  for (const deadline = Date.now() + patience; await isOpen();) {
    if (Date.now() > deadline) throw new Error(`The command palette did not close on "${title}".`);
    await sleep(50);
  }
}

/**
 * Opens a file of the workspace by its path, and waits until the language features know `symbol` in
 * it.
 */
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

/**
 * Opens a view container by its icon in the activity bar and waits for it; a no-op if it is open.
 */
export async function openActivity(page, title) {
  const icon = (state) =>
    page.locator(`.activitybar .action-item${state}:has(.action-label[aria-label^="${title}"])`);
  await icon('').waitFor({ timeout: patience });
  if ((await icon('.checked').count()) > 0) return;
  // Click the whole item: a badge may cover the label.
  await icon('').click({ timeout: patience });
  // Otherwise the item that opens next would still have the previous icon.
  await icon('.checked').waitFor({ timeout: patience });
}

/**
 * Waits until the workbench has completely started: its extensions are loaded and its own late
 * writes are done.
 *
 * Earlier commands can get lost. The name is VS Code's own performance mark for its last start
 * phase.
 */
export async function whenWorkbenchReady(page) {
  const lastPhase = () => performance.getEntriesByName('code/LifecyclePhase/Eventually').length > 0;
  await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: patience });
  for (const deadline = Date.now() + patience; !(await page.evaluate(lastPhase)); await sleep(50)) {
    if (Date.now() > deadline) throw new Error('The workbench did not finish starting.');
  }
}
