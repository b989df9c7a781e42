import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { ContextFact } from '../../../../src/protocol/contextPanel';
import type { ContextPost, ContextWish } from '../../../../src/protocol/contextWishes';
import type { Answer } from '../../../../src/protocol/wish';
import { openWebview, type ThemeName } from './webviewPage';

/** A Context panel in a real browser, without VS Code around it. */
export interface PanelPage {
  readonly page: Page;
  tell(...facts: readonly ContextFact[]): Promise<void>;
  /** Answers the newest wish, or the newest of a kind. */
  answer(answer: Answer, to?: ContextWish['type']): Promise<void>;
  /** The panel's wishes so far, in order. */
  wishes(): Promise<readonly ContextWish[]>;
  close(): Promise<void>;
}

/** Opens the built panel in a page of the given size. */
export async function openPanel(
  context: BrowserContext,
  theme: ThemeName,
  size: { readonly width: number; readonly height: number } = { width: 1_280, height: 900 },
): Promise<PanelPage> {
  const { page, tell, posts } = await openWebview(context, 'context', theme, size);
  const posted = async () => (await posts()) as readonly ContextPost[];
  return {
    page,
    tell,
    answer: async (answer, to) => {
      const meant = (await posted()).findLast(({ wish }) => to === undefined || wish.type === to);
      const { session, number } = meant!;
      await tell({ type: 'wishAnswered', session, number, answer });
    },
    wishes: async () => (await posted()).map(({ wish }) => wish),
    close: () => page.close(),
  };
}

/** The sources of axe-core, to be run in a page. */
export function axeSource(): string {
  return readFileSync(join('node_modules', 'axe-core', 'axe.min.js'), 'utf8');
}
