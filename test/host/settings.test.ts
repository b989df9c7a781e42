import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, parseSettings, SETTING_NAMES } from '../../src/host/settings';
import { budgetOf } from '../../src/host/windowBudget';

interface Contribution {
  readonly default: unknown;
  readonly scope?: string;
  readonly markdownDescription: string;
}

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, Contribution>> };
  };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: boolean } };
};
const { properties } = manifest.contributes.configuration;
const defaults = Object.fromEntries(
  Object.entries(properties).map(([name, contribution]) => [name, contribution.default]),
);

function problemsWith(change: Readonly<Record<string, unknown>>): readonly string[] {
  const parsed = parseSettings({ ...defaults, ...change });
  const result = parsed.ok ? budgetOf(parsed.settings, {}) : parsed;
  return result.ok ? [] : result.problems.map(({ message }) => message);
}

describe('the settings', () => {
  it('have the defaults of package.json', () => {
    expect(parseSettings(defaults)).toEqual({ ok: true, settings: DEFAULT_SETTINGS });
  });

  it('are those of package.json, no more and no fewer', () => {
    expect([...SETTING_NAMES].toSorted()).toEqual(Object.keys(properties).toSorted());
  });

  it('give the input budget of the design for a window of 200,000 tokens', () => {
    const result = budgetOf(DEFAULT_SETTINGS, { contextWindowTokens: 200_000 });
    expect(result.ok && result.valid.budget.inputBudget).toBe(185_664);
  });

  it('cannot be used by a workspace to send the key elsewhere', () => {
    expect(properties['plimsoll.baseUrl']?.scope).toBe('machine');
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
  });

  it.each([
    ['plimsoll.provider', 'openai', 'must be "anthropic" or "offline", not "openai".'],
    ['plimsoll.model', '  ', 'must be the API id of a model, not "  ".'],
    [
      'plimsoll.baseUrl',
      'ftp://example.com',
      'must be empty or an address that begins with https:// or http://, not "ftp://example.com".',
    ],
    ['plimsoll.context.windowTokens', 0, 'must be a whole number of tokens of at least 1, not 0.'],
    [
      'plimsoll.context.maxReplyTokens',
      1.5,
      'must be a whole number of tokens of at least 1, not 1.5.',
    ],
    [
      'plimsoll.context.safetyHeadroomTokens',
      -1,
      'must be a whole number of tokens of at least 0, not -1.',
    ],
    [
      'plimsoll.context.toolResultHeadroomTokens',
      null,
      'must be a whole number of tokens of at least 0, not null.',
    ],
    ['plimsoll.context.highWatermark', 1, 'must lie between 0 and 1, both excluded, not 1.'],
    ['plimsoll.context.highWatermark', 'high', 'must be a number between 0 and 1, not "high".'],
    ['plimsoll.context.lowWatermark', 0.8, 'must be below the high watermark (0.8), not 0.8.'],
    ['plimsoll.context.pinTaskAnchor', 'yes', 'must be true or false, not "yes".'],
    [
      'plimsoll.context.toolResultCapTokens',
      99,
      'must be a whole number of tokens of at least 100, not 99.',
    ],
    ['plimsoll.context.compaction', 'never', 'must be "model", "workNote" or "off", not "never".'],
  ])('name %s when it is %j', (name, value, message) => {
    expect(problemsWith({ [name]: value })).toEqual([`${name} ${message}`]);
  });

  it('name every wrong setting, each once', () => {
    const problems = problemsWith({ 'plimsoll.model': 7, 'plimsoll.context.maxReplyTokens': 'x' });
    expect(problems.map((message) => message.split(' ')[0])).toEqual([
      'plimsoll.model',
      'plimsoll.context.maxReplyTokens',
    ]);
  });

  it('name the window when nothing is left for the input', () => {
    expect(problemsWith({ 'plimsoll.context.windowTokens': 15_335 })).toEqual([
      expect.stringMatching(
        /^plimsoll\.context\.windowTokens leaves an input budget of 999 tokens after 4096/,
      ),
    ]);
    expect(problemsWith({ 'plimsoll.context.windowTokens': 15_336 })).toEqual([]);
  });

  it('refuse a reply longer than the model can write', () => {
    const limits = { maxReplyTokens: 4_095 };
    const result = budgetOf(DEFAULT_SETTINGS, limits);
    expect(!result.ok && result.problems[0]?.message).toBe(
      'plimsoll.context.maxReplyTokens must be at most 4095 tokens, what claude-sonnet-5-5 can ' +
        'write in one reply, not 4096.',
    );
    expect(budgetOf(DEFAULT_SETTINGS, { maxReplyTokens: 4_096 }).ok).toBe(true);
  });

  it('say where the size of the window comes from', () => {
    const sourceOf = (windowTokens: number | null, contextWindowTokens?: number) => {
      const context = { ...DEFAULT_SETTINGS.context, windowTokens };
      const limits = contextWindowTokens === undefined ? {} : { contextWindowTokens };
      const result = budgetOf({ ...DEFAULT_SETTINGS, context }, limits);
      return result.ok && [result.valid.budget.contextWindowTokens, result.valid.windowSource];
    };
    expect(sourceOf(32_000, 1_000_000)).toEqual([32_000, 'from a setting']);
    expect(sourceOf(null, 1_000_000)).toEqual([1_000_000, 'from the model list']);
    expect(sourceOf(null)).toEqual([200_000, 'assumed']);
  });

  it('take an address without its slashes at the end', () => {
    const parsed = parseSettings({ ...defaults, 'plimsoll.baseUrl': 'https://gate.example.com/ ' });
    expect(parsed.ok && parsed.settings.baseUrl).toBe('https://gate.example.com');
  });
});
