import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import * as vscode from 'vscode';
import {
  followWebview,
  openActivity,
  runCommandViaPalette,
  whenWorkbenchReady,
} from '../../harness/driver/workbenchPage.mjs';
import type { WebviewContent } from '../../harness/driver/agentDriver.mjs';
import { Part } from './part';
import { QuickInput } from './quickInput';
import { PATIENCE, until } from './until';

/** Most loads of a window until it has its folders. */
const MOST_LOADS = 4;

let connected: Promise<Browser> | undefined;

/**
 * The window of the running suite, as a user sees and operates it.
 *
 * ```ts
 * const editor = await EditorWindow.connected();
 * await editor.openActivity('Plimsoll');
 * const agent = await editor.webview('Agent');
 * await agent.find('composer').fill('Fix the failing tests');
 * ```
 *
 * Use the `vscode` API to arrange and to read state, and this to do what a user does.
 */
export class EditorWindow {
  private constructor(private readonly page: Page) {}

  /**
   * Connects to the window over the DevTools protocol, once per run; works on both hosts.
   *
   * Rejects when PLIMSOLL_CDP is not set, as in a suite started by hand without the runner.
   */
  static async connected(): Promise<EditorWindow> {
    const endpoint = process.env.PLIMSOLL_CDP;
    if (!endpoint) throw new Error('PLIMSOLL_CDP is not set: start the suite with `npm test`.');
    connected ??= connectTo(endpoint);
    const page = await findWorkbench(await connected);
    await whenWorkbenchReady(page);
    return new EditorWindow(page);
  }

  /**
   * Opens a `.code-workspace` file in a second window with Plimsoll, which shares settings and key;
   * `vscode` is still the API of the suite's window. Undefined on the desktop, where VS Code opens it.
   */
  async opened(workspace: string): Promise<EditorWindow | undefined> {
    const address = new URL(this.page.url());
    if (!address.protocol.startsWith('http')) return undefined;
    const payload = JSON.parse(address.searchParams.get('payload') ?? '[]') as [string, string][];
    const extension = payload.filter(([name]) => name === 'extensionDevelopmentPath');
    address.searchParams.delete('folder');
    address.searchParams.set('workspace', workspace);
    address.searchParams.set('payload', JSON.stringify(extension));
    const page = await this.page.context().newPage();
    const window = new EditorWindow(page);
    await window.#load(address.href);
    return window;
  }

  /** Reloads a second window; find its views again. */
  async reload(): Promise<void> {
    await this.#load(this.page.url());
  }

  /** Again if VS Code missed the folders of the workspace, as it may on a busy machine. */
  async #load(address: string): Promise<void> {
    const folder = this.page.locator('.explorer-folders-view .monaco-list-row').first();
    const none = this.page.getByText('You have not yet added a folder to the workspace.');
    for (let tries = 0; tries < MOST_LOADS; tries += 1) {
      await this.page.goto(address);
      await whenWorkbenchReady(this.page);
      await this.openActivity('Explorer');
      await folder.or(none).first().waitFor();
      if (await folder.isVisible()) return;
    }
    throw new Error('VS Code does not open the folders of the workspace.');
  }

  /** Closes a second window. */
  close(): Promise<void> {
    return this.page.close();
  }

  /** The lists and questions of the workbench. */
  get quickInput(): QuickInput {
    return new QuickInput(this.at('.quick-input-widget'));
  }

  /** The parts of the workbench that match a CSS selector. */
  at(selector: string): Part {
    return new Part(() => this.page.locator(selector));
  }

  /** The item of the status bar that contains a text. */
  statusBarItem(text: string): Part {
    return this.at('.statusbar-item').withText(text);
  }

  /** Presses a key wherever the focus is. */
  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  /** Types wherever the focus is. */
  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /**
   * Shows a document and waits until its text has the focus: Undo and Redo act on the focused
   * element, even on a webview that has just lost focus.
   */
  async focusOn(document: vscode.TextDocument, column = vscode.ViewColumn.Active): Promise<void> {
    await vscode.window.showTextDocument(document, column);
    await this.at('.editor-group-container.active .monaco-editor.focused').appears();
  }

  /** Points where no tooltip appears. */
  async pointNowhere(): Promise<void> {
    await this.page.mouse.move(640, 200);
  }

  /** Finds the content of the visible webview with this panel title or view name. */
  async webview(title: string): Promise<Part> {
    const content = await this.frame(title);
    return new Part(() => content().locator('html'));
  }

  /** The same for the driver, which cannot wait: returns the content as it is now. */
  frame(title: string): Promise<() => WebviewContent> {
    return followWebview(this.page, title);
  }

  /** Runs a command by its title in the command palette, with its category. */
  runCommandViaPalette(title: string): Promise<void> {
    return runCommandViaPalette(this.page, title);
  }

  /** Opens a file by its absolute path, as Go to File does. */
  async openFile(path: string): Promise<void> {
    await this.press('F1');
    await this.quickInput.field.fill(path);
    await this.quickInput.row(basename(path)).click();
    await this.at('.tab.active').withText(basename(path)).appears();
  }

  /** Opens a view container by the title of its activity bar icon. */
  openActivity(title: string): Promise<void> {
    return openActivity(this.page, title);
  }

  /** Closes every editor and every question, also those left unsaved by a failed test. */
  async clear(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    // An open list of notifications covers the lower right of the window.
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('notifications.hideList');
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('every editor is closed', () =>
      vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0),
    );
  }

  /** Gives the window this size while something is done; CSS pixels. */
  async sized(width: number, height: number, act: () => Promise<void>): Promise<void> {
    const former = await this.page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    await this.page.setViewportSize({ width, height });
    try {
      await act();
    } finally {
      await this.page.setViewportSize(former);
    }
  }

  /** Saves a picture of the whole window as PNG. */
  async screenshot(file: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
  }
}

/** Disconnects from the window; the browser keeps running, since the launcher owns it. */
export async function leaveEditorWindow(): Promise<void> {
  const browser = await connected;
  connected = undefined;
  await browser?.close();
}

async function connectTo(endpoint: string): Promise<Browser> {
  const browser = await chromium.connectOverCDP(endpoint, { timeout: PATIENCE });
  for (const context of browser.contexts()) context.setDefaultTimeout(PATIENCE);
  return browser;
}

function findWorkbench(browser: Browser): Promise<Page> {
  const what = 'a VS Code workbench is among the pages of the browser at PLIMSOLL_CDP';
  return until(what, async () => {
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      if ((await page.locator('.monaco-workbench').count()) > 0) return page;
    }
    return undefined;
  });
}
