import { describe, expect, it } from 'vitest';
import type { StepBlock, ToolUseId } from '../../../src/contextWindow/block';
import { blocksInWindow } from '../../../src/contextWindow/window';
import { visibleLines } from '../../../src/contextWindow/files/fileModel';
import type { Sighting } from '../../../src/contextWindow/files/knownFile';
import { budgetOf } from '../../support/drawing';
import { FileSession } from '../../support/fileSession';

/** A session that read and edited a file, and whose last pass shows it. */
function session() {
  const made = new FileSession(budgetOf(4_000));
  for (const file of [0, 1, 2, 3]) made.act({ type: 'read', file, from: 1, count: 60 });
  made.act({ type: 'edit', file: 3, line: 20, grows: 2 });
  made.act({ type: 'pass' });
  return made.player.window;
}

const line = (seen: Partial<Sighting>) => ({
  text: 'a line',
  seen: { step: 1, use: 'call-1' as ToolUseId, in: 'result' as const, ...seen },
  edited: 0,
});

describe('visibleLines', () => {
  const window = session();
  const blocks = blocksInWindow(window);
  /** Steps of the session, with their results cleared or not. */
  const steps = (...cleared: readonly boolean[]): readonly StepBlock[] =>
    window.blocks
      .filter((block) => block.kind === 'step')
      .slice(0, cleared.length)
      .map((block, at) => ({
        ...block,
        pairs: block.pairs.map((pair) => ({ ...pair, cleared: cleared[at] ?? false })),
      }));

  it('follows the call or result that showed a line last', () => {
    const [kept, cleared] = steps(false, true);
    const isVisible = visibleLines([kept!, cleared!]);
    const seen = (block: StepBlock, place: Sighting['in']) =>
      isVisible(line({ use: block.pairs[0]!.use.id, in: place }));
    expect([seen(kept!, 'result'), seen(cleared!, 'result')]).toEqual([true, false]);
    // A call stays when its result is cleared.
    expect([seen(kept!, 'call'), seen(cleared!, 'call')]).toEqual([true, true]);
    expect(visibleLines([])(line({ use: kept!.pairs[0]!.use.id }))).toBe(false);
  });

  it('follows the excerpts that showed a line last', () => {
    const { id } = window.ledger.at(-1)!.pass.excerpts!;
    expect(visibleLines(blocks)(line({ use: id, in: 'excerpts' }))).toBe(true);
    const others = blocks.filter((block) => block.id !== id);
    expect(visibleLines(others)(line({ use: id, in: 'excerpts' }))).toBe(false);
  });

  it('excludes truncated and unseen lines', () => {
    const [kept] = steps(false);
    const use = kept!.pairs[0]!.use.id;
    expect(visibleLines([kept!])(line({ use, in: 'cut' }))).toBe(false);
    expect(visibleLines([kept!])(line({ use, in: 'unseen' }))).toBe(false);
  });

  it('includes every line of the current excerpts', () => {
    const isVisible = visibleLines(blocks);
    for (const { path, first, text } of window.ledger.at(-1)!.pass.excerpts!.shown) {
      const run = window.files
        .get(path)!
        .runs.find(
          (each) =>
            each.first !== undefined &&
            each.first <= first! &&
            first! < each.first + each.lines.length,
        )!;
      const start = first! - run.first!;
      const lines = run.lines.slice(start, start + text.split('\n').length);
      expect(lines.map((each) => each.text).join('\n')).toBe(text);
      expect(lines.every(isVisible)).toBe(true);
    }
  });
});
