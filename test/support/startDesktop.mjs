import { chooseProvider } from './chooseProvider.mjs';
import { desktopEditor, desktopProfile } from './desktopEditor.mjs';
import { repository } from './paths.mjs';
import { startGroup } from './processGroup.mjs';
import { sampleWorkspace } from './sampleWorkspace.mjs';

/** Opens the desktop VS Code with Plimsoll until its window is closed or Ctrl-C. */
export async function startDesktop({ say }) {
  say('Getting the desktop VS Code...');
  const executable = await desktopEditor();
  const provider = chooseProvider();
  const workspace = sampleWorkspace({ withoutProvider: provider.live });
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
