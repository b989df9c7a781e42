import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/contextWindow/block';
import type { NewEvent } from '../../../src/contextWindow/event';
import { balance } from '../../../src/contextWindow/account/balance';
import { measure } from '../../../src/contextWindow/account/measure';
import { gapLines } from '../../../src/contextWindow/request/gapLines';
import { toRequest } from '../../../src/contextWindow/request/request';
import { budgetOf, drawnEvents, evicting, foldNew } from '../../support/drawing';
import { passed } from '../support/planned';

/** Six turns, each with a prompt, a read and an answer. */
const SESSION = drawnEvents(
  [1, 2, 3, 4, 5, 6]
    .map(
      (turn) => `${turn} prompt p${turn} 5\n${turn} read f${turn}.ts 300\n${turn} reply r${turn} 5`,
    )
    .join('\n'),
);

/** The blocks of these turns. */
function turns(...numbers: readonly number[]): readonly string[] {
  return numbers.flatMap((turn) => [`prompt-${turn}`, `step-${2 * turn - 1}`, `step-${2 * turn}`]);
}

/**
 * The window without some blocks, as the request shows it: "p1", "r4", or the number of removed
 * turns.
 */
function told(events: readonly NewEvent[]): readonly string[] {
  return toRequest(foldNew(events)).messages.flatMap(({ content }) =>
    content.flatMap((part) => {
      if (part.type !== 'text') return [];
      return [
        /\[\d+ whole turns?/.exec(part.text)?.[0] ?? /[pr]\d|\[Summary/.exec(part.text)?.[0] ?? '',
      ];
    }),
  );
}

const lineOf = (events: readonly NewEvent[]) => [...gapLines(foldNew(events)).values()];

describe('the gap line', () => {
  it('gives the number of turns and mentions recall', () => {
    expect(lineOf([...SESSION, evicting(...turns(2))])).toEqual([
      '[1 whole turn left the context window here. Call recall for a list of what left, or with a pattern to search it.]',
    ]);
    expect(lineOf([...SESSION, evicting(...turns(2, 3, 4))])).toEqual([
      '[3 whole turns left the context window here. Call recall for a list of what left, or with a pattern to search it.]',
    ]);
  });

  it('takes the place of the turns, one line for consecutive ones', () => {
    expect(told([...SESSION, evicting(...turns(2, 3, 5))])).toEqual([
      'p1',
      'r1',
      '[2 whole turns',
      'p4',
      'r4',
      '[1 whole turn',
      'p6',
      'r6',
    ]);
  });

  it('appears with the last block of a turn, not before', () => {
    expect(told([...SESSION, evicting('prompt-2', 'step-3')])).not.toContain('[1 whole turn');
    expect(told([...SESSION, evicting(...turns(2))])).toContain('[1 whole turn');
  });

  it('opens a request whose first turns are gone', () => {
    const unpinned = { type: 'blockUnpinned', blockId: 'prompt-1' as BlockId } as const;
    const { messages } = toRequest(foldNew([...SESSION, unpinned, evicting(...turns(1, 2))]));
    expect(messages[0]).toMatchObject({ role: 'user' });
    expect(messages[0]?.content[0]).toMatchObject({
      text: expect.stringContaining('[2 whole turns'),
    });
    expect(messages[0]?.content).toHaveLength(2);
  });

  it('is a message of the user, so that the roles alternate', () => {
    const { messages } = toRequest(foldNew([...SESSION, evicting(...turns(2), 'prompt-3')]));
    const roles = messages.map(({ role }) => role);
    expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
  });

  it('disappears when a block of the turn is restored, by undo or by hand', () => {
    const events = [...SESSION, evicting(...turns(2, 3))];
    expect(told([...events, { type: 'passUndone', number: 1 }])).toEqual(told(SESSION));
    const anchored = [...events, { type: 'anchorMoved', blockId: 'prompt-3' as BlockId } as const];
    expect(told(anchored)).toContain('[1 whole turn');
    expect(told(anchored)).not.toContain('[2 whole turns');
  });

  it('is absent if a summary covers the turns, and appears once that summary is gone', () => {
    const options = {
      policy: 'summarise',
      summaries: true,
      summaryTokens: 100,
      inputBudget: 2_000,
    } as const;
    const events = passed(SESSION, { ...options, low: 0.3 });
    expect(foldNew(events).blocks.some(({ kind }) => kind === 'summary')).toBe(true);
    expect(lineOf(events)).toEqual([]);
    const window = foldNew(events);
    const [summary] = window.blocks.filter(({ kind }) => kind === 'summary');
    const covered = new Set(summary?.kind === 'summary' ? summary.covers : []);
    const whole = [2, 3, 4].filter((turn) => turns(turn).every((id) => covered.has(id as BlockId)));
    expect(whole.length).toBeGreaterThan(0);
    expect(told([...events, evicting(summary!.id)])).toContain(
      `[${whole.length} whole turn${whole.length === 1 ? '' : 's'}`,
    );
  });

  it('is absent if a summary replaced another one', () => {
    const options = {
      policy: 'ladder',
      summaries: true,
      trigger: 'cap',
      inputBudget: 5_000,
    } as const;
    const once = passed(SESSION, { ...options, maxHistoryTurns: 5 });
    const twice = passed(once, { ...options, maxHistoryTurns: 3 });
    const summaries = foldNew(twice).blocks.filter(({ kind }) => kind === 'summary');
    expect(summaries.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'summary-2 whole',
      'summary-1 summarised',
    ]);
    expect(lineOf(twice)).toEqual([]);
    expect(told(twice)).toEqual(['p1', '[Summary', 'p5', 'r5', 'p6', 'r6']);
  });

  it('is a part of the balance of its own', () => {
    const estimate = (text: string) => text.length;
    const window = foldNew([...SESSION, evicting(...turns(2, 4))]);
    const { categories, used } = balance(window, measure(window, estimate), budgetOf(100_000));
    expect(categories.gapLines).toBe([...gapLines(window).values()].join('').length);
    expect(Object.values(categories).reduce((sum, tokens) => sum + tokens, 0)).toBe(used.tokens);
  });

  it.each(['slidingWindow', 'tokenBudget', 'lastTurns'] as const)(
    'counts in a plan of %s, which still reaches its target',
    (policy) => {
      const estimate = (text: string) => text.length;
      const { tokens } = measure(foldNew(SESSION), estimate).used;
      const inputBudget = Math.floor(tokens / 0.81);
      const after = foldNew(passed(SESSION, { policy, inputBudget, low: 0.4, estimate }));
      const { pass } = after.ledger.at(0)!;
      expect(gapLines(after).size).toBeGreaterThan(0);
      expect(measure(after, estimate).used.tokens).toBe(pass.after.tokens);
      expect(pass.after.tokens).toBeLessThanOrEqual(pass.target);
    },
  );

  it('does not protect the prompt of a finished turn that weighs less than the line', () => {
    const estimate = (text: string) => text.length;
    const drawn = drawnEvents(
      [1, 2, 3, 4]
        .map((turn) => `${turn} prompt p${turn} 1\n${turn} read f${turn}.ts 900`)
        .join('\n'),
    );
    const options = { policy: 'salience', inputBudget: 3_000, low: 0.55, estimate } as const;
    const after = foldNew(passed(drawn, options));
    expect(told(passed(drawn, options)).filter((word) => word !== '')).toEqual([
      'p1',
      '[2 whole turns',
      'p4',
    ]);
    expect(measure(after, estimate).used.tokens).toBe(after.ledger.at(0)!.pass.after.tokens);
  });
});
