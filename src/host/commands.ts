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
] as const;

/** What each command of the palette does. */
export type CommandEffects = Readonly<
  Record<(typeof COMMANDS)[number], (...given: readonly unknown[]) => unknown>
>;

/**
 * Registers every command of package.json. `effects` says what they do when one is run; `run` handles
 * what goes wrong in one.
 */
export function registerCommands(
  effects: () => Promise<CommandEffects>,
  run: (work: () => unknown) => void,
): readonly vscode.Disposable[] {
  return COMMANDS.map((name) =>
    vscode.commands.registerCommand(`plimsoll.${name}`, (...given: readonly unknown[]) =>
      run(async () => (await effects())[name](...given)),
    ),
  );
}
