import * as vscode from 'vscode';
import type { Refusal } from '../../contextWindow/result';
import { visiblePath } from '../../contextWindow/visibleText';
import type { LineProblems } from '../composer/mentions';
import type { PromptAttachments } from '../composer/promptAttachments';
import type { Mention } from '../composer/state';
import type { EditInPlace } from './editInPlace';
import { showAgent } from '../openEditor';
import { pathBelow } from '../openFolders';
import type { Services } from '../services';
import type { CurrentSession } from '../session/currentSession';

const OUTSIDE = 'This file is outside the workspace. Open its folder first.';

/**
 * Asks the agent about a problem or a selection of the editor: the prompt is sent if the agent is
 * idle, and is otherwise put into the composer.
 */
export class AskInFile {
  constructor(
    private readonly services: Pick<Services, 'notices' | 'folders'>,
    private readonly current: Pick<CurrentSession, 'opened' | 'problem' | 'run'>,
    private readonly attachments: PromptAttachments,
    /** Puts a prompt that was not sent into the composer. */
    private readonly composer: { offer(text: string): void },
    private readonly inPlace: Pick<EditInPlace, 'expect'>,
  ) {}

  get commands() {
    return {
      fixProblem: (...given: readonly unknown[]) => this.#fix(given),
      explain: (...given: readonly unknown[]) => this.#explain(given),
      editSelection: () => this.#edit(),
    };
  }

  async #fix(given: readonly unknown[]): Promise<void> {
    const problem = this.#problemAt(given);
    if (problem === undefined) return this.#tell(OUTSIDE);
    await this.#ask(`Fix ${this.#nameOf(problem)}.`, problem);
  }

  /** Explains the selection, or the problem that was clicked or is at the cursor. */
  async #explain(given: readonly unknown[]): Promise<void> {
    const { selected } = this.attachments.mentions;
    const [, line] = given;
    const problem = this.#problemAt(given);
    if (selected !== undefined && typeof line !== 'number') {
      return this.#ask(`Explain ${visiblePath(selected)}.`, { type: 'selection' });
    }
    if (problem === undefined) return this.#tell(OUTSIDE);
    await this.#ask(`Explain ${this.#nameOf(problem)}.`, problem);
  }

  /** Asks what to change in the selection; a small edit is then proposed in the file itself. */
  async #edit(): Promise<void> {
    const { selected } = this.attachments.mentions;
    const file = vscode.window.activeTextEditor?.document.uri;
    if (selected === undefined) return this.#tell('Select the lines to edit first.');
    const place = visiblePath(selected);
    const wanted = await vscode.window.showInputBox({
      title: `Edit ${place}`,
      prompt: 'What should change?',
      ignoreFocusOut: true,
    });
    if (wanted === undefined || wanted.trim() === '') return;
    await this.#ask(`Edit ${place}: ${wanted.trim()}`, { type: 'selection' }, file);
  }

  /** `editIn` is the file whose edit is to be shown in it. */
  async #ask(typed: string, about: Mention | LineProblems, editIn?: vscode.Uri): Promise<void> {
    const made = await this.attachments.promptAbout(typed, about);
    if (!made.ok) return this.#tell(made.message);
    await this.current.opened();
    const { problem, run } = this.current;
    if (run.isBusy || problem !== undefined) return this.#intoComposer(typed, about);
    const turn = run.window.turn + 1;
    const refusal = run.submit(made.prompt);
    if (refusal === undefined && editIn !== undefined) this.inPlace.expect(run, turn, editIn);
    this.#tell(refusal);
    await showAgent();
  }

  async #intoComposer(typed: string, about: Mention | LineProblems): Promise<void> {
    this.#tell(await this.attachments.attach(about));
    this.composer.offer(typed);
    await showAgent();
  }

  /** The line of a code action, or that of the cursor; undefined outside the workspace. */
  #problemAt([uri, line]: readonly unknown[]): LineProblems | undefined {
    const editor = vscode.window.activeTextEditor;
    const isGiven = uri instanceof vscode.Uri && typeof line === 'number';
    const file = isGiven ? uri : editor?.document.uri;
    const path = file && pathBelow(this.services.folders, file);
    if (path === undefined) return undefined;
    const at = isGiven ? line : (editor?.selection.active.line ?? 0) + 1;
    return { type: 'lineProblems', path, line: at };
  }

  #nameOf({ path, line }: LineProblems): string {
    const { length } = this.attachments.mentions.problemsAt(path, line);
    return `the ${length > 1 ? `${length} problems` : 'problem'} at ${visiblePath(path)}:${line}`;
  }

  #tell(refusal: Refusal): void {
    if (refusal !== undefined) this.services.notices.warn(refusal);
  }
}
