import { writeFile } from 'node:fs/promises';
import { format } from 'node:util';
import Mocha from 'mocha';
import { leaveEditorWindow } from './support/editorWindow';

/** The counts that the runner reads; the same shape as in test/harness/runEditorSuite.mjs. */
interface SuiteResult {
  passed: number;
  failed: number;
  skipped: number;
  failures: { title: string; message: string }[];
  /** The steps that failed at their first try. */
  retried: string[];
}

/**
 * Runs the editor suite inside the extension host and rejects when a test failed.
 *
 * `loadTests` evaluates the test files; the build generates it and exports the `run` that VS Code
 * calls. PLIMSOLL_GREP narrows the run to matching titles, PLIMSOLL_RESULT names the file for the
 * counts. PLIMSOLL_VERBOSE=1 shows what the tests themselves print.
 */
export async function runSuite(loadTests: () => void): Promise<void> {
  markOutput(process.env.PLIMSOLL_OUTPUT_MARK);
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 120_000,
    // Browser, workbench and extension share two cores: a rare hitch is reported, but no failure.
    retries: 1,
    color: process.env.PLIMSOLL_COLOR === '1',
  });
  const grep = process.env.PLIMSOLL_GREP;
  if (grep) mocha.grep(new RegExp(grep));
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  loadTests();

  const firstErrors = new Map<string, string>();
  const result: SuiteResult = { passed: 0, failed: 0, skipped: 0, failures: [], retried: [] };
  await new Promise<void>((resolve) => {
    mocha
      .run(() => resolve())
      .on('pass', () => result.passed++)
      .on('retry', (test, error: Error) => {
        const title = test.fullTitle();
        result.retried.push(title);
        firstErrors.set(title, error.stack ?? error.message);
        Mocha.reporters.Base.consoleLog(`Tried again: ${title}\n${error.stack}`);
      })
      .on('fail', (test, error: Error) => {
        result.failed++;
        const title = test.fullTitle();
        const first = firstErrors.get(title);
        const tries = first === undefined ? [] : [`At the first try: ${first}`];
        const message = [error.stack ?? error.message, ...tries].join('\n');
        result.failures.push({ title: `editor > ${title}`, message });
      })
      .on('pending', () => result.skipped++);
  });
  await leaveEditorWindow();
  if (process.env.PLIMSOLL_RESULT)
    await writeFile(process.env.PLIMSOLL_RESULT, JSON.stringify(result));
  if (result.failed > 0) throw new Error(`${result.failed} of the editor tests failed.`);
}

/** Marks mocha's output, so that the launcher can separate it from the workbench's log. */
function markOutput(mark: string | undefined): void {
  if (!mark) return;
  Mocha.reporters.Base.consoleLog = (...parts: unknown[]) =>
    console.log(`${mark}${format(...parts)}`);
}
