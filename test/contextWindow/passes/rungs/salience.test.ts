import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../../src/contextWindow/block';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import { salienceOf } from '../../../../src/contextWindow/passes/rungs/salience';
import { draw, drawnEvents, foldNew, scratchpadEvent, resultEvent } from '../../../support/drawing';

function factorsOf(window: ContextWindow, id: string, weights: Record<string, number> = {}) {
  return salienceOf(window, (one) => weights[one] ?? 0).get(id as BlockId)!;
}

describe('salience', () => {
  const window = draw(`
    1 anchor task 1
    1 read   src/a.ts 10
    1 list   src 10
    1 edit   src/a.ts 10
    1 run    npm_test 10 failed
  `);

  it('recency runs from 0 for the oldest block to 1 for the newest', () => {
    expect(window.blocks.map(({ id }) => factorsOf(window, id).recency)).toEqual([
      0, 0.25, 0.5, 0.75, 1,
    ]);
  });

  it('reuse is the place of the newest call that names a path of the block', () => {
    expect(factorsOf(window, 'step-1').reuse).toBe(0.75);
    expect(factorsOf(window, 'step-2').reuse).toBe(0.5);
    expect(factorsOf(window, 'step-4').reuse).toBe(0);
  });

  it('kind puts edits above reads, reads above commands, commands above listings', () => {
    const kinds = ['step-3', 'step-1', 'step-4', 'step-2'].map((id) => factorsOf(window, id).kind);
    expect(kinds).toEqual(kinds.toSorted((a, b) => b - a));
    expect(new Set(kinds).size).toBe(4);
  });

  it('errors is 1 if one of the calls failed, and adds a little to the salience', () => {
    const pair = ['run x 1 failed', 'run x 1'].map((step) =>
      factorsOf(draw(`1 anchor t 1\n1 ${step}`), 'step-1'),
    );
    expect(pair.map(({ errors }) => errors)).toEqual([1, 0]);
    expect(pair[0]!.kind).toBe(pair[1]!.kind);
    expect(pair[0]!.salience - pair[1]!.salience).toBeCloseTo(0.02);
    expect(factorsOf(window, 'prompt-1').errors).toBe(0);
  });

  it('decisions grows with the length of the model’s text, to 1 at 200 characters', () => {
    const saying = (...texts: readonly string[]) => {
      const events = drawnEvents('1 anchor t 1\n1 run x 1').map((event) =>
        event.type === 'replyReceived'
          ? {
              ...event,
              parts: [...texts.map((text) => ({ type: 'text' as const, text })), ...event.parts],
            }
          : event,
      );
      return factorsOf(foldNew(events), 'step-1');
    };
    const words = (chars: number) => 'w'.repeat(chars);
    const shares = [[], [words(50)], [words(50), words(50)], [words(200)], [words(900)]].map(
      (texts) => saying(...texts).decisions,
    );
    expect(shares).toEqual([0, 0.25, 0.5, 1, 1]);
    expect(saying(words(200)).salience - saying().salience).toBeCloseTo(0.01);
    expect(factorsOf(draw(`1 anchor t 1\n1 reply ${words(200)} 0`), 'step-1').decisions).toBe(1);
    expect(factorsOf(draw(`1 anchor ${words(200)} 1`), 'prompt-1').decisions).toBe(0);
  });

  it('size falls with the share of the window, to 0 at a tenth', () => {
    const size = (tokens: number) =>
      factorsOf(window, 'step-1', { 'step-1': tokens, 'step-2': 1_000 - tokens }).size;
    expect(size(0)).toBe(1);
    expect(size(50)).toBeCloseTo(0.5);
    expect(size(100)).toBe(0);
    expect(size(300)).toBe(0);
  });

  it('names in the newest prompt or the scratchpad count as named now', () => {
    const steps = '1 anchor task 1\n1 read src/a.ts 1\n1 read src/b.ts 1\n';
    expect(factorsOf(draw(`${steps}2 prompt src/a.ts`), 'step-1').reuse).toBe(1);
    const noted = foldNew([...drawnEvents(steps), scratchpadEvent('mend src/a.ts')]);
    expect(factorsOf(noted, 'step-1').reuse).toBe(1);
    expect(factorsOf(noted, 'step-2').reuse).toBe(1);
    expect(factorsOf(draw(`${steps}2 prompt now`), 'step-1').reuse).toBeCloseTo(1 / 3);
    const searched = '1 anchor task 1\n1 search parseConfig 1\n2 prompt parseConfig';
    expect(factorsOf(draw(searched), 'step-1').reuse).toBe(1);
  });

  it('an identifier of a block counts from the newest later step that mentions it', () => {
    const steps = (last: string) => `1 anchor task 1\n1 reply useParseConfig 1\n1 ${last} 1`;
    expect(factorsOf(draw(steps('search useParseConfig')), 'step-1').reuse).toBe(1);
    expect(factorsOf(draw(steps('reply useParseConfig')), 'step-1').reuse).toBe(1);
    expect(factorsOf(draw(steps('reply useParse')), 'step-1').reuse).toBe(0);
    const between = draw(`${steps('reply useParseConfig')}\n1 reply more 1`);
    expect(factorsOf(between, 'step-1').reuse).toBeCloseTo(2 / 3);
    expect(factorsOf(between, 'step-2').reuse).toBe(0);
  });

  it('an identifier in a result makes its step count, even if another result mentions it later', () => {
    const [first, second] = ['tool_1_1', 'tool_1_2'].map((id) => resultEvent(id, 'def load_table'));
    const calls = drawnEvents('1 anchor t 1\n1 run x 0\n1 run y 0').filter(
      ({ type }) => type !== 'toolFinished',
    );
    const [started, asked, run, again] = calls;
    const events = [started!, asked!, run!, first!, again!, second!];
    expect(factorsOf(foldNew(events), 'step-1').reuse).toBe(0);
    const named = foldNew([...events, ...drawnEvents('1 search load_table 1').slice(1)]);
    expect(factorsOf(named, 'step-1').reuse).toBe(1);
    expect(factorsOf(named, 'step-2').reuse).toBe(1);
  });

  it('an identifier in the scratchpad or the newest prompt counts as named now', () => {
    const steps = '1 anchor task 1\n1 reply loadTable 1\n1 reply nothing 1\n';
    expect(factorsOf(draw(steps), 'step-1').reuse).toBe(0);
    expect(factorsOf(draw(`${steps}2 prompt loadTable`), 'step-1').reuse).toBe(1);
    expect(
      factorsOf(foldNew([...drawnEvents(steps), scratchpadEvent('loadTable')]), 'step-1').reuse,
    ).toBe(1);
  });

  it('the salience is the weighted sum of its factors', () => {
    const { recency, reuse, kind, size, errors, decisions, salience } = factorsOf(window, 'step-1');
    expect(salience).toBeCloseTo(
      0.39 * recency + 0.29 * reuse + 0.1 * kind + 0.19 * size + 0.02 * errors! + 0.01 * decisions!,
    );
  });

  it('a pinned block matters most, rated or not; a rating replaces the rest', () => {
    const ratings = new Map([
      ['prompt-1', 0.1],
      ['step-1', 0.3],
    ] as [BlockId, number][]);
    const rated = salienceOf(window, () => 0, ratings);
    expect(rated.get('prompt-1' as BlockId)).toMatchObject({
      salience: 1,
      rated: 0.1,
      pinned: true,
    });
    expect(rated.get('step-1' as BlockId)).not.toHaveProperty('pinned');
    expect(rated.get('step-1' as BlockId)).toMatchObject({ salience: 0.3, rated: 0.3 });
    expect(rated.get('step-2' as BlockId)).not.toHaveProperty('rated');
  });
});
