import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { webviewHtml } from '../../../../src/host/webviewHtml';
import type { ContextFact } from '../../../../src/protocol/contextPanel';
import type { ContextPost, ContextWish } from '../../../../src/protocol/contextWishes';
import type { Answer } from '../../../../src/protocol/wish';
import themes from './themes.json';

/** Where the page's files seem to come from. */
const ORIGIN = 'http://panel.test';

export type ThemeName = keyof typeof themes;

export const THEMES = Object.keys(themes) as ThemeName[];

/** A Context panel in a real browser, without VS Code around it. */
export interface PanelPage {
  readonly page: Page;
  tell(...facts: readonly ContextFact[]): Promise<void>;
  /** Answers the newest wish. */
  answer(answer: Answer): Promise<void>;
  /** What the panel has wished so far, in order. */
  wishes(): Promise<readonly ContextWish[]>;
  close(): Promise<void>;
}

/**
 * Opens the built panel under its own security policy, with the variables VS Code sets for a theme,
 * in a page of the given size.
 */
export async function openPanel(
  context: BrowserContext,
  theme: ThemeName,
  size: { readonly width: number; readonly height: number } = { width: 1_280, height: 900 },
): Promise<PanelPage> {
  const page = await context.newPage();
  await page.setViewportSize(size);
  await page.route(`${ORIGIN}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '') return route.fulfill({ contentType: 'text/html', body: html() });
    return route.fulfill({ path: join('dist', 'webview', name) });
  });
  await page.addInitScript(playVsCode, themes[theme]);
  await page.goto(`${ORIGIN}/`);
  await page.waitForFunction(() => posted().length > 0);
  const tell = async (...facts: readonly ContextFact[]): Promise<void> => {
    await page.evaluate((told) => {
      for (const fact of told) globalThis.postMessage(fact, '*');
    }, facts);
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))),
    );
  };
  return {
    page,
    tell,
    answer: async (answer) => {
      const { session, number } = await page.evaluate(() => posted().at(-1)!);
      await tell({ type: 'wishAnswered', session, number, answer });
    },
    wishes: async () => (await page.evaluate(() => posted())).map(({ wish }) => wish),
    close: () => page.close(),
  };
}

/** Runs in the page: what VS Code adds to it. */
declare function posted(): ContextPost[];

function playVsCode({ className, variables }: (typeof themes)[ThemeName]): void {
  const posts: ContextPost[] = [];
  let state: unknown;
  Object.assign(globalThis, {
    posted: () => posts,
    acquireVsCodeApi: () => ({
      postMessage: (post: ContextPost) => posts.push(post),
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

function html(): string {
  return webviewHtml({
    title: 'Context',
    scriptUri: `${ORIGIN}/context.js`,
    styleUri: `${ORIGIN}/context.css`,
    cspSource: ORIGIN,
    nonce: 'test',
  });
}

/** The sources of axe-core, to be run in a page. */
export function axeSource(): string {
  return readFileSync(join('node_modules', 'axe-core', 'axe.min.js'), 'utf8');
}
