import { describe, expect, it } from 'vitest';
import type { Block, BlockId, StepBlock, ToolUseId } from '../../../src/contextWindow/block';
import { droppedBy } from '../../../src/contextWindow/summaryCheck/droppedBySummary';

const prompt = (turn: number, text: string): Block => ({
  kind: 'prompt',
  id: `prompt-${turn}` as BlockId,
  turn,
  text,
  admission: { form: 'whole' },
  pinned: false,
  state: 'whole',
});

const step = (number: number, text: string, pairs: StepBlock['pairs'] = []): Block => ({
  kind: 'step',
  id: `step-${number}` as BlockId,
  turn: 1,
  step: number,
  parts: [{ type: 'text', text }],
  pairs,
  thinkingDropped: false,
  replyTokens: 1,
  pinned: false,
  state: 'whole',
});

const asked = (answer: string): StepBlock['pairs'] => [
  {
    use: { id: 'q' as ToolUseId, name: 'ask_user', input: { question: 'Which?' } },
    result: {
      text: answer,
      isError: false,
      origin: 'ran',
      durationMs: 1,
      admission: { form: 'whole' },
    },
    cleared: false,
  },
];

const COVERED = [
  prompt(1, 'Make seasonLabel of src/tide.ts answer in winter, too.'),
  step(1, 'I will keep the old parser rather than writing a new lexer.'),
  step(2, 'Which?', asked('The user answers: keep the ports of Hamburg')),
  prompt(2, 'Yes, go on'),
  step(3, 'Done. Shall the gauge readings be stored as well?'),
];

const dropped = (summary: string, elsewhere: readonly string[] = []) =>
  droppedBy(summary, COVERED, elsewhere).map(({ kind, blockId }) => `${kind} ${blockId}`);

describe('what a summary dropped', () => {
  it('is every prompt, decision and open question that it does not repeat', () => {
    expect(dropped('Work was done.')).toEqual([
      'prompt prompt-1',
      'decision step-1',
      'decision step-2',
      'question step-3',
    ]);
  });

  it('is nothing that it says in other words, or that stays in the window elsewhere', () => {
    expect(
      dropped(
        'seasonLabel (src/tide.ts) has to answer in winter. The old parser stays, no new lexer is written.',
        ['Keep the ports of Hamburg. Open: shall gauge readings be stored as well?'],
      ),
    ).toEqual([]);
  });

  it('is no question that a later prompt of the same blocks answers', () => {
    const answered = droppedBy('', [...COVERED, prompt(3, 'Yes, store the gauge readings')]);
    expect(answered.some(({ kind }) => kind === 'question')).toBe(false);
  });
});
