import { afterAll, beforeAll } from 'vitest';
import type { BrowserContext } from 'playwright-core';
import { installEditorHost } from '../../../harness/editorHost/installEditorHost.mjs';
import { launchBrowser } from '../../../harness/editorHost/launchBrowser.mjs';

/** The browser of a test file, open during all its tests. */
export function browserOfTests(): () => BrowserContext {
  let browser: { readonly context: BrowserContext; close(): Promise<void> } | undefined;
  beforeAll(async () => {
    browser = await launchBrowser({
      host: await installEditorHost(console.error),
      isOneProcess: true,
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
  });
  return () => {
    if (browser === undefined) throw new Error('There is no browser before the first test.');
    return browser.context;
  };
}
