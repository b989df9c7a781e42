import { describe, expect, it } from 'vitest';
import type { ContextView, HandChangeView } from '../../../../src/protocol/contextPanel';
import type { PassView } from '../../../../src/protocol/passView';
import {
  balanceOf,
  sampleBlocks,
  sampleContext,
  sampleDecisions,
  samplePass,
  sampleTimeline,
} from '../contextViews';
import { drawPanel, keptOf } from '../drawnPanel';

// @vitest-environment happy-dom

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
        'the window (the high watermark), down to 13,440 or less (the low one). The automatic pass ' +
        'comes in about 4,318 tokens and may choose differently.',
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

describe('the summaries of a pass', () => {
  const exchanges = [
    { summaryId: 'summary-1', covers: 14, hasAnswer: true },
    { summaryId: 'summary-2', covers: 1, hasAnswer: false },
  ];

  it('lead to what the summariser was asked, and to what it answered, each on its own', () => {
    const { all, click, wishes } = drawn({ exchanges });
    expect(all('exchange').map(({ dataset }) => dataset['summaryId'])).toEqual([
      'summary-1',
      'summary-2',
    ]);
    expect(all('exchange')[0]!.textContent).toBe(
      'Summary of 14 blocks What the summariser was asked Raw JSON What it answered',
    );
    click(all('exchange-asked')[1]!);
    click(all('exchange-raw')[0]!);
    click(all('exchange-answered')[0]!);
    const wish = { type: 'openExchange', summaryId: 'summary-1', form: 'readable' };
    expect(wishes).toEqual([
      { ...wish, summaryId: 'summary-2', side: 'asked' },
      { ...wish, side: 'asked', form: 'raw' },
      { ...wish, side: 'answered' },
    ]);
  });

  it('say that there is no answer where none came', () => {
    const { all, click, wishes } = drawn({ exchanges });
    const link = all('exchange-answered')[1]!;
    expect(link.title).toMatch(/^No answer came/);
    click(link);
    expect(wishes).toEqual([]);
  });

  it('offer nothing where the log does not hold it', () => {
    expect(drawn().all('exchange')).toEqual([]);
  });
});

describe('what comes next', () => {
  const wordsOf = (changes: Partial<ContextView>) =>
    drawPanel(sampleContext(changes)).one('next-pass').textContent;

  it('waits for the user where the settings say so', () => {
    expect(wordsOf({ compaction: 'ask' })).toMatch(/It waits for your review\.$/);
  });

  it('says what the API is going to edit itself, by its own count', () => {
    const apiEdits = { before: 18_000, after: 12_000 };
    expect(wordsOf({ apiEdits })).toMatch(/editing makes the next request 18,000 → 12,000 tokens/);
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
    expect(wishes).toEqual([{ type: 'makeRoom', instructions: '' }]);
  });

  it.each([
    [{ busy: true }, 'The agent is working: wait until it has stopped.'],
    [{ busy: false, turn: 0 }, 'There is nothing in the window yet.'],
    [{ busy: false, whyReadOnly: 'Step 4 is past.' }, 'Step 4 is past.'],
  ])('cannot be had with %j, and says why', (changes, why) => {
    const button = drawPanel(sampleContext(changes)).one('make-room');
    expect([button.getAttribute('aria-disabled'), button.title]).toEqual(['true', why]);
  });

  it('takes instructions for the summary until a pass was run with them', () => {
    const { one, click, type, answer, refuse, wishes } = drawPanel(sampleContext({ busy: false }));
    type('  Keep the API, word for word. ', one('instructions'));
    click(one('make-room'));
    refuse('The agent is working.');
    click(one('compact-now'));
    answer({ type: 'done' });
    expect((one('instructions') as HTMLTextAreaElement).value).toBe('');
    click(one('make-room'));
    expect(wishes).toEqual([
      { type: 'makeRoom', instructions: 'Keep the API, word for word.' },
      { type: 'makeRoom', instructions: 'Keep the API, word for word.' },
      { type: 'makeRoom', instructions: '' },
    ]);
  });

  it('shows instructions kept over hiding and reloading', () => {
    const context = sampleContext({ busy: false });
    const { one, type, store } = drawPanel(context);
    const isOpen = (field: HTMLElement) => field.closest('details')?.open;
    expect(isOpen(one('instructions'))).toBe(false);
    type('Keep the API.', one('instructions'));
    const again = drawPanel(context, undefined, keptOf(store)).one('instructions');
    expect([(again as HTMLTextAreaElement).value, isOpen(again)]).toEqual(['Keep the API.', true]);
  });

  it('keeps instructions typed while the pass ran, for the next one of this session', () => {
    const { one, click, type, tell, answer } = drawPanel(sampleContext({ busy: false }));
    const text = () => (one('instructions') as HTMLTextAreaElement).value;
    type('Keep the API.', one('instructions'));
    click(one('make-room'));
    type('Keep the names.', one('instructions'));
    answer({ type: 'done' });
    expect(text()).toBe('Keep the names.');
    const other = sampleContext({ busy: false, session: 'session-2' });
    tell({ type: 'contextChanged', context: other });
    expect(text()).toBe('');
    tell({ type: 'contextChanged', context: sampleContext({ busy: false }) });
    expect(text()).toBe('Keep the names.');
  });

  it('is told rung by rung, to three digits', () => {
    const next = {
      type: 'planned',
      due: false,
      afterTokens: 17_292,
      blocks: 19,
      freedTokens: 44_312,
      rungs: [
        { rung: 'supersede', blocks: 6 },
        { rung: 'clear', blocks: 9 },
        { rung: 'compact', blocks: 3 },
        { rung: 'evict', blocks: 1 },
      ],
    } as const;
    expect(drawPanel(sampleContext({ next })).one('next-words').textContent).toBe(
      'Next to go: if you compacted now (down to 17,292), outdated results in 6 blocks, then old results in 9 blocks, then 3 blocks into ' +
        'a summary, then 1 block whole: about 44,300 tokens.',
    );
  });

  it('is nothing where nothing would leave, and never where it was not worked out', () => {
    const wordsOf = (next: ContextView['next']) =>
      drawPanel(sampleContext({ next })).one('next-words').textContent;
    expect(wordsOf({ type: 'nothing' })).toBe('Next to go: nothing as it stands.');
    expect(wordsOf({ type: 'notWorkedOut', message: 'No pass ran right after this step.' })).toBe(
      'Next to go: not worked out. No pass ran right after this step.',
    );
  });

  it('is at a past step what the pass took that ran right after it', () => {
    const rungs = [{ rung: 'evict', blocks: 4 }] as const;
    const next = { type: 'ran', passes: [4], blocks: 4, freedTokens: 5_021, rungs } as const;
    expect(drawPanel(sampleContext({ next })).one('next-words').textContent).toBe(
      'Next to go: 4 blocks whole: about 5,020 tokens. Pass 4 ran right after this step.',
    );
    const both = { ...next, passes: [4, 5] };
    expect(drawPanel(sampleContext({ next: both })).one('next-words').textContent).toContain(
      'Passes 4 and 5 ran right after this step.',
    );
  });

  it('says where nothing but outdated notes would go', () => {
    const planned = { type: 'planned', due: true, afterTokens: 9_000 } as const;
    const next = { ...planned, blocks: 0, freedTokens: 187, rungs: [] };
    expect(drawPanel(sampleContext({ next })).one('next-words').textContent).toContain(
      'nothing but what the notes said before: about 187 tokens',
    );
  });
});

describe('what was changed without a pass', () => {
  const PINNED: HandChangeView = {
    kind: 'pinned',
    label: 'read_file a.ts',
    beforeStep: 8,
    afterPass: 1,
    undo: { type: 'unpinBlock', blockId: 'step-1' },
  };
  const edits: readonly HandChangeView[] = [
    {
      kind: 'scratchpadBack',
      beforeStep: 15,
      afterPass: 2,
      undo: { type: 'undoScratchpad', note: 'note-2' },
    },
    PINNED,
    { kind: 'recall', label: 'read_file b.ts', beforeStep: 3, afterPass: 0 },
  ];

  it('stands between the passes in a line each, newest first', () => {
    const { root } = drawPanel(sampleContext({ edits }));
    const lines = [...root.querySelectorAll<HTMLElement>('.ledger > article')].map(
      (entry) => entry.dataset['pass'] ?? entry.getAttribute('aria-label'),
    );
    expect(lines).toEqual([
      'You put the notes back as they were, before step 15',
      '2',
      'You pinned read_file a.ts, before step 8',
      '1',
      'You brought read_file b.ts back as a note at the end, before step 3',
    ]);
  });

  it('is taken back by the wish that came with it, where there is one', () => {
    const { all, click, wishes } = drawPanel(sampleContext({ edits }));
    const buttons = all('undo-edit');
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Undo: You put the notes back as they were, before step 15',
      'Undo: You pinned read_file a.ts, before step 8',
    ]);
    click(buttons[1]!);
    expect(wishes).toEqual([{ type: 'unpinBlock', blockId: 'step-1' }]);
  });

  it('says in its own line that it was taken back, and offers that no more', () => {
    const { undo: _, ...left } = PINNED;
    const { all } = drawPanel(sampleContext({ edits: [{ ...left, undone: true }] }));
    const [line] = all('hand-edit');
    expect(line!.getAttribute('aria-label')).toBe(
      'You pinned read_file a.ts, before step 8, undone',
    );
    expect(line!.textContent).toBe('You pinned read_file a.ts, before step 8undone');
    expect(all('undo-edit')).toEqual([]);
  });

  it('says why not in the past, and keeps the focus where its button goes', () => {
    const past = drawPanel(sampleContext({ edits, whyReadOnly: 'Step 4 is past.' }));
    const [button] = past.all('undo-edit');
    expect([button!.getAttribute('aria-disabled'), button!.title]).toEqual([
      'true',
      'Step 4 is past.',
    ]);
    const { all, tell } = drawPanel(sampleContext({ edits: [PINNED] }));
    all('undo-edit')[0]!.focus();
    const { undo: _, ...left } = PINNED;
    const unpinned: HandChangeView = { ...left, kind: 'unpinned' };
    tell({ type: 'contextChanged', context: sampleContext({ edits: [unpinned, left] }) });
    expect(document.activeElement?.textContent).toBe('You pinned read_file a.ts, before step 8');
  });
});

describe('refaults', () => {
  it.each([
    [
      { recalls: 1, reads: 2, restores: 0 },
      '3 times content that had left the window was needed again: 1 recalled, 2 read again.',
    ],
    [
      { recalls: 0, reads: 1, restores: 0 },
      '1 time content that had left the window was needed again: 1 read again.',
    ],
    [{ recalls: 0, reads: 0, restores: 0 }, 'Nothing that left the window was needed again.'],
  ])('%j are counted in words', (refaults, words) => {
    const context = sampleContext({ refaults, neededAgain: [] });
    expect(drawPanel(context).one('refaults').textContent).toBe(words);
  });

  it('are no matter before anything has left', () => {
    const refaults = { recalls: 0, reads: 0, restores: 0 };
    expect(drawPanel(sampleContext({ refaults, passes: [] })).all('refaults')).toEqual([]);
  });
});

describe('a pass', () => {
  it('says before which step it ran, and why', () => {
    expect(textOf(drawn().one('pass-card'), '.head')).toBe(
      'Pass 2before step 13 · high watermark crossed: 21,604 > 21,504 · policy ladderUndoDiffReport',
    );
  });

  it.each([
    ['overflow', 'the API said the request was too long'],
    ['manual', 'asked for by you at 21,604'],
    ['cap', 'more turns or messages than the settings allow'],
    ['recorded', 'the recorded agent made room'],
  ] as const)('names the trigger %s', (trigger, words) => {
    expect(textOf(drawn({ trigger }).one('pass-card'), '.why')).toContain(words);
  });

  it.each([
    [true, 'Freed 8,624 tokens 21,604 → 12,980', 'target 13,440 · counted by the server'],
    [false, 'Freed ≈\u00a08,624 tokens 21,604 → ≈\u00a012,980', 'target 13,440 · estimated'],
  ])('says first what it freed, counted: %s', (exact, words, source) => {
    const card = drawn({ after: { tokens: 12_980, exact } }).one('pass-card');
    expect(textOf(card, '.sum')).toBe(words);
    expect(card.textContent).toContain(source);
  });

  it('says what of it was needed again, and what that took; the ledger says it of all', () => {
    const panel = drawPanel(sampleContext());
    expect(textOf(panel.all('pass-card')[0]!, '.regret')).toBe(
      'Needed again: src/zones.js at step 14 (≈\u00a0640 tokens), toolu_9 at step 15 (≈\u00a0120 tokens).',
    );
    expect(panel.one('refaults').textContent).toMatch(/ That took ≈\u00a0800 tokens\.$/);
    const many = Array.from({ length: 5 }, (_, index) => ({
      step: index,
      what: 'a',
      tokens: 0,
      pass: 2,
    }));
    panel.tell({ type: 'contextChanged', context: sampleContext({ neededAgain: many }) });
    expect(textOf(panel.all('pass-card')[0]!, '.regret')).toBe(
      'Needed again: a at step 0, a at step 1, a at step 2, and 2 more.',
    );
    expect(panel.one('refaults').textContent).not.toContain('That took');
  });

  it('says that it added, where it did', () => {
    const after = { tokens: 21_700, exact: true };
    expect(textOf(drawn({ after }).one('pass-card'), '.freed')).toBe('Added 96 tokens');
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

  it('says what came with it and is no block', () => {
    const rungs = [
      { rung: 'clear', blocks: 2, tokens: 3_411 },
      { rung: 'overhead', blocks: 0, tokens: -48 },
    ] as const;
    const rows = drawn({ rungs }).all('rung');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'Old tool results cleared2 blocks≈\u00a0−3,411',
      'Notes, and lines about what left≈\u00a0+48',
    ]);
  });

  it.each([
    [
      8,
      3,
      'Cost: ≈\u00a05,310 tokens of the prompt cache written again, ≈\u00a0$0.016. Repaid after ≈\u00a08 requests, 3 so far.',
    ],
    [
      8,
      7,
      'Cost: ≈\u00a05,310 tokens of the prompt cache written again, ≈\u00a0$0.016. Repaid after ≈\u00a08 requests, 7 so far.',
    ],
    [
      8,
      8,
      'Cost: ≈\u00a05,310 tokens of the prompt cache written again, ≈\u00a0$0.016. Repaid after ≈\u00a08 requests.',
    ],
    [
      1,
      0,
      'Cost: ≈\u00a05,310 tokens of the prompt cache written again, ≈\u00a0$0.016. Repaid after ≈\u00a01 request, 0 so far.',
    ],
    [
      null,
      5,
      'Cost: ≈\u00a05,310 tokens of the prompt cache written again, ≈\u00a0$0.016. It frees too little to pay for itself.',
    ],
  ])(
    'says what the cache costs: back after %s, %i since',
    (breakEvenRequests, requestsSince, words) => {
      const card = drawn({ breakEvenRequests, requestsSince }).one('pass-card');
      expect(textOf(card, '.price')).toBe(words);
    },
  );

  it.each([
    [null, 'written again. Repaid'],
    ['offline', 'written again, no charge (offline). Repaid'],
    [0.0004, 'written again, under $0.001. Repaid'],
    [0.159, 'written again, ≈\u00a0$0.159. Repaid'],
    [1.5, 'written again, ≈\u00a0$1.50. Repaid'],
  ] as const)('names the amount where a price is known: %s', (rewriteCost, words) => {
    expect(textOf(drawn({ rewriteCost }).one('pass-card'), '.price')).toContain(words);
  });

  it('sets what the API reported beside it', () => {
    const measured = { cacheRead: 4_120, cacheWrite: 5_400 };
    expect(drawn({ measured }).one('measured').textContent).toBe(
      ' The API then reported 4,120 tokens read from the cache, 5,400 written.',
    );
    expect(drawn().all('measured')).toEqual([]);
  });

  it('says so when no prefix was lost', () => {
    const card = drawn({ rewrittenTokens: 0, breakEvenRequests: 0 }).one('pass-card');
    expect(textOf(card, '.price')).toBe(
      'Cost: nothing. No part of the prompt cache has to be written again.',
    );
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

describe('the requests around a pass', () => {
  it.each([
    [13, { from: 12, to: 13 }],
    [18, { from: 17, to: 'next' }],
  ])('are compared: before step %i', (beforeStep, sides) => {
    const { one, click, wishes } = drawn({ beforeStep });
    click(one('diff-pass'));
    expect(wishes).toEqual([{ type: 'diffRequests', ...sides, form: 'readable' }]);
  });

  it('are compared over the gap a lost line leaves', () => {
    const { one, click, wishes, tell } = drawn();
    const timeline = sampleTimeline(17);
    const points = timeline.points.filter(({ step }) => step !== 12);
    tell({ type: 'timelineChanged', timeline: { ...timeline, points } });
    click(one('diff-pass'));
    expect(wishes).toEqual([{ type: 'diffRequests', from: 11, to: 13, form: 'readable' }]);
  });

  it('are not where there is none before', () => {
    const { one, click, wishes } = drawn({ beforeStep: 1 });
    click(one('diff-pass'));
    expect([
      one('diff-pass').getAttribute('aria-disabled'),
      one('diff-pass').title,
      wishes,
    ]).toEqual(['true', 'There is no request before this pass', []]);
  });
});

describe('the report of a pass', () => {
  it('is wished for by its button', () => {
    const { one, click, wishes } = drawn();
    click(one('export-pass'));
    expect(wishes).toEqual([{ type: 'exportPass', number: 2 }]);
  });
});

describe('a pass by hand', () => {
  const excluded = (changes: Partial<PassView> = {}) =>
    drawPanel(
      sampleContext({
        busy: false,
        passes: [
          samplePass({
            trigger: 'byHand',
            name: 'Change 1',
            before: { tokens: 9_914, exact: true },
            after: { tokens: 7_000, exact: true },
            byHand: {
              blockId: 'step-9',
              label: 'read_file a.ts',
              action: 'evict',
              reason: 'Excluded by you',
              before: { tokens: 2_914, exact: true },
              after: { tokens: 0, exact: true },
            },
            ...changes,
          }),
        ],
      }),
    );

  it('is one line: what was done, what it came to, and the way back', () => {
    const { one, all, click, wishes } = excluded();
    expect(all('pass-card')).toEqual([]);
    expect(one('hand-pass').textContent).toBe('You excluded read_file a.ts: −2,914 tokensUndo');
    click(one('undo-pass'));
    expect(wishes).toEqual([{ type: 'undoPass', number: 2 }]);
  });

  it.each([
    ['restore', 'You restored read_file a.ts: ≈\u00a0+1,204 tokens'],
    ['rewrite', 'You rewrote read_file a.ts: ≈\u00a0+1,204 tokens'],
    ['clear', 'You cleared the results of read_file a.ts: ≈\u00a0+1,204 tokens'],
  ] as const)('names %s, and marks estimates', (action, words) => {
    const byHand = {
      blockId: 'step-9',
      label: 'read_file a.ts',
      action,
      reason: '',
      before: { tokens: 0, exact: true },
      after: { tokens: 1_204, exact: false },
    };
    const [before, after] = [
      { tokens: 7_000, exact: true },
      { tokens: 8_204, exact: false },
    ];
    expect(textOf(excluded({ byHand, before, after }).one('hand-pass'), '.what')).toBe(words);
  });

  it('says what the window moved by, where more went than the block itself', () => {
    const after = { tokens: 6_275, exact: false };
    const { one } = excluded({ after });
    expect(textOf(one('hand-pass'), '.what')).toBe(
      'You excluded read_file a.ts: ≈\u00a0−3,639 tokens (the block itself −2,914 tokens)',
    );
    expect(one('hand-pass').getAttribute('aria-label')).toBe('Change 1, by hand');
  });

  it('names a prompt that was taken back, and what went with it', () => {
    const byHand = {
      blockId: 'prompt-2',
      label: 'Prompt: next',
      action: 'takeBack',
      reason: '',
      before: { tokens: 10, exact: false },
      after: { tokens: 0, exact: true },
    } as const;
    const numbers = {
      byHand,
      before: { tokens: 9_000, exact: false },
      after: { tokens: 8_000, exact: false },
    };
    const words = (changed: number) =>
      textOf(excluded({ ...numbers, changed }).one('hand-pass'), '.what');
    expect(words(4)).toBe(
      'You took back Prompt: next and the 3 blocks behind it: ≈\u00a0−1,000 tokens',
    );
    expect(words(1)).toBe('You took back Prompt: next: ≈\u00a0−1,000 tokens');
  });

  it('is marked once undone', () => {
    const { one, all } = excluded({ undone: true });
    expect(one('hand-pass').getAttribute('aria-label')).toBe('Change 1, by hand, undone');
    expect([textOf(one('hand-pass'), '.pill'), all('undo-pass')]).toEqual(['undone', []]);
  });
});

describe('a long ledger', () => {
  it('shows the newest 50 of 2,000 passes, and older ones when asked to', () => {
    const passes = Array.from({ length: 2_000 }, (_, index) =>
      samplePass({ number: 2_000 - index, rungs: [] }),
    );
    const { all, one, click } = drawPanel(sampleContext({ passes }));
    const numbers = () => all('pass-card').map(({ dataset }) => Number(dataset['pass']));
    expect([numbers().length, numbers()[0], numbers().at(-1)]).toEqual([50, 2_000, 1_951]);
    expect(one('older-passes').textContent).toBe('Show older (1,950 left)');
    click(one('older-passes'));
    expect([numbers().length, numbers().at(-1)]).toEqual([100, 1_901]);
  });
});

describe('the decisions of a pass', () => {
  const open = (changes: Partial<PassView> = {}) => {
    const panel = drawn(changes);
    panel.unfold(panel.one('decisions'));
    return panel;
  };
  const fetched = () => {
    const panel = open();
    panel.answer({ type: 'answered', data: sampleDecisions() });
    return panel;
  };

  it('are counted, and fetched when they are opened', () => {
    const { one, all, unfold, wishes } = drawn();
    expect(textOf(one('decisions'), 'summary')).toBe('17 decisions: 9 changed, 8 kept');
    expect([all('decision-row'), wishes]).toEqual([[], []]);
    unfold(one('decisions'));
    expect(wishes).toEqual([{ type: 'fetchDecisions', number: 2 }]);
    expect(one('decisions').textContent).toContain('Fetching the decisions…');
  });

  it('are grouped: what changed, then what was kept with the reason it stayed', () => {
    const { all } = fetched();
    const groups = all('decision-group');
    expect(groups.map((group) => textOf(group, 'h4'))).toEqual(['Changed 9', 'Kept 8']);
    const [changed, kept] = groups.map((group) => all('decision-row', group));
    expect([changed?.length, kept?.length]).toEqual([9, 8]);
    expect(textOf(kept![0]!, '.reason')).toBe(
      'kept · The task: in every request, labelled as the original task',
    );
    expect(textOf(kept![0]!, '.number')).toBe('646');
  });

  it('tell name, what was done, why, before and after, and salience with its factors', () => {
    const { answer, all, one } = open();
    const evicted = sampleDecisions().find(({ action }) => action === 'evict')!;
    const salience = { salience: 0.08, recency: 0.1, reuse: 0, kind: 0.2, size: 0.9 };
    answer({ type: 'answered', data: [{ ...evicted, salience }] });
    const row = one('decision-row');
    expect(textOf(row, '.label')).toBe('list_files src');
    expect(textOf(row, '.number')).toBe('≈\u00a01,312 → 0');
    expect(textOf(row, '.reason')).toBe(
      'evicted · Mattered least: nothing has named its files since step 7, and it stands in the oldest quarter of the window · salience 0.08',
    );
    expect(row.querySelector<HTMLElement>('.salience')?.title).toBe(
      'How new 0.10, Named again 0.00, Kind of work 0.20, Smallness 0.90',
    );
    expect(all('decision-group')).toHaveLength(1);
  });

  it('stay unfolded when the next fact comes, and are not fetched again', () => {
    const { all, tell, wishes } = fetched();
    tell({ type: 'contextChanged', context: sampleContext({ passes: [samplePass()] }) });
    expect([all('decision-row').length, wishes.length]).toEqual([17, 1]);
  });

  it('are fetched again for a pass of another session with the same number', () => {
    const { tell, wishes } = fetched();
    const passes = [samplePass({ beforeStep: 40 })];
    tell({ type: 'contextChanged', context: sampleContext({ passes }) });
    expect(wishes).toHaveLength(2);
  });

  it('open the block on a click', () => {
    const { all, click, wishes } = fetched();
    click(all('decision-row')[0]!.querySelector('button')!);
    expect(wishes.at(-1)).toEqual({ type: 'openBlock', blockId: 'step-3' });
  });

  it('of thousands of blocks are drawn a page at a time', () => {
    const { answer, all, one, click } = open();
    const template = sampleDecisions()[0]!;
    const decisions = Array.from({ length: 500 }, (_, n) => ({ ...template, blockId: `b-${n}` }));
    answer({ type: 'answered', data: decisions });
    expect(all('decision-row')).toHaveLength(200);
    click(one('more-decisions'));
    expect(all('decision-row')).toHaveLength(400);
  });
});
