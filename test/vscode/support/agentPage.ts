import * as vscode from 'vscode';
import {
  lookAt,
  performTurn,
  suggestedPrompt,
  type PerformedApproval,
  type TurnOptions,
  type WebviewContent,
} from '../../harness/driver/agentDriver.mjs';
import { EditorWindow } from './editorWindow';
import { Part } from './part';
import { until } from './until';

/** The Agent view as a user operates it. */
export class AgentPage {
  private constructor(
    readonly editor: EditorWindow,
    private content: () => WebviewContent,
  ) {}

  private get frame(): WebviewContent {
    return this.content();
  }

  /** Opens the view on a new session, alone in the window, whatever ran before. */
  static async onNewSession(): Promise<AgentPage> {
    const editor = await EditorWindow.connected();
    await editor.clear();
    await editor.openActivity('Plimsoll');
    const page = new AgentPage(editor, await editor.frame('Agent'));
    await page.startSession();
    return page;
  }

  /** The view in a second window, as it is. */
  static async in(editor: EditorWindow): Promise<AgentPage> {
    await editor.openActivity('Plimsoll');
    return new AgentPage(editor, await editor.frame('Agent'));
  }

  /** The element with this test id in the view. */
  find(testId: string): Part {
    return new Part(() => this.frame.getByTestId(testId));
  }

  /**
   * Waits until the conversation has enough rows of a kind, identified by an attribute. Rows out of
   * sight are not in the page, so it scrolls from the beginning to the end.
   */
  async countsAll(
    testId: string,
    attribute: string,
    isEnough: (rows: number) => boolean,
  ): Promise<void> {
    let found: readonly string[] = [];
    await until(
      () => `there are enough of ${testId}, not ${found.length}`,
      async () => {
        found = await this.frame.locator('main').evaluate(scrollThrough, { testId, attribute });
        return isEnough(found.length);
      },
    );
  }

  /** The turn that begins with this prompt. */
  turn(prompt: string): Part {
    return this.find('turn').withText(prompt).first;
  }

  /** The tool calls in this state. */
  calls(state: string): Part {
    return new Part(() => this.frame.locator(`[data-testid="tool-row"][data-state="${state}"]`));
  }

  /**
   * Waits until the agent is in this state (`idle`, `awaitingApproval`, ...); the error says what
   * the view shows.
   */
  async does(state: string): Promise<void> {
    await this.#orSayWhatItShows(this.find('activity').is('data-state', state));
  }

  /** Adds what the view shows to the error of a wait. */
  async #orSayWhatItShows(wait: Promise<unknown>): Promise<void> {
    try {
      await wait;
    } catch (error) {
      const shown = await this.frame.locator('main').innerText();
      const typed = await this.frame.getByTestId('composer').inputValue();
      const view = `The view shows:\n${shown}\nIn the composer:\n${typed}`;
      throw new Error(`${String(error)}\n${view}`, { cause: error });
    }
  }

  /** Begins a new session and stops a running turn first. */
  async startSession(): Promise<void> {
    await until('the agent came to rest', async () => {
      const isIdle = await this.find('activity')
        .is('data-state', 'idle', 300)
        .then(
          () => true,
          () => false,
        );
      if (!isIdle) await vscode.commands.executeCommand('plimsoll.stopTurn');
      return isIdle;
    });
    await vscode.commands.executeCommand('plimsoll.newSession');
    await this.find('turn').isGone();
  }

  /**
   * Enters an API key as the user does, and waits until it is used. The command returns while its
   * question is open, and VS Code checks the key before it closes the field.
   */
  async giveKey(key: string): Promise<void> {
    await vscode.commands.executeCommand('plimsoll.setApiKey');
    await this.enterKey(key);
  }

  /** Answers the open question for the key. */
  async enterKey(key: string): Promise<void> {
    const { secret } = this.editor.quickInput;
    await secret.fill(key);
    await secret.press('Enter');
    await secret.isHidden();
    await this.find('problem').isGone();
  }

  /** Types a prompt and sends it. */
  async send(prompt: string): Promise<void> {
    await this.find('composer').fill(prompt);
    await this.find('send').click();
  }

  /**
   * Types a prompt, sends it and waits until the agent took it: until then the view still says
   * `idle`.
   */
  async submit(prompt: string): Promise<void> {
    const before = await lookAt(this.frame);
    await this.send(prompt);
    const isTaken = until('the agent took the prompt', async () => {
      const { isIdle, turns } = await lookAt(this.frame);
      return !isIdle || turns > before.turns;
    });
    await this.#orSayWhatItShows(isTaken);
  }

  /** Sends a prompt and answers the questions until the turn ends. */
  perform(prompt: string, options?: TurnOptions): Promise<readonly PerformedApproval[]> {
    return performTurn(this.frame, prompt, options);
  }

  /** Sends the suggested prompt. */
  async performSuggested(options?: TurnOptions): Promise<readonly PerformedApproval[]> {
    return this.perform(await suggestedPrompt(this.frame), options);
  }

  /** Continues the session with this title from the list of sessions. */
  async openSession(title: string): Promise<void> {
    const { quickInput } = this.editor;
    await vscode.commands.executeCommand('plimsoll.sessions');
    await quickInput.title.shows('Plimsoll: Sessions');
    await quickInput.choose(title);
    await this.shows(title);
  }

  /** Opens the details of the session: tokens, cost and linked sessions. */
  async openDetails(): Promise<void> {
    const button = this.find('session-details');
    if ((await button.has('aria-expanded', /true|false/)) === 'false') await button.click();
  }

  /** Waits until the session with this title is shown. */
  async shows(title: string): Promise<void> {
    await new Part(() => this.frame.locator('.header-title')).shows(title);
  }

  /** Finds the content again: VS Code destroys it with the page while the view is hidden. */
  async again(): Promise<void> {
    this.content = await this.editor.frame('Agent');
  }
}

/**
 * Scrolls a list from beginning to end; returns the values that an attribute of its rows had on the
 * way.
 */
async function scrollThrough(
  list: Element,
  { testId, attribute }: { readonly testId: string; readonly attribute: string },
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (list.scrollTop = 0; ; list.scrollTop += list.clientHeight) {
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    const rows = list.querySelectorAll(`[data-testid="${testId}"]`);
    for (const row of rows) found.add(row.getAttribute(attribute) ?? '');
    if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) return [...found];
  }
}
