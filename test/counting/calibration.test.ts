import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Calibration, initialFactor, learnedFactor } from '../../src/counting/calibration';
import { tokenizerGeneration } from '../../src/counting/tokenizerGeneration';

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

  /** The factor after requests that are `truth` tokens for each raw one. */
  function after(requests: number, truth: number, rawTokens = 20_000): number {
    const calibration = new Calibration(MODEL);
    for (let i = 0; i < requests; i += 1) {
      calibration.learn(rawTokens * calibration.factor, rawTokens * truth);
    }
    return calibration.factor;
  }

  it('starts from the model and comes near the truth, faster from below', () => {
    expect(after(0, 1.5)).toBe(1.2);
    expect(after(1, 1.5)).toBeCloseTo(1.35);
    expect(after(5, 1.5)).toBeGreaterThan(1.48);
    expect(after(1, 0.9)).toBeCloseTo(1.14);
    expect(after(20, 0.9)).toBeCloseTo(0.9, 1);
  });

  it('learns little from a small request', () => {
    expect(after(1, 2.4, 300)).toBeLessThan(1.25);
  });

  it('keeps each model its own', () => {
    const calibration = new Calibration(MODEL);
    calibration.learn(20_000, 30_000);
    const learned = calibration.factor;
    calibration.forModel('claude-opus-5-5');
    expect(calibration.factor).toBe(initialFactor('claude-opus-5-5'));
    calibration.forModel(MODEL);
    expect(calibration.factor).toBe(learned);
  });

  it('survives any lesson: positive, within twice and half of the start', () => {
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
