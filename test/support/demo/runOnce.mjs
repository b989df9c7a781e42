import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { findWebview, openActivity, runCommandViaPalette } from '../workbenchPage.mjs';
import { performTurn, suggestedPrompt } from './agentDriver.mjs';
import { demoReport, wrongRequests } from './demoReport.mjs';

const TURNS = 3;

/**
 * Performs the sample task end to end in a real editor, typing and approving through the
 * interface, and leaves pictures, log, requests and report in `outFolder`. `beforehand` is given the
 * editor once the panel is open for the first time, `afterwards` before it closes.
 */
export async function runOnce({ say, outFolder, openEditor, beforehand, afterwards }) {
  const out = (name) => join(outFolder, name);
  const editor = await openEditor({
    env: { PLIMSOLL_REQUESTS_FILE: out('requests.jsonl') },
  });
  try {
    await perform(editor, say, out, beforehand);
    await afterwards(editor);
  } catch (error) {
    await editor.page.screenshot({ path: out('failed.png') });
    throw error;
  }
  say(`Everything is in ${outFolder}`);
}

async function perform({ page, userDataFolder }, say, out, beforehand) {
  await openActivity(page, 'Plimsoll');
  const agent = await findWebview(page, 'Agent');
  await runCommandViaPalette(page, 'Plimsoll: Open the Context Panel');
  const panel = await findWebview(page, 'Context');
  await panel.getByTestId('intro').waitFor();
  await beforehand({ page });
  await panel.getByTestId('dismiss-intro').click();

  for (let turn = 1; turn <= TURNS; turn++) {
    const prompt = await suggestedPrompt(agent);
    say(`Turn ${turn} of ${TURNS}: ${prompt}`);
    const approvals = await performTurn(agent, prompt, {
      answer: async ({ kind }) => {
        if (kind === 'edit' && !existsSync(out('agent.png')))
          await pictureOfApproval(page, agent, out('agent.png'));
        return true;
      },
    });
    say(`  done, ${approvals.length} approved`);
  }

  await runCommandViaPalette(page, 'View: Close All Editors');
  await runCommandViaPalette(page, 'Plimsoll: Open the Context Panel');
  await takePanelPicture(page, out('context-panel.png'));
  await runCommandViaPalette(page, 'Preferences: Toggle between Light/Dark Themes');
  await takePanelPicture(page, out('context-panel-light.png'));

  copyFileSync(newestLog(userDataFolder), out('session.jsonl'));
  const events = readLines(out('session.jsonl'));
  const requests = readLines(out('requests.jsonl'));
  const report = demoReport(events, requests);
  writeFileSync(out('report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  const wrong = wrongRequests(events, requests);
  if (!existsSync(out('agent.png'))) wrong.push('No edit was asked for: there is no agent.png.');
  if (report.outcomes.some((outcome) => outcome !== 'finished')) {
    wrong.push(`Not every turn finished: ${report.outcomes.join(', ')}.`);
  }
  if (report.passes.length < 2) wrong.push(`Only ${report.passes.length} passes ran.`);
  if (wrong.length > 0) throw new Error(`The demo went wrong:\n${wrong.join('\n')}`);
  say(`${report.turns} turns, ${report.steps} steps, ${report.requests} requests, passes:`);
  for (const { number, before, certifiedAfter, rungs } of report.passes) {
    say(
      `  ${number}: ${before.tokens} -> ${certifiedAfter} tokens (${rungs.map(({ rung }) => rung).join(', ')})`,
    );
  }
}

/** Takes the picture of an edit that waits for its answer, with its diff open. */
async function pictureOfApproval(page, agent, file) {
  await page
    .locator('.diff-editor .view-line, .monaco-diff-editor .view-line')
    .first()
    .waitFor({ timeout: 10_000 });
  await page.waitForTimeout(700);
  await page.screenshot({ path: file });
  if ((await agent.getByTestId('approval').count()) === 0)
    throw new Error('The edit no longer waited for its answer when its picture was taken.');
}

async function takePanelPicture(page, file) {
  const panel = await findWebview(page, 'Context');
  await panel.getByTestId('pass-card').first().waitFor({ timeout: 20_000 });
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
