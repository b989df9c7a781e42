import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { webviewHtml } from '../../../../src/editor/page';
import type { Answer } from '../../../../src/editor/wish';
import themes from './themes.json';

/** The origin of a page's files. */
const ORIGIN = 'http://panel.test';

export type ThemeName = keyof typeof themes;

export const THEMES = Object.keys(themes) as ThemeName[];

/**
 * Each width with a theme, and each theme once: colours do not depend on the width, and of the
 * themes only high contrast, with its borders, changes what fits. So the narrowest has that.
 */
export const LOOKS: readonly (readonly [width: number, theme: ThemeName])[] = [
  [178, 'highContrast'],
  [320, 'light'],
  [600, 'dark'],
];

/** A wish as a page posts it; the panel's wishes name their session. */
export interface WishPost {
  readonly number: number;
  readonly session?: string;
  readonly wish: { readonly type: string };
}

/** A built webview in a real browser, without VS Code. */
export interface WebviewPage {
  readonly page: Page;
  /** Sends facts to the page and waits until they are drawn. */
  tell(...facts: readonly object[]): Promise<void>;
  /** The page's posts so far, in order. */
  posts(): Promise<readonly WishPost[]>;
  /** Waits for an unanswered wish of a kind, and answers the newest. */
  answer(answer: Answer, to: string): Promise<void>;
}

/**
 * Opens a built webview under its own security policy, with VS Code's variables of a theme, in a
 * page of the given size.
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
  await page.addInitScript(playVsCode);
  await page.addInitScript(applyTheme, themes[theme]);
  await page.goto(`${ORIGIN}/`);
  await page.waitForFunction(() => posted().length > 0);
  // As text: Playwright takes seconds to pass on 10,000 blocks as objects.
  const tell = (...facts: readonly object[]) => page.evaluate(tellPage, JSON.stringify(facts));
  const posts = () => page.evaluate(() => posted() as WishPost[]);
  const answered = new Set<number>();
  return {
    page,
    tell,
    posts,
    answer: async (answer, to) => {
      const open = async () =>
        (await posts()).findLast(({ number, wish }) => wish.type === to && !answered.has(number));
      await expect.poll(open).toBeDefined();
      const { number, session } = (await open())!;
      answered.add(number);
      await tell({ type: 'wishAnswered', session, number, answer });
    },
  };
}

/**
 * Runs in the page. The last message arrives after every fact, and the page draws in the frame
 * after that.
 */
function tellPage(told: string): Promise<void> {
  const facts = JSON.parse(told) as readonly object[];
  return new Promise((drawn) => {
    const last = `the last of ${facts.length} facts`;
    const hear = ({ data }: MessageEvent): void => {
      if (data !== last) return;
      removeEventListener('message', hear);
      requestAnimationFrame(() => setTimeout(drawn));
    };
    addEventListener('message', hear);
    for (const fact of facts) globalThis.postMessage(fact, '*');
    globalThis.postMessage(last, '*');
  });
}

/** Runs in the page: what VS Code adds to it. */
declare function posted(): unknown[];

function playVsCode(): void {
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
}

/** Changes the theme of an open page, as a user may, and waits until the page has its colours. */
export async function changeTheme(page: Page, theme: ThemeName): Promise<void> {
  await page.evaluate(applyTheme, themes[theme]);
  // The toolkit's parts take the colours over in the next frame.
  for (let frame = 0; frame < 2; frame += 1)
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
}

/** Runs in the page: what VS Code sets for a theme. */
function applyTheme({ className, variables }: (typeof themes)[ThemeName]): void {
  const apply = (): void => {
    document.documentElement.removeAttribute('style');
    for (const [name, value] of Object.entries(variables)) {
      document.documentElement.style.setProperty(name, value as string);
    }
    document.body.className = className;
    document.body.dataset['vscodeThemeKind'] = className;
    // VS Code's own style sheet sets the colours of the body.
    document.body.style.color = 'var(--vscode-foreground)';
    document.body.style.background = 'var(--vscode-editor-background)';
    document.body.style.fontFamily = 'var(--vscode-font-family)';
    document.body.style.fontSize = 'var(--vscode-font-size)';
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', apply);
  else apply();
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
