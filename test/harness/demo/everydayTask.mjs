import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performTurn } from '../driver/agentDriver.mjs';
import { openFile, runCommandViaPalette } from '../driver/workbenchPage.mjs';
import { inRepository } from '../paths.mjs';

/** The user's prompt, by which the offline model recognises the task. */
export const PROMPT =
  'Some agents now send weights in US short tons. Add the unit "ston", let the error for an unknown unit list the ' +
  'known ones, keep the manifest checks running while you work, and add checks for both.';

/** The mentioned file and the created one. */
const MENTIONED = 'src/units.js';
const MADE = 'test/units.js';

/** The rule that allows the checks from their first run on. */
const RULE = 'npm test *';

/** Longest time for one check of the driver, in ms. */
const PATIENCE = { timeout: 60_000 };

/** User settings of the task: the model shows its thinking. */
export const everydaySettings = { 'plimsoll.thinking.mode': 'adaptive' };

/**
 * Performs the everyday task: a mentioned file, a background command, problems from the editor,
 * thinking, a rule, and a step undone with its files.
 *
 * `picture` is called with a name wherever there is something to see.
 */
export async function performEveryday({ page, agent, workspace, say, picture }) {
  await openFile(page, MENTIONED, 'toTonnes');
  // A preview editor would be replaced by the diffs, and servers report problems of open files
  // only.
  await runCommandViaPalette(page, 'View: Keep Editor');
  await mention(agent);
  await picture('mention');
  say(`The everyday task: ${PROMPT}`);
  const approvals = await performTurn(agent, PROMPT, {
    answer: async (approval) => {
      const isCheck = approval.kind === 'command' && approval.text.includes('npm test');
      if (isCheck) {
        await allowFromNowOn(agent);
        await picture('rule');
      }
      return true;
    },
  });
  say(`  done, ${approvals.length} approved`);
  if (areAsBefore(workspace)) throw new Error('The everyday task changed no file.');
  await picture('done');
}

/**
 * Goes back to before the first edit, restores the files, and checks that they are as they were.
 */
export async function goBackWithFiles({ page, agent, workspace, step, picture }) {
  const earlier = agent.locator(`[data-testid="step"][data-step="${step}"]`);
  await agent.locator('main.turns').evaluate((turns) => turns.scrollTo(0, 0));
  await earlier.getByTestId('go-back').click(PATIENCE);
  await agent.getByTestId('go-back-both').check(PATIENCE);
  await picture('go-back');
  await agent.getByTestId('undo-confirm').click();
  await agent.getByTestId('undo-question').waitFor({ state: 'detached' });
  await untilTrue('The files are as before', () => areAsBefore(workspace));
  await agent.getByTestId('turn').first().waitFor(PATIENCE);
  await page.waitForTimeout(700);
  await picture('back');
}

/** Returns whether the mentioned file is as in the sample and the created file is gone. */
function areAsBefore(workspace) {
  const sample = readFileSync(inRepository('dist', 'sample', MENTIONED), 'utf8');
  return (
    readFileSync(join(workspace, MENTIONED), 'utf8') === sample &&
    !existsSync(join(workspace, MADE))
  );
}

/** Mentions the file with `@` as a user does: by the beginning of its name. */
async function mention(agent) {
  const composer = agent.getByTestId('composer');
  await composer.fill(`${PROMPT} @src/units`);
  await agent
    .getByTestId('composer-choice')
    .filter({ hasText: 'units.js' })
    .first()
    .waitFor(PATIENCE);
  await composer.press('Enter');
  // Its tokens appear once it was read; until then it cannot be sent.
  await agent
    .getByTestId('attached-item')
    .filter({ hasText: /units\.js\s*≈\s*\d+ tokens/ })
    .waitFor(PATIENCE);
}

/** Chooses in the card to allow every run of the checks in this session. */
async function allowFromNowOn(agent) {
  await agent.getByTestId('approval-scope').selectOption('session');
  await agent.getByTestId('approval-choice').selectOption({ label: RULE });
  await agent.getByTestId('approval-rule').filter({ hasText: RULE }).waitFor(PATIENCE);
}

async function untilTrue(what, isSo) {
  for (const deadline = Date.now() + PATIENCE.timeout; !isSo();) {
    if (Date.now() > deadline) throw new Error(`${what}: that did not come true.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
