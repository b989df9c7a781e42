import { describe, expect, it } from 'vitest';
import { balanceOf, sampleBlocks, sampleContext, samplePass } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

describe('the ledger', () => {
  it('has a card for each pass, newest first', () => {
    const cards = drawPanel(sampleContext()).all('pass-card');
    expect(
      cards.map(({ dataset }) => [dataset['pass'], dataset['before'], dataset['after']]),
    ).toEqual([
      ['2', '21604', '12980'],
      ['1', '22018', '13104'],
    ]);
  });

  it('says when the first pass will run', () => {
    const panel = drawPanel(sampleContext({ passes: [], busy: false }));
    expect(panel.all('pass-card')).toEqual([]);
    expect(panel.one('next-pass').textContent).toBe(
      'No pass has run yet. First automatic pass above 21,504; it aims at 13,440. ' +
        '≈\u00a04,318 tokens to go; it may choose others.',
    );
  });

  it('says when the next pass is due', () => {
    const used = { tokens: 21_600, exact: true };
    const balance = balanceOf(sampleBlocks(), { used, headroom: 5_280 });
    expect(drawPanel(sampleContext({ balance })).one('next-pass').textContent).toMatch(
      /^Next automatic pass above 21,504; .* 96 tokens above it now\.$/,
    );
  });
});

describe('refaults', () => {
  it.each([
    [{ recalls: 1, reads: 2 }, 'After removal: 1 recalled, 2 read again.'],
    [{ recalls: 0, reads: 1 }, 'After removal: 1 read again.'],
    [{ recalls: 0, reads: 0 }, 'Nothing that was removed was needed again.'],
  ])('puts %j into words', (refaults, words) => {
    const context = sampleContext({ refaults, neededAgain: [] });
    expect(drawPanel(context).one('refaults').textContent).toBe(words);
  });

  it('are not mentioned before anything was removed', () => {
    const refaults = { recalls: 0, reads: 0 };
    expect(drawPanel(sampleContext({ refaults, passes: [] })).all('refaults')).toEqual([]);
  });
});

describe('a long ledger', () => {
  it('shows the newest 50 of 2,000 passes, and older ones on request', () => {
    const passes = Array.from({ length: 2_000 }, (_, index) =>
      samplePass({ number: 2_000 - index, rungs: [] }),
    );
    const { all, one, click } = drawPanel(sampleContext({ passes }));
    const numbers = () => all('pass-card').map(({ dataset }) => Number(dataset['pass']));
    expect([numbers().length, numbers()[0], numbers().at(-1)]).toEqual([50, 2_000, 1_951]);
    expect(one('older-passes').textContent).toBe('Show older (1,950 left)');
    click(one('older-passes'));
    expect([numbers().length, numbers().at(-1)]).toEqual([100, 1_901]);
  });
});
