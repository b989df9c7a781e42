import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import esbuild from 'esbuild';
import { GRAMMAR } from '../../support/grammar';

/** Bundles the command line with its count worker and the grammar of bash into a folder, as `npm run build` does. */
export async function bundleCli(outdir: string): Promise<void> {
  await esbuild.build({
    absWorkingDir: resolve(__dirname, '../../..'),
    entryPoints: { cli: 'src/cli.ts', countWorker: 'src/model/countWorker.ts' },
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    // Without chunks, esbuild would leave out modules of the SDK that have no side effects but are in use.
    ignoreAnnotations: true,
  });
  for (const name of ['tree-sitter.js', 'tree-sitter.wasm', 'tree-sitter-bash.wasm'])
    cpSync(join(GRAMMAR, name), join(outdir, name));
}
