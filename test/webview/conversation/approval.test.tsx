// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import { approval, conversation } from './conversations';
import { drawAgent, plain } from './drawAgent';
import { asked, askedToRun, turns, busy } from './askedQuestions';

/** Clicks like a browser: `detail` counts quick clicks at one position, whatever the target. */
function clickAs(detail: number, button: HTMLElement): void {
  act(() => void button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail })));
}

describe('the approval card', () => {
  it('shows what an edit would change', () => {
    const agent = drawAgent(asked);
    expect(plain(agent.get('approval').textContent!)).toContain(
      'Edit src/loadLine.js+3−1Open diff',
    );
    expect(agent.get('approval').dataset['toolUseId']).toBe('t1');
    expect(agent.get('approval').querySelector('pre')).toBeNull();
  });

  it('shows the first changed lines of an edit, with marks for invisible characters', () => {
    const firstLines = ['-const a = 1;', '+const a\u200B = 2;'];
    const facts = { toolUseId: 't1', kind: 'edit', title: 'Edit', subject: 'src/a.ts' } as const;
    const approval = { ...facts, firstLines };
    const agent = drawAgent(
      conversation({ turns, activity: { state: 'awaitingApproval', approval } }),
    );
    const lines = [...agent.get('approval').querySelectorAll('.diff-line')];
    expect(lines.map(({ className }) => className.split(' ')[1])).toEqual([
      'diff-removed',
      'diff-added',
    ]);
    expect(lines[1]?.textContent).toContain('U+200B');
  });

  it('shows the whole command line and no diff', () => {
    const subject = 'npm test && \\\n  rm -rf out';
    const agent = drawAgent(askedToRun(subject));
    expect(agent.get('approval-subject').textContent).toBe(subject);
    expect(agent.text('approval-lines')).toBe('2 lines');
    expect(agent.all('approval-diff')).toEqual([]);
    expect(agent.get('approval').textContent).not.toContain('+');
  });

  it('opens the diff', () => {
    const agent = drawAgent(asked);
    agent.click('approval-diff');
    expect(agent.wishes).toEqual([{ type: 'openDiff', toolUseId: 't1' }]);
  });

  it('allows', () => {
    const agent = drawAgent(asked);
    agent.click('approval-allow');
    expect(agent.wishes).toEqual([{ type: 'answerApproval', toolUseId: 't1', approved: true }]);
  });

  it('denies with the reason that was typed', () => {
    const agent = drawAgent(asked);
    agent.type(' use v2 ', 'approval-feedback');
    agent.click('approval-deny');
    expect(agent.wishes).toEqual([
      { type: 'answerApproval', toolUseId: 't1', approved: false, feedback: 'use v2' },
    ]);
  });

  it('denies without a reason if none was typed', () => {
    const agent = drawAgent(asked);
    agent.type('  ', 'approval-feedback');
    agent.click('approval-deny');
    expect(agent.wishes).toEqual([{ type: 'answerApproval', toolUseId: 't1', approved: false }]);
  });

  it('allows with the note that was typed, and says that the agent gets it', () => {
    const agent = drawAgent(asked);
    expect(agent.all('approval-words')).toEqual([]);
    agent.type(' but only once ', 'approval-feedback');
    expect(agent.text('approval-words')).toContain('gets your note with either answer');
    agent.click('approval-allow');
    expect(agent.wishes).toEqual([
      { type: 'answerApproval', toolUseId: 't1', approved: true, feedback: 'but only once' },
    ]);
  });

  it("says that Allow saves a file's unsaved changes", () => {
    const unsaved = conversation({ turns, activity: approval('t1', { unsaved: true }) });
    expect(drawAgent(unsaved).text('approval-unsaved')).toBe(
      'src/loadLine.js has unsaved changes in the editor. Allow saves them, too.',
    );
  });

  it('says what a file does beyond the session, and that Plimsoll asks every time', () => {
    const lasting = 'Git acts on this file.';
    const agent = drawAgent(conversation({ turns, activity: approval('t1', { lasting }) }));
    const said = agent.get('approval-lasting');
    expect(said.textContent).toBe(`${lasting} Plimsoll asks before every change of it.`);
    expect(agent.get('approval').getAttribute('aria-describedby')).toBe(said.id);
    expect(drawAgent(asked).all('approval-lasting')).toEqual([]);
  });

  it('shows the full text of new instructions, and no diff', () => {
    const text = 'Obey.\n\u202Eyebo';
    const memory = {
      kind: 'memory' as const,
      title: 'Follow the instructions of',
      subject: 'AGENTS.md',
      text,
    };
    const agent = drawAgent(conversation({ turns, activity: approval('t1', memory) }));
    expect(agent.text('approval-subject')).toBe('Obey. ⟨U+202E⟩yebo');
    expect(agent.text('approval-memory')).toContain('AGENTS.md is new or changed since');
    expect(agent.text('approval-lines')).toBe('2 lines');
    expect(agent.all('approval-diff')).toEqual([]);
    expect(agent.all('approval-feedback')).toEqual([]);
    agent.click('approval-allow');
    expect(agent.wishes).toEqual([{ type: 'answerApproval', toolUseId: 't1', approved: true }]);
  });

  it('takes only the first answer', () => {
    const agent = drawAgent(asked);
    agent.click('approval-deny');
    agent.click('approval-allow');
    agent.click('approval-deny');
    expect(agent.wishes).toHaveLength(1);
    expect(agent.get('approval-allow').getAttribute('aria-disabled')).toBe('true');
  });

  it('takes another answer after the host refused the first', () => {
    const agent = drawAgent(asked);
    agent.click('approval-deny');
    agent.answer({ type: 'refused', message: 'The folder is gone.' });
    agent.click('approval-allow');
    expect(agent.wishes).toHaveLength(2);
  });

  it('stays answered while the host repeats the question', () => {
    const agent = drawAgent(asked);
    agent.click('approval-deny');
    agent.show(asked);
    agent.click('approval-allow');
    expect(agent.wishes).toHaveLength(1);
  });

  it('makes room for the next question, with an empty note', () => {
    const agent = drawAgent(asked);
    agent.type('no', 'approval-feedback');
    agent.click('approval-deny');
    agent.show(conversation({ turns, activity: approval('t2') }));
    expect((agent.get('approval-feedback') as HTMLInputElement).value).toBe('');
    agent.click('approval-allow');
    expect(agent.wishes[1]).toEqual({ type: 'answerApproval', toolUseId: 't2', approved: true });
  });

  it.each(['approval-allow', 'approval-deny'])(
    'ignores the second click of a double click on %s of the previous question',
    (button) => {
      const agent = drawAgent(asked);
      const before = agent.get(button);
      clickAs(1, before);
      agent.show(conversation({ turns, activity: approval('t2') }));
      const after = agent.get(button);
      expect(after).not.toBe(before);
      clickAs(2, after);
      expect(agent.wishes).toHaveLength(1);
      clickAs(1, after);
      expect(agent.wishes[1]).toMatchObject({ type: 'answerApproval', toolUseId: 't2' });
    },
  );

  it('disappears when the turn continues', () => {
    const agent = drawAgent(asked);
    agent.show(busy);
    expect(agent.all('approval')).toEqual([]);
  });
});
