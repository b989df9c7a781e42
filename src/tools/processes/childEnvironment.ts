import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isWithheld } from '../../agent/secrets/secretNames';
import { holdsKey } from '../../agent/secrets/knownSecrets';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';

type Environment = Readonly<Record<string, string | undefined>>;

/** The user's keys for the model, and variables that would make a child think it runs inside the editor. */
const LEFT_OUT = /^(ANTHROPIC_|VSCODE_|ELECTRON_|FORCE_COLOR$|APPLICATION_INSIGHTS_NO_)/i;

/** Asks programs for plain output and no prompts. */
const PLAIN: Environment = {
  NO_COLOR: '1',
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};

/**
 * The environment of a command: this process's, without what looks like a secret, and without
 * editor internals.
 */
export function childEnvironment(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...env, ...PLAIN })) {
    // The key may also be in a variable of another name.
    if (value === undefined || LEFT_OUT.test(name) || holdsKey(value)) continue;
    if (isWithheld(name, value)) continue;
    if (name === 'NODE_OPTIONS' && isDebugger(value)) continue;
    if (name === 'GIT_ASKPASS' && env['VSCODE_GIT_ASKPASS_MAIN'] !== undefined) continue;
    kept[name] = value;
  }
  return kept;
}

/** The editor's debugger attaches through NODE_OPTIONS; the user's own options stay. */
function isDebugger(nodeOptions: string): boolean {
  return /--inspect|js-debug|bootloader/i.test(nodeOptions);
}

/**
 * Finds a program on the PATH, only in absolute folders and never in the workspace, whose programs
 * are not the user's. Undefined when there is none.
 */
export function findProgram(
  name: string,
  folders: WorkspaceFolders,
  pathVariable = process.env['PATH'] ?? '',
): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return pathVariable
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && folders.pathOf(folder) === undefined)
    .map((folder) => join(folder, file))
    .find(isExecutable);
}

/** Whether this process may run the file at a path. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
