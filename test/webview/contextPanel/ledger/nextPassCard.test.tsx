import { describe, expect, it } from 'vitest';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import { sampleContext } from '../contextViews';
import { drawPanel, keptOf } from '../drawnPanel';

// @vitest-environment happy-dom

describe('the next pass', () => {
  const wordsOf = (changes: Partial<ContextView>) =>
    drawPanel(sampleContext(changes)).one('next-pass').textContent;

  it('waits for the user if the settings say so', () => {
    expect(wordsOf({ compaction: 'ask' })).toMatch(/It waits for your review\.$/);
  });

  it('speaks of other blocks only if some are named', () => {
    expect(wordsOf({ next: { type: 'nothing' } })).toMatch(/4,318 tokens to go\.$/);
    expect(wordsOf({})).toMatch(/4,318 tokens to go; it may choose others\.$/);
  });

  it("announces the API's own edits, by its own count", () => {
    const apiEdits = { before: 18_000, after: 12_000 };
    expect(wordsOf({ apiEdits })).toMatch(
      /editing reduces the next request 18,000 → 12,000 tokens/,
    );
  });

  it('does not exist if passes are off', () => {
    expect(wordsOf({ compaction: 'off' })).toBe(
      'No pass runs automatically: plimsoll.context.compaction is off.',
    );
  });

  it('is due at the input budget if the API edits the window', () => {
    expect(wordsOf({ policy: 'server', passAbove: 26_880 })).toContain(
      'automatic pass above 26,880; it aims at 13,440.',
    );
  });

  it('can be run immediately while the agent is idle', () => {
    const { one, click, wishes } = drawPanel(sampleContext({ busy: false }));
    click(one('compact-now'));
    expect(wishes).toEqual([{ type: 'compactNow', instructions: '' }]);
  });

  it.each([
    [{ busy: true }, 'The agent is working: wait until it has stopped.'],
    [{ busy: false, turn: 0 }, 'There is nothing in the window yet.'],
    [{ busy: false, whyReadOnly: 'Step 4 is past.' }, 'Step 4 is past.'],
  ])('cannot be run with %j, and says why', (changes, why) => {
    const button = drawPanel(sampleContext(changes)).one('compact-now');
    expect([button.getAttribute('aria-disabled'), button.title]).toEqual(['true', why]);
  });

  it('takes instructions for the summary until it has run with them', () => {
    const { one, click, type, answer, refuse, wishes } = drawPanel(sampleContext({ busy: false }));
    type('  Keep the API verbatim. ', one('instructions'));
    click(one('compact-now'));
    refuse('The agent is working.');
    click(one('compact-now'));
    answer({ type: 'done' });
    expect((one('instructions') as HTMLTextAreaElement).value).toBe('');
    click(one('compact-now'));
    expect(wishes).toEqual([
      { type: 'compactNow', instructions: 'Keep the API verbatim.' },
      { type: 'compactNow', instructions: 'Keep the API verbatim.' },
      { type: 'compactNow', instructions: '' },
    ]);
  });

  it('shows instructions kept over hiding and reloading', () => {
    const context = sampleContext({ busy: false });
    const { one, type, store } = drawPanel(context);
    const isOpen = (field: HTMLElement) => field.closest('details')?.open;
    expect(isOpen(one('instructions'))).toBe(false);
    type('Keep the API.', one('instructions'));
    const again = drawPanel(context, undefined, keptOf(store).unsent).one('instructions');
    expect([(again as HTMLTextAreaElement).value, isOpen(again)]).toEqual(['Keep the API.', true]);
  });

  it('keeps instructions typed during the pass for the next one of this session', () => {
    const { one, click, type, tell, answer } = drawPanel(sampleContext({ busy: false }));
    const text = () => (one('instructions') as HTMLTextAreaElement).value;
    type('Keep the API.', one('instructions'));
    click(one('compact-now'));
    type('Keep the names.', one('instructions'));
    answer({ type: 'done' });
    expect(text()).toBe('Keep the names.');
    const other = sampleContext({ busy: false, session: 'session-2' });
    tell({ type: 'contextChanged', context: other });
    expect(text()).toBe('');
    tell({ type: 'contextChanged', context: sampleContext({ busy: false }) });
    expect(text()).toBe('Keep the names.');
  });

  const PLANNED = { type: 'planned', due: false, afterTokens: 17_292, blocks: 19 } as const;

  it.each([
    [
      { ...PLANNED, shortens: false },
      'Compact now: 19 blocks removed, ≈\u00a017,186 → ≈\u00a017,292.',
    ],
    [
      { ...PLANNED, due: true, blocks: 1, shortens: true },
      'Before the next step: 1 block removed or shortened, ≈\u00a017,186 → ≈\u00a017,292.',
    ],
    [
      { ...PLANNED, blocks: 0, shortens: false },
      'Compact now: only the former notes removed, ≈\u00a017,186 → ≈\u00a017,292.',
    ],
  ])('says what %j removes', (planned, words) => {
    const next = { ...planned, largest: [], freedTokens: 44_312 };
    expect(drawPanel(sampleContext({ next })).one('next-words').textContent).toBe(words);
  });

  it('says that nothing would be removed, but not before it was planned', () => {
    const wordsOf = (next: ContextView['next']) =>
      drawPanel(sampleContext({ next })).one('next-words').textContent;
    expect(wordsOf({ type: 'nothing' })).toBe('Nothing to remove now.');
    expect(wordsOf({ type: 'notWorkedOut', message: 'No pass ran right after this step.' })).toBe(
      'Not planned. No pass ran right after this step.',
    );
  });

  it('is the pass that ran right after a past step', () => {
    const next = {
      type: 'ran',
      passes: [4],
      blocks: 4,
      shortens: false,
      largest: [],
      freedTokens: 5_021,
    } as const;
    expect(drawPanel(sampleContext({ next })).one('next-words').textContent).toBe(
      'Pass 4 ran right after this step: 4 blocks removed, ≈\u00a05,021 tokens.',
    );
    const both = { ...next, passes: [4, 5] };
    expect(drawPanel(sampleContext({ next: both })).one('next-words').textContent).toContain(
      'Passes 4 and 5 ran right after this step: ',
    );
  });
});
