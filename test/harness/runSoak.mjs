// `npm run test:soak`: long random tests: 10,000 random sessions, 200 kills, 1,000 damaged logs, and
// every test that calls `runs`, with its larger number.
import './requireNode.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { inRepository } from './paths.mjs';
import { ensureDependencies } from './prepareClone.mjs';
import { runCommand } from './processes/runCommand.mjs';

const callsRuns = (name) =>
  /\.test\.tsx?$/.test(name) &&
  readFileSync(inRepository('test', name), 'utf8').includes("/runs';");
const files = readdirSync(inRepository('test'), { recursive: true })
  .filter((name) => name.endsWith('.soak.ts') || callsRuns(name))
  .sort();

await ensureDependencies(console.log);
const { code } = await runCommand(
  process.execPath,
  [
    inRepository('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config=test/vitest.config.ts',
    '--reporter=verbose',
    ...files.map((name) => `test/${name.replaceAll('\\', '/')}`),
  ],
  { env: { ...process.env, PLIMSOLL_SOAK: '1', VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' } },
);
process.exit(code);
