import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from '../processes/leavings.mjs';
import { startGroup } from '../processes/processGroup.mjs';
import { runCommand } from '../processes/runCommand.mjs';
import { editorSettings } from './editorSettings.mjs';

/** Longest time for the server to answer, in ms. */
const patience = 60_000;

/**
 * Serves VS Code on 127.0.0.1 with its own folders and waits until it answers.
 *
 * `settings` are user settings on top of editorSettings.mjs; this server reads their file once, so
 * later changes must come from inside the workbench.
 *
 * `extensions` are folders to install as extensions, by link; `vsix` is a package that the editor
 * installs. `testable` makes the server obey the payload's development and test paths; it also
 * turns notification toasts off, so it is not for people. Access needs the token in the address:
 * without it any user of the machine could run commands through the server.
 */
export async function serveEditor({
  host,
  settings = {},
  env = {},
  extensions = [],
  vsix,
  testable = false,
  port = 0,
  logFile,
}) {
  const scratch = scratchFolder('editor');
  const folder = (name) => join(scratch.path, name);
  for (const name of [join('user', 'User'), 'server', 'extensions', 'tmp'])
    mkdirSync(folder(name), { recursive: true });
  const userSettings = { ...editorSettings, ...settings };
  writeFileSync(
    join(folder('user'), 'User', 'settings.json'),
    JSON.stringify(userSettings, null, 2),
  );
  // The machine settings, as in a dev container; a test may write them.
  const machineSettings = folder(join('user', 'Machine', 'settings.json'));
  for (const extension of extensions) {
    const { publisher, name } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
    symlinkSync(extension, join(folder('extensions'), `${publisher}.${name}-0.0.0`), 'dir');
  }
  if (vsix) await installVsix(host, vsix, folder);
  const token = randomBytes(16).toString('hex');
  writeFileSync(folder('token'), token, { mode: 0o600 });

  const log = logFile ?? folder('server.log');
  const logHandle = openSync(log, 'w');
  const server = startGroup(
    host.node,
    [
      host.serverMain,
      '--host=127.0.0.1',
      `--port=${port}`,
      `--connection-token-file=${folder('token')}`,
      `--user-data-dir=${folder('user')}`,
      `--server-data-dir=${folder('server')}`,
      `--extensions-dir=${folder('extensions')}`,
      '--telemetry-level=off',
      '--accept-server-license-terms',
      // The browser is on the same machine, where compression costs more than it saves.
      '--disable-websocket-compression',
      ...(testable ? ['--enable-smoke-test-driver'] : []),
    ],
    {
      env: {
        ...editorEnvironment(folder('tmp'), testable),
        PLIMSOLL_MACHINE_SETTINGS: machineSettings,
        ...env,
      },
      stdio: ['ignore', logHandle, logHandle],
    },
  );
  closeSync(logHandle);

  async function close() {
    await server.stop();
    scratch.remove();
  }
  try {
    const origin = await whenAnswering(server, log);
    return {
      origin,
      userDataFolder: folder('user'),
      logFile: log,
      exited: server.exited,
      /** Returns the address of a workspace; `payload` entries work only on a testable server. */
      address: (workspace, payload = {}) => {
        const query = new URLSearchParams({ tkn: token, folder: workspace });
        const entries = Object.entries(payload);
        if (entries.length > 0) query.set('payload', JSON.stringify(entries));
        return `${origin}/?${query}`;
      },
      /** Names a file of this machine as the workbench does. */
      remoteUri: (path) => `vscode-remote://${origin.slice('http://'.length)}${path}`,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Makes the editor install a package, as its command line does for a user. */
async function installVsix(host, vsix, folder) {
  const { code, output } = await runCommand(
    host.node,
    [
      host.serverMain,
      `--install-extension=${vsix}`,
      `--user-data-dir=${folder('user')}`,
      `--server-data-dir=${folder('server')}`,
      `--extensions-dir=${folder('extensions')}`,
      '--telemetry-level=off',
      '--accept-server-license-terms',
    ],
    { env: editorEnvironment(folder('tmp'), true), capture: true },
  );
  if (code !== 0) throw new Error(`The editor did not install ${vsix}.\n${output.trim()}`);
}

async function whenAnswering(server, log) {
  const deadline = Date.now() + patience;
  let ended = false;
  void server.exited.then(() => (ended = true));
  while (!ended && Date.now() < deadline) {
    const said = readFileSync(log, 'utf8');
    // The server logs this and keeps running without listening.
    const taken = /EADDRINUSE.*:(\d+)/.exec(said)?.[1];
    if (taken) throw new Error(`Port ${taken} is taken by another process.`);
    const port = /Extension host agent listening on (\d+)/.exec(said)?.[1];
    const origin = `http://127.0.0.1:${port}`;
    if (port && (await answers(`${origin}/version`))) return origin;
    await sleep(100);
  }
  const lastLines = readFileSync(log, 'utf8').split('\n').slice(-20).join('\n');
  throw new Error(
    `The VS Code server ${ended ? 'ended immediately' : 'does not answer'}. Its log ends:\n${lastLines}`,
  );
}

async function answers(url) {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/**
 * Creates the server's environment: no variables of a surrounding VS Code, so that this server does
 * not believe it belongs to that one; temporary files inside the folder that is removed; for tests,
 * no extension gallery.
 */
function editorEnvironment(temporary, testable) {
  return {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_)/.test(name)),
    ),
    TMPDIR: temporary,
    XDG_RUNTIME_DIR: temporary,
    ...(testable ? { EXTENSIONS_GALLERY: '{}' } : {}),
  };
}
