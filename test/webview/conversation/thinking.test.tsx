import { describe, expect, it } from 'vitest';
import { conversation, step, turn } from './conversations';
import { drawAgent, plain } from './drawAgent';

const asking = { state: 'asking', since: 0 } as const;

describe('thinking', () => {
  it('is folded while it is written, with its newest line, before any text of the reply', () => {
    const agent = drawAgent(conversation({ turns: [turn()], activity: asking }));
    agent.say({ type: 'thinkingStreamed', step: 1, text: 'First.\nThen ' });
    agent.say({ type: 'thinkingStreamed', step: 1, text: 'this.' });
    agent.frame();
    const details = agent.get('thinking') as HTMLDetailsElement;
    expect(details.open).toBe(false);
    expect(plain(details.querySelector('summary')!.textContent!)).toBe('Thinking… Then this.');
    expect(details.querySelector('.thinking-text')!.textContent).toBe('First.\nThen this.');
    agent.say({ type: 'replyStreamed', step: 1, text: 'Done.' });
    agent.frame();
    expect(plain(agent.get('thinking').querySelector('summary')!.textContent!)).toBe('Thought');
    expect(agent.text('step')).toContain('Done.');
  });

  it('starts again when the reply does', () => {
    const agent = drawAgent(conversation({ turns: [turn()], activity: asking }));
    agent.say({ type: 'thinkingStreamed', step: 1, text: 'Lost.' });
    agent.say({ type: 'thinkingStreamed', step: 1, text: 'Again.', whole: true });
    agent.frame();
    expect(agent.text('thinking')).not.toContain('Lost.');
  });

  it('stays folded in its step, with its tokens', () => {
    const thinking = { text: 'I weigh it.', tokens: 1_812 };
    const shown = turn({ items: [{ ...step(1, 'Done.'), thinking }] });
    const agent = drawAgent(conversation({ turns: [shown] }));
    const details = agent.get('thinking') as HTMLDetailsElement;
    expect(details.open).toBe(false);
    expect(plain(details.querySelector('summary')!.textContent!)).toBe('Thought · 1,812 tokens');
    expect(details.querySelector('p')!.textContent).toBe('I weigh it.');
  });

  it('says that the API returned no text', () => {
    const shown = turn({ items: [{ ...step(1, 'Done.'), thinking: { text: '' } }] });
    const agent = drawAgent(conversation({ turns: [shown] }));
    expect(agent.text('thinking')).toBe('Thought · the API returned no text of it');
  });
});
