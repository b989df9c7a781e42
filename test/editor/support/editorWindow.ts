import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type FrameLocator, type Page } from 'playwright-core';
import {
  findWebview,
  openActivity,
  runCommandViaPalette,
  whenWorkbenchReady,
} from '../../harness/driver/workbenchPage.mjs';

/**
 * The window the running suite belongs to, as a user sees and operates it.
 *
 * ```ts
 * const editor = await editorWindow();
 * await editor.openActivity('Plimsoll');
 * const agent = await editor.webview('Agent');
 * await agent.getByRole('textbox').fill('Fix the failing tests');
 * ```
 *
 * `page` is Playwright's page for whatever has no helper. Use the `vscode` API to arrange and to read back, and this
 * to do what a user does.
 */
export interface EditorWindow {
  readonly page: Page;
  /** Finds the content of the visible webview with this panel title or view name. */
  webview(title: string): Promise<FrameLocator>;
  /** Runs a command by its title in the command palette, category included. */
  runCommandViaPalette(title: string): Promise<void>;
  /** Opens a view container by the title of its activity bar icon. */
  openActivity(title: string): Promise<void>;
  /** Saves a picture of the whole window as PNG. */
  screenshot(file: string): Promise<void>;
}

let connected: Promise<Browser> | undefined;

/**
 * Connects to the window over the DevTools protocol, once per run; works on both hosts.
 *
 * Rejects when PLIMSOLL_CDP is not set, as in a suite started by hand without the runner.
 */
export async function editorWindow(): Promise<EditorWindow> {
  const endpoint = process.env.PLIMSOLL_CDP;
  if (!endpoint) throw new Error('PLIMSOLL_CDP is not set: start the suite with `npm test`.');
  connected ??= chromium.connectOverCDP(endpoint);
  const page = await findWorkbench(await connected);
  await whenWorkbenchReady(page);
  return {
    page,
    webview: (title) => findWebview(page, title),
    runCommandViaPalette: (title) => runCommandViaPalette(page, title),
    openActivity: (title) => openActivity(page, title),
    screenshot: async (file) => {
      await mkdir(dirname(file), { recursive: true });
      await page.screenshot({ path: file });
    },
  };
}

/** Leaves the window; the browser goes on running, it belongs to the launcher. */
export async function leaveEditorWindow(): Promise<void> {
  const browser = await connected;
  connected = undefined;
  await browser?.close();
}

async function findWorkbench(browser: Browser): Promise<Page> {
  for (let tries = 0; tries < 100; tries++) {
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      if ((await page.locator('.monaco-workbench').count()) > 0) return page;
    }
    await sleep(100);
  }
  throw new Error('No VS Code workbench among the pages of the browser at PLIMSOLL_CDP.');
}
