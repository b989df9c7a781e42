import { describe, expect, it } from 'vitest';
import { workNote } from '../../../../src/contextWindow/passes/rungs/summary';
import { draw } from '../../../support/drawing';
import { estimate } from '../../../support/player';

describe('a work note', () => {
  it('names prompts, calls and failures, without a model', () => {
    const { blocks } = draw('1 anchor fix 0\n1 step a.ts 3\n2 prompt next 0\n2 reply done 0');
    expect(workNote(blocks.toArray(), 500, estimate)).toBe(
      [
        'Work note, written from the log without a model:',
        'The user asked: fix',
        '- read_file a.ts',
        'The user asked: next',
        'Said: done',
      ].join('\n'),
    );
  });

  it('omits the oldest lines until it fits, and says how many', () => {
    const { blocks } = draw(`1 anchor fix 0\n${'1 step some/long/path/file.ts 3\n'.repeat(200)}`);
    const note = workNote(blocks.toArray(), 300, estimate);
    expect(estimate(note)).toBeLessThanOrEqual(300);
    expect(note).toMatch(/\(1\d\d earlier lines left out\)/);
  });

  it('is never empty', () => {
    expect(workNote([], 10, estimate)).not.toBe('');
  });
});
