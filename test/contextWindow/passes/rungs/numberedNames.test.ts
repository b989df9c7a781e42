import { describe, expect, it } from 'vitest';
import type { Block } from '../../../../src/contextWindow/block';
import { numberedNames } from '../../../../src/contextWindow/passes/rungs/numberedNames';
import { draw } from '../../../support/drawing';

function promptThatNames(text: string): Block {
  return draw(`1 anchor ${text} 1`).blocks.at(0)!;
}

describe('numberedNames', () => {
  it('gives a name the same number wherever it is mentioned', () => {
    const names = numberedNames();
    const [first] = names.of(promptThatNames('src/one.ts')).said;
    const block = promptThatNames('src/two.ts,src/one.ts');
    expect(names.of(block).all).toEqual([names.numberOf('src/two.ts'), first]);
    expect(names.of(block)).toBe(names.of(block));
    expect(names.numberOf('src/one.ts')).toBe(first);
    expect(names.numberOf('src/nobodySaid.ts')).toBeUndefined();
  });

  it('begins anew once there are very many, so that closed sessions are forgotten', () => {
    const names = numberedNames();
    const block = promptThatNames('src/kept.ts');
    names.of(block);
    for (let at = 0; names.count <= 200_000; at += 1) {
      const text = Array.from({ length: 40 }, (_, index) => `a${at}/${index}.ts`).join(' ');
      names.of({ ...block, text } as Block);
    }
    const others = numberedNames();
    expect(others).not.toBe(names);
    expect(others.count).toBe(0);
    expect(others.of(block).said).toEqual([0]);
    expect(numberedNames()).toBe(others);
  });
});
