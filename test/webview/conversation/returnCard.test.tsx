// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { conversation, returning, turn } from './conversations';
import { drawAgent } from './drawAgent';

const turns = [turn({ outcome: { type: 'finished' } })];
const asked = conversation({ turns, returning });

describe('the question how to continue an idle session', () => {
  it('says how long the pause was, how full the window is and what changed', () => {
    const agent = drawAgent(asked);
    expect(agent.text('return-sentence')).toBe(returning.sentence);
    expect([...agent.get('return-files').children].map((item) => item.textContent)).toEqual([
      'src/loadLine.js · known to the agent',
      'src/old.js · deleted',
      'and 29 more',
    ]);
  });

  it('says what the next request costs, if it is known', () => {
    expect(drawAgent(asked).all('return-cost')).toEqual([]);
    const cost = 'The prompt cache is cold: sending 140,000 tokens costs ≈ $0.35.';
    const agent = drawAgent(conversation({ turns, returning: { ...returning, cost } }));
    expect(agent.text('return-cost')).toBe(cost);
  });

  it('keeps the conversation and the composer visible', () => {
    const agent = drawAgent(asked);
    expect(agent.all('turn')).toHaveLength(1);
    expect(agent.all('composer')).toHaveLength(1);
  });

  it.each(['continue', 'summary', 'new'] as const)('takes an answer by button: %s', (choice) => {
    const agent = drawAgent(asked);
    agent.click(`return-${choice}`);
    expect(agent.wishes).toEqual([{ type: 'answerReturn', choice, remember: false }]);
  });

  it('remembers the answer if the box is ticked', () => {
    const agent = drawAgent(asked);
    agent.click('return-remember');
    agent.click('return-continue');
    expect(agent.wishes).toEqual([{ type: 'answerReturn', choice: 'continue', remember: true }]);
  });

  it('takes no second answer while the first is carried out', () => {
    const agent = drawAgent(conversation({ turns, returning: { ...returning, isAnswered: true } }));
    for (const choice of ['continue', 'summary', 'new']) agent.click(`return-${choice}`);
    expect(agent.wishes).toEqual([]);
  });

  it('says why an answer was refused, and takes another', () => {
    const agent = drawAgent(asked);
    agent.click('return-summary');
    agent.answer({ type: 'refused', message: 'There is no key.' });
    expect(agent.text('refusal')).toContain('There is no key.');
    agent.click('return-continue');
    expect(agent.wishes).toHaveLength(2);
  });

  it('takes the focus itself, and passes it to the composer when it is answered', () => {
    const agent = drawAgent(asked);
    const card = agent.get('return');
    expect(document.activeElement).toBe(card);
    expect(card.getAttribute('role')).toBe('group');
    const label = document.getElementById(card.getAttribute('aria-labelledby')!);
    expect(label?.textContent).toBe(returning.sentence);
    expect(label?.getAttribute('aria-live')).toBe('polite');
    agent.show(conversation({ turns }));
    expect(document.activeElement).toBe(agent.get('composer'));
  });

  it('leaves the focus with a user who is typing', () => {
    const agent = drawAgent(conversation({ turns }), 'half a prompt');
    agent.get('composer').focus();
    agent.show(asked);
    expect(document.activeElement).toBe(agent.get('composer'));
  });

  it('is absent in a session that was not idle', () => {
    expect(drawAgent(conversation({ turns })).all('return')).toEqual([]);
  });
});
