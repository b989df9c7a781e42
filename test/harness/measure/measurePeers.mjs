import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { cacheFolder, inRepository } from '../paths.mjs';
import { runNpm } from '../processes/runCommand.mjs';
import { LIBRARIES, plainMessages, tokensOf } from './libraryPeers.mjs';

/** Each fits this recording into this budget; tokens are characters / 4 of the JSON. */
const RECORDING = 'claude-code/entireio-cli/sonnet45-983msg-c1.jsonl';
const BUDGET = 50_000;

/** The median of this many runs is the time; one run is enough for a slow library. */
const RUNS = 5;
const SLOW_MS = 5_000;

/** Fits one recording into a budget with Plimsoll and with each library that can be installed. */
export async function measurePeers(say) {
  const plimsoll = await bundled(inRepository('test/harness/measure/plimsollPass.ts'));
  const transcript = plimsoll.readTranscript(inRepository('../shared/transcripts', RECORDING));
  const last = await plimsoll.lastRequestOf(transcript, BUDGET, false);
  const messages = plainMessages(last.request.messages);
  const task = messages[0].content.find(({ type }) => type === 'text').text;
  const rowOf = async ({ library, name, prepare, run, back, says }) => {
    say(`${library}: ${name}`);
    const { output, ms, runs } = await timed(prepare, run);
    const fitted = back(output);
    const refusal = plimsoll.refusalOf(last, fitted);
    return {
      library,
      name,
      ms,
      runs,
      messages: fitted.length,
      tokens: tokensOf(fitted),
      isTaskKept: hasText(fitted, task),
      ...(refusal === undefined ? {} : { refusal }),
      says: says?.(output) ?? 'nothing',
    };
  };
  const rows = [
    await rowOf({
      library: 'Plimsoll',
      name: 'ladder',
      // The label of the task is part of what Plimsoll sends.
      prepare: () => plimsoll.lastRequestOf(transcript, BUDGET, true),
      run: (request) => plimsoll.fitted(request, BUDGET),
      back: (output) => output.messages.map(({ role, content }) => ({ role, content })),
      says: ({ isExplained }) => (isExplained ? 'each block, and why' : undefined),
    }),
  ];
  for (const library of LIBRARIES) {
    const folder = await installed(library, say);
    if (folder === undefined) continue;
    const load = (name) =>
      import(pathToFileURL(createRequire(join(folder, 'of.mjs')).resolve(name)).href);
    for (const peer of await library.peersOf(load)) {
      if (!isDeepStrictEqual(peer.back(peer.convert(messages)), messages)) {
        throw new Error(`The messages for ${peer.name} are not the same when converted back.`);
      }
      rows.push(
        await rowOf({
          ...peer,
          prepare: () => peer.convert(messages),
          run: (converted) => peer.run(converted, BUDGET),
        }),
      );
    }
  }
  const size = { messages: messages.length, tokens: tokensOf(messages) };
  return { recording: RECORDING, budget: BUDGET, ...size, node: process.version, rows };
}

function hasText(messages, text) {
  return messages.some(({ content }) =>
    content.some((part) => part.type === 'text' && part.text.includes(text)),
  );
}

/** Each run begins with new objects, so that none profits from what another one kept. */
async function timed(prepare, run) {
  const times = [];
  let output;
  while (times.length < RUNS && !(times[0] > SLOW_MS)) {
    const input = await prepare();
    const began = performance.now();
    output = await run(input);
    times.push(performance.now() - began);
  }
  const ordered = times.toSorted((a, b) => a - b);
  const ms = Number(ordered[Math.floor(ordered.length / 2)].toFixed(1));
  return { output, ms, runs: times.length };
}

/** Installs the packages of a library outside the clone; undefined where that fails. */
async function installed({ folder, packages }, say) {
  const to = join(cacheFolder(), 'peers', folder);
  const named = Object.entries(packages);
  if (named.every(([name, version]) => versionIn(to, name) === version)) return to;
  say(`Installing ${folder} into ${to}...`);
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'package.json'), '{ "private": true }\n');
  const wanted = named.map(([name, version]) => `${name}@${version}`);
  const options = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code } = await runNpm(['install', ...options, ...wanted], { cwd: to });
  if (code === 0) return to;
  say(`${folder} could not be installed, see above: the table lacks it.`);
  return undefined;
}

function versionIn(folder, name) {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
      .version;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Imports a TypeScript module of the clone. */
export async function bundled(entry) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-peers-'));
  try {
    const outfile = join(folder, 'bundle.cjs');
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      logLevel: 'warning',
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      // The Node entry of some packages requires files at run time, which no bundle has.
      mainFields: ['module', 'main'],
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
