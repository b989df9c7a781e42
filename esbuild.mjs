import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import esbuild from 'esbuild';
import { usedIcons } from './webview/kit/usedIcons.mjs';

// Usage: node esbuild.mjs [--watch] [--production] [--tests] [--out=FOLDER] [--metafile=FILE]
const flag = (name) => process.argv.includes(`--${name}`);
const value = (name) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const root = fileURLToPath(new URL('.', import.meta.url));
process.chdir(root);

/** Where the bundles are written. */
const out = value('out') ?? 'dist';
/** Where esbuild writes the inputs of each bundle; undefined writes nothing. */
const metafile = value('metafile');

const common = {
  bundle: true,
  metafile: metafile !== undefined,
  logLevel: metafile ? 'warning' : 'info',
  minify: flag('production'),
  sourcemap: flag('production') ? false : 'linked',
  // The notices of bundled libraries are next to the bundles, and ship with them.
  legalComments: 'linked',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

const node = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  // The Node entry of some packages requires files at run time, which no bundle has.
  mainFields: ['module', 'main'],
};

const browser = {
  ...common,
  platform: 'browser',
  target: 'chrome120',
  format: 'iife',
  outdir: `${out}/webview`,
  // The icon font is next to the styles: the page's policy allows fonts from there only.
  loader: { '.ttf': 'file', '.svg': 'dataurl' },
  assetNames: '[name]',
  plugins: [usedIcons],
};

const grammar = 'node_modules/@vscode/tree-sitter-wasm/wasm';
const sampleSource = 'src/offline/sample';

/**
 * The extension, its workers and the command line in chunks: each `import()` loads one on first use, and shared code is
 * in one chunk. esbuild splits ES modules only, so each chunk is rewritten to CommonJS.
 */
const extension = {
  ...node,
  entryPoints: Object.fromEntries(
    [
      'src/extension.ts',
      'src/cli.ts',
      'src/replay/compareWorker.ts',
      'src/editor/recordings/recordingWorker.ts',
      'src/sessions/logWorker.ts',
    ].map((entry) => [basename(entry, '.ts'), entry]),
  ),
  outdir: out,
  format: 'esm',
  splitting: true,
  chunkNames: 'extension/[name]-[hash]',
  sourcemap: flag('production') ? false : 'inline',
  write: false,
  // Loaded by agents of the SDK, which no code here uses: without this line the chunk would ship.
  external: [...node.external, '*/agent-toolset/node.mjs'],
  plugins: [{ name: 'as-common-js', setup: (build) => build.onEnd(writeAsCommonJs) }],
};

async function writeAsCommonJs({ outputFiles, errors }) {
  if (errors.length > 0) return;
  rmSync(`${out}/extension`, { recursive: true, force: true });
  for (const { path, contents, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    if (!path.endsWith('.js')) {
      writeFileSync(path, contents);
      continue;
    }
    const { code, map } = await esbuild.transform(text, {
      format: 'cjs',
      platform: 'node',
      target: node.target,
      // Keeps `import()` from looking for ES modules.
      supported: { 'dynamic-import': false },
      minify: common.minify,
      sourcemap: common.sourcemap && 'external',
      sourcefile: basename(path),
      legalComments: 'inline',
      banner: basename(path) === 'cli.js' ? '#!/usr/bin/env node' : '',
    });
    writeFileSync(path, map ? `${code}//# sourceMappingURL=${basename(path)}.map\n` : code);
    if (map) writeFileSync(`${path}.map`, map);
  }
}

/**
 * Keeps the tokenizer's table in a file of its own, which is 0.43 MB smaller in the package than as a
 * script: the single bytes, then each other token as two earlier ones, compressed by Brotli.
 */
const tokenTable = {
  name: 'token-table',
  setup(build) {
    const require = createRequire(import.meta.url);
    // A path of the package, so that its licence goes with the table.
    build.onResolve({ filter: /^js-tiktoken\/ranks\/o200k_base$/ }, ({ path }) => ({
      path: relative(root, require.resolve(path)).replaceAll('\\', '/'),
      namespace: 'token-table',
    }));
    build.onLoad({ filter: /.*/, namespace: 'token-table' }, ({ path }) => {
      const { bpe_ranks: ranks, ...rest } = require(join(root, path));
      mkdirSync(out, { recursive: true });
      writeFileSync(`${out}/tokens.br`, brotliCompressSync(packedRanks(ranks, path)));
      const contents = `import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
const packed = brotliDecompressSync(readFileSync(join(__dirname, 'tokens.br')));
const pairs = (packed.length - 256) / 6;
const number = (pair, plane) => {
  const at = 256 + plane * pairs + pair;
  return (packed[at] << 16) | (packed[at + pairs] << 8) | packed[at + 2 * pairs];
};
const words = [...packed.subarray(0, 256)].map((byte) => String.fromCharCode(byte));
for (let pair = 0; pair < pairs; pair++)
  words.push(words[number(pair, 0)] + words[number(pair, 3)]);
const ranks = words.map((word) => btoa(word)).join(' ');
export default { ...${JSON.stringify(rest)}, bpe_ranks: '! 0 ' + ranks };`;
      return { contents, resolveDir: root };
    });
  },
};

/**
 * The tokens in the order of their ranks: 256 single bytes, then of all others the numbers of their
 * two parts, first all high bytes of the first part, and so on, since like bytes compress well.
 */
function packedRanks(ranks, path) {
  const [mark, first, ...words] = ranks.split(' ');
  const tokens = words.map((word) => Buffer.from(word, 'base64').toString('latin1'));
  const isByte = (token, rank) => (token.length === 1) === rank < 256;
  if (mark !== '!' || first !== '0' || !tokens.every(isByte))
    throw new Error(`The table of ${path} has another form than expected.`);
  const rankOf = new Map(tokens.map((token, rank) => [token, rank]));
  const pairs = tokens.slice(256).map((token, at) => {
    let best;
    for (let cut = 1; cut < token.length; cut++) {
      const pair = [rankOf.get(token.slice(0, cut)), rankOf.get(token.slice(cut))];
      if (pair.some((rank) => rank === undefined || rank >= at + 256)) continue;
      // Pairs of frequent tokens compress best.
      const weight = (pair[0] + 1) * (pair[1] + 1);
      if (best === undefined || weight < best.weight) best = { pair, weight };
    }
    if (best === undefined) throw new Error(`A token of ${path} does not consist of earlier ones.`);
    return best.pair;
  });
  const planes = [0, 1].flatMap((part) =>
    [16, 8, 0].map((shift) => Buffer.from(pairs.map((pair) => (pair[part] >> shift) & 255))),
  );
  return Buffer.concat([Buffer.from(tokens.slice(0, 256).join(''), 'latin1'), ...planes]);
}

const bundles = [
  extension,
  {
    ...node,
    entryPoints: ['src/model/countWorker.ts'],
    outfile: `${out}/countWorker.js`,
    // Compressing takes seconds.
    plugins: flag('production') ? [tokenTable] : [],
  },
  {
    ...node,
    entryPoints: ['src/tools/thirdParty/schemaWorker.ts'],
    outfile: `${out}/schemaWorker.js`,
  },
  // Next to the grammar, which it reads.
  { ...node, entryPoints: [`${grammar}/tree-sitter.js`], outfile: `${out}/tree-sitter.js` },
  // One bundle each, named after the view; their styles land next to them as agent.css and context.css.
  { ...browser, entryPoints: [{ in: 'webview/conversation/main.tsx', out: 'agent' }] },
  { ...browser, entryPoints: [{ in: 'webview/contextPanel/main.tsx', out: 'context' }] },
  // Loaded by the Agent view on first use.
  { ...browser, entryPoints: [{ in: 'webview/highlight/main.ts', out: 'highlight' }] },
  ...(flag('tests') ? [editorTests()] : []),
];

/** Bundles the editor suite into one file whose `run` loads the tests only once mocha's globals exist. */
function editorTests() {
  const folder = 'test/vscode';
  const files = readdirSync(folder, { recursive: true }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const loads = files
    .sort()
    .map((name) => `require(${JSON.stringify(`./${name.replaceAll('\\', '/')}`)});`);
  const contents = `import { runSuite } from './index.ts';
export const run = () => runSuite(() => { ${loads.join(' ')} });`;
  return {
    ...node,
    stdin: { contents, resolveDir: `${root}${folder}`, sourcefile: 'run.ts', loader: 'ts' },
    outfile: `${out}/test/editor.js`,
    // Resolved from the clone's node_modules when the suite runs.
    external: ['vscode', 'mocha', 'playwright-core'],
  };
}

function copySample() {
  rmSync(`${out}/sample`, { recursive: true, force: true });
  cpSync(sampleSource, `${out}/sample`, { recursive: true });
}

/** The grammar for parsing shell commands; in the package by Brotli, which is 71 kB smaller. */
function copyGrammar() {
  mkdirSync(out, { recursive: true });
  for (const name of ['tree-sitter.wasm', 'tree-sitter-bash.wasm']) {
    if (flag('production'))
      writeFileSync(`${out}/${name}.br`, brotliCompressSync(readFileSync(`${grammar}/${name}`)));
    else cpSync(`${grammar}/${name}`, `${out}/${name}`);
  }
}

copySample();
copyGrammar();

if (flag('watch')) {
  const contexts = await Promise.all(bundles.map((options) => esbuild.context(options)));
  await Promise.all(contexts.map((context) => context.watch()));
  watch(sampleSource, { recursive: true }, copySample);
} else {
  // In sequence, which is fast enough on machines with two cores.
  const inputs = {};
  try {
    for (const options of bundles)
      Object.assign(inputs, (await esbuild.build(options)).metafile?.inputs);
  } catch {
    process.exit(1); // esbuild has printed the error.
  }
  if (metafile) writeFileSync(metafile, JSON.stringify({ inputs }));
  chmodSync(`${out}/cli.js`, 0o755);
}
