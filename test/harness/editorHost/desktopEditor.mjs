import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../paths.mjs';
import { scratchFolder } from '../processes/leavings.mjs';
import { editorSettings } from './editorSettings.mjs';

/**
 * Chooses the VS Code to use: on Linux x64 the embedded one; elsewhere, or with `--desktop` or
 * PLIMSOLL_DESKTOP=1, the downloaded desktop editor.
 */
export function chooseEditor(argv) {
  const wantsDesktop = argv.includes('--desktop') || process.env.PLIMSOLL_DESKTOP === '1';
  const canEmbed = process.platform === 'linux' && process.arch === 'x64';
  return wantsDesktop || !canEmbed ? 'desktop' : 'embedded';
}

/** Downloads the desktop VS Code into the cache if it is missing, and returns its executable. */
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

/**
 * Creates a profile with the user settings of every editor; returns the arguments that select it.
 */
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
