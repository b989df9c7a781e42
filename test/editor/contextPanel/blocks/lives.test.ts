import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInWindow } from '../../../../src/contextWindow/block';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { fold } from '../../../../src/contextWindow/fold';
import {
  fileLives,
  livesOf,
  type LifeFacts,
} from '../../../../src/editor/contextPanel/blocks/lives';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, dated, dots, passThat, promptEvent, stepEvents } from '../../../support/drawing';
import { estimate } from '../../../support/player';
import { actions, play, withoutRefusedUndo } from '../../../support/randomSession';
import { runs } from '../../../support/runs';

const facts = (...events: readonly (NewEvent | readonly NewEvent[])[]): LifeFacts => {
  const all = dated(events.flat());
  return { events: all, window: fold(all), estimate, showsFiles: true };
};

/** A step that reads a file of 100 tokens. */
const reads = (id: string, path: string) => stepEvents([{ id, name: path, tokens: 100 }]);

const pass = (number: number, action: 'evict' | 'clear', ...ids: readonly string[]): NewEvent => {
  const event = passThat(action, ids) as Extract<NewEvent, { type: 'passApplied' }>;
  return { ...event, pass: { ...event.pass, number, ordinal: number } };
};

const SESSION = facts(
  promptEvent('go'),
  reads('t1', 'a.ts'),
  reads('t2', 'b.ts'),
  pass(1, 'clear', 'step-1'),
  reads('t3', 'c.ts'),
  pass(2, 'evict', 'step-1'),
  reads('t4', 'a.ts'),
);

describe('the history of a file', () => {
  it('says when the file was read, cleared, removed and read again', () => {
    const [file] = livesOf(SESSION, 'step-1')!;
    expect(file?.title).toBe('a.ts');
    expect(file?.spans.map(({ from, to, seen }) => [from, to, seen])).toEqual([
      [2, 3, 'whole'],
      [3, 4, 'part'],
      [4, 5, 'nothing'],
      [5, 6, 'whole'],
    ]);
    expect(file?.moments).toEqual([
      { step: 1, kind: 'used', words: `read (≈ ${estimate(dots(100))} tokens)` },
      { step: 3, kind: 'taken', words: 'cleared by pass 1 (≈ −1)' },
      { step: 4, kind: 'again', words: `read again (≈ ${estimate(dots(100))} tokens)` },
      { step: 4, kind: 'taken', words: 'removed by pass 2 (≈ −1)' },
    ]);
  });

  it('returns to the earlier state after an undo of a pass', () => {
    const undone: NewEvent = { type: 'passUndone', number: 1 };
    const life = facts(promptEvent('go'), reads('t1', 'a.ts'), pass(1, 'evict', 'step-1'), undone);
    const [file] = livesOf(life, 'step-1')!;
    expect(file?.spans).toEqual([{ from: 2, to: 3, seen: 'whole' }]);
    expect(file?.moments.at(-1)).toEqual({
      step: 2,
      kind: 'back',
      words: 'back: pass 1 was undone',
    });
  });

  it('is whole again after several passes are undone', () => {
    const undone = (number: number): NewEvent => ({ type: 'passUndone', number });
    const life = facts(
      promptEvent('go'),
      reads('t1', 'a.ts'),
      pass(1, 'clear', 'step-1'),
      reads('t2', 'b.ts'),
      pass(2, 'evict', 'step-1'),
      reads('t3', 'c.ts'),
      undone(2),
      reads('t4', 'd.ts'),
      undone(1),
    );
    expect(livesOf(life, 'step-1')?.[0]?.spans.map(({ seen }) => seen)).toEqual([
      'part',
      'nothing',
      'part',
      'whole',
    ]);
  });

  it('is that of the block if its calls concern no file, and empty without a block', () => {
    expect(livesOf(SESSION, 'prompt-1')).toEqual([
      { title: 'Task: go', spans: [{ from: 1, to: 6, seen: 'whole' }], moments: [] },
    ]);
    expect(livesOf(SESSION, 'step-99')).toBeUndefined();
  });

  it('ends with the blocks that the window holds, in any session', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const { events: all, window } = play(script, budgetOf(3_000), POLICY_SETTINGS);
        const events = withoutRefusedUndo(all);
        const life = { events, window, estimate, showsFiles: true };
        for (const block of window.blocks) {
          const lives = livesOf(life, block.id) ?? [];
          const isOfFile = lives.length > 0 && 'reads' in lives[0]!;
          if (isOfFile || block.kind === 'summary') continue;
          const seen = lives[0]?.spans.at(-1)?.seen;
          expect([block.id, seen === 'whole' || seen === 'part']).toEqual([
            block.id,
            isInWindow(block),
          ]);
        }
      }),
      { numRuns: runs(25, 1_000) },
    );
  });
});

describe('the files of a session', () => {
  it('are all listed, largest first, with what happened to each', () => {
    expect(
      fileLives(SESSION).map(({ title, reads: times, edits, again }) => [
        title,
        times,
        edits,
        again,
      ]),
    ).toEqual([
      ['a.ts', 2, 0, 1],
      ['b.ts', 1, 0, 0],
      ['c.ts', 1, 0, 0],
    ]);
    expect(fileLives(SESSION)[0]?.tokens).toBe(estimate(dots(100)));
  });
});
