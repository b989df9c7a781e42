import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from '../harness/processes/leavings.mjs';

// Usage: npm run bench [-- [--json] [speed] [growth] [startup] [quality]]
//
// Measures everything, or only the named parts: how fast single operations are, how the costs of a
// session grow, and how fast the extension starts. Read the ratios, not the milliseconds.
//
// With --json it prints one JSON object with a member for each part, which also holds the numbers
// of the pages about what each policy and library keeps: those that `npm run measure` stored last.

const root = fileURLToPath(new URL('../..', import.meta.url));
const isJson = process.argv.includes('--json');

/** Each prints its tables, or gives its numbers. */
const PARTS = { speed, growth, startup, quality };

const wanted = process.argv.slice(2).filter((one) => one !== '--json');
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}

const numbers = {};
for (const [name, part] of Object.entries(PARTS)) {
  if (wanted.length === 0 || wanted.includes(name)) numbers[name] = await part();
}
if (isJson) console.log(JSON.stringify(numbers, null, 1));

/** Single operations in one run: mean and margin of error of each, ms. */
async function speed() {
  const scratch = scratchFolder('bench');
  const file = join(scratch.path, 'speed.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const options = ['bench', '--run', '--config', 'test/vitest.config.ts', '--project', 'unit'];
  await run([vitest, ...options, ...(isJson ? [`--outputJson=${file}`] : [])]);
  const groups = isJson ? JSON.parse(readFileSync(file, 'utf8')).files : [];
  scratch.remove();
  return groups
    .flatMap((each) => each.groups)
    .map(({ fullName, benchmarks }) => ({
      group: fullName,
      operations: benchmarks.map(({ name, mean, moe }) => ({ name, meanMs: mean, errorMs: moe })),
    }));
}

/** The costs of a session as it grows: ms, ms of processor time, and bytes, for each length. */
function growth() {
  return measuredBy('growth.mjs');
}

/** Size, evaluation and activation of the bundles: bytes and ms. */
function startup() {
  return measuredBy('startup.mjs');
}

/** What the policies and the libraries keep: without --json it is on the page of src/replay. */
function quality() {
  if (!isJson) return undefined;
  return JSON.parse(readFileSync(join(root, 'src', 'replay', 'measured.json'), 'utf8'));
}

async function measuredBy(script) {
  const text = await run([join(root, 'test', 'bench', script), ...(isJson ? ['--json'] : [])]);
  return isJson ? JSON.parse(text) : undefined;
}

/** Runs a script; with --json its output is returned, or shown where the numbers do not go. */
async function run(args) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', isJson ? 'pipe' : 'inherit', 'inherit'],
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (piece) => (text += piece));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code === 0) return text;
  process.stderr.write(text);
  throw new Error(`${args[0]} ended with ${code}.`);
}
