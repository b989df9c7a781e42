import { describe, expect, it } from 'vitest';
import type { EventOf, NewEvent } from '../../../../src/contextWindow/event';
import { evicting, promptEvent, resultEvent, stepEvents, usage } from '../../../support/drawing';
import { view, read, by } from '../support/timelineScene';

const marks = (...told: readonly (NewEvent | readonly NewEvent[])[]) =>
  view(told).points.map((point) => point.marks.map(({ kind, words }) => [kind, words]));

const failed = (id: string): NewEvent => ({
  ...(resultEvent(id, 'no') as EventOf<'toolFinished'>),
  isError: true,
});

describe('marks of the timeline', () => {
  it('show what a pass did, that it was undone, and where', () => {
    expect(
      marks(
        promptEvent('a'),
        read('t1', 'a.ts'),
        evicting('step-1'),
        read('t2', 'b.ts'),
        { type: 'passUndone', number: 1 },
        read('t3', 'c.ts'),
      ),
    ).toEqual([
      [],
      [['pass', 'Pass 1: ≈ 2 → ≈ 1 tokens, later undone']],
      [['undo', 'Pass 1 undone']],
    ]);
  });

  it('show what was recalled and what was read again', () => {
    const recall: NewEvent = {
      ...(stepEvents([{ id: 't2', name: 'x', tokens: 1 }])[0] as EventOf<'replyReceived'>),
      parts: [
        {
          type: 'toolUse',
          use: { id: 't2' as never, name: 'recall', input: { handle: 'step-1' } },
        },
      ],
    };
    expect(
      marks(
        promptEvent('a'),
        read('t1', 'a.ts'),
        evicting('step-1'),
        [recall, resultEvent('t2', 'back')],
        read('t3', 'a.ts'),
      )
        .flat()
        .filter(([kind]) => kind === 'recall'),
    ).toEqual([
      ['recall', '1 recalled'],
      ['recall', '1 read again after being removed'],
    ]);
  });

  it('show errors and changes of the model', () => {
    const overflow: NewEvent = {
      type: 'budgetSteppedDown',
      attempt: 1,
      contextWindowTokens: 9,
      inputBudget: 5,
      message: 'too long',
    };
    const two = stepEvents([
      { id: 't1', name: 'a.ts', tokens: 1 },
      { id: 't2', name: 'b.ts', tokens: 1 },
    ]);
    expect(
      marks(
        promptEvent('a'),
        [two[0]!, failed('t1'), failed('t2')],
        overflow,
        [read('t3', 'c.ts')[0]!, failed('t3')],
        by('other', usage(5), { stopReason: 'max_tokens' }),
        { type: 'turnEnded', outcome: { type: 'failed', failure: 'network', message: 'gone' } },
      ),
    ).toEqual([
      [['error', '2 tools failed']],
      [
        ['overflow', 'The API rejected the request as too long'],
        ['error', '1 tool failed'],
      ],
      [
        ['model', 'Model changed to other'],
        ['error', 'The reply ended early: max_tokens'],
        ['error', 'The turn failed: gone'],
      ],
    ]);
  });

  it('show where the agent of a recording compacted', () => {
    const told = [promptEvent('a'), read('t1', 'a.ts'), read('t2', 'b.ts')];
    const compactions = [
      { step: 2, summary: 'So far.' },
      { step: 2, cleared: 1_200 },
      { step: 2, summary: 'On.', kept: 1 },
      { step: 2 },
    ];
    expect(view(told, { compactions }).points.map((point) => point.marks)).toEqual([
      [],
      [
        { kind: 'compacted', words: 'The recorded agent compacted its conversation' },
        { kind: 'compacted', words: 'The recorded agent cleared 1,200 results' },
        {
          kind: 'compacted',
          words: 'The recorded agent compacted its conversation, all but 1 block',
        },
        { kind: 'compacted', words: 'The recorded agent compacted its conversation' },
      ],
    ]);
  });
});
