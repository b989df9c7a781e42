import { describe, expect, it } from 'vitest';
import { contextHtml } from '../../../../src/editor/contextPanel/exports/contextHtml';
import { accountRows, rowWords } from '../../../../src/editor/contextPanel/exports/viewRows';
import { estimatesIn } from '../../../../src/editor/contextPanel/state';
import { VIEW, inspection, TIMELINE, exported, PASS } from '../support/exportedSession';

/** The rows of the categories table, each as "name tokens". */
const partsIn = (html: string) =>
  [...html.matchAll(/>([^<>]+)<\/t[dh]><t[dh] class="n">([^<]+)</g)].map(
    ([, name, size]) => `${name} ${size}`,
  );

describe('the numbers of an export', () => {
  it('add up to the window, including the overflow', async () => {
    const views = [VIEW];
    for (const at of [1, 9, 24] as const) {
      await inspection.travelTo(at);
      views.push(inspection.view());
    }
    await inspection.travelTo('now');
    expect(VIEW.balance.reserved.steppedDown).toBeGreaterThan(0);
    for (const view of views) {
      const rows = accountRows(view.balance, estimatesIn(view.blocks));
      const size = view.balance.contextWindowTokens;
      expect(rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(size);
      const of = { view, timeline: TIMELINE };
      const html = contextHtml(of);
      const sum = { name: 'Context window', tokens: size, estimated: 0 };
      for (const row of [...rows, sum]) {
        const { name } = row;
        const shown = rowWords(row);
        expect(html).toMatch(new RegExp(`>${name}</t[dh]><t[dh] class="n">${shown}<`));
      }
    }
  });

  it('say how much is over the budget, and draw no bar of negative width', () => {
    const { balance } = VIEW;
    const over = {
      ...balance,
      used: { tokens: balance.inputBudget + 70, exact: false },
      headroom: -70,
    };
    expect(partsIn(contextHtml(exported({ balance: over })))).toContain('Over the budget ≈ -70');
    expect(contextHtml(exported({ balance: over }))).not.toMatch(/width:-/);
  });

  it('mark estimates, and say how much of a mixed number is estimated', () => {
    const [guess, counted] = [true, false].map((isGuess) => ({ tokens: 300, exact: !isGuess }));
    const blocks = VIEW.blocks.map((block, index) => ({
      ...block,
      tokens: index % 2 === 0 ? guess! : counted!,
      category: 'working' as const,
    }));
    const parts = partsIn(contextHtml(exported({ blocks })));
    const half = 300 * Math.ceil(blocks.length / 2);
    const { working } = VIEW.balance.categories;
    expect(working).toBeGreaterThan(0);
    const part =
      half >= working
        ? `Recent ≈ ${working.toLocaleString('en-US')}`
        : `Recent ${working.toLocaleString('en-US')}, ≈ ${half.toLocaleString('en-US')} of it estimated`;
    expect(parts).toContain(part);
    expect(parts).toContainEqual(expect.stringMatching(/^Tools ≈ /));
    expect(parts).toContainEqual(expect.stringMatching(/^Reserved for safety \d/));
    const few = blocks.map((block, index) => ({
      ...block,
      tokens: index === 0 ? guess! : counted!,
    }));
    expect(partsIn(contextHtml(exported({ blocks: few })))).toContain(
      `Recent ${working.toLocaleString('en-US')}, ≈ 300 of it estimated`,
    );
    const exact = { ...VIEW.balance, used: { ...VIEW.balance.used, exact: true } };
    expect(partsIn(contextHtml(exported({ balance: exact })))).toContainEqual(
      expect.stringMatching(/^Headroom \d/),
    );
    const guessed = { ...VIEW.balance, used: { ...VIEW.balance.used, exact: false } };
    expect(partsIn(contextHtml(exported({ balance: guessed })))).toContainEqual(
      expect.stringMatching(/^Headroom ≈ \d/),
    );
  });

  it('have the price of each pass', () => {
    expect(PASS.price?.text).toMatch(/^Cost: /);
    expect(contextHtml(exported())).toContain(`<td>${PASS.price?.text}</td>`);
  });

  it('say which moment they are from', async () => {
    expect(contextHtml(exported())).toContain('now, after step 25 ·');
    await inspection.travelTo(9);
    expect(contextHtml({ view: inspection.view(), timeline: TIMELINE })).toContain(
      'step 9 of 25, as its request was sent ·',
    );
    await inspection.travelTo('now');
  });
});
