import { mkdirSync, rmSync } from 'node:fs';
import { runOnce } from './demo/runOnce.mjs';
import { installEditorHost } from './editorHost/installEditorHost.mjs';
import { launchBrowser } from './editorHost/launchBrowser.mjs';
import { serveEditor } from './editorHost/serveEditor.mjs';
import { inRepository, repository } from './paths.mjs';
import { sampleWorkspace } from './sampleWorkspace.mjs';
import { whenWorkbenchReady } from './workbenchPage.mjs';

/**
 * Performs the sample task end to end with nobody at the keyboard; leaves its evidence in out/demo.
 *
 * `beforehand` is given the editor with the panel open for the first time, `afterwards` as the demo leaves it.
 */
export async function startOnce({ say, beforehand, afterwards }) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('--once needs the embedded editor, which runs on Linux x64 only.');
  }
  const host = await installEditorHost(say);
  const outFolder = inRepository('out', 'demo');
  rmSync(outFolder, { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  const workspace = sampleWorkspace();
  const opened = [];
  try {
    await runOnce({
      say,
      outFolder,
      beforehand: ({ page }) => beforehand?.({ page }),
      afterwards: ({ page }) => afterwards?.({ page, workspace: workspace.path }),
      openEditor: async (options) => {
        const editor = await openEditor({ host, workspace: workspace.path, ...options });
        opened.push(editor);
        return editor;
      },
    });
  } finally {
    for (const editor of opened) await editor.close();
    workspace.remove();
  }
}

/**
 * Opens VS Code with Plimsoll on a workspace in a headless page of 1600 x 1000.
 *
 * Notifications and dialogs show as they do for a person. `settings` are user settings on top of editorSettings.mjs. The
 * real API is out of reach: the key is not passed on. The theme changes by the command "Preferences: Toggle between
 * Light/Dark Themes".
 */
async function openEditor({ host, workspace, settings, env }) {
  const editor = await serveEditor({
    host,
    extension: repository,
    settings,
    env: { ANTHROPIC_API_KEY: undefined, ...env },
  });
  try {
    const browser = await launchBrowser({ host });
    const close = async () => {
      await browser.close();
      await editor.close();
    };
    const { page } = browser;
    await page.goto(editor.address(workspace));
    await whenWorkbenchReady(page);
    const { userDataFolder, logFile } = editor;
    return { page, address: editor.address(workspace), userDataFolder, logFile, close };
  } catch (error) {
    await editor.close();
    throw error;
  }
}
