import * as vscode from 'vscode';
import type { TurnOutcome } from '../contextWindow/event';
import type { HelpingWish, Problem } from './session/state';
import { sessionName } from './session/turnNotices';
import { turnEndText } from './session/turnNotices';
import { showText } from './openEditor';

/** Shows the result of a command in a notification. */
export function tell(message: string): void {
  void vscode.window.showInformationMessage(`Plimsoll: ${message}`);
}

/** Shows a warning in a notification. */
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
    `Plimsoll: ${turnEndText(outcome)} (${sessionName(title)})`,
    'Show',
  );
  if (choice !== undefined) await show();
}

/** Says that turns of hidden sessions ended with the window that ran them. */
export async function tellInterrupted(sessions: number): Promise<void> {
  if (sessions === 0) return;
  const were = sessions === 1 ? 'Another session was' : `${sessions} other sessions were`;
  const list = 'List the Sessions';
  const choice = await vscode.window.showInformationMessage(
    `Plimsoll: ${were} at work when the window closed. The list shows the state of each; open one to continue it.`,
    list,
  );
  if (choice === list) await vscode.commands.executeCommand('plimsoll.sessions');
}

/** Shows the problem that prevented a turn, with the button that helps. */
export async function warnOfRefusal(
  { message, action }: Problem,
  help: (wish: HelpingWish) => unknown,
): Promise<void> {
  const buttons = action === undefined ? [] : [action.label];
  const choice = await vscode.window.showWarningMessage(`Plimsoll: ${message}`, ...buttons);
  if (choice !== undefined && action !== undefined) await help(action.wish);
}

/** Says that the log cannot be written, most likely because another window writes to it too. */
export async function warnOfLog(message: string, openAgain: () => unknown): Promise<void> {
  const open = 'Open it again';
  const text = `Plimsoll: ${message} Unsent prompts are kept.`;
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

/** Says what happened to the API key. */
export function tellKeyCleared(environmentRemains: boolean): void {
  void vscode.window.showInformationMessage(
    environmentRemains
      ? 'The stored API key was deleted. Plimsoll now uses the one in ANTHROPIC_API_KEY.'
      : 'The API key was deleted.',
  );
}

/** Asks whether a command may run whenever a session is over; false for no or no answer. */
export async function mayRun(command: string): Promise<boolean> {
  const run = 'Run It';
  const question = `Plimsoll: a session is over. Run this command now, and whenever one is over? ${command}`;
  return (await vscode.window.showWarningMessage(question, run, 'Don’t Run It')) === run;
}
