import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editorSettings } from './editorSettings.mjs';
import { scratchFolder } from './leavings.mjs';
import { cacheFolder } from './paths.mjs';

/** Downloads the desktop VS Code into the cache, unless it is there, and returns its executable. */
export async function desktopEditor() {
  const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
  try {
    return await downloadAndUnzipVSCode({ cachePath: join(cacheFolder(), 'desktop-editor') });
  } catch (error) {
    throw new Error(
      `The desktop VS Code could not be downloaded (${error.message}). Check the network and run again` +
        (process.platform === 'linux'
          ? '; without --desktop an embedded editor from npm is used on Linux x64.'
          : '.'),
    );
  }
}

/** Makes a profile with the user settings every editor is started with; returns the arguments that select it. */
export function desktopProfile(settings = {}) {
  const { path, remove } = scratchFolder('profile');
  mkdirSync(join(path, 'user', 'User'), { recursive: true });
  const file = join(path, 'user', 'User', 'settings.json');
  writeFileSync(file, JSON.stringify({ ...editorSettings, ...settings }, null, 2));
  return {
    args: [`--user-data-dir=${join(path, 'user')}`, `--extensions-dir=${join(path, 'extensions')}`],
    remove,
  };
}
