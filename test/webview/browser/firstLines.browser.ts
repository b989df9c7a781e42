import { expect, it } from 'vitest';
import { conversation, step, tool, turn } from '../conversation/conversations';
import { browserOfTests } from './support/browser';
import { openWebview } from './support/webviewPage';

const context = browserOfTests();

it('shows the first lines of an edit whole in height, and no line is wider than the side bar', async () => {
  const size = { width: 300, height: 620 };
  const { page, tell } = await openWebview(context(), 'agent', 'dark', size);
  const diff = ['-  return monthDay >= season.from && monthDay <= season.to;', '+  return isIn;'];
  const edit = tool('t1', { name: 'edit_file', kind: 'edit', label: 'edit_file a.js', diff });
  const turns = [turn({ items: [step(1, 'I edit.', [edit])] })];
  await tell({ type: 'conversationChanged', conversation: conversation({ turns }) });
  const [heights, right] = await page.evaluate(() => {
    const lines = [...document.querySelectorAll('.first-lines .diff-line')];
    const boxes = lines.map((line) => line.getBoundingClientRect());
    return [boxes.map(({ height }) => height), Math.max(...boxes.map((box) => box.right))] as const;
  });
  expect(heights).toHaveLength(2);
  expect(heights[0]).toBe(heights[1]);
  expect(right).toBeLessThanOrEqual(size.width);
  await page.close();
});
