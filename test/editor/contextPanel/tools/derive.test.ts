import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measure, weightOf } from '../../../../src/contextWindow/account/measure';
import { applyEvent } from '../../../../src/contextWindow/fold';
import { toolCosts } from '../../../../src/editor/contextPanel/tools/derive';
import { accountOf } from '../../../../src/editor/session/derive';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, foldNew } from '../../../support/drawing';
import { estimate } from '../../../support/player';
import { actions, play } from '../../../support/randomSession';
import { runs } from '../../../support/runs';

const AT = { model: 'claude-sonnet-5-5', offline: false };
const TOOLS = [
  { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } },
  {
    name: 'mcp_every_echo',
    description: 'Echoes what it is told, as often as one likes.',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
    provider: 'MCP server every',
  },
] as const;

describe('the tokens of the tools in every request', () => {
  it('are listed for each tool, with its provider, at the price of the model', () => {
    const window = foldNew([{ type: 'preambleSet', system: '', tools: TOOLS }]);
    const costs = toolCosts(window, measure(window, estimate), estimate, AT);
    expect(costs.rows.map(({ name, provider, kind }) => [name, provider, kind])).toEqual([
      ['read_file', undefined, 'read'],
      ['mcp_every_echo', 'MCP server every', 'other'],
    ]);
    const [own = 0, theirs = 0] = costs.rows.map(({ tokens }) => tokens);
    expect(theirs).toBeGreaterThan(own);
    expect(costs.price).toEqual({ fromCache: 0.1, anew: 2.5 });
  });

  it('have no price offline, nor if it is unknown', () => {
    const window = foldNew([]);
    const of = (at: typeof AT) => toolCosts(window, measure(window, estimate), estimate, at);
    expect(of({ ...AT, offline: true })).toEqual({ rows: [], total: { tokens: 0, exact: true } });
    expect(of({ ...AT, model: 'other' })).not.toHaveProperty('price');
  });

  it('add up to the tools on the map, in any session', () => {
    fc.assert(
      fc.property(actions, (chosen) => {
        const budget = budgetOf(3_000);
        const { window: played } = play(chosen, budget, POLICY_SETTINGS);
        // The tools changed after everything that was counted.
        const changed = { at: 0, type: 'preambleSet', system: 'Be good.', tools: TOOLS } as const;
        const window = applyEvent(played, changed);
        const { measured, balance } = accountOf(window, budget, estimate);
        const { rows, total } = toolCosts(window, measured, estimate, AT);
        const sum = rows.reduce((before, { tokens }) => before + tokens, 0);
        expect(sum).toBe(total.tokens);
        expect(sum).toBe(balance.categories.tools);
        expect(sum).toBe(weightOf(measured, 'tools').tokens);
      }),
      { numRuns: runs(25, 2_000) },
    );
  });
});
