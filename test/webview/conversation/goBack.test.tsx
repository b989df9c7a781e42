// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { promptEffectsWords } from '../../../webview/conversation/words';
import { conversation, step, turn } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';

const ANSWERED = turn({ items: [step(1, 'I look.'), step(2, 'Done.')] });
const LED_TO = { prompts: 0, steps: 2, files: ['src/a.js'], commands: 1, restore: [] };
const typed = (agent: DrawnAgent): string => (agent.get('composer') as HTMLTextAreaElement).value;
const asked = (agent: DrawnAgent): boolean => agent.all('undo-question').length > 0;

describe('the newest prompt', () => {
  it('is undone immediately while it has no answer, also while it waits for one', () => {
    for (const activity of [{ state: 'idle' }, { state: 'asking', since: 0 }] as const) {
      const agent = drawAgent(conversation({ turns: [turn()], activity }));
      agent.click('undo-prompt');
      expect(agent.wishes).toEqual([{ type: 'undoPrompt', blockId: 'prompt-1', steps: 0 }]);
      agent.answer({ type: 'answered', data: 'Fix the failing tests.' });
      expect(typed(agent)).toBe('Fix the failing tests.');
    }
  });

  it('is undone after a question that names its effects once it has an answer', () => {
    const agent = drawAgent(conversation({ turns: [ANSWERED] }));
    agent.type('And then?');
    agent.click('undo-prompt');
    agent.answer({ type: 'answered', data: LED_TO });
    expect(agent.text('undo-question')).toContain('This also removes 2 steps');
    expect(agent.text('undo-question')).toContain('1 changed file stays as it is: src/a.js.');
    expect(document.activeElement).toBe(agent.get('undo-question'));
    agent.click('undo-confirm');
    expect(asked(agent)).toBe(false);
    expect(agent.wishes.at(-1)).toEqual({
      type: 'undoPrompt',
      blockId: 'prompt-1',
      steps: 2,
    });
    agent.answer({ type: 'answered', data: 'Fix it.' });
    expect(typed(agent)).toBe('Fix it.\n\nAnd then?');
  });

  it('stays if the user keeps it, by button or Escape', () => {
    for (const keep of ['button', 'Escape']) {
      const agent = drawAgent(conversation({ turns: [ANSWERED] }));
      agent.click('undo-prompt');
      agent.answer({ type: 'answered', data: LED_TO });
      if (keep === 'button') agent.click('undo-keep');
      else agent.press('Escape');
      expect(asked(agent)).toBe(false);
      expect(agent.wishes.map(({ type }) => type)).toEqual(['fetchPromptEffects']);
    }
  });

  it('cannot be undone while the agent works on it; an older one can, with the later prompts', () => {
    const activity = { state: 'runningTool', toolUseId: 't1', since: 0 } as const;
    expect(drawAgent(conversation({ turns: [ANSWERED], activity })).all('undo-prompt')).toEqual([]);
    const opening = drawAgent(conversation({ turns: [ANSWERED], isOpening: true }));
    expect(opening.all('undo-prompt')).toEqual([]);
    const asking = { state: 'asking', since: 0 } as const;
    const agent = drawAgent(conversation({ turns: [turn()], activity: asking }));
    agent.say({ type: 'replyStreamed', step: 1, text: 'I am at it' });
    agent.frame();
    expect(agent.all('undo-prompt')).toEqual([]);
    agent.show(conversation({ turns: [ANSWERED, turn({ turn: 2 })] }));
    const [older, newest] = agent.all('undo-prompt');
    agent.click(newest!);
    expect(agent.wishes.at(-1)).toMatchObject({ type: 'undoPrompt', blockId: 'prompt-2' });
    agent.click(older!);
    expect(agent.wishes.at(-1)).toEqual({ type: 'fetchPromptEffects', blockId: 'prompt-1' });
    agent.answer({ type: 'answered', data: { ...LED_TO, prompts: 1 } });
    expect(agent.text('undo-question')).toContain('removes 1 later prompt and 2 steps');
  });

  it('closes the question when another prompt is sent meanwhile', () => {
    const agent = drawAgent(conversation({ turns: [ANSWERED] }));
    agent.click('undo-prompt');
    agent.answer({ type: 'answered', data: LED_TO });
    agent.show(conversation({ turns: [ANSWERED, turn({ turn: 2 })] }));
    expect(asked(agent)).toBe(false);
  });
});

describe('going back', () => {
  const restore = [
    { path: 'src/a.js', how: 'changes' },
    { path: 'src/b.js', how: 'goes', isChangedSince: true },
    { path: 'big.bin', how: 'changes', problem: 'Plimsoll did not keep this version' },
  ] as const;

  function askedOf(button: string): DrawnAgent {
    const items = [step(1, 'One.'), step(2, 'Two.')];
    const agent = drawAgent(conversation({ turns: [turn({ items })] }));
    agent.click(button);
    const data = button === 'go-back' ? restore : { ...LED_TO, restore };
    agent.answer({ type: 'answered', data });
    return agent;
  }

  it('first lists what happens to each file', () => {
    const agent = askedOf('undo-prompt');
    expect(agent.text('go-back-list')).toBe(
      'src/a.js changes' +
        'src/b.js is deleted (changed by something else since)' +
        'big.bin stays as it is: Plimsoll did not keep this version',
    );
    expect(agent.text('undo-question')).toContain('The conversation and 3 files');
  });

  it('undoes the prompt and restores files; files that something else changed only if the user ticks the box', () => {
    for (const isAll of [false, true]) {
      const agent = askedOf('undo-prompt');
      expect(agent.all('go-back-all')).toEqual([]);
      agent.click('go-back-both');
      if (isAll) agent.click('go-back-all');
      agent.click('undo-confirm');
      const files = isAll ? 'all' : 'unchanged';
      expect(agent.wishes.at(-1)).toEqual({
        type: 'undoPrompt',
        blockId: 'prompt-1',
        steps: 2,
        files,
      });
    }
  });

  it('sends a prompt again after undoing it', () => {
    const agent = askedOf('undo-prompt');
    agent.click('go-back-both');
    agent.click('undo-again');
    expect(agent.wishes.at(-1)).toMatchObject({
      type: 'undoPrompt',
      files: 'unchanged',
      again: true,
    });
    agent.answer({ type: 'answered', data: '' });
    expect(typed(agent)).toBe('');
  });

  it('restores the files before a step, or continues in a new session', () => {
    const files = askedOf('go-back');
    files.click('go-back-files');
    files.click('undo-confirm');
    const moment = { type: 'step', step: 2 };
    expect(files.wishes.at(-1)).toEqual({ type: 'restoreFiles', moment, files: 'unchanged' });
    const both = askedOf('go-back');
    both.click('go-back-both');
    both.click('undo-confirm');
    expect(both.wishes.at(-1)).toEqual({ type: 'forkBefore', step: 2, files: 'unchanged' });
    const alone = askedOf('go-back');
    alone.click('undo-confirm');
    expect(alone.wishes.at(-1)).toEqual({ type: 'forkBefore', step: 2 });
  });
});

describe('a turn whose prompt was undone', () => {
  const turns = [ANSWERED, turn({ turn: 2, prompt: 'Now this.', undonePrompt: { steps: 1 } })];

  it('is one line with a button that restores it, and the previous prompt is the newest again', () => {
    const agent = drawAgent(conversation({ turns }));
    expect(agent.text('undone-prompt')).toBe('Now this.Undone with 1 stepRestore the prompt');
    expect(agent.all('step')).toHaveLength(2);
    agent.click('restore-prompt');
    expect(agent.wishes).toEqual([{ type: 'restorePrompt', blockId: 'prompt-2' }]);
    agent.click('undo-prompt');
    expect(agent.wishes.at(-1)).toEqual({ type: 'fetchPromptEffects', blockId: 'prompt-1' });
  });

  it('is drawn in full again once it is back', () => {
    const agent = drawAgent(conversation({ turns }));
    const back = turn({ turn: 2, prompt: 'Now this.', items: [step(3, 'Here.')] });
    agent.show(conversation({ turns: [ANSWERED, back] }));
    expect(agent.all('undone-prompt')).toEqual([]);
    expect(agent.all('step')).toHaveLength(3);
  });
});

it('the question names what undoing a prompt removes and what stays', () => {
  expect(promptEffectsWords({ prompts: 0, steps: 1, files: [], commands: 0, restore: [] })).toBe(
    'This also removes 1 step from the context window. The log keeps everything.',
  );
  expect(
    promptEffectsWords({ prompts: 0, steps: 3, files: ['a.js', 'b.js'], commands: 2, restore: [] }),
  ).toBe(
    'This also removes 3 steps from the context window. The log keeps everything. ' +
      '2 changed files stay as they are: a.js, b.js. The effects of 2 commands are not undone.',
  );
});
