import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { webviewHtml } from '../../../../src/host/webviewHtml';
import themes from './themes.json';

/** Where a page's files seem to come from. */
const ORIGIN = 'http://panel.test';

export type ThemeName = keyof typeof themes;

export const THEMES = Object.keys(themes) as ThemeName[];

/** A built webview in a real browser, without VS Code around it. */
export interface WebviewPage {
  readonly page: Page;
  /** Hands facts to the page and waits until they are drawn. */
  tell(...facts: readonly object[]): Promise<void>;
  /** What the page has posted so far, in order. */
  posts(): Promise<readonly unknown[]>;
}

/**
 * Opens a built webview under its own security policy, with the variables VS Code sets for a theme, in
 * a page of the given size.
 */
export async function openWebview(
  context: BrowserContext,
  name: 'agent' | 'context',
  theme: ThemeName,
  size: { readonly width: number; readonly height: number },
): Promise<WebviewPage> {
  const page = await context.newPage();
  await page.setViewportSize(size);
  await page.route(`${ORIGIN}/**`, async (route) => {
    const file = new URL(route.request().url()).pathname.slice(1);
    if (file === '') return route.fulfill({ contentType: 'text/html', body: html(name) });
    return route.fulfill({ path: join('dist', 'webview', file) });
  });
  await page.addInitScript(playVsCode, themes[theme]);
  await page.goto(`${ORIGIN}/`);
  await page.waitForFunction(() => posted().length > 0);
  return {
    page,
    tell: async (...facts) => {
      await page.evaluate((told) => {
        for (const fact of told) globalThis.postMessage(fact, '*');
      }, facts);
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))),
      );
    },
    posts: () => page.evaluate(() => posted()),
  };
}

/** Runs in the page: what VS Code adds to it. */
declare function posted(): unknown[];

function playVsCode({ className, variables }: (typeof themes)[ThemeName]): void {
  const posts: unknown[] = [];
  let state: unknown;
  Object.assign(globalThis, {
    posted: () => posts,
    acquireVsCodeApi: () => ({
      postMessage: (post: unknown) => posts.push(post),
      getState: () => state,
      setState: (kept: unknown) => (state = kept),
    }),
  });
  document.addEventListener('DOMContentLoaded', () => {
    for (const [name, value] of Object.entries(variables)) {
      document.documentElement.style.setProperty(name, value as string);
    }
    document.body.className = className;
    document.body.dataset['vscodeThemeKind'] = className;
    // VS Code's own sheet gives the body its colours.
    document.body.style.color = 'var(--vscode-foreground)';
    document.body.style.background = 'var(--vscode-editor-background)';
    document.body.style.fontFamily = 'var(--vscode-font-family)';
    document.body.style.fontSize = 'var(--vscode-font-size)';
  });
}

function html(name: 'agent' | 'context'): string {
  return webviewHtml({
    title: name === 'agent' ? 'Agent' : 'Context',
    scriptUri: `${ORIGIN}/${name}.js`,
    styleUri: `${ORIGIN}/${name}.css`,
    cspSource: ORIGIN,
    nonce: 'test',
  });
}
