import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../src/contextWindow/block';
import type { ContextWindow } from '../../src/contextWindow/contextWindow';
import { isWanted, needOf, touchesOf } from '../../src/contextWindow/need';
import { salienceOf } from '../../src/contextWindow/salience';
import { draw, drawnEvents, foldNew, notesEvent } from '../support/drawing';

function factorsOf(window: ContextWindow, id: string, weights: Record<string, number> = {}) {
  const all = Object.entries(weights) as [BlockId, number][];
  return salienceOf(window, new Map(all)).get(id as BlockId)!;
}

function needs(window: ContextWindow): readonly number[] {
  const touches = touchesOf(window);
  return window.blocks.flatMap((block) =>
    block.kind === 'step'
      ? block.pairs.map((pair) => Number(needOf(touches, block, pair).toFixed(2)))
      : [],
  );
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

  it('an error raises the kind, a decision beside a call does too', () => {
    const kindOf = (step: string) => factorsOf(draw(`1 anchor t 1\n${step}`), 'step-1').kind;
    expect(kindOf('1 run x 1 failed')).toBeCloseTo(kindOf('1 run x 1') + 0.2);
    const plain = drawnEvents('1 anchor t 1\n1 run x 1');
    const decided = plain.map((event) =>
      event.type === 'replyReceived'
        ? { ...event, parts: [{ type: 'text' as const, text: 'w'.repeat(201) }, ...event.parts] }
        : event,
    );
    expect(factorsOf(foldNew(decided), 'step-1').kind).toBeCloseTo(kindOf('1 run x 1') + 0.1);
  });

  it('size falls with the share of the window, to 0 at a tenth', () => {
    const size = (tokens: number) =>
      factorsOf(window, 'step-1', { 'step-1': tokens, 'step-2': 1_000 - tokens }).size;
    expect(size(0)).toBe(1);
    expect(size(50)).toBeCloseTo(0.5);
    expect(size(100)).toBe(0);
    expect(size(300)).toBe(0);
  });

  it('what the newest prompt or the scratchpad names counts as named now', () => {
    const steps = '1 anchor task 1\n1 read src/a.ts 1\n1 read src/b.ts 1\n';
    expect(factorsOf(draw(`${steps}2 prompt src/a.ts`), 'step-1').reuse).toBe(1);
    const noted = foldNew([...drawnEvents(steps), notesEvent('mend src/a.ts')]);
    expect(factorsOf(noted, 'step-1').reuse).toBe(1);
    expect(factorsOf(noted, 'step-2').reuse).toBe(1);
    expect(factorsOf(draw(`${steps}2 prompt now`), 'step-1').reuse).toBeCloseTo(1 / 3);
    const searched = '1 anchor task 1\n1 search parseConfig 1\n2 prompt parseConfig';
    expect(factorsOf(draw(searched), 'step-1').reuse).toBe(1);
  });

  it('a pinned block matters most, rated or not; a rating stands for the rest', () => {
    const ratings = new Map([
      ['prompt-1', 0.1],
      ['step-1', 0.3],
    ] as [BlockId, number][]);
    const rated = salienceOf(window, new Map(), ratings);
    expect(rated.get('prompt-1' as BlockId)).toMatchObject({ salience: 1, rated: 0.1 });
    expect(rated.get('step-1' as BlockId)).toMatchObject({ salience: 0.3, rated: 0.3 });
    expect(rated.get('step-2' as BlockId)).not.toHaveProperty('rated');
  });
});

describe('need', () => {
  it('of a read counts from when its file was last edited, not from when it was read', () => {
    const drawing = (last: string) =>
      draw(`1 anchor t 1\n1 read a.ts 1\n1 read b.ts 1\n1 read c.ts 1\n1 ${last} 1`);
    expect(needs(drawing('read d.ts'))).toEqual([0.25, 0.5, 0.75, 1]);
    expect(needs(drawing('edit a.ts')).slice(0, 3)).toEqual([1, 0.5, 0.75]);
  });

  it('of a read that was cut is less, of output half, of the answer to an edit a fifth', () => {
    const window = draw('1 anchor t 1\n1 run x 1\n1 edit a.ts 1\n1 read b.ts 1 cut\n1 run y 1');
    const [run, edit, cut, last] = needs(window);
    expect([run, edit, last]).toEqual([0.13, 0.1, 0.5]);
    expect(cut).toBeLessThan(0.2);
  });

  it('of what the newest prompt names is high wherever it stands', () => {
    const window = draw('1 anchor t 1\n1 read src/a.ts 1\n1 read src/b.ts 1\n2 prompt src/a.ts');
    expect(needs(window)[0]).toBe(0.8);
  });

  it('takes a name for a path only from a whole part of it on', () => {
    const wanted = (word: string) => ({ ...touchesOf(draw('')), wanted: [word] });
    expect(isWanted(wanted('sum.ts'), 'src/sum.ts')).toBe(true);
    expect(isWanted(wanted('src/sum.ts'), 'src/sum.ts')).toBe(true);
    expect(isWanted(wanted('sum.ts'), 'src/checksum.ts')).toBe(false);
  });
});
