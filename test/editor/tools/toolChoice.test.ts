import { describe, expect, it } from 'vitest';
import type { NewEvent, ToolDefinition } from '../../../src/contextWindow/event';
import {
  choiceWords,
  definitionTokens,
  rowWords,
  switched,
  toolGroups,
  type OfferedRow,
} from '../../../src/editor/tools/toolChoice';
import { foldNew, promptEvent, stepEvents } from '../../support/drawing';

/** Each character is a token. */
const estimate = (text: string): number => text.length;

const tool = (name: string, provider?: string): ToolDefinition => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  ...(provider === undefined ? {} : { provider }),
});

const OWN = [tool('read_file'), tool('fetch_url')];
const DEPTH: OfferedRow = {
  name: 'depth',
  provider: 'Harbour Tools',
  description: 'Tells depths.',
  definition: tool('depth', 'Harbour Tools'),
};
const ECHO: OfferedRow = {
  name: 'mcp_every_echo',
  provider: 'MCP server every',
  description: 'Echoes.',
  definition: tool('mcp_every_echo', 'MCP server every'),
};
const ODD: OfferedRow = {
  name: 'odd',
  provider: 'Harbour Tools',
  description: 'Is odd.',
  why: 'its input schema has oneOf at its top level',
};

function groups(changes: Partial<Parameters<typeof toolGroups>[0]> = {}) {
  return toolGroups({
    own: OWN,
    needed: new Set(['read_file']),
    others: [ECHO, DEPTH, ODD],
    enabled: [],
    disabled: [],
    estimate,
    ...changes,
  });
}

describe('the tree of tools', () => {
  it("lists Plimsoll's first, then the other providers", () => {
    expect(groups().map(({ label, rows }) => [label, rows.map(({ name }) => name)])).toEqual([
      ['Plimsoll', ['read_file', 'fetch_url']],
      ['Harbour Tools', ['depth', 'odd']],
      ['MCP server every', ['mcp_every_echo']],
    ]);
  });

  it("begins with Plimsoll's on and others off, and marks tools that cannot be switched", () => {
    const rows = groups().flatMap((group) => group.rows);
    expect(rows.map(({ name, isOn, fixed }) => [name, isOn, fixed])).toEqual([
      ['read_file', true, 'The agent needs it.'],
      ['fetch_url', true, undefined],
      ['depth', false, undefined],
      ['odd', false, 'It cannot be chosen: its input schema has oneOf at its top level.'],
      ['mcp_every_echo', false, undefined],
    ]);
  });

  it('keeps tools on that the agent needs, and off if they cannot be sent', () => {
    const chosen = groups({ enabled: ['odd', 'depth'], disabled: ['read_file', 'fetch_url'] });
    const on = chosen.flatMap(({ rows }) => rows.filter(({ isOn }) => isOn));
    expect(on.map(({ name }) => name)).toEqual(['read_file', 'depth']);
  });

  it('counts a definition as it is sent, without its provider', () => {
    const sent = { name: 'depth', description: 'Does depth.', input_schema: { type: 'object' } };
    const tokens = definitionTokens(tool('depth', 'Harbour Tools'), estimate);
    expect(tokens).toBe(JSON.stringify(sent).length);
    expect(rowWords({ tokens: 1_234 })).toBe('≈ 1,234 tokens');
    expect(rowWords({ tokens: 0 })).toBe('');
  });

  it('counts in a small window what each tool adds there', () => {
    const sent = new Map([
      ['read_file', 'brief'],
      ['fetch_url', '- fetch_url(url)'],
    ]);
    expect(groups({ sent })[0]!.rows.map(({ tokens }) => tokens)).toEqual([5, 16]);
  });

  it('lists chosen tools that are missing, which can be removed from the choice', () => {
    expect(groups({ enabled: ['gone', 'depth', 'gone'] }).at(-1)).toEqual({
      label: 'Chosen but missing',
      isOwn: false,
      rows: [
        {
          name: 'gone',
          description: 'This tool is missing now: the agent works without it.',
          tokens: 0,
          isOn: true,
        },
      ],
    });
  });
});

describe('a switch of tools', () => {
  const none = { enabled: ['a'], disabled: ['x'] };

  it.each([
    [{ isOwn: false }, ['b'], true, { enabled: ['a', 'b'], disabled: ['x'] }],
    [{ isOwn: false }, ['a'], true, none],
    [{ isOwn: false }, ['a', 'b'], false, { enabled: [], disabled: ['x'] }],
    [{ isOwn: true }, ['y'], false, { enabled: ['a'], disabled: ['x', 'y'] }],
    [{ isOwn: true }, ['x', 'y'], true, { enabled: ['a'], disabled: [] }],
  ])('of %j: %j to %s', (group, names, isOn, after) => {
    expect(switched(none, group, names, isOn)).toEqual(after);
  });
});

describe('the cost of a choice of tools', () => {
  const SENT: NewEvent = { type: 'preambleSet', system: '', tools: OWN };
  const [small, large] = [[tool('x')], [tool('x'), tool('yy')]];
  const words = (changes: Partial<Parameters<typeof choiceWords>[0]> = {}) =>
    choiceWords({
      groups: [
        {
          label: 'Plimsoll',
          isOwn: true,
          rows: [
            { name: 'a', description: '', tokens: 100, isOn: true },
            { name: 'b', description: '', tokens: 900, isOn: true },
            { name: 'c', description: '', tokens: 900, isOn: false },
          ],
        },
      ],
      next: small,
      window: foldNew([]),
      used: 20_000,
      model: 'claude-sonnet-5-5',
      offline: false,
      ...changes,
    });
  const begun = foldNew([
    SENT,
    promptEvent('task'),
    ...stepEvents([{ id: 'toolu_1', name: 'a.ts', tokens: 300 }], 'Looking.'),
  ]);

  it('is shown in tokens and at list price, per request', () => {
    expect(words()).toEqual([
      '2 tools are on: ≈ 1,000 tokens in every request; ≈ $0.0001 from the prompt cache, ≈ $0.0025 where it is written again.',
    ]);
    expect(words({ offline: true })).toEqual([
      '2 tools are on: ≈ 1,000 tokens in every request; no charge (offline).',
    ]);
    expect(words({ model: 'other' })[0]).toContain('; price unknown from the prompt cache');
  });

  it('includes the effect on the prompt cache during a session', () => {
    expect(words({ window: begun, next: large })[1]).toBe(
      'The tools differ from those of the last request: the next prompt starts a new prompt cache. Its input without cache: ≈ $0.05; from the cache: ≈ $0.002. Switch back before you send it, and nothing is lost.',
    );
  });

  it('says in a small window that one of them calls others', () => {
    const holder = { ...tool('more_tools'), holds: ['x', 'yy', 'z'] };
    expect(words({ next: [holder] })[1]).toBe('The window is small: more_tools calls 3 of them.');
  });

  it('does not mention the cache if the tools are those of the last request', () => {
    expect(words({ window: begun, next: OWN })).toHaveLength(1);
  });
});
