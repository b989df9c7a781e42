import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** Bundles the command line into a folder by `npm run build`, with everything it reads there. */
export async function bundleCli(outdir: string): Promise<void> {
  const root = resolve(__dirname, '../../..');
  await promisify(execFile)(process.execPath, ['esbuild.mjs', `--out=${outdir}`], { cwd: root });
}
