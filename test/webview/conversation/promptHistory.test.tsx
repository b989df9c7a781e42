// @vitest-environment happy-dom
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PromptHistory, promptsOf } from '../../../webview/conversation/promptHistory';
import { conversation, turn } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';

const turns = [
  turn({ turn: 1, prompt: 'one' }),
  turn({ turn: 2, prompt: 'two\nlines' }),
  turn({ turn: 3, prompt: 'two\nlines' }),
];
const queued = [{ id: 1, text: 'three' }];

const field = (agent: DrawnAgent) => agent.get('composer') as HTMLTextAreaElement;

function focused(unsent = ''): DrawnAgent {
  const agent = drawAgent(conversation({ turns, queued }), unsent);
  field(agent).focus();
  return agent;
}

describe('Up and Down in the composer', () => {
  it('go through the prompts of the session, and back to the text typed before', () => {
    const agent = focused('half a thou');
    const seen = ['ArrowUp', 'ArrowUp', 'ArrowUp'].map((key) => {
      expect(agent.press(key)).toBe(true);
      return field(agent).value;
    });
    expect(seen).toEqual(['three', 'two\nlines', 'one']);
    expect(agent.press('ArrowUp')).toBe(false);
    expect(field(agent).value).toBe('one');
    for (const shown of ['two\nlines', 'three', 'half a thou']) {
      field(agent).setSelectionRange(field(agent).value.length, field(agent).value.length);
      expect(agent.press('ArrowDown')).toBe(true);
      expect(field(agent).value).toBe(shown);
    }
    expect(agent.press('ArrowDown')).toBe(false);
    expect(agent.wishes).toEqual([]);
  });

  it('move within a text of several lines, and show other prompts only at its first and last line', () => {
    const agent = focused('first\nsecond');
    field(agent).setSelectionRange(8, 8);
    expect(agent.press('ArrowUp')).toBe(false);
    field(agent).setSelectionRange(2, 2);
    expect(agent.press('ArrowDown')).toBe(false);
    expect(agent.press('ArrowUp')).toBe(true);
    expect([field(agent).value, field(agent).selectionStart]).toEqual(['three', 0]);
  });

  it('do nothing special with a modifier, a selection or an unfinished composition', () => {
    const agent = focused('text');
    for (const more of [{ shiftKey: true }, { altKey: true }, { isComposing: true }]) {
      expect(agent.press('ArrowUp', more)).toBe(false);
    }
    field(agent).setSelectionRange(0, 2);
    expect(agent.press('ArrowUp')).toBe(false);
  });

  it('start again once the user changes the prompt that is shown', () => {
    const agent = focused();
    agent.press('ArrowUp');
    agent.type('three and more');
    field(agent).setSelectionRange(0, 0);
    agent.press('ArrowUp');
    expect(field(agent).value).toBe('three');
    field(agent).setSelectionRange(5, 5);
    agent.press('ArrowDown');
    expect(field(agent).value).toBe('three and more');
  });
});

it('every way up leads back down to the text typed before', () => {
  const texts = fc.array(fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''));
  fc.assert(
    fc.property(texts, fc.string(), fc.nat(20), (typed, begun, ups) => {
      const prompts = promptsOf(
        conversation({ turns: typed.map((prompt, at) => turn({ turn: at + 1, prompt })) }),
      );
      const history = new PromptHistory();
      let text = begun;
      let climbed = 0;
      for (let up = 0; up < ups; up += 1) {
        const earlier = history.earlier(prompts, text);
        if (earlier !== undefined) climbed += 1;
        text = earlier ?? text;
      }
      expect(climbed).toBe(Math.min(ups, prompts.length));
      for (let down = 0; down < climbed; down += 1) text = history.later(prompts, text) ?? '(none)';
      expect(text).toBe(begun);
    }),
  );
});
