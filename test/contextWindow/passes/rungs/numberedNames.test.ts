import { describe, expect, it } from 'vitest';
import type { Block } from '../../../../src/contextWindow/block';
import { namesIn } from '../../../../src/contextWindow/passes/rungs/numberedNames';
import { draw } from '../../../support/drawing';

function promptThatNames(text: string): Block {
  return draw(`1 anchor ${text} 1`).blocks.at(0)!;
}

describe('the names of a session', () => {
  it('have the same number wherever they are mentioned', () => {
    const names = namesIn({ sessionId: 'one' });
    const [first] = names.of(promptThatNames('src/one.ts')).said;
    const block = promptThatNames('src/two.ts,src/one.ts');
    expect(names.of(block).all).toEqual([names.numberOf('src/two.ts'), first]);
    expect(names.of(block)).toBe(names.of(block));
    expect(names.numberOf('src/one.ts')).toBe(first);
    expect(names.numberOf('src/nobodySaid.ts')).toBeUndefined();
  });

  it('are its own, and forgotten once eight other sessions were planned for', () => {
    const names = namesIn({ sessionId: 'kept' });
    names.of(promptThatNames('src/kept.ts'));
    const others = (count: number) => {
      for (let at = 0; at < count; at += 1) {
        expect(namesIn({ sessionId: `other ${at}` }).numberOf('src/kept.ts')).toBeUndefined();
      }
    };
    others(7);
    expect(namesIn({ sessionId: 'kept' })).toBe(names);
    others(8);
    expect(namesIn({ sessionId: 'kept' })).not.toBe(names);
    expect(namesIn({ sessionId: 'kept' }).count).toBe(0);
  });
});
