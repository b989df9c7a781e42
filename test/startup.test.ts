import { join } from 'node:path';
import esbuild, { type Metafile } from 'esbuild';
import { expect, it } from 'vitest';

const ROOT = join(__dirname, '..');

/** The size limit of the code loaded at activation, minified, in bytes. */
const MOST = 250_000;

/** Bundles the extension as esbuild.mjs does, and returns the contents of each chunk. */
async function parts(): Promise<Metafile['outputs']> {
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: ['src/extension.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    external: ['vscode'],
    metafile: true,
    write: false,
  });
  return metafile.outputs;
}

/** The chunks that a chunk loads statically, itself included. */
function loadedWith(part: string, outputs: Metafile['outputs']): ReadonlySet<string> {
  const loaded = new Set([part]);
  for (const name of loaded) {
    const imports = outputs[name]?.imports ?? [];
    for (const { path, kind, external } of imports) {
      if (kind === 'import-statement' && external !== true) loaded.add(path);
    }
  }
  return loaded;
}

it('keeps modules for later use out of activation: the host, and every library', async () => {
  const outputs = await parts();
  const loaded = [...loadedWith('dist/extension.js', outputs)].map((name) => outputs[name]!);
  const files = loaded.flatMap(({ inputs }) => Object.keys(inputs));
  expect(files).toContain('src/extension.ts');
  expect(files).not.toContain('src/editor/host.ts');
  expect(files.filter((file) => file.startsWith('node_modules'))).toEqual([]);
  expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(MOST);
});
