// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { ApprovalView } from '../../../src/editor/session/state';
import { conversation, step, tool, turn } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';

const turns = [turn({ items: [step(1, '', [tool('t1', { state: 'waiting' })])] })];

function asked(approval: Omit<ApprovalView, 'toolUseId'>): DrawnAgent {
  const activity = {
    state: 'awaitingApproval',
    approval: { toolUseId: 't1', ...approval },
  } as const;
  return drawAgent(conversation({ turns, activity }));
}

const QUESTION = {
  kind: 'question',
  title: 'The agent asks',
  subject: 'Which\u202E name?',
  answers: ['tide', 'ebb'],
} as const;

describe('a question of the agent', () => {
  it('shows every character of its text, and takes one answer by button', () => {
    const agent = asked(QUESTION);
    expect(agent.text('question-text')).toBe('Which⟨U+202E⟩ name?');
    const [, ebb] = agent.all('question-answer');
    agent.click(ebb!);
    agent.click(ebb!);
    expect(agent.wishes.filter(({ type }) => type === 'answerApproval')).toEqual([
      { type: 'answerApproval', toolUseId: 't1', approved: true, feedback: 'ebb' },
    ]);
  });

  it('takes a typed answer with Enter or the button, but not a blank one', () => {
    const agent = asked({ ...QUESTION, answers: [] });
    expect(agent.all('question-answer')).toEqual([]);
    agent.get('question-field').focus();
    agent.type('  ', 'question-field');
    agent.press('Enter');
    expect(agent.wishes.at(-1)?.type).not.toBe('answerApproval');
    agent.type('Neap', 'question-field');
    agent.press('Enter');
    expect(agent.wishes.at(-1)).toMatchObject({ approved: true, feedback: 'Neap' });
  });

  it('can be skipped', () => {
    const agent = asked(QUESTION);
    agent.click('question-skip');
    expect(agent.wishes.at(-1)).toMatchObject({ type: 'answerApproval', approved: false });
  });
});

describe('other questions', () => {
  it('show both paths of a move, and an address, in full', () => {
    const move = asked({ kind: 'move', title: 'Move a file', subject: 'a.js\n→ b.js' });
    expect(move.text('approval-subject')).toBe('a.js → b.js');
    expect(move.all('approval-diff')).toEqual([]);
    const page = asked({
      kind: 'fetch',
      title: 'Fetch from a.example',
      subject: 'https://a.example/x',
    });
    expect(page.text('approval-subject')).toBe('https://a.example/x');
  });

  it('offer the diff of a deletion if the file is text', () => {
    const facts = { kind: 'delete', title: 'Delete', subject: 'a.js' } as const;
    expect(asked({ ...facts, removed: 2 }).all('approval-diff')).toHaveLength(1);
    expect(asked(facts).all('approval-diff')).toEqual([]);
  });
});

describe('the checklist', () => {
  it("shows the agent's progress and its current item", () => {
    const agent = drawAgent(
      conversation({
        turns,
        todo: [
          { text: 'Read', state: 'done' },
          { text: 'Write', state: 'doing' },
          { text: 'Check', state: 'open' },
        ],
      }),
    );
    expect(agent.get('todo').querySelector('summary')!.textContent).toBe('1 of 3 done · Write');
    expect(agent.all('todo-item').map(({ textContent }) => textContent)).toEqual([
      'done: Read',
      'in progress: Write',
      'to do: Check',
    ]);
  });

  it('folds once everything is done, and then stays as the user left it', () => {
    const going = { text: 'Read', state: 'doing' } as const;
    const done = { text: 'Read', state: 'done' } as const;
    const agent = drawAgent(conversation({ turns, todo: [going, going] }));
    const list = () => agent.get('todo') as HTMLDetailsElement;
    list().open = true;
    agent.show(conversation({ turns, todo: [done, going] }));
    expect(list().open).toBe(true);
    agent.show(conversation({ turns, todo: [done, done] }));
    expect(list().open).toBe(false);
    list().open = true;
    agent.show(conversation({ turns, todo: [done, done], title: 'Another' }));
    expect(list().open).toBe(true);
  });

  it('is absent if there is none', () => {
    expect(drawAgent(conversation({ turns })).all('todo')).toEqual([]);
  });
});
