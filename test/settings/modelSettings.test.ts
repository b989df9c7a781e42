import { describe, expect, it } from 'vitest';
import { entryFor, forModel, nameInForce, withInForce } from '../../src/settings/modelSettings';
import { parseSettings } from '../../src/settings/readSettings';
import { DEFAULT_SETTINGS, type ModelSettings } from '../../src/settings/settings';
import { turnSettings } from '../../src/settings/turnSettings';
import { budgetFor } from '../support/budgetFor';
import { PACKAGE_DEFAULTS } from '../support/packageSettings';

const { context } = DEFAULT_SETTINGS;

function validFor(model: string, models: Readonly<Record<string, ModelSettings>>) {
  const result = budgetFor({ ...DEFAULT_SETTINGS, model, context: { ...context, models } });
  if (!result.ok) throw new Error(result.problems[0]?.message);
  return result.valid;
}

function problemsFor(model: string, models: unknown): readonly string[] {
  const parsed = parseSettings({
    ...PACKAGE_DEFAULTS,
    'plimsoll.model': model,
    'plimsoll.context.models': models,
  });
  const result = parsed.ok ? budgetFor(parsed.settings) : parsed;
  return result.ok ? [] : result.problems.map(({ message }) => message);
}

describe('the settings of one model', () => {
  it.each([
    ['claude-haiku-4-5', 'claude-haiku-4-5'],
    ['claude-haiku-4-5-20251001', 'claude-haiku-4-*'],
    ['claude-haiku-5-5', 'claude-*'],
    ['qwen3-coder', '*'],
  ])('are for %s those under %s', (model, id) => {
    const models = { '*': {}, 'claude-*': {}, 'claude-haiku-4-*': {}, 'claude-haiku-4-5': {} };
    expect(entryFor(models, model)?.id).toBe(id);
  });

  it('are none if no key is the id or its beginning', () => {
    expect(entryFor({ 'claude-haiku-4-5': {}, 'claude-sonnet*': {} }, 'claude-haiku')).toBe(
      undefined,
    );
  });

  it('replace the general settings one by one, null and 0 included', () => {
    const models = { m: { windowTokens: null, highWatermark: 120_000, prepareWatermark: 0 } };
    const set = { ...context, models, windowTokens: 9_000, lowWatermark: 0.4 };
    expect(forModel(set, 'm')).toEqual({ ...set, ...models.m });
    expect(forModel(set, 'n')).toEqual(set);
  });

  it('change budget, reply and prepare watermark of their model only', () => {
    const models = {
      'small*': {
        windowTokens: 100_000,
        maxReplyTokens: 1_000,
        highWatermark: 60_000,
        lowWatermark: 40_000,
        prepareWatermark: 50_000,
      },
    };
    const small = validFor('small-1', models);
    expect(small.budget).toMatchObject({
      contextWindowTokens: 100_000,
      maxReplyTokens: 1_000,
      highTokens: 60_000,
      lowTokens: 40_000,
    });
    expect(small.windowSource).toBe('from a setting');
    expect(turnSettings(small).prepareTokens).toBe(50_000);
    expect(small.asSet.context).toEqual({ ...context, models });
    const other = validFor('large-1', models);
    expect(other.budget).toEqual(validFor('large-1', {}).budget);
  });

  it.each<[unknown, string]>([
    [
      { m: { highWatermark: 80 } },
      '.m.highWatermark must be a fraction of the input budget below 1, for example 0.8, or a ' +
        'number of tokens of at least 1,000, not 80.',
    ],
    [
      { 'other-4.1': { hihgWatermark: 0.7 } },
      '["other-4.1"] must be an object with no other keys than windowTokens, maxReplyTokens, ' +
        'highWatermark, lowWatermark, prepareWatermark, keepRecentTurns, so without hihgWatermark, not ' +
        '{"hihgWatermark":0.7}.',
    ],
    [
      { m: 0.7 },
      '.m must be an object with no other keys than windowTokens, maxReplyTokens, ' +
        'highWatermark, lowWatermark, prepareWatermark, keepRecentTurns, not 0.7.',
    ],
    [[], ' must be an object with the API ids of models as keys, not [].'],
    [{ 'a*b': {} }, '["a*b"] must be the API id of a model, a * only at its end, not {}.'],
    [
      { m: { lowWatermark: 0.9 } },
      '.m.lowWatermark must be below the high watermark (0.8), not 0.9.',
    ],
    [
      { m: { prepareWatermark: 0.8 } },
      '.m.prepareWatermark must be null, 0 (never) or below the high watermark (0.8), not 0.8.',
    ],
  ])('is refused with its name when it is %j', (models, message) => {
    expect(problemsFor('m', models)).toEqual([`plimsoll.context.models${message}`]);
  });

  it('are named when they hold a wrong number', () => {
    expect(problemsFor('m', { m: { highWatermark: 0.4 } })).toEqual([
      'plimsoll.context.lowWatermark must be below the high watermark (0.4), not 0.5.',
    ]);
    expect(problemsFor('my-model', { 'my-*': { windowTokens: 5_500 } })[0]).toMatch(
      /^plimsoll\.context\.models\["my-\*"\]\.windowTokens leaves an input budget of 780 tokens/,
    );
    const reply = { 'claude-opus-4-1': { maxReplyTokens: 40_000 } };
    expect(problemsFor('claude-opus-4-1', reply)).toEqual([
      'plimsoll.context.models["claude-opus-4-1"].maxReplyTokens must be at most 32000 tokens, ' +
        'what claude-opus-4-1 can write in one reply, not 40000.',
    ]);
  });

  it('of another model are not checked', () => {
    expect(problemsFor('m', { other: { lowWatermark: 0.9, windowTokens: 5 } })).toEqual([]);
  });

  it('are changed where they apply, and the rest in general', () => {
    const models = { 'c*': { highWatermark: 0.7 }, d: { highWatermark: 0.6 } };
    const set = { ...context, models };
    expect(nameInForce(set, 'c-1', 'highWatermark')).toBe(
      'plimsoll.context.models["c*"].highWatermark',
    );
    expect(nameInForce(set, 'c-1', 'lowWatermark')).toBe('plimsoll.context.lowWatermark');
    expect(withInForce(set, 'c-1', { highWatermark: 90_000, lowWatermark: 0.3 })).toEqual({
      ...set,
      lowWatermark: 0.3,
      models: { ...models, 'c*': { highWatermark: 90_000 } },
    });
  });
});
