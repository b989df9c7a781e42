// `npm test [-- --unit] [-- --desktop]`: everything the tests need, then all of them; the last line holds the counts.
import './requireNode.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseEditor } from './editorHost/desktopEditor.mjs';
import { installEditorHost } from './editorHost/installEditorHost.mjs';
import { inRepository } from './paths.mjs';
import { build, ensureDependencies } from './prepareClone.mjs';
import { scratchFolder } from './processes/leavings.mjs';
import { runCommand } from './processes/runCommand.mjs';
import { runEditorSuite } from './runEditorSuite.mjs';

const started = Date.now();
const say = (line) => console.log(`[${Math.round((Date.now() - started) / 1000)} s] ${line}`);
const total = { passed: 0, failed: 0, skipped: 0 };

function add(counts) {
  for (const name of Object.keys(total)) total[name] += counts[name];
}

// No test may reach a paid API, whatever the developer has in the environment.
delete process.env.ANTHROPIC_API_KEY;

async function runTests(argv) {
  await ensureDependencies(say);
  if (argv.includes('--editor')) {
    await build(say, { tests: true });
    add(await runEditorSuite({ editor: chooseEditor(argv), say }));
    return;
  }
  say('Checking types...');
  const tsc = await runCommand(process.execPath, [
    inRepository('node_modules', 'typescript', 'bin', 'tsc'),
    '--noEmit',
  ]);
  if (tsc.code !== 0) add({ passed: 0, failed: 1, skipped: 0 });
  say('Running unit and webview tests...');
  add(await runUnitTests());
  if (argv.includes('--unit')) return;
  await build(say, { tests: true });
  const editor = chooseEditor(argv);
  if (editor === 'embedded') {
    await installEditorHost(say);
    say('Running the panel in a browser...');
    add(await runUnitTests({ browser: true }));
  } else {
    say(
      'The tests of the panel in a browser are left out: they need the embedded editor’s browser.',
    );
  }
  say(`Running the editor suite (${editor} VS Code)...`);
  add(await runEditorSuite({ editor, say }));
}

/**
 * Runs tests with vitest and returns their counts: the unit and webview tests, or with `browser` those
 * that load the built views into a real browser.
 *
 * A file that could not even be loaded, and an error outside any test, count as failures.
 */
async function runUnitTests({ browser = false } = {}) {
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

try {
  await runTests(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  total.failed++;
}
if (total.passed + total.failed === 0) {
  console.error('No test ran.');
  total.failed = 1;
}
say(total.skipped > 0 ? `Done; ${total.skipped} skipped, see above.` : 'Done.');
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
