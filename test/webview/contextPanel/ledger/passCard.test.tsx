import { describe, expect, it } from 'vitest';
import type { PassView } from '../../../../src/editor/contextPanel/ledger/state';
import { sampleContext, samplePass, samplePrice, sampleTimeline } from '../contextViews';
import { drawPanel } from '../drawnPanel';
import { textOf, drawn } from './drawnPass';

// @vitest-environment happy-dom

describe('a pass', () => {
  it('names the step it ran before, and its trigger', () => {
    expect(textOf(drawn().one('pass-card'), '.head')).toBe('Pass 2before step 13UndoDiffReport');
    expect(textOf(drawn().one('pass-card'), '.why')).toBe(
      'high watermark crossed: 21,604 > 21,504 · policy ladder',
    );
  });

  it.each([
    ['overflow', 'the API said the request was too long'],
    ['manual', 'Compact Now at 21,604'],
    ['cap', 'turn or message limit reached'],
    ['recorded', 'the recorded agent compacted its conversation'],
  ] as const)('names the trigger %s', (trigger, words) => {
    expect(textOf(drawn({ trigger }).one('pass-card'), '.why')).toContain(words);
  });

  it.each([
    [true, 'Freed 8,624 tokens 21,604 → 12,980'],
    [false, 'Freed ≈\u00a08,624 tokens 21,604 → ≈\u00a012,980'],
  ])('begins with what it freed, counted: %s', (exact, words) => {
    const card = drawn({ after: { tokens: 12_980, exact } }).one('pass-card');
    expect(textOf(card, '.sum')).toBe(words);
    expect(card.textContent).toContain('Aimed at 13,440 tokens, reached ≈ 12,980.');
  });

  it('lists what was needed again, at what cost; the card of costs adds it all up', () => {
    const panel = drawPanel(sampleContext());
    expect(textOf(panel.all('pass-card')[0]!, '.regret')).toBe(
      'Needed again: src/zones.js at step 14 (≈\u00a0640 tokens), toolu_9 at step 15 (≈\u00a0120 tokens).',
    );
    expect(panel.one('cost-again').textContent).toBe('≈\u00a0800 tokens');
    const many = Array.from({ length: 5 }, (_, index) => ({
      blockId: 'step-5',
      step: index,
      what: 'a',
      tokens: 0,
      pass: 2,
    }));
    panel.tell({ type: 'contextChanged', context: sampleContext({ neededAgain: many }) });
    expect(textOf(panel.all('pass-card')[0]!, '.regret')).toBe(
      'Needed again: a at step 0, a at step 1, a at step 2, and 2 more.',
    );
    expect(panel.one('cost-again').textContent).toMatch(/^\d+ blocks?$/);
  });

  it('says that it added tokens, if it did', () => {
    const after = { tokens: 21_700, exact: true };
    expect(textOf(drawn({ after }).one('pass-card'), '.freed')).toBe('Added 96 tokens');
  });

  it('says in one sentence what it did, and keeps the numbers of each rung folded', () => {
    const { one } = drawn();
    expect(one('did').textContent).toBe(
      'Results of 2 blocks cleared, 6 blocks summarised, 1 block removed.',
    );
    expect((one('decisions') as HTMLDetailsElement).open).toBe(false);
    expect(one('decisions').querySelectorAll('.rung')).toHaveLength(4);
    const shows = { id: 'files-2', files: 5, lines: 120, tokens: 900 };
    expect(drawn({ rungs: [], shows }).one('did').textContent).toBe('Excerpts of 5 files shown.');
    const rungs = [{ rung: 'overhead', blocks: 0, tokens: 48 }] as const;
    expect(drawn({ rungs }).one('did').textContent).toBe(
      'Only notes and lines about removed turns changed.',
    );
  });

  it('draws before, after and target on the input budget', () => {
    const bar = drawn().root.querySelector('.drop')!;
    const at = (part: string) => parseFloat(bar.querySelector<HTMLElement>(part)!.style.width);
    expect(at('.before')).toBeCloseTo(80.37, 2);
    expect(at('.after')).toBeCloseTo(48.29, 2);
    expect(bar.querySelector<HTMLElement>('.target')!.style.left).toBe('50%');
  });

  it('lists the rungs with what each freed', () => {
    const rows = [...drawn().root.querySelectorAll('.rung')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(rows).toEqual([
      ['Old tool results cleared', '2 blocks', '≈\u00a0−3,411'],
      ['Replaced by a summary', '6 blocks', '≈\u00a0−4,902'],
      ['Removed', '1 block', '≈\u00a0−311'],
      ['Kept', '8 blocks, with reasons'],
    ]);
  });

  it('lists changes that belong to no block', () => {
    const rungs = [
      { rung: 'clear', blocks: 2, tokens: 3_411 },
      { rung: 'overhead', blocks: 0, tokens: -48 },
    ] as const;
    const rows = drawn({ rungs }).all('rung');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'Old tool results cleared2 blocks≈\u00a0−3,411',
      'Notes, and lines about removed turns≈\u00a0+48',
    ]);
  });

  it('says what it cost, and since when it is repaid', () => {
    const text = 'Cost: $0.021 (summary $0.019, cache $0.002). Repaid since step 37.';
    expect(textOf(drawn({ price: samplePrice(text) }).one('pass-card'), '.price')).toBe(text);
  });

  it('adds what the API counted after it, next to the estimate', () => {
    const text = 'The API counted 13,290 tokens after it, 50 more than estimated.';
    expect(drawn({ counted: { isOther: true, text } }).one('counted').textContent).toBe(text);
    expect(drawn().all('counted')).toEqual([]);
  });

  it('adds what the API reported', () => {
    const measured = { cacheRead: 4_120, cacheWrite: 5_400 };
    expect(drawn({ measured }).one('measured').textContent).toBe(
      'The API then reported 4,120 tokens read from the cache, 5,400 written.',
    );
    expect(drawn().all('measured')).toEqual([]);
  });
});

describe('the undo of a pass', () => {
  const idle = (changes: Partial<PassView> = {}) =>
    drawPanel(sampleContext({ passes: [samplePass(changes)], busy: false }));

  it('is requested by its button', () => {
    const { one, click, wishes } = idle();
    expect(one('undo-pass').getAttribute('aria-label')).toBe('Undo pass 2');
    click(one('undo-pass'));
    expect(wishes).toEqual([{ type: 'undoPass', number: 2 }]);
  });

  it('says why it is not possible, and still reacts to a press', () => {
    const why = 'Pass 2 went on from what pass 1 left: undo that one first.';
    const { one, click, wishes } = idle({ number: 1, whyNotUndone: why });
    const button = one('undo-pass');
    expect([button.getAttribute('aria-disabled'), button.title]).toEqual(['true', why]);
    click(button);
    expect(wishes).toEqual([{ type: 'undoPass', number: 1 }]);
  });

  it('is marked once done, and not offered again', () => {
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
    ['trim', 'Thinking removed'],
    ['cap', 'Removed: over the limit of turns or messages'],
    ['shorten', 'Shortened, head and tail kept'],
  ] as const)('%s has a name', (rung, words) => {
    const { one } = drawn({ rungs: [{ rung, blocks: 1, tokens: 10 }] });
    expect(textOf(one('rung'), 'dt')).toBe(words);
  });
});

describe('the requests around a pass', () => {
  it.each([
    [13, { from: 12, to: 13 }],
    [18, { from: 17, to: 'next' }],
  ])('can be compared: before step %i', (beforeStep, sides) => {
    const { one, click, wishes } = drawn({ beforeStep });
    click(one('diff-pass'));
    expect(wishes).toEqual([{ type: 'diffRequests', ...sides, form: 'readable' }]);
  });

  it('can be compared across the gap of a lost line', () => {
    const { one, click, wishes, tell } = drawn();
    const timeline = sampleTimeline(17);
    const points = timeline.points.filter(({ step }) => step !== 12);
    tell({ type: 'timelineChanged', timeline: { ...timeline, points } });
    click(one('diff-pass'));
    expect(wishes).toEqual([{ type: 'diffRequests', from: 11, to: 13, form: 'readable' }]);
  });

  it('cannot be compared if there is none before it', () => {
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
  it('is requested by its button', () => {
    const { one, click, wishes } = drawn();
    click(one('export-pass'));
    expect(wishes).toEqual([{ type: 'exportPass', number: 2 }]);
  });
});
