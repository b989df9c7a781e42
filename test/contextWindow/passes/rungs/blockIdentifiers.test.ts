import { describe, expect, it } from 'vitest';
import type { Block, ToolUseId } from '../../../../src/contextWindow/block';
import { identifiersOf } from '../../../../src/contextWindow/passes/rungs/identifiers';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { draw, foldNew, promptEvent, reply, resultEvent, usage } from '../../../support/drawing';
import { FAR_TOO_LONG_CPU_MS, ticking } from '../../../support/ticking';

/** The step of one call with that input, the model's words before it and its result. */
function stepOf(input: Readonly<Record<string, unknown>>, words: string, result: string): Block {
  const asked = reply(words, usage(1)) as Extract<NewEvent, { type: 'replyReceived' }>;
  const use = { id: 'call' as ToolUseId, name: 'edit_file', input };
  const events = [
    promptEvent('t'),
    { ...asked, parts: [...asked.parts, { type: 'toolUse' as const, use }] },
    resultEvent('call', result),
  ];
  return foldNew(events).blocks.at(1)!;
}

describe('identifiersOf', () => {
  it('finds the names in calls and text, and separately those in results', () => {
    const input = {
      path: 'src/a.ts',
      edits: [{ old_text: 'loadTable()', new_text: 'load_all()' }],
    };
    const found = identifiersOf(stepOf(input, 'I rename loadTable.', 'done: 2 in src/b.ts'));
    expect(found.said).toEqual(['src/a.ts', 'loadTable', 'load_all']);
    expect(found.all).toEqual(['src/a.ts', 'loadTable', 'load_all', 'src/b.ts']);
  });

  it('finds the names in a prompt, a summary or a note', () => {
    const [prompt] = draw('1 anchor src/a.ts 3').blocks;
    expect(identifiersOf(prompt!)).toEqual({ said: ['src/a.ts'], all: ['src/a.ts'] });
  });

  it('finds at most 40 names, those of the calls before those of the results', () => {
    const names = (what: string) =>
      Array.from({ length: 30 }, (_, index) => `${what}/f${index}.ts`).join(' ');
    const { said, all } = identifiersOf(stepOf({ command: names('one') }, '', names('two')));
    expect(said).toHaveLength(30);
    expect(all).toHaveLength(40);
    expect(all.at(-1)).toBe('two/f9.ts');
  });

  it('searches only the head of a result', () => {
    const { all } = identifiersOf(stepOf({}, '', `${' '.repeat(2_000)}src/late.ts`));
    expect(all).toEqual([]);
  });

  it('is computed once for a block, and quick on a huge one', async () => {
    const giant = stepOf({ text: 'aB '.repeat(1_000_000), list: Array(200_000).fill('x') }, '', '');
    const { value, cpuMs } = await ticking(() => identifiersOf(giant));
    expect(identifiersOf(giant)).toBe(value);
    expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });
});
