import { panelOf, rest } from './areas.mjs';

/** The area with the animation that opens the README. */
export const ANIMATION = 'animation';

/** The size of the editor's window, which the panel has to itself. */
const SIZE = { width: 1040, height: 860 };

/** The number of past steps that are shown. */
const STEPS = 14;

/** How long a frame is shown, in ms. */
const SHOWN = { step: 260, pass: 1_000, cards: 3_000, press: 1_000, restored: 3_000 };

/** How long the bar takes to settle, in ms. */
const SETTLED = 400;

/**
 * Films the panel: the window fills step by step, passes run, the panel says why, and one click
 * restores a removed block. The restore is undone afterwards. Returns the frames.
 */
export async function filmPanel(page) {
  const size = page.viewportSize();
  await page.setViewportSize(SIZE);
  const { panel, at } = await panelOf(page);
  const clip = await panel.locator('body').boundingBox();
  const frame = async (ms) => {
    await page.waitForTimeout(SETTLED);
    return { png: await page.screenshot({ clip }), ms, used: await usedNow(at) };
  };
  await at('tab-ledger').click();
  await rest(page);
  const now = await frame(SHOWN.cards);
  const past = await pastFrames(at, frame);
  await at('back-to-now').click();
  await at('past-notice').waitFor({ state: 'detached' });
  await at('chip-out').click();
  const restore = at('verb-restore').last();
  await restore.hover();
  const pressed = await frame(SHOWN.press);
  await restore.click();
  await at('hand-pass').first().waitFor({ state: 'attached' });
  await at('chip-in').click();
  await rest(page);
  const restored = await frame(SHOWN.restored);
  await at('hand-pass').first().getByTestId('undo-pass').click();
  await page.setViewportSize(size);
  return [...past, now, pressed, restored];
}

/** Goes back to the first step, and returns some of the steps in their order. */
async function pastFrames(at, frame) {
  const frames = [];
  // The button says itself that there is no step before: it stays focusable.
  while ((await at('step-back').getAttribute('aria-disabled')) !== 'true') {
    await goBack(at);
    frames.unshift(await frame(SHOWN.step));
  }
  const every = Math.ceil(frames.length / STEPS);
  return frames
    .map((each, index) => ({ ...each, isPass: index > 0 && each.used < frames[index - 1].used }))
    .filter(({ isPass }, index) => isPass || index % every === 0)
    .map(({ isPass, ...each }) => ({ ...each, ms: isPass ? SHOWN.pass : SHOWN.step }));
}

/** Goes one step back, and waits until the panel shows it. */
async function goBack(at) {
  const shown = async () => `${await at('past-notice').count()} ${await at('step').textContent()}`;
  const former = await shown();
  await at('step-back').click();
  for (let tries = 0; (await shown()) === former; tries++) {
    if (tries > 100) throw new Error(`The panel stays at this step: ${former}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function usedNow(at) {
  return Number(await at('used').getAttribute('data-tokens'));
}
