import { describe, expect, it } from 'vitest';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { ToolDetails } from '../../../../webview/contextPanel/bar/toolDetails';
import type { ToolCostsView } from '../../../../src/editor/contextPanel/tools/state';
import { sampleContext } from '../contextViews';

const TOOLS: ToolCostsView = {
  rows: [
    { name: 'read_file', description: 'Reads.', kind: 'read', tokens: 300 },
    {
      name: 'mcp_every_echo',
      description: 'Echoes.',
      kind: 'other',
      tokens: 1_200,
      provider: 'MCP server every\u202e',
    },
  ],
  total: { tokens: 1_500, exact: false },
  price: { fromCache: 0.1, anew: 2.5 },
};

function drawn(tools: ToolCostsView, whyReadOnly?: string) {
  const wishes: unknown[] = [];
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const context = sampleContext({ tools, ...(whyReadOnly === undefined ? {} : { whyReadOnly }) });
  void act(() =>
    render(<ToolDetails context={context} wish={(wish) => void wishes.push(wish)} />, root),
  );
  const texts = (id: string) =>
    [...root.querySelectorAll(`[data-testid="${id}"]`)].map(({ textContent }) =>
      (textContent ?? '').replaceAll('\u00a0', ' '),
    );
  return { root, wishes, texts };
}

describe('the tools of the displayed moment', () => {
  it('are listed by weight, with provider, tokens and price per request', () => {
    expect(drawn(TOOLS).texts('tool-cost')).toEqual([
      ' mcp_every_echo · MCP server every⟨U+202E⟩≈ 1,200≈ $0.00012 from the prompt cache, ≈ $0.0030 uncached',
      ' read_file≈ 300≈ $0.000030 from the prompt cache, ≈ $0.00075 uncached',
    ]);
  });

  it('show the tools that one of them calls', () => {
    const row = { ...TOOLS.rows[0]!, name: 'more_tools', holds: ['move_file', 'odd\u202e'] };
    const { texts } = drawn({ ...TOOLS, rows: [row] });
    expect(texts('tool-holds')).toEqual(['Calls move_file, odd⟨U+202E⟩']);
    expect(drawn(TOOLS).texts('tool-holds')).toEqual([]);
  });

  it('add up to the total above them', () => {
    expect(drawn(TOOLS).texts('tools-total')).toEqual([
      '2 tools, ≈ 1,500 tokens in every request, ≈ $0.00015 from the prompt cache, ≈ $0.0037 uncached.',
    ]);
    const sum = TOOLS.rows.reduce((before, { tokens }) => before + tokens, 0);
    expect(sum).toBe(TOOLS.total.tokens);
  });

  it('have no dollars if no price is known', () => {
    const { price: _price, ...unpriced } = TOOLS;
    const { texts } = drawn(unpriced);
    expect(texts('tools-total')).toEqual(['2 tools, ≈ 1,500 tokens in every request.']);
    expect(texts('tool-cost').join('')).not.toContain('$');
  });

  it('are absent in a window without definitions', () => {
    const { root } = drawn({ rows: [], total: { tokens: 0, exact: true } });
    expect(root.textContent).toContain('The window holds no definition of a tool yet.');
  });

  it('can be chosen from here at the current step', () => {
    const { root, wishes } = drawn(TOOLS);
    root.querySelector<HTMLElement>('[data-testid="choose-tools"]')?.click();
    expect(wishes).toEqual([{ type: 'chooseTools' }]);
    const past = drawn(TOOLS, 'Step 3 is past.');
    expect(past.root.querySelector('[data-testid="choose-tools"]')).toBeNull();
  });
});
