#!/usr/bin/env node
// Stands in for the `code` executable that @vscode/test-electron spawns: it understands --extensionDevelopmentPath,
// --extensionTestsPath and a workspace, ignores every other option, and runs all of it on the embedded editor.
import '../requireNode.mjs';
import { suiteSettings } from './editorSettings.mjs';
import { freePort } from './freePort.mjs';
import { installEditorHost } from './installEditorHost.mjs';
import { launchBrowser } from './launchBrowser.mjs';
import { serveEditor } from './serveEditor.mjs';

/** Longest time for a whole suite, in ms: a busy machine is not a failure. */
const patience = Number(process.env.PLIMSOLL_EDITOR_TIMEOUT ?? 2_400_000);

/**
 * The prefix of every line that mocha prints; the workbench sends its own log the same way, shown
 * with PLIMSOLL_VERBOSE=1.
 */
const outputMark = '[suite]';

const options = new Map();
/** This editor accepts one extension in development; the others are installed by link. */
const developed = [];
let workspace = process.cwd();
for (const argument of process.argv.slice(2)) {
  const option = /^--([^=]+)(?:=(.*))?$/s.exec(argument);
  if (option?.[1] === 'extensionDevelopmentPath') developed.push(option[2] ?? '');
  if (option) options.set(option[1], option[2] ?? '');
  else workspace = argument;
}

async function launchEditor() {
  const host = await installEditorHost(console.error);
  const debuggingPort = await freePort();
  const browser = await launchBrowser({
    host,
    debuggingPort,
    // The window of a small laptop, which also takes a third less of the processor to draw.
    size: { width: 1280, height: 800 },
    isCalm: true,
    isOneProcess: true,
  });
  const editor = await serveEditor({
    host,
    testable: true,
    settings: suiteSettings,
    extensions: developed.slice(1),
    env: {
      PLIMSOLL_CDP: `http://127.0.0.1:${debuggingPort}`,
      PLIMSOLL_OUTPUT_MARK: outputMark,
    },
    logFile: process.env.PLIMSOLL_EDITOR_LOG,
  });
  try {
    const { page } = browser;
    await page.exposeFunction('codeAutomationLog', printSuiteOutput);
    const exitCode = new Promise(
      (resolve) => void page.exposeFunction('codeAutomationExit', resolve),
    );
    const mishap = new Promise((_, reject) => {
      void editor.exited.then((code) =>
        reject(new Error(`The VS Code server ended early (${code}).`)),
      );
      page.once('crash', () => reject(new Error('The browser page crashed.')));
      setTimeout(
        () => reject(new Error(`The suite did not end within ${patience / 1000} s.`)),
        patience,
      ).unref();
    });
    const payload = {};
    const paths = {
      extensionDevelopmentPath: developed[0],
      extensionTestsPath: options.get('extensionTestsPath'),
    };
    for (const [name, path] of Object.entries(paths)) {
      if (path !== undefined) payload[name] = editor.remoteUri(path);
    }
    await page.goto(editor.address(workspace, payload));
    return await Promise.race([exitCode, mishap]);
  } finally {
    await browser.close();
    await editor.close();
  }
}

function printSuiteOutput(_level, [first, ...rest]) {
  if (typeof first === 'string' && first.startsWith(outputMark))
    console.log(first.slice(outputMark.length));
  else if (process.env.PLIMSOLL_VERBOSE) console.error(first, ...rest);
}

try {
  process.exit(await launchEditor());
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
