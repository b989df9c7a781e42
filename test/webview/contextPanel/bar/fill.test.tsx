import fc from 'fast-check';
import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import type { Balance } from '../../../../src/editor/contextPanel/state';
import { anyBalance } from '../anyBalance';
import { balanceOf, sampleBlocks, sampleContext } from '../contextViews';
import { drawPanel, numberOn } from '../drawnPanel';

// @vitest-environment happy-dom

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const fillOf = (changes: Partial<Balance>) =>
  drawPanel(sampleContext({ balance: balanceOf(sampleBlocks(), changes) }));

describe('project memory', () => {
  it('is listed with its origin and how much of a long file the model gets', () => {
    const memory = [
      { path: 'AGENTS.md', shownChars: 900, chars: 900 },
      {
        path: '.plimsoll/memory.md',
        shownChars: 24_000,
        chars: 31_200,
        origin: 'allowed by you at step 2',
      },
    ];
    expect(drawPanel(sampleContext({ memory })).one('memory').textContent).toBe(
      'Project memory: AGENTS.md · .plimsoll/memory.md (allowed by you at step 2), 24,000 of 31,200 characters',
    );
    expect(drawPanel(sampleContext()).all('memory')).toEqual([]);
  });
});

describe('the profile', () => {
  it('is listed with its tokens, and opens on a press', () => {
    const profile = { path: '~/.plimsoll/memory.md', shownChars: 900, chars: 900, tokens: 1_208 };
    const { one, click, wishes } = drawPanel(sampleContext({ profile }));
    expect(one('profile').textContent).toBe(
      'Profile for all projects: ~/.plimsoll/memory.md, ≈ 1,208 tokens Open',
    );
    click(one('open-profile'));
    expect(wishes).toEqual([{ type: 'openProfile' }]);
    expect(drawPanel(sampleContext()).all('profile')).toEqual([]);
  });
});

describe('the fill of the window', () => {
  it('is one number, a budget and a share', () => {
    const { one, root } = drawPanel(sampleContext());
    expect(numberOn(one('used'))).toBe(17_186);
    expect(root.querySelector('.of')?.textContent).toContain('of 26,880 input budget · 64\u00a0%');
  });

  it('writes out the sum of the input budget', () => {
    const sum = (changes: Partial<Balance>) => fillOf(changes).one('input-budget').title;
    const reserved = { reply: 4_096, safety: 10_000, toolResults: 8_192, steppedDown: 0 };
    const large = { contextWindowTokens: 1_000_000, inputBudget: 977_712, reserved };
    expect(sum(large)).toBe(
      '977,712 = 1,000,000 window − 4,096 reply − 10,000 safety − 8,192 tool results',
    );
    const down = { ...large, inputBudget: 977_000, reserved: { ...reserved, steppedDown: 712 } };
    expect(sum(down)).toMatch(/ − 712 taken after an overflow$/);
  });

  it.each([
    ['usage', true, '● counted by the server'],
    ['countTokens', true, '● counted by the server'],
    ['usage', false, '≈\u00a0estimate'],
    ['countTokens', false, '≈\u00a0estimate'],
    ['overflowError', true, "● taken from the server's error"],
    ['overflowError', false, '≈\u00a0estimate'],
    ['estimate', false, '≈\u00a0estimate, not counted yet'],
  ] as const)('names the source of the number: %s, exact %s', (source, exact, words) => {
    const { one } = fillOf({ source, used: { tokens: 17_186, exact } });
    expect(one('source').textContent).toBe(words);
    expect(one('used').textContent).toBe(exact ? '17,186' : '≈ 17,186');
  });

  it.each([
    [21_504, '0 tokens to the high watermark'],
    [21_505, '1 token above the high watermark'],
    [26_880, '5,376 tokens above the high watermark'],
    [26_881, '1 token over the input budget'],
    [32_768, '5,888 tokens over the input budget'],
    [32_769, '1 token more than the whole context window holds'],
  ])('gives the distance to the next line at %i', (tokens, words) => {
    const { root } = fillOf({ used: { tokens, exact: true }, headroom: 26_880 - tokens });
    expect(root.querySelector('.outlook')?.textContent).toBe(words);
  });

  it('draws both watermarks and the budget, with their numbers', () => {
    const { one } = drawPanel(sampleContext());
    expect(one('mark-low').dataset['tokens']).toBe('13440');
    expect(one('mark-high').dataset['tokens']).toBe('21504');
    expect(one('mark-budget').dataset['tokens']).toBe('26880');
    expect(one('mark-high').style.left).toBe('65.625%');
    expect(one('mark-label-high').textContent).toBe('high 21,504');
  });

  it('gives the size of the window and its source', () => {
    const total = drawPanel(sampleContext()).one('legend-total').parentElement;
    expect(total?.textContent).toBe('Context window 32,768 from a setting');
  });

  it('gives a screen reader the same sum', () => {
    expect(drawPanel(sampleContext()).one('bar').getAttribute('aria-label')).toBe(
      'Context window of 32,768 tokens: Tools ≈\u00a02,940, System prompt ≈\u00a01,012, ' +
        'Agent’s notes ≈\u00a0214, Task 646, Summary 874, Older 5,488, Recent 6,012, ' +
        'Headroom ≈\u00a09,694, ' +
        'Reserved 5,888 (reply 4,096, safety 512, tool results 1,280)',
    );
  });
});

describe('a part of the bar', () => {
  const hover = (element: Element, type = 'pointerover') =>
    void act(() => void element.dispatchEvent(new PointerEvent(type, { bubbles: true })));
  const focused = () => (document.activeElement as HTMLElement).dataset['part'];

  it('is read out while pointed at, in place of the line above', () => {
    const { one, all } = drawPanel(sampleContext());
    const takes = () => one('bar-readout').parentElement!.classList.contains('other');
    expect([takes(), one('bar-readout').textContent]).toEqual([false, '']);
    hover(all('bar-segment').find(({ dataset }) => dataset['category'] === 'working')!);
    expect(one('bar-readout').textContent).toBe(
      'Recent: 6,012 tokens · 18\u00a0% of the window · ≈\u00a01,746 of it estimated · ' +
        'the newest blocks, removed last',
    );
    hover(one('mark-high'));
    expect(one('bar-readout').textContent).toBe(
      'High watermark: a pass starts above it · 21,504 tokens',
    );
    expect(takes()).toBe(true);
    hover(one('bar'), 'pointerleave');
    expect([takes(), one('bar-readout').textContent]).toEqual([false, '']);
  });

  it('is reached with the arrow keys, lines between their segments', () => {
    const { root, press, one } = drawPanel(sampleContext());
    const stops = root.querySelectorAll<HTMLElement>('[data-testid="bar"] [tabindex="0"]');
    expect([...stops].map(({ dataset }) => dataset['part'])).toEqual(['segment-tools']);
    void act(() => stops[0]!.focus());
    press('ArrowLeft');
    expect(focused()).toBe('segment-tools');
    press('End');
    expect(focused()).toBe('segment-reserved');
    expect(one('bar-readout').textContent).toContain('reply 4,096 · safety 512');
    press('ArrowLeft');
    expect(focused()).toBe('mark-budget');
    press('ArrowLeft');
    expect(focused()).toBe('mark-high');
    press('Home');
    press('ArrowRight');
    expect(focused()).toBe('segment-system');
  });

  it('keeps its place in the tab order', () => {
    const { root, press, tell } = drawPanel(sampleContext());
    const entry = () => root.querySelector<HTMLElement>('[data-testid="bar"] [tabindex="0"]')!;
    void act(() => entry().focus());
    press('End');
    void act(() => entry().blur());
    tell({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect(entry().dataset['part']).toBe('segment-reserved');
  });

  it('has the read-out text as its name for a screen reader', () => {
    const { one } = drawPanel(sampleContext());
    expect(one('mark-low').getAttribute('aria-label')).toBe(
      'Low watermark: a pass stops at or below it · 13,440 tokens',
    );
  });

  it('shows its estimated share', () => {
    const { all } = drawPanel(sampleContext());
    const shares = all('bar-segment').map((segment) => [
      segment.dataset['category'],
      segment.querySelector<HTMLElement>('.foot')?.style.width,
    ]);
    expect(Object.fromEntries(shares)).toMatchObject({ tools: '100%', archive: undefined });
    expect(Number.parseFloat(Object.fromEntries(shares)['working']!)).toBeCloseTo(29.04, 1);
  });
});

describe('a window the API edits', () => {
  it('is described as the sent request, only under the policy server', () => {
    expect(drawPanel(sampleContext({ policy: 'server' })).one('server-note').textContent).toContain(
      'the model may have read less',
    );
    expect(drawPanel(sampleContext()).all('server-note')).toEqual([]);
  });
});

describe('the numbers on screen', () => {
  it('add up to the context window in the bar, the legend and the text', () => {
    const panel = drawPanel();
    fc.assert(
      fc.property(anyBalance, (balance) => {
        panel.tell({ type: 'contextChanged', context: sampleContext({ balance }) });
        const { all, one } = panel;
        const inTokens = (testId: string) =>
          all(testId).map((element) => Number(element.dataset['tokens']));
        const written = all('legend-item').map((item) => numberOn(item.querySelector('.number')));
        expect(sum(inTokens('bar-segment'))).toBe(balance.contextWindowTokens);
        expect(sum(inTokens('legend-item'))).toBe(balance.contextWindowTokens);
        expect(sum(written)).toBe(balance.contextWindowTokens);
        expect(numberOn(one('legend-total'))).toBe(balance.contextWindowTokens);
        // Header and categories show the same balance.
        expect(sum(written.slice(0, -2))).toBe(numberOn(one('used')));
        expect(written.at(-2)).toBe(balance.inputBudget - balance.used.tokens);
      }),
      { numRuns: 60 },
    );
  });

  it('update together with the last fact', () => {
    const panel = drawPanel(sampleContext());
    const fewer = sampleBlocks().slice(0, 12);
    panel.tell({ type: 'contextChanged', context: sampleContext({ blocks: fewer }) });
    expect(numberOn(panel.one('used'))).toBe(balanceOf(fewer).used.tokens);
    expect(panel.all('block-row')).toHaveLength(
      fewer.filter(({ category }) => category !== undefined).length,
    );
  });
});
