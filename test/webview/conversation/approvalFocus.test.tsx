// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { approval, conversation } from './conversations';
import { drawAgent } from './drawAgent';
import { busy, asked, turns } from './askedQuestions';

describe('the focus', () => {
  it('moves to the card, not to a button, so that no key answers', () => {
    const agent = drawAgent(busy);
    agent.get('composer').focus();
    agent.show(asked);
    expect(document.activeElement).toBe(agent.get('approval'));
    for (const key of ['Enter', 'Escape', ' ', 'y', 'a']) agent.press(key);
    expect(agent.wishes).toEqual([]);
  });

  it('stays in a composer that contains text, where typing answers nothing', () => {
    const agent = drawAgent(busy);
    agent.get('composer').focus();
    agent.type('and then');
    agent.show(asked);
    expect(document.activeElement).toBe(agent.get('composer'));
    agent.type('and then yes');
    agent.press('Enter');
    expect(agent.wishes).toEqual([{ type: 'submitPrompt', text: 'and then yes' }]);
    expect(agent.all('approval')).toHaveLength(1);
  });

  it('stays in the editor', () => {
    const agent = drawAgent(busy);
    const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    agent.show(asked);
    expect(document.activeElement).toBe(document.body);
    hasFocus.mockRestore();
  });

  it('returns to the composer when the question is answered', () => {
    const agent = drawAgent(asked);
    agent.click('approval-deny');
    agent.show(busy);
    expect(document.activeElement).toBe(agent.get('composer'));
  });

  it('moves on to the next question', () => {
    const agent = drawAgent(asked);
    agent.show(conversation({ turns, activity: approval('t2') }));
    expect(document.activeElement).toBe(agent.get('approval'));
    expect(agent.get('approval').dataset['toolUseId']).toBe('t2');
  });

  it('Enter after a note denies with it; other keys, and Enter without a note, answer nothing', () => {
    const agent = drawAgent(asked);
    agent.get('approval-feedback').focus();
    expect(agent.press('Enter')).toBe(true);
    agent.type('no', 'approval-feedback');
    agent.press('Escape');
    agent.press('Enter', { isComposing: true });
    agent.press('Enter', { repeat: true });
    expect(agent.press('Enter', { shiftKey: true })).toBe(false);
    expect(agent.wishes).toEqual([]);
    agent.type('no\nuse v2', 'approval-feedback');
    agent.press('Enter');
    agent.press('Enter');
    expect(agent.wishes).toEqual([
      { type: 'answerApproval', toolUseId: 't1', approved: false, feedback: 'no\nuse v2' },
    ]);
  });
});
