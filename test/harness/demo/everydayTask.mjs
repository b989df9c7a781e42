import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performTurn, turnBegunBy } from '../driver/agentDriver.mjs';
import { openFile, runCommandViaPalette } from '../driver/workbenchPage.mjs';
import { inRepository } from '../paths.mjs';

/** What a project brings along for agents: a custom command, a skill, and a sub-agent. */
const PROJECT = {
  '.plimsoll/commands/add-unit.md': `---
description: Adds a unit to the library
argument-hint: [unit] [reason]
---
Add the unit "$1" to src/units.js: $ARGUMENTS

Let the error for an unknown unit list the known ones. Keep the manifest checks running while you
work, and add checks for both.
`,
  '.claude/skills/units/SKILL.md': `---
name: units
description: How a unit of weight or length is added. Read it before you change src/units.js.
---
A unit is one entry of TONNES or METRES in src/units.js: its factor, with all digits of its
definition. Results are rounded by round3, never the factor. Each unit has a check in test/.
`,
  '.claude/agents/scout.md': `---
name: scout
description: Finds who uses a function, and names files and lines.
tools: Read, Grep, Glob
---
Answer in at most three lines.
`,
};

/** What the user types: the custom command with its arguments, by which the offline model recognises the task. */
export const PROMPT = '/add-unit ston Some agents now send weights in US short tons.';

/** The mentioned file and the created one. */
const MENTIONED = 'src/units.js';
const MADE = 'test/units.js';

/** The rule that allows the checks from their first run on. */
const RULE = 'npm test *';

/** Longest time for one check of the driver, in ms. */
const PATIENCE = { timeout: 60_000 };

/** User settings of the task: the model shows its thinking. */
export const everydaySettings = { 'plimsoll.thinking.mode': 'adaptive' };

/** Writes what the task expects of its project. */
export function prepareProject(workspace) {
  for (const [path, text] of Object.entries(PROJECT)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
}

/**
 * Performs the everyday task: plan mode with a custom command, a mentioned file, a skill and a
 * sub-agent; then the plan's work, with a background command, problems from the editor, thinking,
 * and a rule.
 *
 * `picture` is called with a name wherever there is something to see.
 */
export async function performEveryday({ page, agent, workspace, say, picture }) {
  await openFile(page, MENTIONED, 'toTonnes');
  // A preview editor would be replaced by the diffs, and servers report problems of open files
  // only.
  await runCommandViaPalette(page, 'View: Keep Editor');
  await agent.getByTestId('mode').selectOption('plan');
  await mention(agent);
  await picture('mention');
  say(`The everyday task, in plan mode: ${PROMPT}`);
  const asked = await performTurn(agent, PROMPT);
  if (asked.length > 0) throw new Error('Plan mode asked for an approval.');
  if (!areAsBefore(workspace)) throw new Error('Plan mode changed a file.');
  await agent.getByTestId('plan-start').waitFor(PATIENCE);
  await page
    .locator('.tab')
    .filter({ hasText: /^plan-/ })
    .waitFor(PATIENCE);
  await picture('plan');
  const start = () => agent.getByTestId('plan-start').click(PATIENCE);
  const approvals = await turnBegunBy(agent, start, {
    answer: async (approval) => {
      const isCheck = approval.kind === 'command' && approval.text.includes('npm test');
      if (isCheck) {
        await allowFromNowOn(agent);
        await picture('rule');
      }
      return true;
    },
  });
  say(`  the plan is carried out, ${approvals.length} approved`);
  if (areAsBefore(workspace)) throw new Error('The everyday task changed no file.');
  await picture('done');
}

/** Keeps the first change in the mentioned file and undoes the last one, by the lenses above them. */
export async function keepAndUndoInFile({ page, workspace, say, picture }) {
  await openFile(page, MENTIONED, 'toTonnes');
  const lens = (title) => page.locator('.codelens-decoration a').getByText(title, { exact: true });
  const text = () => readFileSync(join(workspace, MENTIONED), 'utf8');
  await lens('Undo').first().waitFor(PATIENCE);
  const changes = await lens('Undo').count();
  await picture('in-file');
  await lens('Keep').first().click(PATIENCE);
  await untilTrue(
    'The kept change has no lens',
    async () => (await lens('Undo').count()) < changes,
  );
  await lens('Undo').last().click(PATIENCE);
  await untilTrue('The kept change is in the file, and the undone one is not', () => {
    const now = text();
    return now.includes('ston:') && !now.includes('factorOf(TONNES');
  });
  await untilTrue('No change is open in the file', async () => (await lens('Undo').count()) === 0);
  say(`  ${changes} changes in ${MENTIONED}: one kept and one undone in the file`);
}

/**
 * Goes back to before the first edit, restores the files, and checks that they are as they were.
 */
export async function goBackWithFiles({ page, agent, workspace, step, picture }) {
  const earlier = agent.locator(`[data-testid="step"][data-step="${step}"]`);
  const turns = agent.locator('main.turns');
  // Rows out of sight are not in the page.
  await untilTrue(`Step ${step} is in sight`, async () => {
    const isInPage = (await earlier.count()) > 0;
    if (!isInPage) await turns.evaluate(scrollOn);
    return isInPage;
  });
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

/** Scrolls a list down by half of what it shows, and from its end to its beginning. */
function scrollOn(list) {
  const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
  list.scrollTo(0, isAtEnd ? 0 : list.scrollTop + list.clientHeight / 2);
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
  for (const deadline = Date.now() + PATIENCE.timeout; !(await isSo());) {
    if (Date.now() > deadline) throw new Error(`${what}: that did not come true.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
