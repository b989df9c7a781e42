import { expect, it } from 'vitest';
import { clearedPair } from '../../../src/contextWindow/blockChanges';
import type { ToolPair, ToolUseId } from '../../../src/contextWindow/block';
import { resultText } from '../../../src/contextWindow/request/placeholder';

const PAIR: ToolPair = {
  use: { id: 'toolu_1' as ToolUseId, name: 'read_file', input: { path: 'a.ts' } },
  result: {
    text: '1\tone',
    isError: false,
    origin: 'ran',
    durationMs: 0,
    admission: { form: 'whole' },
  },
  cleared: false,
};

it('the placeholder of a read says that the excerpts may show it, so that it is not read again', () => {
  const held = clearedPair(PAIR, true);
  expect(resultText(held)).toBe(
    '[Result cleared to make room (5 characters). Where "Files in work" follows, it shows what is ' +
      'likely to be needed of it; for the rest call recall with handle "toolu_1".]',
  );
  // If it is cleared again for another reason, it does not mention the excerpts.
  expect(resultText(clearedPair(held, false))).toBe(
    '[Result cleared to make room (5 characters). Call recall with handle "toolu_1" if it is needed again.]',
  );
});
