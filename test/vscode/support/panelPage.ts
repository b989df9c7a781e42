import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { EventOf, SessionEvent } from '../../../src/contextWindow/event';
import { DEMO_FOLLOW_UPS } from '../../../src/offline/demo/demoPrompts';
import type { MessagesRequest } from '../../../src/offline/messagesApi';
import { AgentPage } from './agentPage';
import type { EditorWindow } from './editorWindow';
import type { Part } from './part';
import { storeSession } from './storedSession';
import { until } from './until';

/** The content of an editor opened from the panel. */
export interface OpenedEditor {
  readonly uri: vscode.Uri;
  readonly text: string;
}

type Tab = 'ledger' | 'block' | 'files' | 'request' | 'session';

/** A part of the bar that has details of its own. */
type BarPart = 'fixed' | 'kept' | 'files' | 'conversation' | 'free';

/**
 * The session that asked both follow-up questions, once this run has one, and the number of its
 * copies.
 */
let followUps: { readonly folder: string; readonly events: readonly SessionEvent[] } | undefined;
let copies = 0;

/** Row states of blocks outside the window. */
const OUT = /^(cleared|summarised|evicted)$/;

/**
 * The Context panel as a user operates it, and the results: the log of the shown session and the
 * requests that were sent. `content` is a new frame whenever VS Code rebuilds the webview.
 */
export class PanelPage {
  private constructor(
    readonly agent: AgentPage,
    readonly logFile: string,
    public content: Part,
  ) {}

  /** Begins a session with these prompts, and opens the panel on it, alone in the editor area. */
  static async onSession(prompts: readonly string[]): Promise<PanelPage> {
    const agent = await AgentPage.onNewSession();
    for (const prompt of prompts) await agent.perform(prompt);
    return PanelPage.ofSession(agent);
  }

  /**
   * Opens the panel on a new session that asked both follow-up questions. Only the first call runs
   * them; later calls copy its log, which is faster.
   */
  static async onFollowUps(): Promise<PanelPage> {
    if (followUps === undefined) {
      const page = await PanelPage.onSession(DEMO_FOLLOW_UPS);
      followUps = { folder: dirname(page.logFile), events: await page.events() };
      return page;
    }
    const agent = await AgentPage.onNewSession();
    const title = `Both questions, copy ${++copies}`;
    const log = storeSession(followUps.folder, title, followUps.events);
    await agent.openSession(title);
    return PanelPage.open(agent, log);
  }

  /** Opens the panel on the shown session, alone in the editor area, with all blocks listed. */
  static async ofSession(agent: AgentPage): Promise<PanelPage> {
    await vscode.commands.executeCommand('plimsoll.openSessionLog');
    const log = await until('the log was opened', () => {
      const { fsPath = '' } = vscode.window.activeTextEditor?.document.uri ?? {};
      return fsPath.endsWith('.jsonl') ? fsPath : undefined;
    });
    await agent.editor.clear();
    return PanelPage.open(agent, log);
  }

  private static async open(agent: AgentPage, log: string): Promise<PanelPage> {
    await vscode.commands.executeCommand('plimsoll.openContextPanel');
    const page = new PanelPage(agent, log, await agent.editor.webview('Context'));
    await page.isUpToDate();
    await page.find('chip-all').click();
    return page;
  }

  get editor(): EditorWindow {
    return this.agent.editor;
  }

  /** The element with this test id in the panel. */
  find(testId: string): Part {
    return this.content.find(testId);
  }

  /** The row of a block. */
  row(blockId: string): Part {
    return this.content.at(`[data-testid="block-row"][data-block-id="${blockId}"]`);
  }

  /** Waits until the row of a block is in this state. */
  rowIn(blockId: string, state: string): Promise<void> {
    return this.row(blockId).is('data-state', state);
  }

  /** Waits until the row of a block shows its removal, and returns its state then. */
  rowOut(blockId: string): Promise<string> {
    return this.row(blockId).has('data-state', OUT);
  }

  /** Waits until these rows are in the list, in this order. */
  async lists(...blockIds: readonly string[]): Promise<void> {
    await this.find('block-row').all('data-block-id', (ids) => ids.join() === blockIds.join());
  }

  /**
   * Waits until the list stands for this many blocks, or for a number that satisfies the predicate.
   */
  listed(wanted: number | ((rows: number) => boolean), patience?: number): Promise<number> {
    const isIt = typeof wanted === 'number' ? (rows: number) => rows === wanted : wanted;
    return this.content.at('.list').number('data-blocks', isIt, patience);
  }

  /** The card of a pass in the ledger. */
  card(pass: number): Part {
    return this.content.at(`[data-testid="pass-card"][data-pass="${pass}"]`);
  }

  /** The line of a change by hand in the ledger. */
  change(pass: number): Part {
    return this.content.at(`[data-testid="hand-pass"][data-pass="${pass}"]`);
  }

  /** Runs an action on a block by the menu of its row, with the mouse. */
  async act(blockId: string, action: string): Promise<void> {
    await this.row(blockId).find('block-menu').click();
    await this.action(action).click();
  }

  /** An entry in the menu of a row. */
  action(name: string): Part {
    return this.content.at(`[data-testid="block-action"][data-action="${name}"]`);
  }

  /** Runs an action on a block by a key on its row. */
  async press(blockId: string, key: string): Promise<void> {
    await this.row(blockId).focus();
    await this.editor.press(key);
  }

  /** Chooses an entry of the panel's menu. */
  async choose(item: string): Promise<void> {
    await this.find('menu').click();
    await this.find(item).click();
  }

  /** Shows one of the areas next to the blocks. */
  async show(tab: Tab): Promise<void> {
    await this.find(`tab-${tab}`).click();
    await this.find(`tab-${tab}`).is('aria-selected', 'true');
  }

  /** Shows the details of a part of the bar; the free room shows the whole sum. */
  async showPart(part: BarPart): Promise<void> {
    const details = part === 'free' ? 'sum' : part;
    await this.content.at(`[data-testid="bar-part"][data-part="${part}"]`).press('Enter');
    await this.content.at(`[data-testid="part-details"][data-part="${details}"]`).appears();
  }

  /** Shows what is known of the recording, below its line. */
  async showRecordingDetails(): Promise<void> {
    const details = this.find('recording-details');
    if ((await details.has('aria-expanded', /./)) === 'false') await details.click();
    await this.find('recording-facts').appears();
  }

  /** Waits until a past step is shown, or the present; `last` is the newest step. */
  async travelledTo(at: number | 'now', last = 0): Promise<void> {
    if (at === 'now') return this.find('past-notice').isGone();
    await this.find('answer').shows(`At step ${at}:`);
    await this.find('step').shows(`step ${at} of ${last}`);
  }

  /** Finds the content again: VS Code destroys it with the page while the panel is hidden. */
  async again(): Promise<void> {
    this.content = await this.editor.webview('Context');
    await this.find('step').appears();
  }

  /** Makes VS Code rebuild the page, as it does when it reloads a webview. */
  async reload(): Promise<void> {
    await this.content.at('main').isMadeAnew(async () => {
      await vscode.commands.executeCommand('workbench.action.webview.reloadWebviewAction');
    });
    await this.again();
  }

  /**
   * Waits for an editor that the panel opened, reads it, and returns to the panel. An already open
   * document may still have its earlier text: VS Code updates it a moment later.
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

  /** The body of the next request, as the panel copies it to the clipboard. */
  async nextRequest(): Promise<MessagesRequest> {
    await this.show('request');
    await this.find('request-next').click();
    return JSON.parse(await this.copied()) as MessagesRequest;
  }

  /** Copies the shown request to the clipboard and returns it. */
  async copied(): Promise<string> {
    await vscode.env.clipboard.writeText('');
    await this.find('request-copy').click();
    return until(
      'the request was copied',
      async () => (await vscode.env.clipboard.readText()) || false,
    );
  }

  /** Every event of the log. */
  async events(): Promise<readonly SessionEvent[]> {
    const text = await readFile(this.logFile, 'utf8');
    // Text after the last line end is incomplete.
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as SessionEvent);
  }

  /**
   * Performs an action, waits for the first event of a kind that it logs, then until the panel
   * shows everything logged by then.
   */
  async logged<T extends SessionEvent['type']>(
    type: T,
    act: () => Promise<unknown>,
  ): Promise<EventOf<T>> {
    const { length } = await this.events();
    await act();
    const event = await until(`${type} was logged`, async () =>
      (await this.events())
        .slice(length)
        .find((event): event is EventOf<T> & SessionEvent => event.type === type),
    );
    await this.isUpToDate();
    return event;
  }

  /**
   * Performs a refused action; the log must stay unchanged. Returns once the refusal is dismissed.
   */
  async refused(words: RegExp, act: () => Promise<unknown>): Promise<void> {
    const refusal = this.find('refusal');
    await act();
    await refusal.shows(words);
    await refusal.button('Dismiss').click();
    await refusal.isGone();
  }

  /** Waits until the panel shows everything in the log. */
  async isUpToDate(): Promise<void> {
    const [started, ...more] = await this.events();
    const session = started?.type === 'sessionStarted' ? started.sessionId : '';
    await this.content
      .at(`main[data-session="${session}"]`)
      .number('data-events', (events) => events > more.length);
  }

  /** Sends the agent a prompt; resolves when the turn is over and shown. */
  async ask(prompt: string): Promise<void> {
    await this.agent.perform(prompt);
    await this.isUpToDate();
  }
}
