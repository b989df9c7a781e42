import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';

const ROOT = resolve(__dirname, '../..');

/**
 * Returns the path of a bundle by its name: of the build that `npm test` names in PLIMSOLL_BUILT, or
 * built for this file.
 */
export function builtBundles(): (name: string) => string {
  let folder = process.env['PLIMSOLL_BUILT'];
  if (folder === undefined) {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'plimsoll-built-'));
      const build = ['esbuild.mjs', `--out=${folder}`];
      await promisify(execFile)(process.execPath, build, { cwd: ROOT });
    });
    afterAll(() => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });
  }
  return (name) => {
    if (folder === undefined) throw new Error('Nothing is built before the first test.');
    return join(folder, name);
  };
}
