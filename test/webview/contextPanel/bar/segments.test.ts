import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../../../src/contextWindow/account/balance';
import { estimatesIn, type Balance } from '../../../../src/editor/contextPanel/state';
import {
  barPartsOf,
  describeSegment,
  estimatedPart,
  scaleOf,
  segmentsOf,
} from '../../../../webview/contextPanel/bar/segments';
import { marksOf, passMark } from '../../../../webview/contextPanel/bar/windowBar';
import { anyBalance } from '../anyBalance';
import { balanceOf, sampleBlocks } from '../contextViews';

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const piecesOf = (balance: Balance) => segmentsOf(balance, estimatesIn(sampleBlocks()));

describe('the segments of the bar', () => {
  it('have a colour for every category', () => {
    const file = join(__dirname, '../../../../webview/contextPanel/styles/colours.css');
    const styles = readFileSync(file, 'utf8');
    expect(CATEGORIES.filter((name) => !styles.includes(`\n.c-${name} {`))).toEqual([]);
  });

  it('omit an empty system prompt if a recording does not give its size', () => {
    const balance = balanceOf(sampleBlocks());
    const of = (system: number, unrecorded: number) =>
      piecesOf({ ...balance, categories: { ...balance.categories, system, unrecorded } })
        .map(({ name }) => name)
        .filter((name) => name === 'system' || name === 'unrecorded');
    expect(of(0, 3_776)).toEqual(['unrecorded']);
    expect(of(120, 3_776)).toEqual(['system', 'unrecorded']);
    // Here it is known that there is none.
    expect(of(0, 0)).toEqual(['system']);
  });

  it('have one order: fixed cost first, reserved last', () => {
    expect(piecesOf(balanceOf(sampleBlocks())).map(({ name }) => name)).toEqual([
      'tools',
      'system',
      'scratchpad',
      'anchor',
      'summary',
      'archive',
      'working',
      'headroom',
      'reserved',
    ]);
  });

  it('include unrecorded tokens after the system prompt, if there are any', () => {
    const { categories } = balanceOf([]);
    const balance = balanceOf([], { categories: { ...categories, unrecorded: 26_890 } });
    expect(piecesOf(balance)[2]).toMatchObject({
      name: 'unrecorded',
      label: 'Not in the recording',
      tokens: 26_890,
      estimated: 26_890,
    });
  });

  it('include the lines about removed turns after the summary, if there are any', () => {
    const { categories } = balanceOf([]);
    const balance = balanceOf([], { categories: { ...categories, gapLines: 31 } });
    const names = piecesOf(balance).map(({ name }) => name);
    expect(names.slice(names.indexOf('summary'), names.indexOf('archive'))).toEqual([
      'summary',
      'gapLines',
    ]);
    expect(piecesOf(balance).find(({ name }) => name === 'gapLines')).toMatchObject({
      label: 'Removed turns',
      tokens: 31,
      estimated: 31,
    });
  });

  it('add up to the context window, whatever fills it', () => {
    fc.assert(
      fc.property(anyBalance, (balance) => {
        const tokens = piecesOf(balance).map((segment) => segment.tokens);
        expect(sum(tokens)).toBe(balance.contextWindowTokens);
      }),
    );
  });

  it('are drawn to scale, one after the other', () => {
    fc.assert(
      fc.property(anyBalance, (balance) => {
        const scale = Math.max(balance.contextWindowTokens, balance.used.tokens);
        for (const { start, width, tokens } of piecesOf(balance)) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(start + width).toBeLessThanOrEqual(1 + 1e-9);
          expect(width).toBeCloseTo(Math.abs(tokens) / scale, 9);
        }
        const filled = piecesOf(balance).slice(0, -2);
        for (const [index, { start, width }] of filled.entries()) {
          const next = filled[index + 1];
          if (next !== undefined) expect(next.start).toBeCloseTo(start + width, 9);
        }
      }),
    );
  });

  it('show an overdrawn headroom over the end of the used part, from the budget on', () => {
    const balance = balanceOf([], {
      contextWindowTokens: 1_000,
      inputBudget: 800,
      used: { tokens: 900, exact: true },
      categories: { ...balanceOf([]).categories, tools: 900, system: 0, scratchpad: 0 },
      headroom: -100,
      reserved: { reply: 150, safety: 30, toolResults: 20, steppedDown: 0 },
    });
    const [headroom, reserved] = piecesOf(balance).slice(-2);
    expect(headroom).toMatchObject({ tokens: -100, start: 0.8, width: 0.1 });
    expect(headroom?.label).toBe('Over the budget');
    expect(reserved).toMatchObject({ tokens: 200, start: 0.8, width: 0.2 });
  });

  it('say which of their tokens are estimates: always for the head, block by block for the rest', () => {
    const estimated = piecesOf(balanceOf(sampleBlocks())).map(({ name, estimated }) => [
      name,
      estimated,
    ]);
    expect(Object.fromEntries(estimated)).toEqual({
      tools: 2_940,
      system: 1_012,
      scratchpad: 214,
      anchor: 0,
      summary: 0,
      archive: 0,
      working: 1_746,
      headroom: 9_694,
      reserved: 0,
    });
  });

  it('mark an estimated number, and give the estimated part of a mixed one', () => {
    const of = (name: string) =>
      piecesOf(balanceOf(sampleBlocks())).find((segment) => segment.name === name)!;
    expect(describeSegment(of('tools'))).toBe('Tools ≈\u00a02,940');
    expect(estimatedPart(of('tools'))).toBe('');
    expect(describeSegment(of('working'))).toBe('Recent 6,012');
    expect(estimatedPart(of('working'))).toBe('≈\u00a01,746 of it estimated');
    expect(estimatedPart(of('archive'))).toBe('');
  });

  it('never estimate more than their tokens', () => {
    fc.assert(
      fc.property(anyBalance, (balance) => {
        for (const { tokens, estimated } of piecesOf(balance)) {
          expect(estimated).toBeGreaterThanOrEqual(0);
          expect(estimated).toBeLessThanOrEqual(Math.abs(tokens));
        }
      }),
    );
  });

  it('name each reserve, and a step-down only after one', () => {
    const { reserved } = balanceOf([]);
    const told = (steppedDown: number) =>
      describeSegment(piecesOf(balanceOf([], { reserved: { ...reserved, steppedDown } })).at(-1)!);
    expect(told(0)).toBe('Reserved 5,888 (reply 4,096, safety 512, tool results 1,280)');
    expect(told(300)).toContain('taken after an overflow 300');
  });
});

describe('the parts of the bar', () => {
  it('join neighbouring segments, and hold all their tokens', () => {
    fc.assert(
      fc.property(anyBalance, (balance) => {
        const parts = barPartsOf(piecesOf(balance));
        expect(sum(parts.map(({ tokens }) => tokens))).toBe(balance.contextWindowTokens);
        const drawn = parts.flatMap(({ segments }) => segments);
        expect(drawn).toEqual(piecesOf(balance).filter(({ tokens }) => tokens !== 0));
      }),
    );
  });

  it('are named for a reader', () => {
    const parts = barPartsOf(piecesOf(balanceOf(sampleBlocks())));
    expect(parts.map(({ name, tokens }) => [name, tokens])).toEqual([
      ['fixed', 3_952],
      ['kept', 1_734],
      ['conversation', 11_500],
      ['free', 9_694],
      ['reserved', 5_888],
    ]);
  });
});

describe('a bar of a large window', () => {
  const large = balanceOf([], {
    contextWindowTokens: 1_000_000,
    inputBudget: 977_712,
    highTokens: 200_000,
    used: { tokens: 25_000, exact: true },
    categories: { ...balanceOf([]).categories, tools: 25_000, system: 0, scratchpad: 0 },
    headroom: 952_712,
    reserved: { reply: 4_096, safety: 10_000, toolResults: 8_192, steppedDown: 0 },
  });

  it('ends shortly after the mark, so that 25,000 tokens take more than a tenth of it', () => {
    const scale = scaleOf(large, 200_000);
    const parts = barPartsOf(segmentsOf(large, estimatesIn([]), scale));
    expect(parts.map(({ name }) => name)).toEqual(['fixed', 'free']);
    expect(parts[0]!.width).toBeGreaterThan(0.1);
    expect(parts[0]!.width + parts[1]!.width).toBeCloseTo(1, 9);
    const marks = passMark({ balance: large, passAbove: 200_000, compaction: 'auto' }, scale);
    expect(marks.map(({ label }) => label)).toEqual(['compacts here', 'budget 977,712 ▸']);
    expect(marks[0]!.at).toBeGreaterThan(0.9);
  });

  it('reaches the end of the window if passes begin in its second half', () => {
    expect(scaleOf(large, 500_000)).toBe(1_000_000);
  });
});

describe('the one mark', () => {
  const of = (compaction: 'auto' | 'ask' | 'off') =>
    passMark({ balance: balanceOf([]), passAbove: 21_504, compaction }, 32_768).map(
      ({ label, tokens }) => [label, tokens],
    );

  it('says what happens there', () => {
    expect(of('auto')).toEqual([['compacts here', 21_504]]);
    expect(of('ask')).toEqual([['asks here', 21_504]]);
    expect(of('off')).toEqual([['budget 26,880', 26_880]]);
  });
});

describe('the marks', () => {
  it('include the end of the window if it is exceeded', () => {
    const overfull = balanceOf([], { used: { tokens: 40_000, exact: true }, headroom: -13_120 });
    expect(marksOf(overfull).at(-1)).toMatchObject({ label: 'window 32,768', at: 0.8192 });
  });

  it('are drawn at their tokens', () => {
    const marks = marksOf(balanceOf([]));
    expect(marks.map(({ label }) => label)).toEqual(['low 13,440', 'high 21,504', 'budget 26,880']);
    expect(marks.map(({ at }) => at * 32_768)).toEqual([13_440, 21_504, 26_880]);
  });

  it('put the budget between headroom and reserved', () => {
    fc.assert(
      fc.property(anyBalance, (balance) => {
        const budget = marksOf(balance).find(({ name }) => name === 'budget');
        expect(piecesOf(balance).at(-1)?.start).toBeCloseTo(budget!.at, 9);
      }),
    );
  });
});

describe('the edge of the newest turns', () => {
  it('is drawn before the tokens that they take at the end of the window', () => {
    const balance = balanceOf(sampleBlocks());
    const edge = marksOf(balance, { turns: 2, tokens: 750 }).find(({ name }) => name === 'recent')!;
    expect(edge.label).toBe('last 2 turns');
    expect(edge.at).toBeCloseTo((balance.used.tokens - 750) / balance.contextWindowTokens, 10);
  });

  it('is one of the marks from left to right', () => {
    const recent = { turns: 1, tokens: 10 };
    const places = marksOf(balanceOf([]), recent).map(({ at }) => at);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(marksOf(balanceOf([]), recent).map(({ label }) => label)).toContain('last turn');
  });
});
