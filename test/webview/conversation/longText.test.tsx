// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import { conversation } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';

const LONG = 'word '.repeat(1_048_576);

const field = (agent: DrawnAgent) => agent.get('composer') as HTMLTextAreaElement;

/** Pastes text into the composer; returns whether the browser would insert it. */
function pasted(agent: DrawnAgent, text: string): boolean {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  const clipboardData = { files: [], types: [], getData: () => text };
  Object.assign(event, { clipboardData });
  act(() => void field(agent).dispatchEvent(event));
  return !event.defaultPrevented;
}

describe('a pasted text of 5 MB', () => {
  it('is not put into the prompt: the view says its size and its tokens', () => {
    const agent = drawAgent(conversation());
    expect(pasted(agent, LONG)).toBe(false);
    expect(agent.text('too-long')).toContain(
      'This text has 5.2 million characters (≈ 1,310,720 tokens), too many for a prompt. ' +
        'As a file, the agent gets its first 200,000 characters.',
    );
    expect(agent.wishes).toEqual([]);
  });

  it('is attached as a file with one click', () => {
    const agent = drawAgent(conversation());
    pasted(agent, LONG);
    agent.click('too-long-attach');
    expect(agent.wishes).toEqual([{ type: 'attachText', name: 'pasted.txt', text: LONG }]);
    expect(agent.all('too-long')).toEqual([]);
  });

  it('is offered in the same way if it was typed or dropped into the prompt and sent', () => {
    const agent = drawAgent(conversation());
    agent.type(LONG);
    agent.click('send');
    expect(agent.all('too-long')).toHaveLength(1);
    agent.click('too-long-drop');
    expect(agent.all('too-long')).toEqual([]);
    expect(agent.wishes).toEqual([]);
  });

  it('is pasted as usual up to 200,000 characters', () => {
    const agent = drawAgent(conversation());
    expect(pasted(agent, 'x'.repeat(200_000))).toBe(true);
    expect(agent.all('too-long')).toEqual([]);
  });
});

describe('a text that was being typed', () => {
  const ready = (agent: DrawnAgent, text: string) =>
    agent.answer({ type: 'answered', data: text }, agent.announced());

  it('is kept with each key', () => {
    const agent = drawAgent(conversation());
    const texts = ['half', 'half a', 'half a prompt'];
    for (const text of texts) agent.type(text);
    expect(agent.drafts).toEqual(texts);
  });

  it('is in the composer again after a reload of the window', () => {
    const agent = drawAgent(conversation());
    ready(agent, 'half a prompt');
    expect(field(agent).value).toBe('half a prompt');
  });

  it('replaces the older text that the page kept itself', () => {
    const agent = drawAgent(conversation(), 'half');
    ready(agent, 'half a prompt');
    expect(field(agent).value).toBe('half a prompt');
    const sent = drawAgent(conversation(), 'half');
    ready(sent, '');
    expect(field(sent).value).toBe('');
  });

  it('replaces nothing that the user typed since, and no text too long to keep', () => {
    const agent = drawAgent(conversation(), 'half');
    agent.type('half and more');
    ready(agent, 'half');
    expect(field(agent).value).toBe('half and more');
    const long = drawAgent(conversation(), 'x'.repeat(200_001));
    ready(long, 'x');
    expect(field(long).value).toHaveLength(200_001);
  });

  it('is followed by a prompt from elsewhere in the editor', () => {
    const agent = drawAgent(conversation());
    agent.say({ type: 'promptOffered', text: 'Fix this.' });
    expect(field(agent).value).toBe('');
    ready(agent, 'half a prompt');
    expect(field(agent).value).toBe('half a prompt\n\nFix this.');
    agent.type('');
    agent.say({ type: 'promptOffered', text: 'Explain this.' });
    expect(field(agent).value).toBe('Explain this.');
  });

  it('comes back once', () => {
    const agent = drawAgent(conversation());
    ready(agent, 'half a prompt');
    agent.type('');
    ready(agent, 'half a prompt');
    expect(field(agent).value).toBe('');
  });
});
