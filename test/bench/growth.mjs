import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { editorNode } from './support/editorNode.mjs';
import { tableOf } from './support/table.mjs';

// Usage: node test/bench/growth.mjs [--json] [area]...
//
// Measures how the time and memory of a session grow, and prints a table for each area, or all
// numbers as JSON. Read the ratios, not the milliseconds. Each column runs in a separate process, so that none slows down
// another, in the editor's Node.

const LONG = [1_000, 10_000];

/** No window holds more steps: these come to 1,000,000 tokens. */
const FULL = [1_000, 3_000];

/** 1,000 steps are 2,000 messages with 565,000 tokens. */
const PLANNED = [250, 500, 1_000, 2_000];

/** The courses of sessions, by description. */
const COURSES = {
  'all in the window': { turnSteps: 40 },
  'a pass every 20 steps': { turnSteps: 40, passEvery: 20 },
  'a pass every 5 steps': { turnSteps: 40, passEvery: 5 },
  'one turn of all steps': { turnSteps: 1_000_000, passEvery: 20 },
  'each step 2 messages and 565 tokens': { turnSteps: 40, readLines: 44 },
  'each step 3,400 bytes of log': { turnSteps: 40, passEvery: 20, readLines: 60 },
};
const [ALL_IN, MANY, MOST, ONE_TURN, LARGE, LONG_READS] = Object.keys(COURSES);

/** The courses whose sessions are shorter than the others. */
const SIZES = { [ALL_IN]: FULL, [LARGE]: PLANNED };

/** The measurements: each is a file in growth/, with its courses and numbers of steps. */
const AREAS = {
  window: { courses: [ALL_IN, MANY] },
  plan: { courses: [LARGE, MANY] },
  foldStep: { courses: [ALL_IN, MANY, MOST] },
  foldLog: { courses: [MANY, MOST], sizes: [1_000, 5_000, 10_000] },
  contextPanel: { courses: [ALL_IN, MANY] },
  passViews: { courses: [MOST] },
  moves: { courses: [ALL_IN, MANY], sizes: [1_000, 4_000] },
  agentView: { courses: [ALL_IN, MANY, ONE_TURN] },
  drawnAgentView: { courses: [MANY] },
  drawnContextPanel: { courses: [MANY] },
  memory: { courses: [MANY] },
  opening: { courses: [MANY], processes: 3 },
  loading: { courses: [LONG_READS], sizes: [1_000, 10_000, 60_000] },
};

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const output = join(root, 'out', 'bench');
const isJson = process.argv.includes('--json');
const wanted = process.argv.slice(2).filter((one) => one !== '--json');
const areas = Object.entries(AREAS).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
);

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
await esbuild.build({
  entryPoints: [
    ...areas.map(([name]) => ({ in: join(here, 'growth', name), out: name })),
    { in: join(root, 'src', 'sessions', 'logWorker'), out: 'logWorker' },
  ],
  outdir: output,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  // The CommonJS form of some packages requires their files by a computed name.
  mainFields: ['module', 'main'],
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Resolved in the clone's node_modules when the areas run.
  external: ['vitest', 'happy-dom'],
  logLevel: 'warning',
});

const node = await editorNode();
const tables = [];
for (const [name, { courses, sizes, processes = 1 }] of areas) {
  for (const course of courses) {
    const columns = [];
    for (const steps of sizes ?? SIZES[course] ?? LONG) {
      const given = { ...COURSES[course], steps, isCold: processes > 1 };
      const runs = [];
      for (let run = 0; run < processes; run += 1) runs.push(await measured(name, given));
      columns.push({ steps, costs: mediansOf(runs) });
    }
    tables.push({ area: name, course, columns });
    if (!isJson) console.log(`${tableOf(`${name}, ${course}`, columns)}\n`);
  }
}
if (isJson) console.log(JSON.stringify(tables));

/** Runs an area for a course; returns its costs. */
async function measured(name, course) {
  const args = [join(output, `${name}.mjs`), JSON.stringify(course)];
  const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  const code = await ended;
  if (code !== 0) throw new Error(`${name} ended with code ${code}.`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The medians over several processes. */
function mediansOf(runs) {
  return runs[0].map((first) => {
    const all = runs.map((costs) => costs.find(({ what }) => what === first.what));
    const median = (number) =>
      all.map((cost) => cost[number]).toSorted((a, b) => a - b)[Math.floor((runs.length - 1) / 2)];
    return { ...first, ms: median('ms'), cpuMs: median('cpuMs') };
  });
}
