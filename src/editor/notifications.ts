import * as vscode from 'vscode';
import type { TurnOutcome } from '../contextWindow/event';
import type { HelpingWish, Problem } from './session/state';
import { settingHolding, type SettingsProblem } from '../settings/readSettings';
import { sessionName } from './session/turnNotices';
import { endText } from './conversation/turnOutcome';
import { showText } from './openEditor';

/** Says in a notification what came of a command. */
export function tell(message: string): void {
  void vscode.window.showInformationMessage(`Plimsoll: ${message}`);
}

/** Warns in a notification. */
export function warn(message: string): void {
  void vscode.window.showWarningMessage(`Plimsoll: ${message}`);
}

/** Announces the end of a turn to a user who is looking at something else, another session included. */
export async function announceEnd(
  outcome: TurnOutcome,
  title: string,
  { isInSight, show }: { readonly isInSight: boolean; readonly show: () => Promise<void> },
): Promise<void> {
  if (isInSight && vscode.window.state.focused) return;
  const choice = await vscode.window.showInformationMessage(
    `Plimsoll: ${endText(outcome)} (${sessionName(title)})`,
    'Show',
  );
  if (choice !== undefined) await show();
}

/** Says that turns of sessions that were not shown ended with the window that ran them. */
export async function tellInterrupted(sessions: number): Promise<void> {
  if (sessions === 0) return;
  const were = sessions === 1 ? 'Another session was' : `${sessions} other sessions were`;
  const list = 'List the Sessions';
  const choice = await vscode.window.showInformationMessage(
    `Plimsoll: ${were} at work when the window closed. The list says how each stands; open one to go on.`,
    list,
  );
  if (choice === list) await vscode.commands.executeCommand('plimsoll.sessions');
}

/** Reads the settings again, and reports a new problem unless the Agent view shows it. */
export async function checkSettings(
  access: {
    readonly settings: { readonly problems: readonly SettingsProblem[] };
    refresh(): Promise<void>;
  },
  isShown: () => boolean,
): Promise<void> {
  const before = access.settings.problems.map(({ message }) => message);
  await access.refresh();
  const fresh = access.settings.problems.find(({ message }) => !before.includes(message));
  if (fresh === undefined || isShown()) return;
  const open = 'Open the setting';
  const choice = await vscode.window.showWarningMessage(fresh.message, open);
  if (choice === open) await openSettings(`@id:${settingHolding(fresh.setting)}`);
}

/** Says what stood in the way of a turn, with the button that helps. */
export async function warnOfRefusal(
  { message, action }: Problem,
  help: (wish: HelpingWish) => unknown,
): Promise<void> {
  const buttons = action === undefined ? [] : [action.label];
  const choice = await vscode.window.showWarningMessage(`Plimsoll: ${message}`, ...buttons);
  if (choice !== undefined && action !== undefined) await help(action.wish);
}

/** Says that the log accepts nothing more, most likely because another window writes to it too. */
export async function warnOfLog(message: string, openAgain: () => unknown): Promise<void> {
  const open = 'Open it again';
  const text = `Plimsoll: ${message} What was not sent is kept.`;
  const choice = await vscode.window.showWarningMessage(text, open);
  if (choice === open) await openAgain();
}

/** Opens the log of the session in an editor. */
export async function showLog(file: string | undefined): Promise<void> {
  if (file === undefined) {
    await vscode.window.showInformationMessage(
      'Plimsoll: there is no session yet. Its log starts with your first prompt.',
    );
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  await showText(document);
}

/** Says what became of the API key. */
export function tellKeyCleared(environmentRemains: boolean): void {
  void vscode.window.showInformationMessage(
    environmentRemains
      ? 'The stored API key was cleared. The one in ANTHROPIC_API_KEY is used from now on.'
      : 'The API key was cleared.',
  );
}

/** Says which folder the agent works on when the workspace has several. */
export function tellFolder(folders: readonly vscode.WorkspaceFolder[]): void {
  const [first, ...others] = folders;
  if (first === undefined || others.length === 0) return;
  void vscode.window.showInformationMessage(
    `Plimsoll works on the first folder of the workspace: ${first.name}.`,
  );
}

/** Calls back when a setting under `plimsoll.` may have changed. */
export function onSettingsChange(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('plimsoll')) listener();
  });
}

/** Opens the settings editor at Plimsoll's settings, or at those a query finds. */
export async function openSettings(query = 'plimsoll.'): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', query);
}
