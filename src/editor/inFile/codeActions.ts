import * as vscode from 'vscode';

/** Offers Plimsoll's commands where VS Code lists what can be done about code. */
export function registerCodeActions(): vscode.Disposable {
  const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
  return vscode.languages.registerCodeActionsProvider(
    { scheme: 'file' },
    { provideCodeActions: actionsFor },
    { providedCodeActionKinds: [QuickFix, RefactorRewrite] },
  );
}

/** VS Code asks at every move of the cursor, so this reads only what it is given. */
function actionsFor(
  { uri }: vscode.TextDocument,
  range: vscode.Range,
  { diagnostics, triggerKind }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const problem = diagnostics.find(({ severity }) => severity === Error || severity === Warning);
  const actions: vscode.CodeAction[] = [];
  const offer = (
    title: string,
    kind: vscode.CodeActionKind,
    command: string,
    ...given: readonly unknown[]
  ): vscode.CodeAction => {
    const action = new vscode.CodeAction(title, kind);
    action.command = { title, command: `plimsoll.${command}`, arguments: [...given] };
    actions.push(action);
    return action;
  };
  if (problem !== undefined) {
    const line = problem.range.start.line + 1;
    const fix = offer('Fix with Plimsoll', QuickFix, 'fixProblem', uri, line);
    fix.diagnostics = [problem];
    offer('Explain with Plimsoll', QuickFix, 'explain', uri, line);
  }
  // Only if the user asks: otherwise every selection would show the light bulb.
  if (!range.isEmpty && triggerKind === vscode.CodeActionTriggerKind.Invoke) {
    offer('Edit with Plimsoll', RefactorRewrite, 'editSelection');
  }
  return actions;
}
