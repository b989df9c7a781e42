import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/settings/settings';
import { budgetFor } from '../support/budgetFor';

function problemsWith(context: Partial<typeof DEFAULT_SETTINGS.context>): readonly string[] {
  const settings = { ...DEFAULT_SETTINGS, context: { ...DEFAULT_SETTINGS.context, ...context } };
  const result = budgetFor(settings);
  return result.ok ? [] : result.problems.map(({ message }) => message);
}

const both = (example: number) =>
  `must be a fraction of the input budget below 1, for example ${example}, or a number of tokens of at least 1,000`;

describe('a watermark set by mistake', () => {
  it.each<[string, Partial<typeof DEFAULT_SETTINGS.context>, readonly string[]]>([
    [
      'a high one of 5 %',
      { highWatermark: 0.05 },
      [
        'plimsoll.context.lowWatermark must be below the high watermark (0.05, here 47,490 tokens), not 120000.',
      ],
    ],
    [
      'a high one of 150 %',
      { highWatermark: 1.5 },
      [`plimsoll.context.highWatermark ${both(0.8)}, not 1.5.`],
    ],
    [
      'a percentage for a fraction',
      { highWatermark: 80 },
      [`plimsoll.context.highWatermark ${both(0.8)}, not 80.`],
    ],
    [
      'the two the wrong way round',
      { highWatermark: 0.5, lowWatermark: 0.8 },
      ['plimsoll.context.lowWatermark must be below the high watermark (0.5), not 0.8.'],
    ],
    ['a low one of 0', { lowWatermark: 0 }, [`plimsoll.context.lowWatermark ${both(0.5)}, not 0.`]],
    [
      'a prepare mark above the high one',
      { prepareWatermark: 0.9 },
      [
        'plimsoll.advanced.prepareWatermark must be null, 0 (never) or below the high watermark (0.8), not 0.9.',
      ],
    ],
  ])('B14: %s is refused with its name, never clamped', (_, context, problems) => {
    expect(problemsWith(context)).toEqual(problems);
  });

  it('B14: the defaults are valid', () => {
    expect(problemsWith({})).toEqual([]);
  });
});
