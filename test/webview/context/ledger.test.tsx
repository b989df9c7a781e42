// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { ContextView, PassView } from '../../../src/protocol/contextPanel';
import {
  balanceOf,
  sampleBlocks,
  sampleContext,
  sampleDecisions,
  samplePass,
} from './contextViews';
import { drawPanel } from './drawnPanel';

const drawn = (changes: Partial<PassView> = {}) =>
  drawPanel(sampleContext({ passes: [samplePass(changes)] }));

const textOf = (element: HTMLElement, part: string) => element.querySelector(part)?.textContent;

describe('the ledger', () => {
  it('has a card a pass, newest first', () => {
    const cards = drawPanel(sampleContext()).all('pass-card');
    expect(
      cards.map(({ dataset }) => [dataset['pass'], dataset['before'], dataset['after']]),
    ).toEqual([
      ['2', '21604', '12980'],
      ['1', '22018', '13104'],
    ]);
  });

  it('says when the first pass will run while there is none', () => {
    const panel = drawPanel(sampleContext({ passes: [], busy: false }));
    expect(panel.all('pass-card')).toEqual([]);
    expect(panel.one('next-pass').textContent).toBe(
      'No pass has run yet. The first runs when a step would start with more than 21,504 tokens in ' +
        'the window (the high watermark), down to 13,440 or less (the low one). ≈\u00a04,318 to go.',
    );
  });

  it('says so when the next one is due', () => {
    const used = { tokens: 21_600, exact: true };
    const balance = balanceOf(sampleBlocks(), { used, headroom: 5_280 });
    expect(drawPanel(sampleContext({ balance })).one('next-pass').textContent).toMatch(
      /^Next pass when .* 96 above it now\.$/,
    );
  });
});

describe('what comes next', () => {
  const wordsOf = (changes: Partial<ContextView>) =>
    drawPanel(sampleContext(changes)).one('next-pass').textContent;

  it('waits for the user where the settings say so', () => {
    expect(wordsOf({ compaction: 'ask' })).toMatch(/It waits for your word\.$/);
  });

  it('is nothing where passes are off', () => {
    expect(wordsOf({ compaction: 'off' })).toBe(
      'No pass runs by itself: plimsoll.context.compaction is off.',
    );
  });

  it('is due at the input budget where the API makes room', () => {
    expect(wordsOf({ policy: 'server', passAbove: 26_880 })).toContain(
      'more than 26,880 tokens in the window (the input budget), down to 13,440 or less',
    );
  });

  it('can be had at once while the agent is idle', () => {
    const { one, click, wishes } = drawPanel(sampleContext({ busy: false }));
    click(one('make-room'));
    expect(wishes).toEqual([{ type: 'makeRoom' }]);
    const isOff = (changes: Partial<ContextView>) =>
      drawPanel(sampleContext(changes)).one('make-room').getAttribute('aria-disabled');
    expect([isOff({ busy: true }), isOff({ busy: false, turn: 0 })]).toEqual(['true', 'true']);
  });
});

describe('refaults', () => {
  it.each([
    [
      { recalls: 1, reads: 2 },
      '3 refaults: content the window no longer held was needed (1 recalled, 2 read anew).',
    ],
    [
      { recalls: 0, reads: 1 },
      '1 refault: content the window no longer held was needed (1 read anew).',
    ],
    [{ recalls: 0, reads: 0 }, 'No refault: nothing the window gave up was needed again.'],
  ])('%j are counted in words', (refaults, words) => {
    expect(drawPanel(sampleContext({ refaults })).one('refaults').textContent).toBe(words);
  });

  it('are no matter before anything has left', () => {
    const refaults = { recalls: 0, reads: 0 };
    expect(drawPanel(sampleContext({ refaults, passes: [] })).all('refaults')).toEqual([]);
  });
});

describe('a pass', () => {
  it('says before which step it ran, and why', () => {
    expect(textOf(drawn().one('pass-card'), '.head')).toBe(
      'Pass 2before step 13 · high watermark crossed: 21,604 > 21,504 · policy ladderUndo',
    );
  });

  it.each([
    ['overflow', 'the API said the request was too long'],
    ['manual', 'asked for by you at 21,604'],
    ['cap', 'more turns or messages than the settings allow'],
  ] as const)('names the trigger %s', (trigger, words) => {
    expect(textOf(drawn({ trigger }).one('pass-card'), '.why')).toContain(words);
  });

  it.each([
    [true, '21,604 → 12,980 target 13,440 · counted by the server'],
    [false, '21,604 → ≈\u00a012,980 target 13,440 · estimated'],
  ])('says what it came to, counted: %s', (exact, words) => {
    const card = drawn({ after: { tokens: 12_980, exact } }).one('pass-card');
    expect(textOf(card, '.sum')).toBe(words);
  });

  it('draws before, after and target on the input budget', () => {
    const bar = drawn().root.querySelector('.drop')!;
    const at = (part: string) => parseFloat(bar.querySelector<HTMLElement>(part)!.style.width);
    expect(at('.before')).toBeCloseTo(80.37, 2);
    expect(at('.after')).toBeCloseTo(48.29, 2);
    expect(bar.querySelector<HTMLElement>('.target')!.style.left).toBe('50%');
  });

  it('lists the rungs with what each took and gave', () => {
    const rows = [...drawn().root.querySelectorAll('.rung')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(rows).toEqual([
      ['Old tool results cleared', '2 blocks', '≈\u00a0−3,411'],
      ['Compacted into a summary', '6 blocks', '≈\u00a0−4,902'],
      ['Evicted', '1 block', '≈\u00a0−311'],
      ['Kept', '8 blocks, with reasons'],
    ]);
  });

  it.each([
    [8, 3, 'Prompt cache: 5,310 tokens of prefix re-written. Pays back after 8 requests; 3 since.'],
    [8, 7, 'Prompt cache: 5,310 tokens of prefix re-written. Pays back after 8 requests; 7 since.'],
    [8, 8, 'Prompt cache: 5,310 tokens of prefix re-written. Paid back after 8 requests.'],
    [1, 0, 'Prompt cache: 5,310 tokens of prefix re-written. Pays back after 1 request; 0 since.'],
    [null, 5, 'Prompt cache: 5,310 tokens of prefix re-written. Frees too little to pay back.'],
  ])(
    'says what the cache costs: back after %s, %i since',
    (breakEvenRequests, requestsSince, words) => {
      const card = drawn({ breakEvenRequests, requestsSince }).one('pass-card');
      expect(textOf(card, '.price')).toBe(words);
    },
  );

  it('says so when no prefix was lost', () => {
    const card = drawn({ rewrittenTokens: 0, breakEvenRequests: 0 }).one('pass-card');
    expect(textOf(card, '.price')).toBe('Prompt cache: nothing behind the change to write again.');
  });
});

describe('the undo of a pass', () => {
  const idle = (changes: Partial<PassView> = {}) =>
    drawPanel(sampleContext({ passes: [samplePass(changes)], busy: false }));

  it('is wished for by its button', () => {
    const { one, click, wishes } = idle();
    expect(one('undo-pass').getAttribute('aria-label')).toBe('Undo pass 2');
    click(one('undo-pass'));
    expect(wishes).toEqual([{ type: 'undoPass', number: 2 }]);
  });

  it('says why it cannot be, and still answers a press', () => {
    const why = 'Pass 2 went on from what pass 1 left: undo that one first.';
    const { one, click, wishes } = idle({ number: 1, whyNotUndone: why });
    const button = one('undo-pass');
    expect([button.getAttribute('aria-disabled'), button.title]).toEqual(['true', why]);
    click(button);
    expect(wishes).toEqual([{ type: 'undoPass', number: 1 }]);
  });

  it('is marked, and is not offered again', () => {
    const { one, all } = idle({ undone: true });
    const card = one('pass-card');
    expect(card.getAttribute('aria-label')).toBe('Pass 2, undone');
    expect(textOf(card, '.pill')).toBe('undone');
    expect(textOf(card, '.price')).toMatch(/^Undone by you/);
    expect(all('undo-pass')).toEqual([]);
  });
});

describe('the rungs', () => {
  it.each([
    ['supersede', 'Outdated results cleared'],
    ['trim', 'Thinking taken out'],
    ['cap', 'Evicted: over the limit of turns or messages'],
    ['shorten', 'Shortened, head and tail kept'],
  ] as const)('%s is named', (rung, words) => {
    const { one } = drawn({ rungs: [{ rung, blocks: 1, tokens: 10 }] });
    expect(textOf(one('rung'), 'dt')).toBe(words);
  });
});

describe('the decisions of a pass', () => {
  it('are all there once unfolded: name, what was done, why, before and after', () => {
    const { all, one, unfold } = drawn();
    expect(textOf(one('decisions'), 'summary')).toBe('17 decisions');
    expect(all('decision-row')).toEqual([]);
    unfold(one('decisions'));
    const rows = all('decision-row');
    expect(rows.map(({ dataset }) => dataset['blockId'])).toEqual(
      sampleDecisions().map(({ blockId }) => blockId),
    );
    const evicted = rows.find(({ dataset }) => dataset['action'] === 'evict')!;
    expect(textOf(evicted, '.label')).toBe('list_files src');
    expect(textOf(evicted, '.number')).toBe('≈\u00a01,312 → 0');
    expect(textOf(evicted, '.reason')).toBe(
      'evicted · Least salient (0.08): no later step names its paths',
    );
    expect(textOf(rows[0]!, '.number')).toBe('646');
  });

  it('stay unfolded when the next fact comes', () => {
    const { all, one, unfold, tell } = drawn();
    unfold(one('decisions'));
    tell({ type: 'contextChanged', context: sampleContext({ passes: [samplePass()] }) });
    expect(all('decision-row')).toHaveLength(17);
  });

  it('open the block on a click', () => {
    const { all, one, unfold, click, wishes } = drawn();
    unfold(one('decisions'));
    click(all('decision-row')[1]!.querySelector('button')!);
    expect(wishes).toEqual([{ type: 'openBlock', blockId: 'step-3' }]);
  });
});
