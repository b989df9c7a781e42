import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';

const ROOT = resolve(__dirname, '../../..');

/**
 * The path of the bundled command line, with everything it reads next to it: of the build that
 * `npm test` names in PLIMSOLL_BUILT, or built for this file by `npm run build`.
 */
export function bundledCli(): () => string {
  let folder = process.env['PLIMSOLL_BUILT'];
  if (folder === undefined) {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'plimsoll-bundle-'));
      await promisify(execFile)(process.execPath, ['esbuild.mjs', `--out=${folder}`], {
        cwd: ROOT,
      });
    });
    afterAll(() => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });
  }
  return () => join(folder ?? '', 'cli.js');
}
