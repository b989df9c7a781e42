import { expect, it } from 'vitest';
import { conversation, step, turn } from '../conversation/conversations';
import { browserOfTests } from './support/browser';
import { seriousIn } from './support/seriousIn';
import { LOOKS, openWebview } from './support/webviewPage';

const context = browserOfTests();

const REPLY = `The total is wrong in \`src/a/folder/with/a/long/name/math.js:3\`:

\`\`\`js src/a/folder/with/a/long/name/math.js
// Rounds to whole cents.
export function total(items) {
  const sum = items.reduce((all, { price, count }) => all + price * count, 0);
  return Math.round(sum * 100) / 100;
}
\`\`\`

\`\`\`diff
-  return sum;
+  return Math.round(sum);
\`\`\`

\`\`\`html
<a class="x" href="#">Moor &amp; dock</a>
\`\`\`

- [x] Round the total
- [ ] Write a test
  - plain

| File | What it exports | Lines |
|---|---|--:|
| src/measureTheContextWindow.ts | measureTheContextWindow, marksOfTheContextWindow | 120 |
`;

const COLOURED = ['.hljs-keyword', '.hljs-string', '.hljs-comment', '.hljs-addition'];

const shown = conversation({
  turns: [turn({ prompt: 'Why?', outcome: { type: 'finished' }, items: [step(1, REPLY)] })],
});

it.each(LOOKS)(
  'code, tasks and tables of a reply are coloured and fit a page of %i px, uncut, in theme %s',
  async (width, theme) => {
    const { page, tell } = await openWebview(context(), 'agent', theme, { width, height: 900 });
    await tell({ type: 'conversationChanged', conversation: shown });
    // The colours are loaded with a separate bundle.
    for (const name of COLOURED) await page.locator(name).first().waitFor();
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll('.markdown *')]
        .filter((element) => element.closest('pre, .markdown-table') === null)
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
        .map(({ outerHTML }) => outerHTML.slice(0, 120)),
    );
    expect(beyond).toEqual([]);
    const broken = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('th')]
        .filter((cell) => cell.textContent === 'Lines')
        .map((cell) => cell.getClientRects().length > 1 || cell.offsetHeight > 30),
    );
    expect(broken).toEqual([false]);
    const links = await page.evaluate(() =>
      [...document.querySelectorAll('.markdown a')].map((link) => {
        const { color, textDecorationLine } = getComputedStyle(link);
        const inner = link.querySelector('code') ?? link;
        return [textDecorationLine, getComputedStyle(inner).color === color];
      }),
    );
    expect(links).toEqual(links.map(() => ['underline', true]));
    expect(links.length).toBeGreaterThan(1);
    const colours = await page.evaluate(
      (names) => names.map((name) => getComputedStyle(document.querySelector(name)!).color),
      COLOURED,
    );
    expect(new Set(colours).size).toBe(colours.length);
    expect(await seriousIn(page)).toEqual([]);
    const folder = process.env['PLIMSOLL_PICTURES'];
    if (folder) await page.screenshot({ path: `${folder}/code-${theme}-${width}.png` });
    await page.close();
  },
);
