import { describe, expect, it } from 'vitest';
import { ALL, drawPanel } from '../drawnPanel';
import { sampleContext } from '../contextViews';

const OUT = sampleContext().blocks.find(({ canComeBack }) => canComeBack)!.id;

describe('the button of a removed block', () => {
  it('shows how far a restore moves the window, as the host calculated it', () => {
    const restore = { tokens: 4_095, exact: false };
    const { row, one, watched } = drawPanel(sampleContext({ moves: { [OUT]: { restore } } }), ALL);
    expect(one('verb-restore', row(OUT)).textContent).toBe('Restore ≈\u00a04,095');
    expect(watched.at(-1)).toContain(OUT);
  });

  it('shows no number before it is calculated, and the refusal in its place', () => {
    const without = drawPanel(sampleContext(), ALL);
    expect(without.one('verb-restore', without.row(OUT)).textContent).toBe('Restore');
    const restore = { whyNot: 'The next request would take ≈ 740 tokens.' };
    const { row, one } = drawPanel(sampleContext({ moves: { [OUT]: { restore } } }), ALL);
    const button = one('verb-restore', row(OUT));
    expect(button.textContent).toBe('Restore');
    expect(button.title).toBe(restore.whyNot);
  });
});

describe('Undo all my changes', () => {
  it('is offered with its number while there are changes', () => {
    const move = { tokens: -204, exact: false };
    const { one, wishes } = drawPanel(sampleContext({ undoAll: { changes: 3, move } }), {
      ...ALL,
      tab: 'ledger',
    });
    expect(one('undo-all').textContent).toBe('Undo all my changes (≈\u00a0−204)');
    one('undo-all').click();
    expect(wishes).toContainEqual({ type: 'undoAllChanges' });
  });
});
