import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { editorNode } from './support/editorNode.mjs';
import { tableOf } from './support/table.mjs';

// Usage: node test/bench/growth.mjs [area]...
// Measures what a session costs in time and memory as it grows, and prints it as a table an area: read the ratios,
// not the milliseconds. Each column is a process of its own, so that none is slowed by another, in the editor's Node.

const LONG = [1_000, 10_000];

/** No window holds more steps: these come to 1,000,000 tokens. */
const FULL = [1_000, 3_000];

/** 2,000 messages with 565,000 tokens are 1,000 steps. */
const PLANNED = [250, 500, 1_000, 2_000];

/** How sessions go, by their description. */
const COURSES = {
  'all in the window': { turnSteps: 40 },
  'a pass every 20 steps': { turnSteps: 40, passEvery: 20 },
  'a pass every 5 steps': { turnSteps: 40, passEvery: 5 },
  'one turn of all steps': { turnSteps: 1_000_000, passEvery: 20 },
  'each step 2 messages and 565 tokens': { turnSteps: 40, readLines: 44 },
};
const [ALL_IN, MANY, MOST, ONE_TURN, LARGE] = Object.keys(COURSES);

/** Where sessions are not as long as elsewhere. */
const SIZES = { [ALL_IN]: FULL, [LARGE]: PLANNED };

/** A measurement: a file in growth/, in sessions of this many steps that go like this. */
const AREAS = {
  window: { courses: [ALL_IN, MANY] },
  plan: { courses: [LARGE, MANY] },
  foldStep: { courses: [ALL_IN, MANY, MOST] },
  foldLog: { courses: [MANY, MOST], sizes: [1_000, 5_000, 10_000] },
  contextPanel: { courses: [ALL_IN, MANY] },
  passViews: { courses: [MOST] },
  agentView: { courses: [ALL_IN, MANY, ONE_TURN] },
  drawnAgentView: { courses: [MANY] },
  drawnContextPanel: { courses: [MANY] },
  memory: { courses: [MANY] },
  opening: { courses: [MANY], processes: 3 },
};

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const output = join(root, 'out', 'bench');
const wanted = process.argv.slice(2);
const areas = Object.entries(AREAS).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
);

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
await esbuild.build({
  entryPoints: areas.map(([name]) => join(here, 'growth', name)),
  outdir: output,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Found in the clone's node_modules when the areas run.
  external: ['vitest', 'happy-dom'],
  logLevel: 'warning',
});

const node = await editorNode();
for (const [name, { courses, sizes, processes = 1 }] of areas) {
  for (const course of courses) {
    const columns = [];
    for (const steps of sizes ?? SIZES[course] ?? LONG) {
      const given = { ...COURSES[course], steps, isCold: processes > 1 };
      const runs = [];
      for (let run = 0; run < processes; run += 1) runs.push(await measured(name, given));
      columns.push({ steps, costs: mediansOf(runs) });
    }
    console.log(`${tableOf(`${name}, ${course}`, columns)}\n`);
  }
}

/** What an area measured of a course: a cost a line. */
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

/** Of several processes the medians. */
function mediansOf(runs) {
  return runs[0].map((first) => {
    const all = runs.map((costs) => costs.find(({ what }) => what === first.what));
    const median = (number) =>
      all.map((cost) => cost[number]).toSorted((a, b) => a - b)[Math.floor((runs.length - 1) / 2)];
    return { ...first, ms: median('ms'), cpuMs: median('cpuMs') };
  });
}
