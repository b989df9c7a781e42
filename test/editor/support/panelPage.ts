import { readFile } from 'node:fs/promises';
import type { FrameLocator, Locator } from 'playwright-core';
import * as vscode from 'vscode';
import type { EventOf, SessionEvent } from '../../../src/contextWindow/event';
import type { MessagesRequest } from '../../../src/offline/messagesApi';
import { performTurn } from '../../harness/driver/agentDriver.mjs';
import { editorWindow, type EditorWindow } from './editorWindow';
import { until } from './until';

/** What an editor that was opened from the panel showed. */
export interface OpenedEditor {
  readonly uri: vscode.Uri;
  readonly text: string;
}

/**
 * The Context panel as a user operates it, and what came of that: the log of the session it shows,
 * the requests that were sent. `content` is another frame whenever VS Code makes the webview anew.
 */
export class PanelPage {
  private constructor(
    readonly editor: EditorWindow,
    readonly agent: FrameLocator,
    readonly logFile: string,
    public content: FrameLocator,
  ) {}

  /** Begins a session with these prompts, and opens the panel on it, alone in the editor area. */
  static async onSession(prompts: readonly string[]): Promise<PanelPage> {
    const editor = await editorWindow();
    await closeEditors();
    await editor.openActivity('Plimsoll');
    const agent = await editor.webview('Agent');
    await agent
      .locator('[data-testid="activity"][data-state="idle"]')
      .waitFor({ state: 'attached' });
    await vscode.commands.executeCommand('plimsoll.newSession');
    await agent.getByTestId('turn').first().waitFor({ state: 'detached' });
    for (const prompt of prompts) await performTurn(agent, prompt);
    await vscode.commands.executeCommand('plimsoll.openSessionLog');
    const log = await until('the log was opened', () => {
      const { fsPath = '' } = vscode.window.activeTextEditor?.document.uri ?? {};
      return fsPath.endsWith('.jsonl') ? fsPath : undefined;
    });
    await closeEditors();
    await vscode.commands.executeCommand('plimsoll.openContextPanel');
    const page = new PanelPage(editor, agent, log, await editor.webview('Context'));
    await page.find('step').waitFor();
    return page;
  }

  /** Whatever has this test id in the panel. */
  find(testId: string): Locator {
    return this.content.getByTestId(testId);
  }

  /** The row of a block. */
  row(blockId: string): Locator {
    return this.content.locator(`[data-testid="block-row"][data-block-id="${blockId}"]`);
  }

  /** The row of a block, once it is in this state. */
  rowIn(blockId: string, state: string): Promise<void> {
    return this.content
      .locator(`[data-testid="block-row"][data-block-id="${blockId}"][data-state="${state}"]`)
      .waitFor();
  }

  /** Waits until the row of a block shows that the block left, and says in what state it is then. */
  async stateOnceOut(blockId: string): Promise<string> {
    const out = ['cleared', 'compacted', 'evicted'].map((state) => `[data-state="${state}"]`);
    const row = this.content.locator(
      `[data-testid="block-row"][data-block-id="${blockId}"]:is(${out.join(', ')})`,
    );
    return (await row.getAttribute('data-state'))!;
  }

  /** Does something to a block by the menu of its row, with the mouse. */
  async act(blockId: string, action: string): Promise<void> {
    await this.row(blockId).getByTestId('block-menu').click();
    await this.content.locator(`[data-testid="block-action"][data-action="${action}"]`).click();
  }

  /** Chooses from the menu of the panel. */
  async choose(item: string): Promise<void> {
    await this.find('menu').click();
    await this.find(item).click();
  }

  /** Shows one of the areas beside the blocks. */
  async show(tab: 'ledger' | 'block' | 'scratchpad' | 'request' | 'session'): Promise<void> {
    await this.find(`tab-${tab}`).click();
  }

  /** Finds the content again, which VS Code throws away with the page while the panel is hidden. */
  async again(): Promise<void> {
    this.content = await this.editor.webview('Context');
    await this.find('step').waitFor();
  }

  /**
   * Waits for an editor that the panel opened, reads it, and goes back to the panel. A document that
   * was open before is read as it was then: VS Code brings it up to date a moment later.
   */
  async opened(isIt: (document: vscode.TextDocument) => boolean): Promise<OpenedEditor> {
    const document = await until('an editor was opened', () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown !== undefined && isIt(shown) ? shown : undefined;
    });
    const read = { uri: document.uri, text: document.getText() };
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await this.again();
    return read;
  }

  /** The body of the next request, as the panel puts it on the clipboard. */
  async nextRequest(): Promise<MessagesRequest> {
    await this.show('request');
    await vscode.env.clipboard.writeText('');
    await this.find('request-next').click();
    await this.find('request-copy').click();
    const text = await until(
      'the request was copied',
      async () => (await vscode.env.clipboard.readText()) || false,
    );
    return JSON.parse(text) as MessagesRequest;
  }

  /** Every event of the log. */
  async events(): Promise<readonly SessionEvent[]> {
    const text = await readFile(this.logFile, 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as SessionEvent);
  }

  /** Does something, and waits for the first event of a kind that it writes into the log. */
  async logged<T extends SessionEvent['type']>(
    type: T,
    deed: () => Promise<unknown>,
  ): Promise<EventOf<T>> {
    const { length } = await this.events();
    await deed();
    return until(`${type} was logged`, async () =>
      (await this.events())
        .slice(length)
        .find((event): event is EventOf<T> & SessionEvent => event.type === type),
    );
  }

  /** Asks the agent something; resolves when the turn is over. */
  async ask(prompt: string): Promise<void> {
    await performTurn(this.agent, prompt);
  }
}

async function closeEditors(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
