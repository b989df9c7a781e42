// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { conversation, turn } from './conversations';
import { drawAgent } from './drawAgent';

describe('a pass that waits for review', () => {
  it('is announced with a button that opens the Context panel', () => {
    const agent = drawAgent(
      conversation({ turns: [turn()], activity: { state: 'awaitingReview' } }),
    );
    expect(agent.text('review-notice')).toContain('A pass waits for your review');
    agent.click('review-open');
    expect(agent.wishes).toEqual([{ type: 'openContextPanel' }]);
    agent.show(conversation({ turns: [turn()] }));
    expect(agent.all('review-notice')).toEqual([]);
  });

  it('says what a cold prompt cache costs, with a button for each answer, once', () => {
    const cost =
      'The prompt cache is cold: sending 251,000 tokens costs ≈ $0.94, compacted first ≈ $0.31.';
    const asked = (proposedPassId: number) =>
      conversation({
        turns: [turn()],
        activity: { state: 'awaitingReview' },
        coldPass: { proposedPassId, cost },
      });
    const agent = drawAgent(asked(4));
    expect(agent.text('review-notice')).toBe(`${cost}Compact firstContinueReview`);
    agent.click('cold-compact');
    agent.click('cold-continue');
    const answer = { type: 'answerColdPass', proposedPassId: 4 };
    expect(agent.wishes).toEqual([{ ...answer, choice: 'compact' }]);
    agent.show(asked(5));
    agent.click('cold-continue');
    expect(agent.wishes.at(-1)).toEqual({ ...answer, proposedPassId: 5, choice: 'continue' });
  });

  it('can be stopped', () => {
    const agent = drawAgent(
      conversation({ turns: [turn()], activity: { state: 'awaitingReview' } }),
    );
    agent.click('stop');
    expect(agent.wishes).toEqual([{ type: 'stopTurn' }]);
  });

  it('is marked in the conversation once it is undone', () => {
    const pass = {
      type: 'pass',
      number: 1,
      name: 'Pass 1',
      trigger: 'cap',
      beforeTokens: 900,
      afterTokens: 400,
      exact: true,
    } as const;
    const words = (undone: object) =>
      drawAgent(conversation({ turns: [turn({ items: [{ ...pass, ...undone }] })] })).text(
        'pass-row',
      );
    expect(words({ undone: true })).toMatch(/turn or message limit.*undone/);
    expect(words({})).not.toContain('undone');
  });
});
