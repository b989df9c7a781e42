import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { POLICY_NAMES } from '../../src/contextWindow/plan';
import { parseSettings } from '../../src/settings/readSettings';
import { DEFAULT_SETTINGS } from '../../src/settings/settings';
import { budgetFor } from '../support/budgetFor';
import {
  PACKAGE_DEFAULTS as defaults,
  PACKAGE_SETTINGS as properties,
  withSettings,
} from '../support/packageSettings';

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: boolean } };
};

function problemsWith(change: Readonly<Record<string, unknown>>): readonly string[] {
  const parsed = parseSettings(withSettings(change));
  const result = parsed.ok ? budgetFor(parsed.settings) : parsed;
  return result.ok ? [] : result.problems.map(({ message }) => message);
}

describe('the settings', () => {
  it('give the input budget of the design for a window of 200,000 tokens', () => {
    const withReply = (maxReplyTokens: number | null) => {
      const context = { ...DEFAULT_SETTINGS.context, maxReplyTokens };
      const limits = { contextWindowTokens: 200_000, maxReplyTokens: 64_000 };
      const result = budgetFor({ ...DEFAULT_SETTINGS, context }, limits);
      return result.ok && result.valid.budget.inputBudget;
    };
    expect(withReply(4_096)).toBe(200_000 - 4_096 - 2_048 - 8_192);
    expect(withReply(4_096)).toBe(185_664);
    expect(withReply(null)).toBe(200_000 - 25_000 - 2_048 - 8_192);
  });

  it('do not let a workspace name a server, a command, an outside file, a rule or a limit', () => {
    const ofWorkspace = Object.keys(properties).filter((name) => {
      const { scope = 'window' } = properties[name] ?? {};
      return scope !== 'application' && scope !== 'machine';
    });
    // A new setting is the user's alone, unless this list names it.
    expect(ofWorkspace.map((name) => name.replace(/^plimsoll\./, '')).toSorted()).toEqual(
      (
        'advanced effort idleLimit model scratchpad.fields thinking.mode ' +
        // Each call of a third-party tool needs an approval.
        'tools.disabled tools.enabled sessions.maxSessions sessions.onReturn sessions.ttl ' +
        'context.cacheLife context.compaction context.excerpts context.highWatermark context.keepRecentTurns ' +
        'context.lowWatermark context.maxReplyTokens context.models context.pinTaskAnchor ' +
        'context.policy context.salience context.server context.standingRules context.summariser ' +
        'context.summaryInstructions context.summaryModel context.windowTokens'
      )
        .split(' ')
        .toSorted(),
    );
    const ofUser = Object.keys(properties).filter((name) => !ofWorkspace.includes(name));
    const users =
      'approvals baseUrl provider memory.profile sessions.onClose sessions.onCloseCommand ' +
      'turn.maxCost turn.maxSteps turn.maxTokens';
    for (const name of users.split(' ')) {
      expect(ofUser).toContain(`plimsoll.${name}`);
    }
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
  });

  it.each([
    'https://gate.example.com/v1',
    'http://localhost:80',
    'http://127.3.2.1',
    'http://[::1]:9',
  ])('accept %s as the address of a server', (baseUrl) => {
    const read = parseSettings({ ...defaults, 'plimsoll.baseUrl': baseUrl });
    expect(read).toMatchObject({ ok: true, settings: { baseUrl } });
  });

  it.each([
    ['plimsoll.provider', 'openai', 'must be "anthropic" or "offline", not "openai".'],
    ['plimsoll.model', '  ', 'must be the API id of a model, not "  ".'],
    [
      'plimsoll.baseUrl',
      'ftp://example.com',
      'must be empty or an address that begins with https://, or with http:// for a server on this computer, not "ftp://example.com".',
    ],
    [
      'plimsoll.baseUrl',
      'http://gate.example.com',
      'must be empty or an address that begins with https://, or with http:// for a server on this computer, not "http://gate.example.com".',
    ],
    [
      'plimsoll.baseUrl',
      'http://192.168.0.4:8080',
      'must be empty or an address that begins with https://, or with http:// for a server on this computer, not "http://192.168.0.4:8080".',
    ],
    [
      'plimsoll.baseUrl',
      'http://localhost.example.com',
      'must be empty or an address that begins with https://, or with http:// for a server on this computer, not "http://localhost.example.com".',
    ],
    [
      'plimsoll.baseUrl',
      'http://127.0.0.1.example.com',
      'must be empty or an address that begins with https://, or with http:// for a server on this computer, not "http://127.0.0.1.example.com".',
    ],
    [
      'plimsoll.baseUrl',
      'http://0.0.0.0:80',
      'must be empty or an address that begins with https://, or with http:// for a server on this computer, not "http://0.0.0.0:80".',
    ],
    ['plimsoll.context.windowTokens', 0, 'must be a whole number of tokens of at least 1, not 0.'],
    [
      'plimsoll.context.maxReplyTokens',
      1.5,
      'must be a whole number of tokens of at least 1, not 1.5.',
    ],
    [
      'plimsoll.advanced.safetyHeadroomTokens',
      -1,
      'must be a whole number of tokens of at least 0, not -1.',
    ],
    [
      'plimsoll.advanced.toolResultHeadroomTokens',
      'none',
      'must be a whole number of tokens of at least 0, not "none".',
    ],
    [
      'plimsoll.context.highWatermark',
      1,
      'must be a fraction of the input budget below 1, for example 0.8, or a number of tokens of ' +
        'at least 1,000, not 1.',
    ],
    [
      'plimsoll.context.lowWatermark',
      'half',
      'must be a fraction of the input budget below 1, for example 0.5, or a number of tokens of ' +
        'at least 1,000, not "half".',
    ],
    [
      'plimsoll.context.highWatermark',
      2_000_000,
      'must be below the input budget of 949,808 tokens, not 2000000.',
    ],
    [
      'plimsoll.context.lowWatermark',
      800_000,
      'must be below the high watermark (0.8, here 759,846 tokens), not 800000.',
    ],
    ['plimsoll.context.lowWatermark', 0.8, 'must be below the high watermark (0.8), not 0.8.'],
    ['plimsoll.context.pinTaskAnchor', 'yes', 'must be true or false, not "yes".'],
    [
      'plimsoll.advanced.toolResultCapTokens',
      99,
      'must be a whole number of tokens of at least 100, not 99.',
    ],
    ['plimsoll.context.compaction', 'model', 'must be "auto", "ask" or "off", not "model".'],
    ['plimsoll.context.summariser', 'never', 'must be "model", "workNote" or "off", not "never".'],
    [
      'plimsoll.context.policy',
      'clairvoyant',
      'must be "ladder", "slidingWindow", "lastTurns", "headTail", "tokenBudget", "salience", ' +
        '"summarise" or "server", not "clairvoyant".',
    ],
    ['plimsoll.advanced.maxMessages', 1, 'must be a whole number of at least 2, not 1.'],
    ['plimsoll.advanced.keepTurns', 0, 'must be a whole number of at least 1, not 0.'],
    [
      'plimsoll.advanced.excerptShare',
      0,
      'must be a fraction above 0 and at most 1, such as 0.8, not 0.',
    ],
    ['plimsoll.context.excerpts', 1, 'must be true or false, not 1.'],
    ['plimsoll.advanced.maxHistoryTurns', -1, 'must be a whole number of at least 0, not -1.'],
    [
      'plimsoll.context.summaryInstructions',
      'x'.repeat(4_001),
      `must have at most 4,000 characters, not "${'x'.repeat(199)}….`,
    ],
    ['plimsoll.context.summaryInstructions', 7, 'must be text, not 7.'],
    [
      'plimsoll.scratchpad.fields',
      [{ name: 'Key facts', description: 'Again.' }],
      'must have distinct names with a letter or digit from a to z and 0 to 9, and none of the ' +
        'standard names, not [{"name":"Key facts","description":"Again."}].',
    ],
    ['plimsoll.advanced.remindAfterSteps', -1, 'must be a whole number of at least 0, not -1.'],
    ['plimsoll.context.summaryModel', null, 'must be empty or the API id of a model, not null.'],
    [
      'plimsoll.advanced.summaryTokens',
      99,
      'must be a whole number of tokens of at least 100, not 99.',
    ],
    ['plimsoll.context.salience', 'none', 'must be "computed" or "model", not "none".'],
    [
      'plimsoll.advanced.prepareWatermark',
      1,
      'must be null, 0 (never), a fraction of the input budget below 1, for example 0.7, or a ' +
        'number of tokens of at least 1,000, not 1.',
    ],
    [
      'plimsoll.advanced.prepareWatermark',
      759_846,
      'must be null, 0 (never) or below the high watermark (0.8, here 759,846 tokens), not 759846.',
    ],
    [
      'plimsoll.advanced.prepareWatermark',
      0.8,
      'must be null, 0 (never) or below the high watermark (0.8), not 0.8.',
    ],
  ])('report %s when it is %j', (name, value, message) => {
    expect(problemsWith({ [name]: value })).toEqual([`${name} ${message}`]);
  });

  it.each([
    [{ keepToolUses: -1 }, '.keepToolUses must be a whole number of at least 0, not -1.'],
    [{ clearThinking: 1 }, '.clearThinking must be true or false, not 1.'],
    [{ excludeTools: 'recall' }, '.excludeTools must be a list of tool names, not "recall".'],
    [
      { keepTools: 3 },
      ' must be an object with no other keys than clearToolUses, clearThinking, compact, ' +
        'keepToolUses, keepThinkingTurns, excludeTools, not {"keepTools":3}.',
    ],
  ])('report the problem inside plimsoll.context.server when it is %j', (value, message) => {
    expect(problemsWith({ 'plimsoll.context.server': value })).toEqual([
      `plimsoll.context.server${message}`,
    ]);
  });

  it('accept part of plimsoll.context.server, with defaults for the rest', () => {
    const parsed = parseSettings({ ...defaults, 'plimsoll.context.server': { compact: true } });
    expect(parsed.ok && parsed.settings.context.server).toEqual({
      ...DEFAULT_SETTINGS.context.server,
      compact: true,
    });
  });

  it('accept 0 for a summary that is never written ahead', () => {
    expect(problemsWith({ 'plimsoll.advanced.prepareWatermark': 0 })).toEqual([]);
  });

  it('refuse to keep more turns under lastTurns than the turn limit', () => {
    const turns = (policy: string, keep: number, most: number) =>
      problemsWith({
        'plimsoll.context.policy': policy,
        'plimsoll.advanced.keepTurns': keep,
        'plimsoll.advanced.maxHistoryTurns': most,
      });
    expect(turns('lastTurns', 51, 50)).toEqual([
      'plimsoll.advanced.keepTurns must be at most plimsoll.advanced.maxHistoryTurns (50; 0 for no ' +
        'limit) under the policy lastTurns, not 51.',
    ]);
    expect(turns('lastTurns', 50, 50)).toEqual([]);
    expect(turns('lastTurns', 51, 0)).toEqual([]);
    expect(turns('ladder', 51, 50)).toEqual([]);
  });

  it('refuse a compaction by the API that no request of this window would reach', () => {
    const compacting = (windowTokens: number, policy = 'server', compact = true) =>
      problemsWith({
        'plimsoll.context.policy': policy,
        'plimsoll.context.windowTokens': windowTokens,
        'plimsoll.context.server': { compact },
      });
    expect(compacting(60_000)).toEqual([
      'plimsoll.context.server must have "compact": false with this window: the API compacts no ' +
        'request of less than 50,000 tokens, and the input budget is 42,260.',
    ]);
    expect(compacting(80_000)).toEqual([]);
    expect(compacting(60_000, 'ladder')).toEqual([]);
    expect(compacting(60_000, 'server', false)).toEqual([]);
  });

  it('describe each policy: when it is right, and when wrong', () => {
    const policy = properties['plimsoll.context.policy'];
    expect(policy?.enum).toEqual([...POLICY_NAMES]);
    expect(policy?.enumDescriptions).toHaveLength(POLICY_NAMES.length);
    for (const text of policy?.enumDescriptions ?? []) expect(text).toMatch(/Right .* Wrong /s);
  });

  it('report every wrong setting once', () => {
    const problems = problemsWith({ 'plimsoll.model': 7, 'plimsoll.context.maxReplyTokens': 'x' });
    expect(problems.map((message) => message.split(' ')[0])).toEqual([
      'plimsoll.model',
      'plimsoll.context.maxReplyTokens',
    ]);
  });

  it('report a window that leaves nothing for the input', () => {
    expect(problemsWith({ 'plimsoll.context.windowTokens': 5_843 })).toEqual([
      expect.stringMatching(
        /^plimsoll\.context\.windowTokens leaves an input budget of 999 tokens after 4096/,
      ),
    ]);
    expect(problemsWith({ 'plimsoll.context.windowTokens': 5_844 })).toEqual([]);
  });

  it('refuse a reply longer than the model can write', () => {
    const limits = { maxReplyTokens: 4_095 };
    const context = { ...DEFAULT_SETTINGS.context, maxReplyTokens: 4_096 };
    const settings = { ...DEFAULT_SETTINGS, context };
    const result = budgetFor(settings, limits);
    expect(!result.ok && result.problems[0]?.message).toBe(
      'plimsoll.context.maxReplyTokens must be at most 4095 tokens, what claude-sonnet-5-5 can ' +
        'write in one reply, not 4096.',
    );
    expect(budgetFor(settings, { maxReplyTokens: 4_096 }).ok).toBe(true);
    expect(budgetFor(DEFAULT_SETTINGS, limits).ok).toBe(true);
  });

  it('name the source of the window size', () => {
    const sourceOf = (
      windowTokens: number | null,
      contextWindowTokens?: number,
      model = DEFAULT_SETTINGS.model,
    ) => {
      const context = { ...DEFAULT_SETTINGS.context, windowTokens };
      const limits = contextWindowTokens === undefined ? {} : { contextWindowTokens };
      const result = budgetFor({ ...DEFAULT_SETTINGS, model, context }, limits);
      return result.ok && [result.valid.budget.contextWindowTokens, result.valid.windowSource];
    };
    expect(sourceOf(32_000, 1_000_000)).toEqual([32_000, 'from a setting']);
    expect(sourceOf(null, 1_000_000)).toEqual([1_000_000, 'from the model list']);
    expect(sourceOf(null)).toEqual([1_000_000, 'from the table of known models']);
    expect(sourceOf(null, undefined, 'qwen3-coder')).toEqual([200_000, 'assumed']);
  });

  it('strip the slashes at the end of an address', () => {
    const parsed = parseSettings({ ...defaults, 'plimsoll.baseUrl': 'https://gate.example.com/ ' });
    expect(parsed.ok && parsed.settings.baseUrl).toBe('https://gate.example.com');
  });
});
