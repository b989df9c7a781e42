import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfVisible } from '../../support/textOfVisible';
import type { Conversation } from '../../../src/editor/conversation/state';
import type { ApprovalView } from '../../../src/editor/session/state';
import { trickyText } from '../../support/trickyText';
import { conversation, step, tool, turn } from '../conversation/conversations';
import { browserOfTests } from './support/browser';
import { seriousIn } from './support/seriousIn';
import { openWebview, THEMES, type ThemeName } from './support/webviewPage';

const context = browserOfTests();

function asked(subject: string, more: Partial<ApprovalView> = {}): Conversation {
  const approval = { toolUseId: 't1', kind: 'command', title: 'Run a command', subject } as const;
  return conversation({
    turns: [turn({ items: [step(1, 'I run it.', [tool('t1', { state: 'waiting' })])] })],
    activity: { state: 'awaitingApproval', approval: { ...approval, ...more } },
  });
}

async function open(width: number, height: number, theme: ThemeName = 'dark') {
  const view = await openWebview(context(), 'agent', theme, { width, height });
  return {
    ...view,
    show: (shown: Conversation) =>
      view.tell({ type: 'conversationChanged', conversation: shown, number: 1 }),
    isDisabled: () =>
      view.page.getByTestId('approval-allow').evaluate((button) => button.hasAttribute('disabled')),
    /** The command as the browser draws it, to be read or copied. */
    drawn: () => view.page.getByTestId('approval-subject').innerText(),
    /** Parts of the card outside the view, or cut off by it. */
    outside: () =>
      view.page.getByTestId('approval').evaluate((card) =>
        [card, ...card.querySelectorAll('*')].flatMap((part) => {
          const { left, right } = part.getBoundingClientRect();
          const isIn = left >= -0.5 && right <= document.documentElement.clientWidth + 0.5;
          return isIn && part.scrollWidth <= part.clientWidth + 1 ? [] : [part.outerHTML];
        }),
      ),
  };
}

describe('the approval card in a browser', () => {
  it('draws exactly the command, whatever it contains', async () => {
    const { page, show, drawn } = await open(320, 700);
    const commands = fc.sample(trickyText, { numRuns: 60, seed: 7 });
    for (const command of ['echo \u202E# ok\u202C; rm -rf \u200B/\n\n\n\nls \t\r', ...commands]) {
      await show(asked(command));
      const text = await page.getByTestId('approval-subject').textContent();
      expect(textOfVisible(text!)).toBe(command);
      // Only a final line break takes no space on the screen.
      expect(textOfVisible(await drawn()).replace(/\n$/, '')).toBe(command.replace(/\n$/, ''));
    }
    await page.close();
  });

  it('draws right-to-left letters in their logical order', async () => {
    const { page, show } = await open(600, 700);
    await show(asked('rm אבג/123 דה ; ls'));
    const lefts = await page.getByTestId('approval-subject').evaluate((box) => {
      const text = box.firstChild!;
      return Array.from({ length: text.textContent!.length }, (_, at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      });
    });
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
    await page.close();
  });

  it.each([178, 320, 600])('fits at %s pixels, and Allow waits for the end', async (width) => {
    const { page, show, isDisabled, outside, posts } = await open(width, 620);
    await show(asked('npm test'));
    await expect.poll(isDisabled).toBe(false);
    await expect.poll(outside).toEqual([]);
    await show(asked(Array.from({ length: 80 }, (_, at) => `echo ${at}`).join('\n'), {}));
    await show(asked('x'.repeat(9_000), { toolUseId: 't2' }));
    await expect.poll(isDisabled).toBe(true);
    await expect.poll(outside).toEqual([]);
    await page.getByTestId('approval-allow').click({ force: true });
    expect(JSON.stringify(await posts())).not.toContain('answerApproval');
    await page.getByTestId('approval-subject').evaluate((box) => void (box.scrollTop = 1e6));
    await page.getByTestId('approval-wait').waitFor({ state: 'detached' });
    await expect.poll(isDisabled).toBe(false);
    await page.getByTestId('approval-allow').click();
    expect(JSON.stringify(await posts())).toContain('"approved":true');
    await page.close();
  });

  it('lets a keyboard reach the end, with the box or the button', async () => {
    const { page, show, isDisabled } = await open(320, 620);
    const long = Array.from({ length: 80 }, (_, at) => `echo ${at}`).join('\n');
    await show(asked(long));
    await page.getByTestId('approval').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.getByTestId('approval-wait').waitFor({ state: 'detached' });
    await show(asked(long, { toolUseId: 't2' }));
    await page.getByTestId('approval').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    let presses = 0;
    while (await isDisabled()) {
      await page.keyboard.press('Enter');
      presses += 1;
      await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 60)));
    }
    // Each press scrolls by one box, so that nothing is skipped.
    expect(presses).toBeGreaterThan(3);
    await page.close();
  });

  it('can be answered in a view that is too low for it', async () => {
    const { page, show, isDisabled } = await open(320, 240);
    await show(asked('echo one\n'.repeat(12)));
    await expect.poll(isDisabled).toBe(true);
    await page.getByTestId('approval-subject').evaluate((box) => void (box.scrollTop = 1e6));
    await page.getByTestId('approval-allow').scrollIntoViewIfNeeded();
    await page.getByTestId('approval-wait').waitFor({ state: 'detached' });
    await page.getByTestId('approval-allow').click();
    await page.close();
  });

  it.each([178, 320, 600])(
    'keeps verb and file name of a long path visible at %s',
    async (width) => {
      const { page, show, outside } = await open(width, 620);
      const subject = `packages/${'deep/'.repeat(40)}loadLine.ts`;
      await show(asked(subject, { kind: 'edit', title: 'Edit', added: 1_000, removed: 12 }));
      expect(await page.locator('.approval-title').innerText()).toMatch(/^Edit .*\/loadLine\.ts$/);
      expect(await page.getByTestId('approval-subject').innerText()).toBe(subject);
      await expect.poll(outside).toEqual([]);
      await page.close();
    },
  );

  it('shows where two long lines differ, and has its field and both buttons in one line, in the side bar', async () => {
    // The usual side bar of 300 px leaves the view 260.
    const { page, show, outside } = await open(260, 620);
    const same = 'const TONNES = { t: 1, kg: 0.001, lb: 0.00045359237';
    const firstLines = [`-${same} };`, `+${same}, ston: 0.90718474 };`, `+${'x'.repeat(9_000)}`];
    const edit = { kind: 'edit', title: 'Edit', added: 2, removed: 1, firstLines } as const;
    await show(asked('src/units.js', { ...edit, choices: [{ text: 'edits in the workspace' }] }));
    const lines = page.locator('.approval .diff-line');
    const heights = await lines.evaluateAll((all) =>
      all.map((line) => [line.getBoundingClientRect().height, line.scrollHeight]),
    );
    const [first, second, third] = heights.map(([shown, whole]) => whole! <= shown! + 1);
    // A line without an end is cut after three.
    expect([first, second, third]).toEqual([true, true, false]);
    expect(heights[2]![0]).toBeLessThan(70);
    const parts = ['.approval .field', '[data-testid="approval-deny"]', '.approval .allow'];
    const boxes = await Promise.all(parts.map((part) => page.locator(part).boundingBox()));
    const middles = boxes.map((box) => Math.round(box!.y + box!.height / 2));
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(4);
    // "Why not?" takes one line.
    expect(boxes[0]!.height).toBeLessThan(40);
    await expect.poll(outside).toEqual([]);
    await page.close();
  });

  it.each(THEMES)('has the colours of %s, and no serious axe-core finding', async (theme) => {
    const { page, show } = await open(320, 620, theme);
    await show(asked('echo \u202E\n'.repeat(80), { choices: [{ text: 'echo' }] }));
    const ground = await page.locator('.allow-for').evaluate((select) => {
      const wanted = document.createElement('i');
      wanted.style.background = 'var(--vscode-button-background)';
      document.body.append(wanted);
      return [getComputedStyle(select), getComputedStyle(wanted)].map((is) => is.backgroundColor);
    });
    expect(ground[0]).toBe(ground[1]);
    expect(await seriousIn(page)).toEqual([]);
    await page.close();
  });
});
