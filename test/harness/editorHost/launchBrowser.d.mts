import type { BrowserContext, Page } from 'playwright-core';
import type { EditorHost } from './installEditorHost.mjs';

export function launchBrowser(options: {
  readonly host: EditorHost;
  readonly debuggingPort?: number;
  readonly size?: { readonly width: number; readonly height: number };
  readonly isOneProcess?: boolean;
  readonly isCalm?: boolean;
}): Promise<{
  readonly context: BrowserContext;
  readonly page: Page;
  close(): Promise<void>;
}>;
