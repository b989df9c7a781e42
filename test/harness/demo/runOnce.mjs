import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { performTurn, suggestedPrompt } from '../driver/agentDriver.mjs';
import {
  findWebview,
  openActivity,
  runCommandViaPalette,
  whenWorkbenchReady,
} from '../driver/workbenchPage.mjs';
import { calmSettings } from '../editorHost/editorSettings.mjs';
import { installEditorHost } from '../editorHost/installEditorHost.mjs';
import { launchBrowser } from '../editorHost/launchBrowser.mjs';
import { serveEditor } from '../editorHost/serveEditor.mjs';
import { inRepository, repository } from '../paths.mjs';
import { sampleWorkspace } from '../sampleWorkspace.mjs';
import { demoReport, wrongRequests } from './demoReport.mjs';
import { everydayReport } from './everydayReport.mjs';
import {
  everydaySettings,
  goBackWithFiles,
  keepAndUndoInFile,
  performEveryday,
  prepareProject,
} from './everydayTask.mjs';

/** The prompts that the demo knows. */
const ALL_TURNS = 3;

/** The picture of the map while the window has excerpts. */
const VIEW_PICTURE = 'context-panel-files.png';

/** The step of the everyday task that makes the first edit. */
const FIRST_EDIT = 4;

/** The tasks that run without a user, by name; the first is the default. */
const TASKS = {
  repair: { perform },
  everyday: { perform: everyday, settings: everydaySettings, prepare: prepareProject },
};

/** Returns the task with this name; throws with all names if there is none. */
export function taskNamed(name = 'repair') {
  if (!Object.hasOwn(TASKS, name)) {
    const names = Object.keys(TASKS).join(', ');
    throw new Error(`--task takes one of these names: ${names}. There is no "${name}".`);
  }
  return TASKS[name];
}

/**
 * Performs a task of the demo end to end in a real editor without a user, typing and approving
 * through the interface; leaves pictures, log, requests and report in out/demo.
 *
 * `outFolder` replaces out/demo. `task` names the task; the default repairs the sample. `turns` is
 * the number of prompts to send; the first is the sample task. `beforehand` gets the editor when the panel is
 * first open, `afterwards` gets it when the demo is done.
 */
export async function runOnce({
  say,
  task,
  turns = ALL_TURNS,
  outFolder = inRepository('out', 'demo'),
  beforehand,
  afterwards,
}) {
  const { perform: performTask, settings, prepare } = taskNamed(task);
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('--once needs the embedded editor, which runs on Linux x64 only.');
  }
  const host = await installEditorHost(say);
  const out = (name) => join(outFolder, name);
  rmSync(outFolder, { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  const workspace = sampleWorkspace();
  try {
    prepare?.(workspace.path);
    const editor = await openEditor({
      host,
      plimsoll: { extensions: [repository] },
      workspace: workspace.path,
      settings,
      isWatched: true,
      env: { PLIMSOLL_REQUESTS_FILE: out('requests.jsonl') },
    });
    try {
      const folder = workspace.path;
      await performTask(editor, { say, out, turns, beforehand, workspace: folder });
      await afterwards?.({ page: editor.page, workspace: workspace.path });
    } catch (error) {
      await editor.page.screenshot({ path: out('failed.png') });
      throw error;
    } finally {
      await editor.close();
    }
    say(`Everything is in ${outFolder}`);
  } finally {
    workspace.remove();
  }
}

/** The window of an unwatched run, in CSS pixels. */
const SMALL = { width: 1024, height: 700 };

/**
 * Opens VS Code with Plimsoll on a workspace in a headless page of 1600 x 1000, or in a small one
 * for an unwatched run.
 *
 * Notifications and dialogs show as they do for a person. The real API is out of reach: the key is
 * not passed on.
 */
export async function openEditor({ host, plimsoll, workspace, settings, isWatched, env }) {
  const editor = await serveEditor({
    host,
    ...plimsoll,
    settings: { ...settings, ...(isWatched ? {} : calmSettings) },
    env: { ANTHROPIC_API_KEY: undefined, ...env },
  });
  try {
    const browser = await launchBrowser({
      host,
      ...(isWatched ? {} : { size: SMALL, isCalm: true }),
    });
    const close = async () => {
      await browser.close();
      await editor.close();
    };
    const { page } = browser;
    await page.goto(editor.address(workspace));
    await whenWorkbenchReady(page);
    return { page, userDataFolder: editor.userDataFolder, close };
  } catch (error) {
    await editor.close();
    throw error;
  }
}

async function perform({ page, userDataFolder }, { say, out, turns, beforehand }) {
  await openActivity(page, 'Plimsoll');
  const agent = await findWebview(page, 'Agent');
  await runCommandViaPalette(page, 'Plimsoll: Open the Context Panel');
  const panel = await findWebview(page, 'Context');
  await panel.getByTestId('intro').waitFor();
  await beforehand?.({ page });
  await panel.getByTestId('dismiss-intro').click();

  let view;
  for (let turn = 1; turn <= turns; turn++) {
    const prompt = await suggestedPrompt(agent);
    say(`Turn ${turn} of ${turns}: ${prompt}`);
    const approvals = await performTurn(agent, prompt, {
      answer: async ({ kind }) => {
        if (kind === 'edit' && !existsSync(out('agent.png')))
          await pictureOfApproval(page, agent, out('agent.png'));
        return true;
      },
    });
    say(`  done, ${approvals.length} approved`);
    if (view !== undefined) continue;
    // A later pass removes the excerpts, so this picture is not one of the end.
    const files = await pictureOfView(page, out(VIEW_PICTURE));
    if (files !== undefined) view = `the map after turn ${turn} of ${turns}, with ${files}`;
  }

  await showPanel(page);
  await takePanelPicture(page, out('context-panel.png'));
  await runCommandViaPalette(page, 'Preferences: Toggle between Light/Dark Themes');
  await takePanelPicture(page, out('context-panel-light.png'));

  copyFileSync(newestLog(userDataFolder), out('session.jsonl'));
  const events = readLines(out('session.jsonl'));
  const requests = readLines(out('requests.jsonl'));
  const report = demoReport(events, requests);
  writeFileSync(out('report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  const wrong = wrongRequests(events, requests);
  if (view === undefined) {
    wrong.push(`No turn ended with files in work in the window: there is no ${VIEW_PICTURE}.`);
  }
  if (!existsSync(out('agent.png'))) wrong.push('No edit was asked for: there is no agent.png.');
  if (report.outcomes.some((outcome) => outcome !== 'finished')) {
    wrong.push(`Not every turn finished: ${report.outcomes.join(', ')}.`);
  }
  if (report.passes.length < 2) wrong.push(`Only ${report.passes.length} passes ran.`);
  if (wrong.length > 0) throw new Error(`The demo went wrong:\n${wrong.join('\n')}`);
  say(`${report.turns} turns, ${report.steps} steps, ${report.requests} requests, passes:`);
  for (const { number, before, certifiedAfter, did } of report.passes) {
    say(
      `  ${number}: ${before.tokens} -> ${certifiedAfter} tokens (${Object.keys(did).join(', ')})`,
    );
  }
  say('Pictures:');
  say('  agent.png  an edit that waits for its answer, with its diff');
  say(`  ${VIEW_PICTURE}  ${view}`);
  say(`  context-panel.png, context-panel-light.png  the panel after turn ${turns} of ${turns}`);
}

/** Performs the everyday task, goes back to before its first edit, and reports every part. */
async function everyday({ page, userDataFolder }, { say, out, workspace }) {
  await openActivity(page, 'Plimsoll');
  const agent = await findWebview(page, 'Agent');
  const picture = async (name) => {
    await page.waitForTimeout(700);
    await page.screenshot({ path: out(`everyday-${name}.png`) });
  };
  await performEveryday({ page, agent, workspace, say, picture });
  await keepAndUndoInFile({ page, workspace, say, picture });
  const log = newestLog(userDataFolder);
  copyFileSync(log, out('session.jsonl'));
  const events = readLines(out('session.jsonl'));
  await goBackWithFiles({ page, agent, workspace, step: FIRST_EDIT, picture });
  say(`  gone back to before step ${FIRST_EDIT}: the files are as before`);

  copyFileSync(newestLog(userDataFolder), out('session-gone-back.jsonl'));
  const requests = readLines(out('requests.jsonl'));
  const later = [
    ...readLines(log).slice(events.length),
    ...readLines(out('session-gone-back.jsonl')),
  ];
  const report = everydayReport({ events, later, requests });
  writeFileSync(out('report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  const wrong = report.parts
    .filter(({ isSo }) => !isSo)
    .map(({ what, found }) => `${what}: ${found}`);
  if (wrong.length > 0) throw new Error(`The everyday task went wrong:\n${wrong.join('\n')}`);
  const { turns, steps } = demoReport(events, requests);
  say(`${turns} turns, ${steps} steps, ${requests.length} requests. What the task shows:`);
  for (const { what, found } of report.parts) say(`  ${what}: ${found}`);
}

/** Takes the picture of an edit that waits for approval, with its diff open. */
async function pictureOfApproval(page, agent, file) {
  await page
    .locator('.diff-editor .view-line, .monaco-diff-editor .view-line')
    .first()
    .waitFor({ timeout: 60_000 });
  await page.waitForTimeout(700);
  await page.screenshot({ path: file });
  if ((await agent.getByTestId('approval').count()) === 0)
    throw new Error('The edit no longer waited for its answer when its picture was taken.');
}

async function showPanel(page) {
  await runCommandViaPalette(page, 'View: Close All Editors');
  await runCommandViaPalette(page, 'Plimsoll: Open the Context Panel');
}

/**
 * Takes the picture of the map with the excerpts if the window has any; returns what it
 * says about them, otherwise undefined.
 */
async function pictureOfView(page, file) {
  await showPanel(page);
  await takePanelPicture(page, file);
  const panel = await findWebview(page, 'Context');
  const excerpts = panel.locator('[data-testid="bar-segment"][data-category="excerpts"]');
  const isThere = (await excerpts.count()) > 0;
  if (!isThere) rmSync(file);
  return isThere ? `excerpts of ${await excerpts.getAttribute('data-tokens')} tokens` : undefined;
}

async function takePanelPicture(page, file) {
  const panel = await findWebview(page, 'Context');
  await panel.getByTestId('pass-card').first().waitFor({ timeout: 60_000 });
  await page.waitForTimeout(700);
  await page.screenshot({ path: file });
}

/** The newest session log below the editor's data. */
function newestLog(folder) {
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /sessions[\\/][^\\/]+\.jsonl$/.test(name))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (logs[0] === undefined) throw new Error(`No session log below ${folder}.`);
  return logs[0];
}

function readLines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
