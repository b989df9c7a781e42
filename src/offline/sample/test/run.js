/**
 * Runs the suites of this folder: `node test/run.js [--only a,b] [--quiet]`.
 *
 * Prints no times and no colours, so that two runs of the same code print the same. Exit code 1 when a check failed.
 */
import { readdirSync } from 'node:fs';
import { indent, outcome, setQuiet } from './harness.js';

const NOT_SUITES = ['run.js', 'harness.js'];

/** Reads the names after --only, or null when every suite is wanted. */
function wantedSuites(args) {
  const at = args.indexOf('--only');
  return at === -1 ? null : (args[at + 1] ?? '').split(',').filter((name) => name !== '');
}

const args = process.argv.slice(2);
const wanted = wantedSuites(args);
setQuiet(args.includes('--quiet'));

const files = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.js') && !NOT_SUITES.includes(file))
  .sort()
  .filter((file) => wanted === null || wanted.includes(file.slice(0, -3)));

for (const file of files) await import(new URL(file, import.meta.url));

if (outcome.failures.length > 0) {
  console.log('\nfailures');
  outcome.failures.forEach(({ suite, name, message }, i) => {
    console.log(`  ${i + 1}) ${suite}: ${name}`);
    console.log(indent(message, '     '));
  });
}
console.log(`\n${outcome.passed} passed, ${outcome.failures.length} failed`);
process.exitCode = outcome.failures.length === 0 ? 0 : 1;
