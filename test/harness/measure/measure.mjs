import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, ensureDependencies } from '../prepareClone.mjs';
import { tablesOf } from './tables.mjs';

// Usage: npm run measure [-- --windows=30,32 --sets=1,2 --kinds=file,counted --kept=FOLDER --bundles=DIST]
// Replays the two sets of recordings under every policy and writes the tables of the README of
// src/replay; a run limited to some windows, sets or kinds prints its tables instead. The folder
// keeps the results of each build, so a stopped run continues where it was.
const root = fileURLToPath(new URL('../../..', import.meta.url));
const value = (name) =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Windows in thousands of tokens. */
const WINDOWS = [30, 32, 36, 58, 64, 72, 128];
const POLICIES = [
  'ladder',
  'ladderNoExcerpts',
  'slidingWindow',
  'lastTurns',
  'headTail',
  'tokenBudget',
  'salience',
  'summarise',
  'clairvoyant',
  'clairvoyantExcerpts',
  'none',
];
const SETS = { 1: 'claude-code', 2: 'claude-code-2' };

const chosen = (name) => value(name)?.split(',');
const windows = (chosen('windows') ?? WINDOWS).map(Number);
const sets = chosen('sets') ?? Object.keys(SETS);
const kinds = chosen('kinds') ?? ['file', 'counted'];
const isWhole = ['windows', 'sets', 'kinds'].every((name) => chosen(name) === undefined);
const kept = value('kept') ?? join(root, '.measured');
const cli = join(value('bundles') ?? join(root, 'dist'), 'cli.js');
mkdirSync(kept, { recursive: true });

const say = (line) => process.stderr.write(`${line}\n`);
if (value('bundles') === undefined) {
  await ensureDependencies(say);
  await build(say);
}
const buildHash = createHash('sha256').update(readFileSync(cli)).digest('hex').slice(0, 12);

/** The recordings of a set; those of subagents belong to other recordings. */
function recordingsOf(set) {
  const folder = join(root, '../shared/transcripts', SETS[set]);
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.jsonl') && !name.includes('subagents'))
    .toSorted()
    .map((name) => join(folder, name));
}

function measured(kind, set, window) {
  const file = join(kept, `${buildHash}-${kind}-${set}-${window}.json`);
  if (!existsSync(file)) {
    say(`set ${set}, window ${window}k, ${kind}`);
    const options = ['--json', '--window', String(window * 1000), '--compare', POLICIES.join(',')];
    const ofFile = kind === 'file' ? ['--file-only'] : [];
    const command = [cli, 'replay', ...ofFile, ...options, ...recordingsOf(set)];
    const json = execFileSync(process.execPath, command, {
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    writeFileSync(file, JSON.stringify(sumsOf(JSON.parse(json))));
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The result of each policy over all files. */
function sumsOf(reports) {
  return POLICIES.map((policy) => {
    const rows = reports.filter((report) => report.policy === policy);
    const sum = (of) => rows.reduce((total, row) => total + of(row), 0);
    const share = (of) => ({
      visible: sum((row) => of(row).visible),
      total: sum((row) => of(row).total),
    });
    const input = sum((row) => row.inputTokensTotal);
    return {
      policy,
      files: rows.length,
      requests: sum((row) => row.requests),
      edits: share((row) => row.groundedEdits),
      paths: share((row) => row.groundedPaths),
      editsLost: rows.flatMap((row) => row.editsLost.map((edit) => `${row.file} ${edit}`)),
      refaults: sum((row) => row.refaults),
      reuse: sum((row) => row.prefixReuse * row.inputTokensTotal) / input,
      cost: sum((row) => row.cost ?? 0),
      over: sum((row) => row.overBudget),
      invalid: sum((row) => row.invalid),
      noTask: sum((row) => row.anchorMissing),
      noAsk: sum((row) => row.latestAskMissing),
    };
  });
}

const found = kinds.flatMap((kind) =>
  sets.flatMap((set) =>
    windows.map((window) => ({ kind, set, window, rows: measured(kind, set, window) })),
  ),
);
if (isWhole) writeTables(tablesOf(found));
else console.log(tablesOf(found));

function writeTables(tables) {
  const [BEGIN, END] = ['<!-- measured: begin -->', '<!-- measured: end -->'];
  const readme = join(root, 'src/replay/README.md');
  const text = readFileSync(readme, 'utf8');
  const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]];
  if (after === undefined) throw new Error(`${readme} lacks the line ${END}.`);
  writeFileSync(readme, `${before}${BEGIN}\n\n${tables}\n\n${END}${after}`);
}
