import fc from 'fast-check';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Balance, ContextView } from '../../../../src/editor/contextPanel/state';
import { anyBalance } from '../anyBalance';
import { balanceOf, sampleBlocks, sampleContext } from '../contextViews';
import { drawPanel, numberOn } from '../drawnPanel';
import { runs } from '../../../support/runs';

// @vitest-environment happy-dom

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** The panel with the whole sum unfolded. */
function summed(changes: Partial<ContextView> = {}) {
  const panel = drawPanel(sampleContext(changes));
  panel.openPart('sum');
  return panel;
}

const balanceWith = (changes: Partial<Balance>) => ({
  balance: balanceOf(sampleBlocks(), changes),
});

describe('project memory', () => {
  const drawn = (changes: Partial<ContextView> = {}) => {
    const panel = drawPanel(sampleContext(changes));
    panel.openPart('fixed');
    return panel;
  };

  it('is listed with its origin and how much of a long file the model gets', () => {
    const memory = [
      { path: 'AGENTS.md', shownChars: 900, chars: 900, tokens: 200 },
      {
        path: '.plimsoll/memory.md',
        shownChars: 24_000,
        chars: 31_200,
        tokens: 6_000,
        origin: 'allowed by you at step 2',
      },
    ];
    const panel = drawn({ memory });
    const rows = panel.all('memory-file').map(({ textContent }) => textContent!.trim());
    expect(rows).toEqual([
      'AGENTS.md≈\u00a0200',
      '.plimsoll/memory.md (allowed by you at step 2), 24,000 of 31,200 characters≈\u00a06,000',
    ]);
    expect(panel.one('memory').textContent).toContain('≈\u00a06,200 tokens in every request.');
    expect(drawn().all('memory')).toEqual([]);
  });

  it('has a switch for each file and skill; one that is off keeps its row', () => {
    const skill = {
      path: '.claude/skills/pdf/SKILL.md',
      skill: 'pdf',
      shownChars: 9,
      chars: 9,
      tokens: 7,
    };
    const changes = { memory: [skill], memoryOff: ['AGENTS.md'] };
    const panel = drawn(changes);
    const [on, off] = panel.all('memory-file').map((row) => row.querySelector('input')!);
    expect(panel.all('memory-file').map(({ textContent }) => textContent!.trim())).toEqual([
      'Skill pdf≈\u00a07',
      'AGENTS.md',
    ]);
    expect([on!.checked, off!.checked]).toEqual([true, false]);
    on!.click();
    off!.click();
    expect(panel.wishes).toEqual([
      { type: 'switchMemory', path: skill.path, isOn: false },
      { type: 'switchMemory', path: 'AGENTS.md', isOn: true },
    ]);
    const past = drawn({ ...changes, whyReadOnly: 'A past step.' });
    expect(past.all('memory-file').flatMap((row) => [...row.querySelectorAll('input')])).toEqual(
      [],
    );
  });

  it('comes with the profile and its tokens, which opens on a press', () => {
    const profile = { path: '~/.plimsoll/memory.md', shownChars: 900, chars: 900, tokens: 1_208 };
    const { one, click, wishes } = drawn({ profile });
    expect(one('profile').textContent).toBe(
      'Profile for all projects: ~/.plimsoll/memory.md, ≈ 1,208 tokens Open',
    );
    click(one('open-profile'));
    expect(wishes).toEqual([{ type: 'openProfile' }]);
    expect(drawn().all('profile')).toEqual([]);
  });
});

describe('a cold prompt cache', () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_000 }));
  afterEach(() => vi.useRealTimers());

  const outlook = (changes: Partial<ContextView>) => {
    const { one } = drawPanel(sampleContext(changes));
    return () => one('outlook').textContent;
  };

  it('is in the sentence about room from its moment on', () => {
    const text = outlook({ coldFrom: 61_000 });
    expect(text()).toMatch(/^Room for /);
    act(() => void vi.advanceTimersByTime(60_000));
    expect(text()).toBe(
      'The prompt cache is cold: Plimsoll may remove something before the next step.',
    );
  });

  it('is named at once if it is cold by now, and never if no pass may run', () => {
    expect(outlook({ coldFrom: 0, compaction: 'ask' })()).toBe(
      'The prompt cache is cold: Plimsoll may ask to remove something before the next step.',
    );
    expect(outlook({})()).toMatch(/^Room for /);
  });
});

describe('the answer', () => {
  const outlook = (changes: Partial<ContextView>) =>
    drawPanel(sampleContext(changes)).one('outlook').textContent;

  it('is one line: percent of the input budget, tokens, and the room to the mark', () => {
    const exact = balanceWith({ used: { tokens: 17_186, exact: true } });
    expect(drawPanel(sampleContext(exact)).one('answer').textContent).toBe(
      '64\u00a0% full 17,186 of 26,880 tokens Room for 4,318 more before Plimsoll removes something.',
    );
    expect(numberOn(drawPanel(sampleContext()).one('used'))).toBe(17_186);
  });

  it.each([
    [21_504, 'Room for 0 more before Plimsoll removes something.'],
    [21_505, '1 token above the mark: Plimsoll removes something before the next step.'],
    [26_880, '5,376 tokens above the mark: Plimsoll removes something before the next step.'],
    [26_881, '1 token over the input budget.'],
    [32_768, '5,888 tokens over the input budget.'],
    [32_769, '1 token more than the whole context window holds.'],
  ])('gives the distance to the next line at %i', (tokens, words) => {
    const changes = { used: { tokens, exact: true }, headroom: 26_880 - tokens };
    expect(outlook(balanceWith(changes))).toBe(words);
  });

  it('promises no pass above the mark if one would free too little', () => {
    const changes = { used: { tokens: 21_604, exact: true }, headroom: 5_276 };
    expect(outlook({ ...balanceWith(changes), next: { type: 'nothing' } })).toBe(
      '100 tokens above the mark, but a pass now would free too little.',
    );
  });

  it.each([
    ['ask', /^Room for ≈\u00a04,318 more before Plimsoll asks to remove something\.$/],
    ['off', /^Room for ≈\u00a09,694 more; no pass runs automatically\.$/],
  ] as const)('says what happens at the mark with compaction %s', (compaction, words) => {
    expect(outlook({ compaction })).toMatch(words);
  });

  it('opens the whole sum', () => {
    const { one, click } = drawPanel(sampleContext());
    click(one('used'));
    expect(one('part-details').dataset['part']).toBe('sum');
    click(one('used'));
    click(one('used'));
    click(one('close-details'));
    expect((document.activeElement as HTMLElement).dataset['part']).toBe('fixed');
  });
});

describe('the whole sum', () => {
  it('writes out the sum of the input budget', () => {
    const sum = (changes: Partial<Balance>) =>
      summed(balanceWith(changes)).one('input-budget').textContent;
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
    const { one } = summed(balanceWith({ source, used: { tokens: 17_186, exact } }));
    expect(one('source').textContent).toBe(words);
    expect(one('used').textContent).toBe(`${exact ? '17,186' : '≈\u00a017,186'} of 26,880 tokens`);
  });

  it('gives both watermarks, the newest turns, the size of the window and its source', () => {
    const { one } = summed({ recent: { turns: 2, tokens: 750 } });
    expect(one('high-level').textContent).toBe('21,504, 80\u00a0% of the input budget');
    expect(one('low-level').textContent).toBe('13,440, 50\u00a0% of the input budget');
    expect(one('recent-level').textContent).toBe('750');
    expect(one('legend-total').parentElement?.textContent).toBe(
      'Context window 32,768 from a setting',
    );
  });

  it('describes a window that the API edits as the sent request, under the policy server', () => {
    expect(summed({ policy: 'server' }).one('server-note').textContent).toContain(
      'the model may have read less',
    );
    expect(summed().all('server-note')).toEqual([]);
  });
});

describe('a part of the bar', () => {
  const focused = () => (document.activeElement as HTMLElement).dataset['part'];

  it('has its words as a tooltip and as its name, with percent of the input budget', () => {
    const { all } = drawPanel(sampleContext());
    const words = all('bar-part').map((part) => [
      part.title,
      part.querySelector('.spoken')?.textContent,
    ]);
    expect(words.every(([title, label]) => title === label)).toBe(true);
    expect(words.map(([title]) => title)).toEqual([
      'instructions and tools: Tools ≈\u00a02,940 · System prompt ≈\u00a01,012 tokens · 15\u00a0% of the input budget',
      'kept and summarised: Agent’s notes ≈\u00a0214 · Task 646 · Summary 874 tokens · ' +
        '6\u00a0% of the input budget',
      'conversation: Older 5,488 · Recent 6,012 tokens · 43\u00a0% of the input budget',
      'Headroom: ≈\u00a09,694 tokens · 36\u00a0% of the input budget · room for the next request',
      'Reserved: 5,888 tokens · 22\u00a0% of the input budget · reply 4,096 · safety 512 · ' +
        'tool results 1,280 · kept free: no request may use it',
    ]);
  });

  it('is reached with the arrow keys', () => {
    const { root, press } = drawPanel(sampleContext());
    const stops = root.querySelectorAll<HTMLElement>('[data-testid="bar"] [tabindex="0"]');
    expect([...stops].map(({ dataset }) => dataset['part'])).toEqual(['fixed']);
    void act(() => stops[0]!.focus());
    press('ArrowLeft');
    expect(focused()).toBe('fixed');
    press('End');
    expect(focused()).toBe('reserved');
    press('ArrowLeft');
    expect(focused()).toBe('free');
    press('Home');
    press('ArrowRight');
    expect(focused()).toBe('kept');
  });

  it('keeps its place in the tab order', () => {
    const { root, press, tell } = drawPanel(sampleContext());
    const entry = () => root.querySelector<HTMLElement>('[data-testid="bar"] [tabindex="0"]')!;
    void act(() => entry().focus());
    press('End');
    void act(() => entry().blur());
    tell({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect(entry().dataset['part']).toBe('reserved');
  });

  it('opens its details on a press, closes them on another, on Close and on Escape', () => {
    const { all, one, click, press } = drawPanel(sampleContext());
    const part = (name: string) => all('bar-part').find(({ dataset }) => dataset['part'] === name)!;
    const open = () => all('part-details').map(({ dataset }) => dataset['part']);
    click(part('fixed'));
    expect([open(), part('fixed').getAttribute('aria-expanded')]).toEqual([['fixed'], 'true']);
    expect(part('fixed').getAttribute('aria-controls')).toBe(one('part-details').id);
    click(part('kept'));
    expect(open()).toEqual(['kept']);
    click(part('kept'));
    expect(open()).toEqual([]);
    click(part('free'));
    expect(open()).toEqual(['sum']);
    press('Escape', one('close-details'));
    expect(open()).toEqual([]);
    click(part('conversation'));
    click(one('show-sum'));
    expect(open()).toEqual(['sum']);
    click(one('close-details'));
    expect(open()).toEqual([]);
  });

  it('lists its tokens in its details', () => {
    const { all, openPart } = drawPanel(sampleContext());
    openPart('kept');
    expect(all('legend-item').map(({ textContent }) => textContent)).toEqual([
      'Agent’s notes ≈\u00a0214',
      'Task 646',
      'Summary 874',
    ]);
  });

  it('says in its details that it is empty, such as at the first step', () => {
    const { one, openPart, tell } = drawPanel(sampleContext());
    openPart('conversation');
    const categories = { ...balanceOf(sampleBlocks()).categories, archive: 0, working: 0 };
    tell({ type: 'contextChanged', context: sampleContext(balanceWith({ categories })) });
    expect(one('part-details').textContent).toContain('None of it is in the window.');
  });

  it('leads from the excerpts to the files', () => {
    const categories = { ...balanceOf(sampleBlocks()).categories, excerpts: 400 };
    const { one, click, openPart, store } = drawPanel(sampleContext(balanceWith({ categories })));
    openPart('files');
    click(one('show-files'));
    expect(store.look.value.tab).toBe('files');
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

  it('gives a screen reader the whole sum', () => {
    expect(drawPanel(sampleContext()).one('bar').getAttribute('aria-label')).toBe(
      'Context window of 32,768 tokens: Tools ≈\u00a02,940, System prompt ≈\u00a01,012, ' +
        'Agent’s notes ≈\u00a0214, Task 646, Summary 874, Older 5,488, Recent 6,012, ' +
        'Headroom ≈\u00a09,694, ' +
        'Reserved 5,888 (reply 4,096, safety 512, tool results 1,280)',
    );
  });
});

describe('the numbers on screen', () => {
  it('add up to the context window in the bar, the legend and the text', () => {
    const panel = summed();
    fc.assert(
      fc.property(anyBalance, (balance) => {
        const passAbove = balance.contextWindowTokens;
        panel.tell({ type: 'contextChanged', context: sampleContext({ balance, passAbove }) });
        const { all, one } = panel;
        const inTokens = (testId: string) =>
          all(testId).map((element) => Number(element.dataset['tokens']));
        const numbers = all('legend-item').map((item) => numberOn(item.querySelector('.number')));
        // An overrun is written without a sign, since its label says what it is.
        const written = numbers.map((number, at) =>
          at === numbers.length - 2 && balance.headroom < 0 ? -number : number,
        );
        expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
        expect(sum(inTokens('bar-segment'))).toBe(balance.contextWindowTokens);
        expect(sum(inTokens('legend-item'))).toBe(balance.contextWindowTokens);
        expect(sum(written)).toBe(balance.contextWindowTokens);
        expect(numberOn(one('legend-total'))).toBe(balance.contextWindowTokens);
        // Header and categories show the same balance.
        expect(sum(written.slice(0, -2))).toBe(numberOn(one('used')));
        expect(written.at(-2)).toBe(balance.inputBudget - balance.used.tokens);
      }),
      { numRuns: runs(25, 500) },
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
