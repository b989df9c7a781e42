import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './leavings.mjs';
import { inRepository } from './paths.mjs';
import { runCommand } from './runCommand.mjs';

/**
 * Runs tests with vitest and returns their counts: the unit and webview tests, or with `browser` those
 * that load the built views into a real browser.
 *
 * A file that could not even be loaded, and an error outside any test, count as failures.
 */
export async function runUnitTests({ browser = false } = {}) {
  const scratch = scratchFolder('vitest');
  const resultFile = join(scratch.path, 'result.json');
  const args = [
    inRepository('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config=test/vitest.config.ts',
    ...(browser ? ['--project=browser'] : []),
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultFile}`,
  ];
  // Vite warns that a config file of TypeScript will one day need "type": "module"; the extension is CommonJS.
  const env = {
    ...process.env,
    VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true',
    ...(browser ? { PLIMSOLL_BROWSER: '1' } : {}),
  };
  const { code } = await runCommand(process.execPath, args, { env });
  const counts = { passed: 0, failed: 0, skipped: 0 };
  if (existsSync(resultFile)) {
    const result = JSON.parse(readFileSync(resultFile, 'utf8'));
    const broken = result.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    counts.passed = result.numPassedTests;
    counts.failed = result.numFailedTests + broken.length;
    counts.skipped = result.numPendingTests + result.numTodoTests;
  }
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  scratch.remove();
  return counts;
}
