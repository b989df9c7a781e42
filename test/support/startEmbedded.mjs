import { spawn } from 'node:child_process';
import { chooseProvider } from './chooseProvider.mjs';
import { installEditorHost } from './editorHost/installEditorHost.mjs';
import { serveEditor } from './editorHost/serveEditor.mjs';
import { repository } from './paths.mjs';
import { sampleWorkspace } from './sampleWorkspace.mjs';

/**
 * Serves the embedded editor with Plimsoll until Ctrl-C.
 *
 * The extension is linked in as an installed one. The payload's extensionDevelopmentPath would need the server's
 * smoke-test mode, and that keeps notifications from showing.
 */
export async function startEmbedded({ say, port, open }) {
  const host = await installEditorHost(say);
  const provider = chooseProvider();
  const workspace = sampleWorkspace({ withoutProvider: provider.live });
  say('Starting VS Code...');
  const editor = await serveEditor({
    host,
    extension: repository,
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

/** Opens an address where there is a display; failing to is fine, the address is on the terminal. */
function openInBrowser(address) {
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const opener = spawn('xdg-open', [address], { stdio: 'ignore', detached: true });
  opener.once('error', () => {});
  opener.unref();
}
