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
