import * as vscode from 'vscode';

/** The commands of package.json, without the `plimsoll.` before each. */
const COMMANDS = [
  'focusAgent',
  'openContextPanel',
  /** Takes the path of a file; without one the user chooses. */
  'openRecording',
  'newSession',
  'stopTurn',
  /** Take the address of a proposal; without one that of the diff in front. */
  'allowProposal',
  'denyProposal',
  'makeRoom',
  'undoPass',
  'chooseModel',
  /** Shows the tree of tools, and puts it away. */
  'chooseTools',
  'leaveTools',
  'setApiKey',
  'clearApiKey',
  /** Puts files beside the prompt: those that the explorer gives, else the one that is open. */
  'addFile',
  'addSelection',
  'addProblems',
  'addTerminal',
  'openSessionLog',
  'sessions',
  'renameSession',
  'forkSession',
  'handOverSession',
  'exportSession',
  'closeSession',
  'deleteSession',
  'reportIssue',
] as const;

/** What each command of the palette does. */
export type CommandEffects = Readonly<
  Record<(typeof COMMANDS)[number], (...given: readonly unknown[]) => unknown>
>;

/**
 * Registers the commands of package.json that need the host. `effects` says what they do when one is run;
 * `withoutHost` what a few of them do where there are no effects to be had. `run` handles what goes wrong
 * in one, `ran` is told their names.
 */
export function registerCommands(
  effects: () => Promise<CommandEffects>,
  run: (work: () => unknown) => void,
  withoutHost: Partial<CommandEffects>,
  ran: (name: string) => void,
): readonly vscode.Disposable[] {
  return COMMANDS.map((name) =>
    vscode.commands.registerCommand(`plimsoll.${name}`, (...given: readonly unknown[]) => {
      ran(name);
      const alone = withoutHost[name];
      run(async () => {
        const all = alone === undefined ? await effects() : await effects().catch(() => undefined);
        return (all?.[name] ?? alone)?.(...given);
      });
    }),
  );
}
