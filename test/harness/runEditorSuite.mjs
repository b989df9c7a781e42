import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { desktopEditor, desktopProfile } from './editorHost/desktopEditor.mjs';
import { hostileSettings, suiteSettings } from './editorHost/editorSettings.mjs';
import { freePort } from './editorHost/freePort.mjs';
import { installEditorHost } from './editorHost/installEditorHost.mjs';
import { inRepository, repository } from './paths.mjs';
import { scratchFolder } from './processes/leavings.mjs';
import { sampleWorkspace } from './sampleWorkspace.mjs';

/** More steps than this that need a second try are no hitch of a busy machine. */
const MOST_RETRIED = 2;

/**
 * Runs the editor suite in a real VS Code through @vscode/test-electron and returns its counts.
 *
 * A run that ends without counts, or with an error although every test passed, counts as one
 * failure, and so do steps that passed only at their second try if there are several.
 */
export async function runEditorSuite({ editor, say }) {
  const scratch = scratchFolder('result');
  const workspace = sampleWorkspace();
  addSettings(join(workspace.path, '.vscode', 'settings.json'), hostileSettings);
  const resultFile = join(scratch.path, 'result.json');
  const extensionTestsEnv = {
    PLIMSOLL_RESULT: resultFile,
    PLIMSOLL_REQUESTS_FILE: join(scratch.path, 'requests.jsonl'),
    // The suite gets no key except those it sets itself.
    ANTHROPIC_API_KEY: '',
    PLIMSOLL_COLOR: process.stdout.isTTY ? '1' : '',
  };
  try {
    const host = editor === 'embedded' ? await embedded(say) : await desktop(extensionTestsEnv);
    const { runTests } = await import('@vscode/test-electron');
    let failure;
    await runTests({
      vscodeExecutablePath: host.executable,
      // A third-party extension with tools is installed next to Plimsoll.
      extensionDevelopmentPath: [repository, inRepository('test', 'vscode', 'toolProvider')],
      extensionTestsPath: inRepository('dist', 'test', 'editor.js'),
      launchArgs: [workspace.path, ...host.args],
      extensionTestsEnv,
    }).catch((error) => (failure = error));
    const counts = existsSync(resultFile)
      ? JSON.parse(readFileSync(resultFile, 'utf8'))
      : { passed: 0, failed: 0, skipped: 0, failures: [] };
    if (failure && counts.failed === 0) {
      say(`The editor suite ended badly: ${failure.message}`);
      counts.failed = 1;
      counts.failures.push({ title: 'The editor suite ended badly', message: failure.message });
    }
    const { retried = [] } = counts;
    const title = `${retried.length} steps of the editor suite failed at their first try`;
    if (retried.length > 0) say(`${title}: ${retried.join('; ')}`);
    if (retried.length > MOST_RETRIED && counts.failed === 0) {
      counts.failed = 1;
      counts.failures.push({ title, message: retried.join('\n') });
    }
    return counts;
  } finally {
    workspace.remove();
    scratch.remove();
  }
}

function addSettings(file, settings) {
  const before = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...before, ...settings }, null, 2));
}

async function embedded(say) {
  await installEditorHost(say);
  return {
    executable: inRepository('test', 'harness', 'editorHost', 'launchEditor.mjs'),
    args: [],
  };
}

async function desktop(extensionTestsEnv) {
  const port = await freePort();
  extensionTestsEnv.PLIMSOLL_CDP = `http://127.0.0.1:${port}`;
  return {
    executable: await desktopEditor(),
    args: [`--remote-debugging-port=${port}`, ...desktopProfile(suiteSettings).args],
  };
}
