import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, ensureDependencies } from '../prepareClone.mjs';
import { bundled, measurePeers } from './measurePeers.mjs';
import { NEWEST, pausesTableOf, peersTableOf, tablesOf } from './tables.mjs';

// Usage: npm run measure [-- --windows=30,32 --sets=1,2 --kinds=file,counted --kept=FOLDER --bundles=DIST]
//        npm run measure -- --peers
//        npm run measure -- --pauses
// Replays the two sets of recordings under every policy, writes the numbers to measured.json and the
// tables to the README of src/replay. A run limited to some windows, sets or kinds replaces only
// these columns. The folder keeps the results of each build, so a stopped run continues where it was.
// With --peers only the table of the libraries is measured again; they are installed if needed. With
// --pauses only the table of the pauses.
const root = fileURLToPath(new URL('../../..', import.meta.url));
const value = (name) =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);

/**
 * Windows in thousands of tokens. Counted windows hold the recorded agent's own system prompt and
 * tools, for which the smaller ones have no room. Each column takes one to five minutes.
 */
const WINDOWS = { file: [32, 64, 128], counted: [200] };
/** Counted windows of the table of the pauses. */
const PAUSE_WINDOWS = [64, 128, 200];
const POLICIES = [
  'ladder',
  'ladderNoExcerpts',
  'slidingWindow',
  'lastTurns',
  'headTail',
  'tokenBudget',
  'salience',
  'summarise',
  'server',
  'clairvoyant',
  'clairvoyantExcerpts',
  'none',
];
const SETS = { 1: 'claude-code', 2: 'claude-code-2' };

const chosen = (name) => value(name)?.split(',');
const sets = chosen('sets') ?? Object.keys(SETS);
const kinds = chosen('kinds') ?? ['file', 'counted'];
const windowsOf = (kind) =>
  WINDOWS[kind].filter((one) => (chosen('windows') ?? [String(one)]).includes(String(one)));
const kept = value('kept') ?? join(root, '.measured');
const cli = join(value('bundles') ?? join(root, 'dist'), 'cli.js');
const stored = join(root, 'src/replay/measured.json');
const former = existsSync(stored) ? JSON.parse(readFileSync(stored, 'utf8')) : { columns: [] };

const say = (line) => process.stderr.write(`${line}\n`);
if (process.argv.includes('--peers')) {
  await ensureDependencies(say);
  const peers = await measurePeers(say);
  store({ ...former, peers });
  writePage('peers', peersTableOf(peers));
  // A library may keep the process alive.
  process.exit();
}
mkdirSync(kept, { recursive: true });
if (value('bundles') === undefined) {
  await ensureDependencies(say);
  await build(say);
}
if (process.argv.includes('--pauses')) {
  const pauses = Object.keys(SETS).flatMap((set) => PAUSE_WINDOWS.map((one) => pausesOf(set, one)));
  store({ ...former, pauses });
  writePage('pauses', pausesTableOf(pauses));
  process.exit();
}
const { distanceOf } = await bundled(join(root, 'test/harness/measure/charsDistance.ts'));
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
    const policies = kind === 'file' ? POLICIES : ['recorded', ...POLICIES];
    const ofFile = kind === 'file' ? ['--file-only'] : [];
    writeFileSync(file, replayed(policies.join(','), window, [...ofFile, ...recordingsOf(set)]));
  }
  const reports = JSON.parse(readFileSync(file, 'utf8'));
  return {
    kind,
    set,
    window,
    rows: sumsOf(reports, POLICIES),
    own: ownOf(reports),
    ...(kind === 'counted' ? { distances: distancesIn(set) } : {}),
  };
}

/** What the API counted in units of characters / 4 in each session that says so, in order. */
function distancesIn(set) {
  const known = recordingsOf(set)
    .map(distanceOf)
    .filter((distance) => distance !== undefined);
  return known.map((distance) => Number(distance.toFixed(3))).toSorted((a, b) => a - b);
}

/** What the ladder shows and costs in counted windows if pauses are ignored, and if it follows them. */
function pausesOf(set, window) {
  const reportsWith = (...options) => {
    say(`set ${set}, window ${window}k, pauses ${options.length === 0 ? 'followed' : 'ignored'}`);
    const reports = replayed('ladder', window, [...options, ...recordingsOf(set)]);
    return JSON.parse(reports).filter(({ policy }) => policy === 'ladder');
  };
  const [ignored, followed] = [reportsWith('--ignore-pauses'), reportsWith()];
  const dearer = followed.flatMap(({ file, cost }) => {
    const former = ignored.find((one) => one.file === file)?.cost ?? 0;
    return former === 0 ? [] : cost / former - 1;
  });
  const sums = [ignored, followed].map((reports) => {
    const [{ edits, cost, rewrites }] = sumsOf(reports, ['ladder']);
    return { edits, cost, expired: rewrites[0] };
  });
  return { set, window, ignored: sums[0], followed: sums[1], dearest: Math.max(...dearer) };
}

/** The reports of a comparison, as JSON. */
function replayed(policies, window, rest) {
  const options = ['--json', '--window', String(window * 1000), '--compare', policies];
  return execFileSync(process.execPath, [cli, 'replay', ...options, ...rest], {
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The same sums for the recordings whose agent compacted; absent where none is measured. */
function ownOf(reports) {
  const files = reports
    .filter(({ policy, passes }) => policy === 'recorded' && passes.length > 0)
    .map(({ file }) => file);
  const own = reports.filter(({ file }) => files.includes(file));
  return files.length === 0 ? undefined : sumsOf(own, ['recorded', 'ladder', 'none']);
}

/** The result of each policy over all files. */
function sumsOf(reports, policies) {
  const rowsOf = (policy) => reports.filter((report) => report.policy === policy);
  const lostUnder = (policy) =>
    rowsOf(policy).flatMap((row) => row.editsLost.map((edit) => `${row.file} ${edit}`));
  const newest = lostUnder(NEWEST);
  return policies.map((policy) => {
    const rows = rowsOf(policy);
    const lost = lostUnder(policy);
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
      onlyHere: newest.filter((edit) => !lost.includes(edit)).length,
      onlyNewest: lost.filter((edit) => !newest.includes(edit)).length,
      rules: share((row) => row.rulesKept),
      rewrites: ['expired', 'pass', 'changed'].map((cause) =>
        sum((row) => row.cacheRewrites[cause]?.requests ?? 0),
      ),
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
  sets.flatMap((set) => windowsOf(kind).map((window) => measured(kind, set, window))),
);
const isSame = (one) => (other) =>
  ['kind', 'set', 'window'].every((key) => one[key] === other[key]);
const columns = Object.keys(WINDOWS).flatMap((kind) =>
  Object.keys(SETS).flatMap((set) =>
    WINDOWS[kind].flatMap((window) => {
      const is = isSame({ kind, set, window });
      return found.find(is) ?? former.columns.find(is) ?? [];
    }),
  ),
);
store({ ...former, columns });
writePage('measured', tablesOf(columns));

function store(measured) {
  writeFileSync(stored, `${JSON.stringify(measured, undefined, 1)}\n`);
}

/** Replaces what the page has between two marks. */
function writePage(mark, tables) {
  const [BEGIN, END] = [`<!-- ${mark}: begin -->`, `<!-- ${mark}: end -->`];
  const readme = join(root, 'src/replay/README.md');
  const text = readFileSync(readme, 'utf8');
  const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]];
  if (after === undefined) throw new Error(`${readme} lacks the line ${END}.`);
  writeFileSync(readme, `${before}${BEGIN}\n\n${tables}\n\n${END}${after}`);
}
