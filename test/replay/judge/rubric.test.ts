import { describe, expect, it } from 'vitest';
import { gradesIn } from '../../../src/replay/judge/rubric';

describe('the grades in an answer', () => {
  it('have a number from 1 to 5 and a reason for each criterion, in any markup', () => {
    const answer =
      '- **Faithful**: 5/5 - nothing invented\ncomplete: 3 – no port\nCURRENT: 4\nactionable: 2: read again';
    expect(gradesIn(answer)).toEqual({
      faithful: { grade: 5, reason: 'nothing invented' },
      complete: { grade: 3, reason: 'no port' },
      current: { grade: 4, reason: '' },
      actionable: { grade: 2, reason: 'read again' },
    });
  });

  it.each([
    'faithful: 5\ncomplete: 5\ncurrent: 5',
    'faithful: 9\ncomplete: 1\ncurrent: 1\nactionable: 1',
    '',
  ])('are none if one is missing or no grade: %j', (answer) => {
    expect(gradesIn(answer)).toBeUndefined();
  });
});
