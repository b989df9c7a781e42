import { describe, expect, it } from 'vitest';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import { isWanted, needOf, lastUsesOf } from '../../../../src/contextWindow/passes/rungs/need';
import { draw, drawnEvents, evicting, foldNew } from '../../../support/drawing';

function needs(window: ContextWindow): readonly number[] {
  const uses = lastUsesOf(window);
  return window.blocks.flatMap((block) =>
    block.kind === 'step'
      ? block.pairs.map((pair) => Number(needOf(uses, block, pair).toFixed(2)))
      : [],
  );
}

describe('need', () => {
  it('of a read counts from the last edit of its file, not from the read', () => {
    const drawing = (last: string) =>
      draw(`1 anchor t 1\n1 read a.ts 1\n1 read b.ts 1\n1 read c.ts 1\n1 ${last} 1`);
    expect(needs(drawing('read d.ts'))).toEqual([0.25, 0.5, 0.75, 1]);
    expect(needs(drawing('edit a.ts')).slice(0, 3)).toEqual([1, 0.5, 0.75]);
  });

  it('of a truncated read is less, of output half, of the answer to an edit a fifth', () => {
    const window = draw('1 anchor t 1\n1 run x 1\n1 edit a.ts 1\n1 read b.ts 1 cut\n1 run y 1');
    const [run, edit, cut, last] = needs(window);
    expect([run, edit, last]).toEqual([0.13, 0.1, 0.5]);
    expect(cut).toBeLessThan(0.2);
  });

  it('of a file that the newest prompt names is high wherever the read is', () => {
    const window = draw('1 anchor t 1\n1 read src/a.ts 1\n1 read src/b.ts 1\n2 prompt src/a.ts');
    expect(needs(window)[0]).toBe(0.8);
  });

  it('matches a name with a path only by whole parts', () => {
    const wanted = (word: string) => ({ ...lastUsesOf(draw('')), wanted: new Set([word]) });
    expect(isWanted(wanted('sum.ts'), 'src/sum.ts')).toBe(true);
    expect(isWanted(wanted('src/sum.ts'), 'src/sum.ts')).toBe(true);
    expect(isWanted(wanted('sum.ts'), 'src/checksum.ts')).toBe(false);
  });

  it('of a search, a listing and a recall is that of a command, half of a read', () => {
    for (const kind of ['run', 'search', 'list', 'recall']) {
      expect(needs(draw(`1 anchor t 1\n1 ${kind} src 1`)), kind).toEqual([0.5]);
    }
    expect(needs(draw('1 anchor t 1\n1 read src 1'))).toEqual([1]);
    expect(needs(draw('1 anchor t 1\n1 write src 1'))).toEqual([0.2]);
  });

  it('of a read never falls below its own place, whatever was edited before it', () => {
    expect(needs(draw('1 anchor t 1\n1 edit a.ts 1\n1 read a.ts 1'))).toEqual([0.1, 1]);
  });

  it('is not raised by a read that an older prompt names', () => {
    const window = draw('1 anchor t 1\n1 read src/a.ts 1\n2 prompt src/a.ts\n3 prompt now');
    expect(needs(window)[0]).toBeCloseTo(0.33);
  });
});

describe('uses', () => {
  const window = draw(`
    1 anchor task 1
    1 read   src/a.ts 1
    1 edit   src/a.ts 1
    1 search loadTable 1
    1 reply  src/a.ts 1
  `);
  const uses = lastUsesOf(window);

  it('have the newest edit, the newest call, and the newest mention of a name', () => {
    expect(uses.lastEdit).toEqual(new Map([['src/a.ts', 0.5]]));
    expect(uses.lastNamed).toEqual(new Map([['src/a.ts', 0.5]]));
    const lastSpoken = (name: string) => uses.lastSpoken[uses.names.numberOf(name)!];
    expect(lastSpoken('src/a.ts')).toBe(1);
    expect(lastSpoken('loadTable')).toBe(0.75);
  });

  it('are computed once for a window, and omit blocks outside it', () => {
    expect(lastUsesOf(window)).toBe(uses);
    const left = lastUsesOf(
      foldNew([...drawnEvents('1 anchor t 1\n1 edit a.ts 1'), evicting('step-1')]),
    );
    expect(left.lastEdit.size).toBe(0);
    expect([...left.placeOf.values()]).toEqual([1]);
  });
});
