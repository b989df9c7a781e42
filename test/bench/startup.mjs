import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { editorNode } from './support/editorNode.mjs';

// Usage: node test/bench/startup.mjs [--json] [another bundle]...
//
// Builds the extension as shipped and prints, as text or as JSON, for its entry bundle and for the bundle loaded on
// first use:
// - the size, alone and with everything it loads immediately;
// - the time to evaluate it in a fresh process;
// - the time of `activate` in a workspace without a session.
//
// Other bundles, such as one from before a change, are measured in turn with it. Everything runs in
// the editor's Node.

/** Fresh processes for each bundle. */
const PROCESSES = 11;

const root = fileURLToPath(new URL('../..', import.meta.url));
const { main } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const built = spawnSync(process.execPath, [join(root, 'esbuild.mjs'), '--production'], {
  encoding: 'utf8',
});
if (built.status !== 0) throw new Error(built.stderr);

const isJson = process.argv.includes('--json');
const others = process.argv.slice(2).filter((one) => one !== '--json');
const parts = join(root, dirname(main), 'extension');
const host = readdirSync(parts).find((name) => /^host-\w+\.js$/.test(name));
const measured = [
  { name: 'entry bundle', bundle: join(root, main) },
  { name: 'loaded on first use', bundle: join(parts, host) },
  ...others.map((path) => ({ name: 'entry bundle', bundle: resolve(path) })),
].map((each) => ({ ...each, runs: [] }));
const node = await editorNode();
for (let run = 0; run < PROCESSES; run += 1) {
  for (const { bundle, runs } of measured) runs.push(evaluated(bundle));
}
const results = measured.map(({ name, bundle, runs }) => ({
  name,
  bundle,
  ownBytes: runs[0].own,
  loadedBytes: runs[0].all,
  evaluation: medians(runs.map(({ evaluation }) => evaluation)),
  ...(runs[0].activation === undefined
    ? {}
    : { activation: medians(runs.map(({ activation }) => activation)) }),
}));
if (isJson) console.log(JSON.stringify(results));
else for (const result of results) print(result);

function print({ name, bundle, ownBytes, loadedBytes, evaluation, activation }) {
  const [own, all] = [ownBytes, loadedBytes].map((bytes) => (bytes / 1_000).toFixed(0));
  console.log(`${name} ${bundle}: ${own} kB, ${all} kB with what it loads at once`);
  console.log(`  evaluated in ${took(evaluation)}`);
  if (activation !== undefined) console.log(`  activated in ${took(activation)}`);
  console.log(`  medians of ${PROCESSES} processes\n`);
}

/** The wall time and processor time of runs, in ms. */
function medians(runs) {
  const sorted = (name) => runs.map((run) => run[name]).toSorted((a, b) => a - b);
  const [ms, cpuMs] = ['ms', 'cpuMs'].map(sorted);
  const middle = Math.floor(PROCESSES / 2);
  return { ms: ms[middle], leastMs: ms[0], cpuMs: cpuMs[middle] };
}

function took({ ms, leastMs, cpuMs }) {
  return `${ms.toFixed(1)} ms (least ${leastMs.toFixed(1)}), ${cpuMs.toFixed(1)} ms of processor time`;
}

/** Evaluates a bundle in a separate process, and activates it with a fake VS Code. */
function evaluated(bundle) {
  const { stdout, stderr, status } = spawnSync(
    node,
    ['--eval', `(${evaluate})(${JSON.stringify(bundle)}, ${JSON.stringify(root)})`],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Runs in the separate process. */
function evaluate(bundle, extensionPath) {
  const { readFileSync, statSync } = require('node:fs');
  const Module = require('node:module');
  // Every property returns the object itself, which can be called, extended and constructed; as a
  // list and as text it is empty.
  const odd = {
    [Symbol.toPrimitive]: () => '',
    [Symbol.iterator]: () => [].values(),
    workspaceFolders: undefined,
  };
  const anything = new Proxy(class {}, {
    get(target, name) {
      if (name === 'prototype') return target.prototype;
      return Object.hasOwn(odd, name) ? odd[name] : anything;
    },
    set: () => true,
    apply: () => anything,
  });
  const api = readFileSync(`${extensionPath}/node_modules/@types/vscode/index.d.ts`, 'utf8');
  const names = [...api.matchAll(/export (?:namespace|class|enum) (\w+)/g)].map(([, name]) => name);
  const vscode = Object.fromEntries(names.map((name) => [name, anything]));
  vscode.env = { appRoot: '/nowhere' };
  const load = Module._load;
  Module._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest));
  // A workspace in which Plimsoll was never used.
  const state = { get: (_, none) => none, update: async () => undefined };
  const storage = { fsPath: '/nowhere' };
  const context = {
    extensionPath,
    extensionUri: anything,
    subscriptions: [],
    secrets: anything,
    storageUri: storage,
    globalStorageUri: storage,
    workspaceState: state,
    globalState: state,
    environmentVariableCollection: anything,
  };

  function measure(work) {
    const cpu = process.cpuUsage();
    const began = performance.now();
    const result = work();
    const ms = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    return { result, took: { ms, cpuMs: (user + system) / 1_000 } };
  }

  const evaluation = measure(() => require(bundle));
  const all = Object.keys(require.cache).reduce((bytes, file) => bytes + statSync(file).size, 0);
  const { activate } = evaluation.result;
  const activation = activate && measure(() => activate(context)).took;
  const own = statSync(bundle).size;
  process.stdout.write(JSON.stringify({ evaluation: evaluation.took, activation, own, all }));
  process.exit();
}
