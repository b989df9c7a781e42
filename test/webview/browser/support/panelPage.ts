import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { ContextFact } from '../../../../src/editor/contextPanel/state';
import type { ContextWish } from '../../../../src/editor/contextPanel/wishes';
import type { Answer } from '../../../../src/editor/wish';
import { openWebview, type ThemeName } from './webviewPage';

/** A Context panel in a real browser, without VS Code. */
export interface PanelPage {
  readonly page: Page;
  tell(...facts: readonly ContextFact[]): Promise<void>;
  /** Waits for an unanswered wish of a kind, and answers the newest. */
  answer(answer: Answer, to: ContextWish['type']): Promise<void>;
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
  const { page, tell, posts, answer } = await openWebview(context, 'context', theme, size);
  return {
    page,
    tell,
    answer,
    wishes: async () => (await posts()).map(({ wish }) => wish as ContextWish),
    close: () => page.close(),
  };
}

/** The source of axe-core, to be run in a page. */
export function axeSource(): string {
  return readFileSync(join('node_modules', 'axe-core', 'axe.min.js'), 'utf8');
}
