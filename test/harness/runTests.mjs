// `npm test [-- --unit | --editor] [-- --desktop]`: prepares what the tests need, then runs all of
// them, or only those without or with an editor; the last line has the counts.
import './requireNode.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseEditor } from './editorHost/desktopEditor.mjs';
import { installEditorHost } from './editorHost/installEditorHost.mjs';
import { failuresIn, failureText } from './failures.mjs';
import { inRepository } from './paths.mjs';
import { build, ensureDependencies } from './prepareClone.mjs';
import { scratchFolder } from './processes/leavings.mjs';
import { runCommand } from './processes/runCommand.mjs';
import { runEditorSuite } from './runEditorSuite.mjs';

const started = Date.now();
const say = (line) => console.log(`[${Math.round((Date.now() - started) / 1000)} s] ${line}`);
const total = { passed: 0, failed: 0, skipped: 0 };
/**
 * The failures, as `{ title, message }`, repeated at the end: some readers see only the end of a
 * log.
 */
const failures = [];

function add(counts) {
  for (const name of Object.keys(total)) total[name] += counts[name];
  failures.push(...counts.failures);
}

function addFailure(title, message = '') {
  total.failed++;
  failures.push({ title, message });
}

/**
 * Lowers the priority of the other tests while the editor suite runs: it takes its steps in
 * sequence, and costs processor time for each second that it lasts. The others go on at full speed
 * after its end; a lower priority than this would let some of them miss their time limits.
 */
const NICENESS = 5;

/** Files that skip what needs node:sqlite where the Node of `npm test` has none. */
const DATABASE_TESTS = ['databaseAgents'];

// No test may reach a paid API, whatever the developer's environment contains.
delete process.env.ANTHROPIC_API_KEY;

async function runTests(argv) {
  const editor = chooseEditor(argv);
  const [withoutUnits, withoutEditor] = [argv.includes('--editor'), argv.includes('--unit')];
  await ensureDependencies(say);
  const needsHost = !withoutEditor && editor === 'embedded';
  // It runs next to the unit tests, and may fail before the await.
  const host = needsHost ? installEditorHost(say) : undefined;
  host?.catch(() => undefined);
  const [isBuilt] = await Promise.all([
    withoutEditor ? false : buildAll(),
    withoutUnits ? undefined : checkTypes(),
  ]);
  // The unit tests take what the editor leaves of the processor, and their output is kept until it
  // has ended. A browser would take too much of it, so it comes after the editor.
  const held = heldOutput();
  const editorSuite = (isBuilt ? runEditor(editor, host) : Promise.resolve()).finally(held.release);
  const inBrowser = () => runInBrowser(isBuilt ? host : undefined);
  const others = withoutUnits
    ? []
    : [runUnits(held.write, isBuilt), editorSuite.then(inBrowser, inBrowser)];
  const ended = await Promise.allSettled([editorSuite, ...others]);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

async function runEditor(editor, host) {
  await host;
  say(`Running the editor suite (${editor} VS Code)...`);
  add(await runEditorSuite({ editor, say }));
}

async function runUnits(onOutput, isBuilt) {
  say('Running unit and webview tests...');
  const env = isBuilt ? { PLIMSOLL_BUILT: inRepository('dist') } : {};
  add(await runVitest({ projects: ['unit', 'webview'], onOutput, env }));
}

/**
 * Runs the browser tests if `host` has a browser, and with them the tests of databases by the
 * editor's Node where that of `npm test` has no node:sqlite.
 */
async function runInBrowser(host) {
  if (!host) {
    say('The tests in a browser are left out: they need the embedded editor and what it shows.');
    return;
  }
  const editorHost = await host;
  const hasDatabases = process.getBuiltinModule?.('node:sqlite') !== undefined;
  say('Running the tests in a browser...');
  // The output of the unit tests may come at the same time.
  const held = heldOutput();
  try {
    add(
      await runVitest({
        projects: hasDatabases ? ['browser'] : ['browser', 'unit'],
        options: ['.browser.ts', ...(hasDatabases ? [] : DATABASE_TESTS)],
        onOutput: held.write,
        env: { PLIMSOLL_BROWSER: '1' },
        node: hasDatabases ? process.execPath : editorHost.node,
      }),
    );
  } finally {
    held.release();
  }
}

/** Buffers output until it is released; after that, output is written immediately. */
function heldOutput() {
  let kept = [];
  return {
    write: (text) => (kept ? kept.push(text) : process.stdout.write(text)),
    release: (write = (text) => process.stdout.write(text)) => {
      for (const text of kept ?? []) write(text);
      kept = undefined;
    },
  };
}

/** Builds the editor's bundles and its suite; if that fails, the other tests continue. */
async function buildAll() {
  try {
    await build(say, { tests: true });
    return true;
  } catch (error) {
    console.error(error.message);
    addFailure('The build failed.');
    return false;
  }
}

async function checkTypes() {
  say('Checking types...');
  const tsc = inRepository('node_modules', 'typescript', 'bin', 'tsc');
  const { code } = await runCommand(process.execPath, [tsc, '--noEmit']);
  if (code !== 0) addFailure('The types do not fit.');
}

/**
 * Runs projects of test/vitest.config.ts and returns their counts.
 *
 * A file that could not be loaded, and an error outside any test, count as failures.
 */
async function runVitest({ projects, options = [], onOutput, env = {}, node = process.execPath }) {
  const scratch = scratchFolder('vitest');
  const resultFile = join(scratch.path, 'result.json');
  const args = [
    inRepository('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config=test/vitest.config.ts',
    '--passWithNoTests',
    ...options,
    ...projects.map((name) => `--project=${name}`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultFile}`,
  ];
  const { code } = await runCommand(node, args, {
    // Vite warns that a TypeScript config file will one day need "type": "module"; the extension is
    // CommonJS.
    env: { ...process.env, VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true', ...env },
    onOutput,
    niceness: NICENESS,
  });
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  if (existsSync(resultFile)) {
    const result = JSON.parse(readFileSync(resultFile, 'utf8'));
    const broken = result.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    counts.passed = result.numPassedTests;
    counts.failed = result.numFailedTests + broken.length;
    counts.skipped = result.numPendingTests + result.numTodoTests;
    counts.failures = failuresIn(result.testResults);
  }
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1;
    const title = `vitest ended with ${code} although no test of ${projects} failed, see above.`;
    counts.failures.push({ title, message: '' });
  }
  scratch.remove();
  return counts;
}

try {
  await runTests(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  addFailure('The tests could not be run to their end.', error.message);
}
if (total.passed + total.failed === 0) {
  console.error('No test ran.');
  addFailure('No test ran.');
}
say(total.skipped > 0 ? `Done; ${total.skipped} skipped, see above.` : 'Done.');
if (failures.length > 0) console.log(`\nFailed:\n${failures.map(failureText).join('\n')}\n`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
