import type { FrameLocator, Page } from 'playwright-core';
import type { WebviewContent } from './agentDriver.mjs';

export function findWebview(page: Page, title: string, timeout?: number): Promise<FrameLocator>;
export function followWebview(
  page: Page,
  title: string,
  timeout?: number,
): Promise<() => WebviewContent>;
export function runCommandViaPalette(page: Page, title: string): Promise<void>;
export function openFile(page: Page, path: string, symbol: string): Promise<void>;
export function openActivity(page: Page, title: string): Promise<void>;
export function whenWorkbenchReady(page: Page): Promise<void>;
