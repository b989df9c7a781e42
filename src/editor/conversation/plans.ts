import * as vscode from 'vscode';
import { MODE_NAMES, MODES, planOf } from '../../contextWindow/mode';
import type { Refusal } from '../../contextWindow/result';
import { showText } from '../openEditor';
import type { Services } from '../services';
import type { CurrentSession } from '../session/currentSession';
import type { SessionRun } from '../session/sessionRun';

/** What a plan is for: the session that made it, or a new one. */
type PlanPlace = 'here' | 'newSession';

/** Shows the plan of a session as a document that the user can edit, and starts the work on it. */
export class Plans {
  constructor(
    private readonly services: Pick<Services, 'root' | 'textColumn' | 'report'>,
    private readonly current: CurrentSession,
  ) {}

  get commands() {
    return { chooseMode: () => this.#chooseMode() };
  }

  /** Opens the plan that the session just made. */
  ended(run: SessionRun): void {
    if (run !== this.current.run || planOf(run.window) === undefined) return;
    this.services.report.run(async () => void (await this.open()));
  }

  /** Opens the plan of the session, with the user's changes; says why not. */
  async open(): Promise<Refusal> {
    const plan = planOf(this.current.run.window);
    const file = this.#fileOf(plan);
    if (plan === undefined || file === undefined) return NO_PLAN;
    const known = openDocument(file);
    const document =
      known ?? (await vscode.workspace.openTextDocument(file.with({ scheme: 'untitled' })));
    if (known === undefined) {
      const edit = new vscode.WorkspaceEdit();
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      edit.replace(document.uri, whole, `${plan.text}\n`);
      await vscode.workspace.applyEdit(edit);
    }
    const viewColumn = this.services.textColumn.beside;
    await showText(document, { viewColumn, preserveFocus: true, preview: false });
    return undefined;
  }

  /** Starts the work on the plan as the user left it, in this session or in a new one; says why not. */
  start(place: PlanPlace): Refusal {
    const { run } = this.current;
    const plan = planOf(run.window);
    if (plan === undefined) return NO_PLAN;
    if (run.isBusy) return 'The agent is working. You can start the plan when its turn has ended.';
    const file = this.#fileOf(plan);
    const text = (file && openDocument(file)?.getText().trim()) || plan.text;
    if (place === 'newSession') {
      this.current.startNew();
      return this.current.run.submit(`Carry out this plan:\n\n${text}`);
    }
    const why = run.setMode('ask');
    if (why !== undefined) return why;
    return run.submit(
      text === plan.text
        ? 'Carry out the plan.'
        : `Carry out the plan. I changed it; this is what counts:\n\n${text}`,
    );
  }

  /** The file that the document becomes if the user saves it. */
  #fileOf(plan: ReturnType<typeof planOf>): vscode.Uri | undefined {
    const { root } = this.services;
    if (plan === undefined || root === undefined) return undefined;
    const session = this.current.run.window.sessionId.slice(0, 8);
    return vscode.Uri.joinPath(vscode.Uri.file(root), `plan-${session}-${plan.step}.md`);
  }

  async #chooseMode(): Promise<void> {
    const { run } = this.current;
    const items = MODES.map((mode) => ({
      label: MODE_NAMES[mode],
      description: mode === run.mode ? 'current' : '',
      detail: MODE_DOES[mode],
      mode,
    }));
    const picked = await vscode.window.showQuickPick(items, { title: 'Switch Mode' });
    const why = picked && run.setMode(picked.mode);
    if (why !== undefined) void vscode.window.showWarningMessage(why);
  }
}

const NO_PLAN = 'There is no plan. Choose the mode Plan, and say what to plan.';

/** What each mode means for the user. */
const MODE_DOES = {
  ask: 'You approve each edit and each command.',
  acceptEdits: 'Edits of ordinary files are made without asking you.',
  plan: 'Nothing is changed: the agent looks, and ends with a plan.',
} as const;

/** The document of a plan, saved or not; undefined unless it is open. */
function openDocument(file: vscode.Uri): vscode.TextDocument | undefined {
  const { textDocuments } = vscode.workspace;
  return textDocuments.find(({ uri, isClosed }) => !isClosed && uri.path === file.path);
}
