import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { copyFonts, writeFontConfig } from './bundledFonts.mjs';

/**
 * Unpacks the editor host's own Chromium once (2 s, 220 MB) and returns its executable, libraries and font config.
 *
 * Done into a draft folder and renamed, so that two runs at a time cannot see each other's half of it.
 */
export function unpackBrowser(host) {
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
