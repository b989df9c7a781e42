import { describe, expect, it } from 'vitest';
import type { BlockState, ToolUseId } from '../../src/contextWindow/block';
import type { ContextWindow } from '../../src/contextWindow/window';
import { fold } from '../../src/contextWindow/fold';
import { recall } from '../../src/tools/recall';
import { ticking } from '../support/ticking';
import { call, errorOf } from './support/callTool';
import { tempFolder } from './support/tempFolder';

/** A session of a prompt and one step for each result, each step in this state. */
function windowOf(results: readonly (readonly [string, BlockState])[]): ContextWindow {
  const whole = { form: 'whole' } as const;
  const window = fold([
    { type: 'promptSubmitted', at: 1, turn: 1, text: 'Find the flaw', admission: whole },
    ...results.flatMap(([text], index) => {
      const use = {
        id: `toolu_${index + 1}` as ToolUseId,
        name: 'read_file',
        input: { path: `${index + 1}.js` },
      };
      return [
        {
          type: 'replyReceived',
          at: 2,
          step: index + 1,
          model: 'm',
          parts: [
            { type: 'text', text: `Reading ${index + 1}` },
            { type: 'toolUse', use },
          ],
          stopReason: 'tool_use',
          usage: { inputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 1 },
          durationMs: 1,
        },
        {
          type: 'toolFinished',
          at: 3,
          toolUseId: use.id,
          text,
          isError: false,
          origin: 'ran',
          durationMs: 1,
          admission: whole,
        },
      ] as const;
    }),
  ]);
  const blocks = window.blocks.mapped((block) => {
    if (block.kind !== 'step') return block;
    const state = results[block.step - 1]![1];
    const cleared = state === 'cleared';
    return { ...block, state, pairs: block.pairs.map((pair) => ({ ...pair, cleared })) };
  });
  return { ...window, blocks };
}

const search = async (input: Record<string, unknown>, window: ContextWindow) =>
  (await call(recall, input, tempFolder(), window)).text;

describe('the search of recall', () => {
  it('returns the matching lines with two around each, and where the first begins', async () => {
    const text = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'four', 'nine'].join('\n');
    expect(await search({ handle: 'toolu_1', pattern: 'four' }, windowOf([[text, 'whole']]))).toBe(
      '2 lines match "four".\n\ntoolu_1: line 4 begins at offset 14\n' +
        '2-two\n3-three\n4:four\n5-five\n6-six\n7-seven\n8:four\n9-nine',
    );
    const far = `hit\n${'x\n'.repeat(9)}hit`;
    expect(await search({ handle: 'toolu_1', pattern: 'hit' }, windowOf([[far, 'whole']]))).toBe(
      '2 lines match "hit".\n\ntoolu_1: line 1 begins at offset 0\n1:hit\n2-x\n3-x\n--\n9-x\n10-x\n11:hit',
    );
  });

  it('searches, without a handle, every text that is not whole in the window, and names the handles', async () => {
    const window = windowOf([
      ['a flaw', 'evicted'],
      ['the flaw', 'whole'],
      ['no\nflaw', 'cleared'],
    ]);
    expect(await search({ pattern: 'flaw' }, window)).toBe(
      '2 lines match "flaw".\n\n' +
        'toolu_1 (read_file 1.js): line 1 begins at offset 0\n1:a flaw\n\n' +
        'toolu_3 (read_file 3.js): line 2 begins at offset 3\n1-no\n2:flaw',
    );
    expect(await search({ pattern: 'Reading' }, window)).toContain('step-1 (reply of step 1)');
    expect(await search({ pattern: 'nowhere' }, window)).toBe(
      'No matches for "nowhere" in step-1, toolu_1, toolu_3.',
    );
    expect(await search({ pattern: 'flaw' }, windowOf([['the flaw', 'whole']]))).toBe(
      'Nothing was removed: the whole session is in the context window.',
    );
  });

  it('takes the pattern literally unless it is marked as a regular expression', async () => {
    const window = windowOf([['a.b\naxb', 'whole']]);
    const literal = await search({ handle: 'toolu_1', pattern: 'a.b' }, window);
    expect(literal).toContain('1 line matches');
    const regex = { handle: 'toolu_1', pattern: '(?i)A.B', is_regex: true };
    expect(await search(regex, window)).toContain('2 lines match');
    const broken = { handle: 'toolu_1', pattern: '(', is_regex: true };
    expect(await errorOf(recall, broken, tempFolder(), window)).toContain('not valid');
  });

  it('gives up on a slow pattern, once for all texts', async () => {
    const slow = `${'a'.repeat(40)}!`;
    const window = windowOf(Array.from({ length: 5 }, () => [slow, 'evicted'] as const));
    const input = { pattern: '(a+)+$', is_regex: true };
    const { value, cpuMs } = await ticking(() => errorOf(recall, input, tempFolder(), window));
    expect(value).toContain('takes too long');
    expect(cpuMs).toBeLessThan(3_000);
  });

  it('returns at most 50 matches and says how many there are', async () => {
    const text = await search(
      { handle: 'toolu_1', pattern: 'x' },
      windowOf([['x\n'.repeat(60), 'whole']]),
    );
    expect(text).toContain('60 lines match "x"; the first 50 are shown.');
    expect(text.match(/^\d+:x$/gm)).toHaveLength(50);
  });

  it('cuts long lines around the match', async () => {
    const text = await search(
      { handle: 'toolu_1', pattern: 'hit' },
      windowOf([[`${'x'.repeat(5_000)}hit${'x'.repeat(5_000)}`, 'whole']]),
    );
    expect(text).toContain('hit');
    expect(text.length).toBeLessThan(700);
  });

  it('cannot be combined with a range', async () => {
    const input = { handle: 'toolu_1', pattern: 'x', offset: 3 };
    expect(await errorOf(recall, input, tempFolder(), windowOf([['x', 'whole']]))).toContain(
      'cannot be combined with pattern',
    );
  });
});
