import { describe, expect, it } from 'vitest';
import { applyEvent } from '../../../../src/contextWindow/fold';
import { numberedNamesIn } from '../../../../src/contextWindow/passes/rungs/identifiers';
import { draw, drawnEvents, foldNew } from '../../../support/drawing';
import { entered } from '../../../../src/contextWindow/event';

const SESSION = '1 anchor src/one.ts 1\n1 read src/two.ts 1';

describe('the names of a session', () => {
  it('have the same number wherever they are mentioned', () => {
    const window = draw(`${SESSION}\n1 edit src/one.ts 1`);
    const names = numberedNamesIn(window);
    const [anchor, , edit] = window.blocks.toArray();
    const [first] = names.of(anchor!).said;
    expect(first).toBe(names.numberOf('src/one.ts'));
    expect(names.of(edit!).said).toEqual([first]);
    expect(names.of(edit!)).toBe(names.of(edit!));
    expect(names.numberOf('src/nobodySaid.ts')).toBeUndefined();
  });

  it('stay the same as the session continues, and belong to that session alone', () => {
    const window = foldNew(drawnEvents(SESSION));
    const names = numberedNamesIn(window);
    names.of(window.blocks.at(0)!);
    const later = drawnEvents('1 anchor t 1\n1 edit src/one.ts 1')
      .slice(-2)
      .reduce((grown, event) => applyEvent(grown, entered(event, 0, grown)), window);
    expect(later.blocks.length).toBeGreaterThan(window.blocks.length);
    expect(numberedNamesIn(later)).toBe(names);
    expect(numberedNamesIn(draw(SESSION)).count).toBe(0);
    expect(numberedNamesIn(foldNew([])).count).toBe(0);
  });
});
