// `npm start [-- --once [--task NAME] | --desktop | --port N | --no-open]`: Plimsoll in a real VS
// Code on the sample workspace.
import './requireNode.mjs';
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runOnce, taskNamed } from './demo/runOnce.mjs';
import { chooseEditor, desktopEditor, desktopProfile } from './editorHost/desktopEditor.mjs';
import { installEditorHost } from './editorHost/installEditorHost.mjs';
import { serveEditor } from './editorHost/serveEditor.mjs';
import { repository } from './paths.mjs';
import { build, ensureDependencies } from './prepareClone.mjs';
import { startGroup } from './processes/processGroup.mjs';
import { sampleWorkspace } from './sampleWorkspace.mjs';

const say = (line) => console.log(line);
// Ctrl-C is the normal way to end this command.
process.prependListener('SIGINT', () => process.exit(0));

async function start(argv) {
  const { values: options } = parseArgs({
    args: argv,
    options: {
      once: { type: 'boolean', default: false },
      task: { type: 'string' },
      desktop: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      'no-open': { type: 'boolean', default: false },
    },
  });
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port takes a number from 0 to 65535, not "${options.port}".`);
  if (options.task !== undefined) {
    taskNamed(options.task);
    if (!options.once) throw new Error('--task goes with --once, which performs the task.');
  }
  await ensureDependencies(say);
  await build(say);
  if (options.once) return runOnce({ say, task: options.task });
  if (chooseEditor(argv) === 'desktop') return startDesktop({ say });
  return startEmbedded({ say, port, open: !options['no-open'] });
}

/**
 * Serves the embedded editor with Plimsoll until Ctrl-C.
 *
 * The extension is installed by link. The payload's extensionDevelopmentPath would need the
 * server's smoke-test mode, which turns notifications off.
 */
async function startEmbedded({ say, port, open }) {
  const host = await installEditorHost(say);
  const provider = chooseProvider();
  const workspace = sampleWorkspace();
  say('Starting VS Code...');
  const editor = await serveEditor({
    host,
    extensions: [repository],
    settings: provider.settings,
    port,
  });
  const address = editor.address(workspace.path);
  say(`
Plimsoll is running. Open this address in a browser on this machine:

  ${address}

Click the Plimsoll icon in the activity bar on the left, give the agent a task, approve what it asks for, and watch the
Context panel fill and compact.

  Model      ${provider.description}
  Workspace  ${workspace.path} (a copy of the sample, removed at the end)

Ctrl-C stops it and leaves nothing behind.`);
  if (open) openInBrowser(address);
  await editor.exited;
  throw new Error('The VS Code server ended by itself.');
}

/**
 * Opens an address if there is a display; a failure is harmless because the terminal shows the
 * address.
 */
function openInBrowser(address) {
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const opener = spawn('xdg-open', [address], { stdio: 'ignore', detached: true });
  opener.once('error', () => {});
  opener.unref();
}

/** Opens the desktop VS Code with Plimsoll until its window is closed or Ctrl-C. */
async function startDesktop({ say }) {
  say('Getting the desktop VS Code...');
  const executable = await desktopEditor();
  const provider = chooseProvider();
  const workspace = sampleWorkspace();
  const profile = desktopProfile(provider.settings);
  const editor = startGroup(
    executable,
    [
      workspace.path,
      `--extensionDevelopmentPath=${repository}`,
      ...profile.args,
      '--skip-welcome',
      '--skip-release-notes',
      '--disable-updates',
      '--disable-workspace-trust',
      // Electron refuses to run sandboxed as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    { env: process.env, stdio: 'ignore' },
  );
  say(`
Plimsoll is running in a VS Code window of its own. Click the Plimsoll icon in the activity bar and give the agent a task.

  Model      ${provider.description}
  Workspace  ${workspace.path} (a copy of the sample, removed at the end)

Close the window or press Ctrl-C to stop; nothing is left behind.`);
  await editor.exited;
}

/**
 * Chooses the model: the real API if the environment contains a key for it, otherwise the offline
 * demo.
 */
function chooseProvider() {
  const live = Boolean(process.env.ANTHROPIC_API_KEY);
  return {
    settings: live ? { 'plimsoll.provider': 'anthropic' } : {},
    description: live
      ? 'the Anthropic API, with the key from ANTHROPIC_API_KEY; requests cost money'
      : 'offline demo: scripted, no AI (set ANTHROPIC_API_KEY to use the real API)',
  };
}

try {
  await start(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  console.error(`\n${process.env.PLIMSOLL_VERBOSE ? error.stack : error.message}`);
  process.exit(1);
}
