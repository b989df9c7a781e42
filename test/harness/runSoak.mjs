// `npm run test:soak [-- --unit | --editor]`: long random tests: 10,000 random sessions, 200 kills,
// 1,000 damaged logs, and every test that calls `runs`, with its larger number. Then the editor suite
// with the steps that `npm test` leaves out.
import './requireNode.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { inRepository } from './paths.mjs';
import { ensureDependencies } from './prepareClone.mjs';
import { runCommand } from './processes/runCommand.mjs';

const [withoutUnits, withoutEditor] = ['--editor', '--unit'].map((option) =>
  process.argv.includes(option),
);
const env = { ...process.env, PLIMSOLL_SOAK: '1', VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' };

const callsRuns = (name) =>
  /\.test\.tsx?$/.test(name) &&
  readFileSync(inRepository('test', name), 'utf8').includes("/runs';");

function randomTests() {
  const files = readdirSync(inRepository('test'), { recursive: true })
    .filter((name) => name.endsWith('.soak.ts') || callsRuns(name))
    .filter((name) => !name.startsWith('vscode'))
    .sort();
  return node(
    inRepository('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config=test/vitest.config.ts',
    '--reporter=verbose',
    ...files.map((name) => `test/${name.replaceAll('\\', '/')}`),
  );
}

const node = async (...args) => (await runCommand(process.execPath, args, { env })).code;

await ensureDependencies(console.log);
const codes = [
  withoutUnits ? 0 : await randomTests(),
  withoutEditor ? 0 : await node(inRepository('test', 'harness', 'runTests.mjs'), '--editor'),
];
process.exit(codes.find((code) => code !== 0) ?? 0);
