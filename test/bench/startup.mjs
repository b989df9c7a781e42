import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Usage: node test/bench/startup.mjs [another bundle]...
// Builds the extension as it is shipped, and prints the size of its entry bundle and what evaluating it
// takes in a fresh process; other bundles, such as one of before a change, are evaluated in turn with it.

/** Fresh processes a bundle. */
const PROCESSES = 11;

const root = fileURLToPath(new URL('../..', import.meta.url));
const { main } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const built = spawnSync(process.execPath, [join(root, 'esbuild.mjs'), '--production'], {
  encoding: 'utf8',
});
if (built.status !== 0) throw new Error(built.stderr);

const bundles = [join(root, main), ...process.argv.slice(2).map((path) => resolve(path))];
const runs = bundles.map(() => []);
for (let run = 0; run < PROCESSES; run += 1) {
  bundles.forEach((bundle, index) => runs[index].push(evaluated(bundle)));
}
bundles.forEach((bundle, index) => {
  const kilobytes = (statSync(bundle).size / 1_000).toFixed(0);
  const median = (name) =>
    runs[index].map((run) => run[name]).toSorted((a, b) => a - b)[Math.floor(PROCESSES / 2)];
  const least = Math.min(...runs[index].map(({ ms }) => ms));
  console.log(`entry bundle ${bundle}: ${kilobytes} kB`);
  console.log(
    `  evaluated in ${median('ms').toFixed(1)} ms (least ${least.toFixed(1)}), ` +
      `${median('cpuMs').toFixed(1)} ms of processor time; medians of ${PROCESSES} processes\n`,
  );
});

/** Evaluates a bundle in a process of its own, with something in the place of VS Code. */
function evaluated(bundle) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--eval', `(${evaluate})(${JSON.stringify(bundle)})`],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Runs in the process of its own. */
function evaluate(bundle) {
  const Module = require('node:module');
  // Whatever is asked of it, it is that, and can be called, extended and made.
  const anything = new Proxy(class {}, {
    get: (target, name) => (name === 'prototype' ? target.prototype : anything),
    apply: () => anything,
  });
  const load = Module._load;
  Module._load = (request, ...rest) => (request === 'vscode' ? anything : load(request, ...rest));
  const cpu = process.cpuUsage();
  const began = performance.now();
  require(bundle);
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1_000 }));
  process.exit();
}
