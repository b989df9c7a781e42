import { describe, expect, it } from 'vitest';
import { questionsIn } from '../../../src/contextWindow/sentences';
import { prompt, run, said, type Move } from '../support/recording';
import { replayed, replayedTurns } from '../support/replayed';

const found = (lost: number, total: number) => ({ lost, total });

async function unanswered(moves: readonly Move[], turns: number) {
  const none = (await replayed(moves, 'none', 10_000)).totals.unansweredQuestions;
  expect(none.lost).toBe(0);
  const { unansweredQuestions } = (await replayedTurns(moves, turns)).totals;
  expect(unansweredQuestions.total).toBe(none.total);
  return unansweredQuestions;
}

describe('questions', () => {
  it('are sentences of three words or more that end with a question mark', () => {
    const text = 'Really? Why does a.ts fail? I ask *what is it?*\n`a ? b : c`';
    expect(questionsIn(text)).toEqual(['Why does a.ts fail?', 'I ask *what is it?*']);
  });

  it('of the user are open until a reply without calls', async () => {
    const moves = [
      prompt('Begin'),
      said('Begun.'),
      prompt('Why does it fail?'),
      run('look', 'a'),
      prompt('Wait, look again'),
      run('look', 'b'),
      said('Because.'),
    ];
    expect(await unanswered(moves, 1)).toEqual(found(1, 1));
    expect(await unanswered(moves, 2)).toEqual(found(0, 1));
    const answered = moves.toSpliced(4, 0, said('Because.'));
    expect(await unanswered(answered, 1)).toEqual(found(0, 1));
  });

  it('of the agent are open during the turn that answers them', async () => {
    const moves = [
      prompt('Begin'),
      said('Begun. Shall I mend it?'),
      prompt('Yes'),
      run('mend', 'mended'),
      said('Done. Shall I stop now?'),
    ];
    expect(await unanswered(moves, 1)).toEqual(found(1, 1));
    expect(await unanswered(moves, 2)).toEqual(found(0, 1));
    const later = [...moves, prompt('No'), said('Good.'), prompt('And more'), said('Fine.')];
    expect(await unanswered(later, 2)).toEqual(found(0, 2));
    expect(await unanswered(later, 1)).toEqual(found(2, 2));
  });
});
