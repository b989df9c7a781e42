import { expect, it } from 'vitest';
import { conversation, step, turn } from '../conversation/conversations';
import { browserOfTests } from './support/browser';
import { seriousIn } from './support/seriousIn';
import { openWebview } from './support/webviewPage';

const context = browserOfTests();

const SHOWN = conversation({
  model: 'claude-sonnet-4-5-with-a-long-name',
  reasoning: 'thinking adaptive, effort high',
  turns: [turn({ items: [step(1, 'I look.')] })],
  activity: { state: 'asking', since: 0 },
  offered: {
    mention: { type: 'selection' },
    name: 'src/a/folder/with/a/very/long/name/and/a/file.ts:3-19',
  },
});

it.each([178, 300, 500, 1_280])(
  'the frame holds the prompt, what the editor offers, attach, the mode, the model, Queue and Stop, %i px wide',
  async (width) => {
    const size = { width, height: 620 };
    const { page, tell } = await openWebview(context(), 'agent', 'dark', size);
    await tell({ type: 'conversationChanged', conversation: SHOWN });
    await page.getByTestId('composer').fill('Mind the tabs.');
    await page.getByTestId('send').waitFor();
    const seen = await page.evaluate(() => {
      const frame = document.querySelector('.prompt-frame')!.getBoundingClientRect();
      const parts = [
        ...document.querySelectorAll('.attached-offer, .prompt-frame > .field, .prompt-line > *'),
      ];
      const boxes = parts.map((part) => part.getBoundingClientRect());
      const isOutside = (box: DOMRect) =>
        box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom;
      const overlaps = boxes.filter((one, at) =>
        boxes.slice(at + 1).some((other) => {
          const isBeside = one.right <= other.left || other.right <= one.left;
          return !isBeside && one.bottom > other.top + 1 && other.bottom > one.top + 1;
        }),
      );
      return {
        parts: parts.length,
        outside: boxes.filter(isOutside).length,
        overlaps: overlaps.length,
        bottom: frame.bottom,
        saysReasoning: document.querySelector('.prompt-reasoning')!.clientWidth > 0,
      };
    });
    expect(seen).toMatchObject({ parts: 6, outside: 0, overlaps: 0 });
    expect(seen.bottom).toBeLessThanOrEqual(size.height);
    expect(seen.saysReasoning).toBe(width >= 500);
    expect(await seriousIn(page)).toEqual([]);
    await page.close();
  },
);

it('an idle agent reserves no row for its activity, between the conversation and the prompt', async () => {
  const size = { width: 300, height: 620 };
  const { page, tell } = await openWebview(context(), 'agent', 'dark', size);
  const gap = async () => {
    const [turns, frame] = await Promise.all(
      ['.turns-frame', '.prompt-frame'].map((part) => page.locator(part).boundingBox()),
    );
    return frame!.y - (turns!.y + turns!.height);
  };
  await tell({ type: 'conversationChanged', conversation: SHOWN });
  expect(await gap()).toBeGreaterThan(16);
  const { activity: _activity, ...rest } = SHOWN;
  await tell({
    type: 'conversationChanged',
    conversation: { ...rest, activity: { state: 'idle' } },
  });
  expect(await gap()).toBeLessThan(10);
  await page.close();
});
