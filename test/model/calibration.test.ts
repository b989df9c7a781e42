import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Calibration,
  initialFactor,
  learnedFactor,
  type CalibrationStore,
  tokenizerGeneration,
} from '../../src/model/calibration';

describe('the tokenizer of a model', () => {
  it.each([
    ['claude-opus-4-6', 'claude4'],
    ['claude-opus-4-7', 'claude47'],
    ['claude-opus-4-8', 'claude47'],
    ['claude-sonnet-4-20250514', 'claude4'],
    ['claude-haiku-4-5-20251001', 'claude4'],
    ['claude-sonnet-5', 'claude47'],
    ['claude-fable-5-2', 'claude47'],
    ['claude-opus-10', 'claude47'],
    ['anthropic/claude-sonnet-4.5', 'claude4'],
    ['us.anthropic.claude-opus-5-5-v1:0', 'claude47'],
    ['claude-3-5-sonnet-20241022', 'claude4'],
    ['claude-of-tomorrow', 'claude47'],
    ['qwen3-coder', 'other'],
  ])('%s is %s', (model, generation) => {
    expect(tokenizerGeneration(model)).toBe(generation);
  });
});

describe('a calibration', () => {
  const MODEL = 'claude-sonnet-4-5';

  /** The factor after requests whose true count is `truth` tokens for each raw token. */
  function after(requests: number, truth: number, rawTokens = 20_000): number {
    const calibration = new Calibration(MODEL);
    for (let i = 0; i < requests; i += 1) {
      calibration.learn(rawTokens * calibration.factor, rawTokens * truth);
    }
    return calibration.factor;
  }

  it('starts from the factor of the model and approaches the truth, faster from below', () => {
    expect(after(0, 1.5)).toBe(1.2);
    expect(after(1, 1.5)).toBeCloseTo(1.35);
    expect(after(5, 1.5)).toBeGreaterThan(1.48);
    expect(after(1, 0.9)).toBeCloseTo(1.14);
    expect(after(20, 0.9)).toBeCloseTo(0.9, 1);
  });

  it('learns little from a small request', () => {
    expect(after(1, 2.4, 300)).toBeLessThan(1.25);
  });

  it('is separate for each model', () => {
    const calibration = new Calibration(MODEL);
    calibration.learn(20_000, 30_000);
    const learned = calibration.factor;
    calibration.forModel('claude-opus-5-5');
    expect(calibration.factor).toBe(initialFactor('claude-opus-5-5'));
    calibration.forModel(MODEL);
    expect(calibration.factor).toBe(learned);
  });

  it('stays positive and within half and twice the start, whatever it learns', () => {
    const number = fc.oneof(fc.double(), fc.integer({ min: -10, max: 10_000_000 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number), { maxLength: 30 }), (lessons) => {
        const factor = lessons.reduce(
          (now, [estimated, actual]) => learnedFactor(now, MODEL, estimated, actual),
          initialFactor(MODEL),
        );
        expect(factor).toBeGreaterThanOrEqual(0.6);
        expect(factor).toBeLessThanOrEqual(2.4);
      }),
    );
  });
});

describe('a stored calibration', () => {
  const MODEL = 'claude-sonnet-4-5';

  /** A store that keeps values as JSON, as the editor does. */
  function storeOf(first?: unknown) {
    const kept = { value: first, writes: 0 };
    const store: CalibrationStore = {
      read: () => kept.value,
      write: (factors) => {
        kept.value = JSON.parse(JSON.stringify(factors));
        kept.writes += 1;
      },
    };
    return { store, kept };
  }

  it('is the start of the next session', () => {
    const { store, kept } = storeOf();
    const first = new Calibration(MODEL, { store });
    first.learn(20_000, 30_000);
    first.forModel(MODEL, 'gate.example.com/');
    first.learn(20_000, 10_000);
    expect(kept.value).toEqual({
      'anthropic claude-sonnet-4-5': 1.5,
      'gate.example.com/ claude-sonnet-4-5': 1.08,
    });
    const next = new Calibration(MODEL, { store });
    expect(next.factor).toBe(1.5);
    next.forModel(MODEL, 'gate.example.com/');
    expect(next.factor).toBe(1.08);
    next.forModel(MODEL, 'offline');
    expect(next.factor).toBe(1.2);
  });

  it('belongs to a server: the same model elsewhere starts again, and continues on its return', () => {
    const calibration = new Calibration(MODEL, { server: 'offline' });
    calibration.learn(20_000, 40_000);
    const learned = calibration.factor;
    calibration.forModel(MODEL);
    expect(calibration.factor).toBe(1.2);
    calibration.forModel(MODEL, 'offline');
    expect(calibration.factor).toBe(learned);
  });

  it('is written when a factor moved by a hundredth, and not for less', () => {
    const { store, kept } = storeOf();
    const calibration = new Calibration(MODEL, { store });
    calibration.learn(20_000, 20_300);
    expect(kept.writes).toBe(0);
    // Small steps add up: the distance from the stored factor counts.
    calibration.learn(20_000, 20_300);
    expect(kept.writes).toBe(1);
    calibration.learn(20_000, 20_000);
    expect(kept.writes).toBe(1);
  });

  it('is limited to the bounds of a learned one', () => {
    const { store } = storeOf({ [`anthropic ${MODEL}`]: 99, 'anthropic claude-opus-5-5': 0.001 });
    const calibration = new Calibration(MODEL, { store });
    expect(calibration.factor).toBe(2.4);
    calibration.forModel('claude-opus-5-5');
    expect(calibration.factor).toBe(1.55 / 2);
  });

  it.each([
    ['a text', 'garbage'],
    ['a list', [1, 2]],
    ['null', null],
    ['a number', 7],
    ['a set of invalid factors', { [`anthropic ${MODEL}`]: 'high', x: -1, y: Number.NaN, z: null }],
  ])('that is %s is ignored, and is reported once', (_, stored) => {
    const problems: string[] = [];
    const { store } = storeOf(stored);
    const onProblem = (message: string) => void problems.push(message);
    const calibration = new Calibration(MODEL, { store, onProblem });
    expect(calibration.factor).toBe(1.2);
    calibration.learn(20_000, 30_000);
    expect(calibration.factor).toBe(1.5);
    expect(problems).toEqual([
      'The saved token calibration was partly unreadable; Plimsoll learns the rest again.',
    ]);
  });

  it('keeps the valid entries of a damaged one', () => {
    const problems: string[] = [];
    const { store } = storeOf({ [`anthropic ${MODEL}`]: 1.4, other: 'x' });
    const onProblem = (message: string) => void problems.push(message);
    expect(new Calibration(MODEL, { store, onProblem }).factor).toBe(1.4);
    expect(problems).toHaveLength(1);
  });

  it('that was never written is not a problem', () => {
    const problems: string[] = [];
    const onProblem = (message: string) => void problems.push(message);
    expect(new Calibration(MODEL, { store: storeOf().store, onProblem }).factor).toBe(1.2);
    expect(problems).toEqual([]);
  });

  it('has a bounded size; the least recently used entry is evicted', () => {
    const { store, kept } = storeOf();
    const calibration = new Calibration(MODEL, { store });
    for (let number = 0; number < 150; number += 1) {
      calibration.forModel(MODEL, `server-${number}`);
      calibration.learn(20_000, 30_000);
    }
    const keys = Object.keys(kept.value as object);
    expect(keys).toHaveLength(100);
    expect(keys[0]).toBe(`server-50 ${MODEL}`);
  });
});

it.each([
  [Infinity, Infinity],
  [Infinity, 10],
  [10, Infinity],
  [NaN, 10],
  [10, NaN],
  [-1, 10],
])('learns nothing from %d estimated and %d counted', (estimated, actual) => {
  expect(learnedFactor(1.3, 'claude-sonnet-5-5', estimated, actual)).toBe(1.3);
});
