import { setTimeout as sleep } from 'node:timers/promises';

/** Longest time for one turn of the demo, in ms. */
const PATIENCE = 240_000;

/**
 * Performs one turn through the Agent view as a person would: types the prompt, sends it, and
 * answers every question until the agent is idle.
 *
 * `answer` gets the approval's subject and returns true to allow; `onTick` runs between checks.
 */
export async function performTurn(agent, prompt, options) {
  const type = async () => {
    await agent.getByTestId('composer').fill(prompt);
    await agent.getByTestId('send').click();
  };
  return turnBegunBy(agent, type, options);
}

/** Performs a turn that `begin` begins, like `performTurn`. */
export async function turnBegunBy(agent, begin, { answer = () => true, onTick } = {}) {
  const before = await lookAt(agent);
  await begin();
  const approvals = [];
  for (const deadline = Date.now() + PATIENCE; ; await sleep(60)) {
    if (Date.now() > deadline) throw new Error(`The turn did not end within ${PATIENCE} ms.`);
    await onTick?.();
    const approval = agent.getByTestId('approval');
    if ((await approval.count()) > 0) {
      const asked = await readApproval(approval);
      if (asked === undefined || approvals.some(({ id }) => id === asked.id)) continue;
      const allowed = await answer(asked);
      const button = allowed ? 'approval-allow' : 'approval-deny';
      if (await clicked(agent, asked.id, button)) approvals.push({ ...asked, allowed });
      continue;
    }
    const { isIdle, turns } = await lookAt(agent);
    if (isIdle && turns > before.turns) return approvals;
  }
}

/**
 * Reads in one call whether the agent is idle and how many turns there are; turns out of sight are
 * not in the page.
 */
export async function lookAt(agent) {
  const parts = await agent
    .locator('[data-testid="activity"], [data-testid="turn"]')
    .evaluateAll((elements) =>
      elements.map((element) => ({
        state: element.dataset.state,
        turns: Number(element.getAttribute('aria-setsize') ?? 0),
      })),
    );
  return {
    isIdle: parts.some(({ state }) => state === 'idle'),
    turns: Math.max(0, ...parts.map(({ turns }) => turns)),
  };
}

/** Reads the visible card; undefined if it disappeared meanwhile. */
async function readApproval(approval) {
  try {
    const options = { timeout: 1000 };
    return {
      id: await approval.getAttribute('data-tool-use-id', options),
      kind: await approval.getAttribute('data-kind', options),
      text: await approval.innerText(options),
    };
  } catch {
    return undefined;
  }
}

/**
 * Clicks a button of the question about a call, in one call: another question may replace this one
 * between a read and a click. False if the question is gone.
 */
async function clicked(agent, id, button) {
  const cards = agent.locator(`[data-testid="approval"][data-tool-use-id="${id}"]`);
  return cards.evaluateAll((found, name) => {
    const element = found[0]?.querySelector(`[data-testid="${name}"]`);
    element?.click();
    return element !== null && element !== undefined;
  }, button);
}

/** The next prompt that the offline demo suggests, as its button shows it. */
export async function suggestedPrompt(agent) {
  const button = agent.getByTestId('suggestion').first();
  await button.waitFor({ timeout: 60_000 });
  return button.getAttribute('title');
}
