import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { copyFonts, hasFonts, writeFontConfig } from './bundledFonts.mjs';

const installedNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Finds a Chromium that starts on this machine: PLIMSOLL_CHROMIUM, an installed one, or the editor
 * host's own.
 *
 * Returns its path and the environment variables it needs: libraries and fonts on a machine that
 * lacks them.
 */
export function findBrowser(host) {
  const named = process.env.PLIMSOLL_CHROMIUM;
  if (named) {
    const failure = whyItFails(named, {});
    if (failure) throw new Error(`PLIMSOLL_CHROMIUM does not start: ${failure}`);
    return { executable: named, env: fontEnvironment(host) };
  }
  for (const executable of installedBrowsers()) {
    if (!whyItFails(executable, {})) return { executable, env: fontEnvironment(host) };
  }
  const bundled = unpackBrowser(host);
  // The bundled libraries are older than those of a complete system, so they are used only if those
  // are missing.
  const libraries = [process.env.LD_LIBRARY_PATH, bundled.libraries]
    .filter(Boolean)
    .join(delimiter);
  let failure;
  for (const env of [{}, { LD_LIBRARY_PATH: libraries }]) {
    failure = whyItFails(bundled.executable, env);
    if (!failure)
      return { executable: bundled.executable, env: { ...env, ...fontEnvironment(host) } };
  }
  throw new Error(
    `No Chromium starts on this machine: ${failure}\nInstall Chromium, or name one with PLIMSOLL_CHROMIUM.`,
  );
}

function fontEnvironment(host) {
  return hasFonts() ? {} : { FONTCONFIG_FILE: unpackBrowser(host).fontConfig };
}

function installedBrowsers() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return installedNames
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .filter(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Says why a browser cannot even print its version; undefined if it can. */
function whyItFails(executable, env) {
  const { status, stderr, error } = spawnSync(executable, ['--version'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim() ?? `exit code ${status}`);
}

/**
 * Unpacks the editor host's own Chromium once (2 s, 220 MB) and returns its executable, libraries
 * and font config.
 *
 * It unpacks into a draft folder and renames it, so that two concurrent runs never see a
 * half-unpacked one.
 */
function unpackBrowser(host) {
  const folder = join(host.folder, 'browser');
  if (!existsSync(folder)) unpackInto(folder, host);
  return {
    executable: join(folder, 'chromium'),
    libraries: join(folder, 'lib'),
    fontConfig: join(folder, 'fonts.conf'),
  };
}

function unpackInto(folder, host) {
  const packed = (name) =>
    brotliDecompressSync(readFileSync(join(host.packages, '@sparticuz', 'chromium', 'bin', name)));
  const draft = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(draft, 'chromium'), packed('chromium.br'), { mode: 0o755 });
    for (const archive of ['swiftshader.tar.br', 'al2023.tar.br']) {
      const { status, stderr } = spawnSync('tar', ['-x', '-C', draft], {
        input: packed(archive),
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`Unpacking the browser (${archive}) failed: ${stderr}`);
    }
    copyFonts(join(draft, 'fonts'), host);
    writeFontConfig(join(draft, 'fonts.conf'), join(folder, 'fonts'));
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
