import { setTimeout as sleep } from 'node:timers/promises';

/** How long one turn of the demo may take, ms. */
const PATIENCE = 240_000;

/**
 * Performs one turn through the Agent view as a person would: types the prompt, sends it, and
 * answers every question until the agent is idle.
 *
 * `answer` is told the approval's subject and returns true to allow; `onTick` runs between looks.
 */
export async function performTurn(agent, prompt, { answer = () => true, onTick } = {}) {
  const turns = await turnCount(agent);
  await agent.getByTestId('composer').fill(prompt);
  await agent.getByTestId('send').click();
  await agent.locator(`[data-testid="turn"][data-turn="${turns + 1}"]`).waitFor();
  const approvals = [];
  for (const deadline = Date.now() + PATIENCE; ; await sleep(60)) {
    if (Date.now() > deadline) throw new Error(`The turn did not end within ${PATIENCE} ms.`);
    await onTick?.();
    const approval = agent.getByTestId('approval');
    if ((await approval.count()) > 0) {
      const asked = await readApproval(approval);
      if (asked === undefined || approvals.some(({ id }) => id === asked.id)) continue;
      const allowed = await answer(asked);
      await approval.getByTestId(allowed ? 'approval-allow' : 'approval-deny').click();
      approvals.push({ ...asked, allowed });
      continue;
    }
    if ((await agent.getByTestId('activity').getAttribute('data-state')) === 'idle') break;
  }
  return approvals;
}

/** How many turns the conversation has; those out of sight are not in the page. */
async function turnCount(agent) {
  const turn = agent.getByTestId('turn');
  return (await turn.count()) === 0 ? 0 : Number(await turn.first().getAttribute('aria-setsize'));
}

/** Reads the card that is on screen; undefined when it went while it was read. */
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

/** The next prompt the offline demo suggests, as its button shows it. */
export async function suggestedPrompt(agent) {
  const button = agent.getByTestId('suggestion').first();
  await button.waitFor({ timeout: 20_000 });
  return button.getAttribute('title');
}
