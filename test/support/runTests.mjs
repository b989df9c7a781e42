// `npm test [-- --unit] [-- --desktop]`: everything the tests need, then all of them; the last line holds the counts.
import './requireNode.mjs';
import { chooseEditor } from './chooseEditor.mjs';
import { installEditorHost } from './editorHost/installEditorHost.mjs';
import { inRepository } from './paths.mjs';
import { build, ensureDependencies } from './prepareClone.mjs';
import { runCommand } from './runCommand.mjs';
import { runEditorSuite } from './runEditorSuite.mjs';
import { runUnitTests } from './runUnitTests.mjs';

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
