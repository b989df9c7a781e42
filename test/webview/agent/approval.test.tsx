// @vitest-environment happy-dom
import fc from 'fast-check';
import { act } from 'preact/test-utils';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { textOfVisible, visiblePieces } from '../../../src/contextWindow/visibleText';
import type { Conversation } from '../../../src/protocol/agentView';
import { runs } from '../../support/runs';
import { trickyText } from '../../support/trickyText';
import { approval, conversation, step, tool, turn } from './conversations';
import { drawAgent, plain, type DrawnAgent } from './drawAgent';

const turns = [turn({ items: [step(1, '', [tool('t1', { state: 'waiting' })])] })];
const busy = conversation({ turns, activity: { state: 'asking', since: 0 } });
const asked = conversation({ turns, activity: approval('t1') });

/** Clicks as a browser does: `detail` counts quick clicks at one place, whatever is there. */
function clickAs(detail: number, button: HTMLElement): void {
  act(() => void button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail })));
}

/** The question about a command. */
function askedToRun(subject: string): Conversation {
  const approval = { toolUseId: 't1', kind: 'command', title: 'Run a command', subject } as const;
  return conversation({ turns, activity: { state: 'awaitingApproval', approval } });
}

/** Gives boxes a height of 100 pixels, and what is in them this one. */
function boxesHold(pixels: number): void {
  const sizes = [
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100),
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(pixels),
  ];
  onTestFinished(() => sizes.forEach((size) => size.mockRestore()));
}

const mayAllow = (agent: DrawnAgent): boolean =>
  agent.get('approval-allow').getAttribute('aria-disabled') !== 'true';

describe('what is asked about', () => {
  it('is drawn so that it leads back to the exact command, whatever it is', () => {
    const agent = drawAgent(askedToRun('ls'));
    fc.assert(
      fc.property(trickyText, (subject) => {
        agent.show(askedToRun(subject));
        const shown = agent.get('approval-subject');
        expect(textOfVisible(shown.textContent!)).toBe(subject);
        const marks = [...shown.querySelectorAll('.unseen')].map((mark) => mark.textContent);
        expect(marks).toEqual(
          visiblePieces(subject).flatMap(({ isMark, shown: text }) => (isMark ? [text] : [])),
        );
      }),
      { numRuns: runs(300, 5_000) },
    );
  });

  it('is drawn whole though its title has its words', () => {
    expect(drawAgent(askedToRun('Run')).text('approval-subject')).toBe('Run');
  });

  it('leaves verb and file name in sight, and has a long path whole below', () => {
    const subject = `packages/${'deep/'.repeat(40)}loadLine.ts`;
    const agent = drawAgent(conversation({ turns, activity: approval('t1', { subject }) }));
    const title = agent.get('approval').querySelector('h2')!.textContent!;
    expect(title).toMatch(/^Edit packages.*…\/loadLine\.ts$/);
    expect(title.length).toBeLessThanOrEqual(35);
    expect(agent.get('approval-subject').textContent).toBe(subject);
  });

  it('shows a path that cannot be seen quoted, with marks', () => {
    const agent = drawAgent(
      conversation({ turns, activity: approval('t1', { subject: 'a\n\u202Eb.ts' }) }),
    );
    expect(agent.text('approval')).toContain('Edit "a⟨LF⟩⟨U+202E⟩b.ts"');
  });
});

describe('Allow', () => {
  it('is there at once where all of a command is in sight', () => {
    const agent = drawAgent(askedToRun('npm test'));
    expect(mayAllow(agent)).toBe(true);
    expect(agent.all('approval-wait')).toEqual([]);
  });

  it('has no box to stop at on the way to it, unless that is long', () => {
    expect(drawAgent(askedToRun('ls')).get('approval-subject').tabIndex).toBe(-1);
    boxesHold(350);
    const long = drawAgent(askedToRun('ls'));
    expect(long.get('approval-subject').tabIndex).toBe(0);
  });

  it('waits until the last line of a long command was in sight, and says so', () => {
    boxesHold(350);
    const agent = drawAgent(askedToRun('a\n'.repeat(40)));
    expect(mayAllow(agent)).toBe(false);
    agent.click('approval-allow');
    expect(agent.wishes).toEqual([]);
    expect(agent.text('approval-wait')).toContain('Allow waits until the last line was in sight.');
    const box = agent.get('approval-subject');
    const scrollTo = (top: number) =>
      act(() => {
        box.scrollTop = top;
        box.dispatchEvent(new Event('scroll'));
      });
    scrollTo(200);
    expect(mayAllow(agent)).toBe(false);
    scrollTo(250);
    expect(mayAllow(agent)).toBe(true);
    scrollTo(0);
    agent.click('approval-allow');
    expect(agent.wishes).toEqual([{ type: 'answerApproval', toolUseId: 't1', approved: true }]);
  });

  it('waits while the view cuts the last line off', () => {
    const bottom = window.innerHeight + 50;
    const rect = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect');
    onTestFinished(() => rect.mockRestore());
    rect.mockReturnValue({ ...new DOMRect(), bottom } as DOMRect);
    expect(mayAllow(drawAgent(askedToRun('npm test')))).toBe(false);
  });

  it('comes by the button that shows more, which a keyboard reaches', () => {
    boxesHold(250);
    const agent = drawAgent(askedToRun('a\n'.repeat(40)));
    expect(agent.get('approval-more').tagName).toBe('BUTTON');
    for (let presses = 0; presses < 2; presses += 1) {
      agent.click('approval-more');
      act(() => void agent.get('approval-subject').dispatchEvent(new Event('scroll')));
    }
    expect(mayAllow(agent)).toBe(true);
  });

  it('never keeps Deny waiting', () => {
    boxesHold(350);
    const agent = drawAgent(askedToRun('a\n'.repeat(40)));
    agent.click('approval-deny');
    expect(agent.wishes).toEqual([{ type: 'answerApproval', toolUseId: 't1', approved: false }]);
  });
});

describe('the approval card', () => {
  it('shows what an edit would change', () => {
    const agent = drawAgent(asked);
    expect(plain(agent.get('approval').textContent!)).toContain(
      'Edit src/loadLine.js+3−1Open diff',
    );
    expect(agent.get('approval').dataset['toolUseId']).toBe('t1');
    expect(agent.get('approval').querySelector('pre')).toBeNull();
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

  it('denies, with the reason where one is given', () => {
    const agent = drawAgent(asked);
    agent.type(' use v2 ', 'approval-feedback');
    agent.click('approval-deny');
    expect(agent.wishes).toEqual([
      { type: 'answerApproval', toolUseId: 't1', approved: false, feedback: 'use v2' },
    ]);
  });

  it('denies without a reason where none is given', () => {
    const agent = drawAgent(asked);
    agent.type('  ', 'approval-feedback');
    agent.click('approval-deny');
    expect(agent.wishes).toEqual([{ type: 'answerApproval', toolUseId: 't1', approved: false }]);
  });

  it('allows with the words that were typed, and says that they are told', () => {
    const agent = drawAgent(asked);
    expect(agent.all('approval-words')).toEqual([]);
    agent.type(' but only once ', 'approval-feedback');
    expect(agent.text('approval-words')).toContain('told your words with either answer');
    agent.click('approval-allow');
    expect(agent.wishes).toEqual([
      { type: 'answerApproval', toolUseId: 't1', approved: true, feedback: 'but only once' },
    ]);
  });

  it('says that a file has unsaved changes, which Allow would save', () => {
    const unsaved = conversation({ turns, activity: approval('t1', { unsaved: true }) });
    expect(drawAgent(unsaved).text('approval-unsaved')).toBe(
      'src/loadLine.js has unsaved changes in the editor. Allow saves them, too.',
    );
  });

  it('says what a file does that outlasts the session, and that it is asked about each time', () => {
    const lasting = 'Git acts on this file.';
    const agent = drawAgent(conversation({ turns, activity: approval('t1', { lasting }) }));
    const said = agent.get('approval-lasting');
    expect(said.textContent).toBe(`${lasting} You are asked about each change of it.`);
    expect(agent.get('approval').getAttribute('aria-describedby')).toBe(said.id);
    expect(drawAgent(asked).all('approval-lasting')).toEqual([]);
  });

  it('shows the whole text of instructions that came since the session began, and no diff', () => {
    const text = 'Obey.\n\u202Eyebo';
    const memory = {
      kind: 'memory' as const,
      title: 'Follow the instructions of',
      subject: 'AGENTS.md',
      text,
    };
    const agent = drawAgent(conversation({ turns, activity: approval('t1', memory) }));
    expect(agent.text('approval-subject')).toBe('Obey. ⟨U+202E⟩yebo');
    expect(agent.text('approval-memory')).toContain('AGENTS.md came or changed since');
    expect(agent.text('approval-lines')).toBe('2 lines');
    expect(agent.all('approval-diff')).toEqual([]);
    expect(agent.all('approval-feedback')).toEqual([]);
    agent.click('approval-allow');
    expect(agent.wishes).toEqual([{ type: 'answerApproval', toolUseId: 't1', approved: true }]);
  });

  it('is answered once, whatever is pressed next', () => {
    const agent = drawAgent(asked);
    agent.click('approval-deny');
    agent.click('approval-allow');
    agent.click('approval-deny');
    expect(agent.wishes).toHaveLength(1);
    expect(agent.get('approval-allow').getAttribute('aria-disabled')).toBe('true');
  });

  it('can be answered again when the host refused the answer', () => {
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

  it('gives way to the next question, with an empty reason', () => {
    const agent = drawAgent(asked);
    agent.type('no', 'approval-feedback');
    agent.click('approval-deny');
    agent.show(conversation({ turns, activity: approval('t2') }));
    expect((agent.get('approval-feedback') as HTMLInputElement).value).toBe('');
    agent.click('approval-allow');
    expect(agent.wishes[1]).toEqual({ type: 'answerApproval', toolUseId: 't2', approved: true });
  });

  it.each(['approval-allow', 'approval-deny'])(
    'is not answered by the second click of a double click on %s of the question before',
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

  it('is gone when the turn goes on', () => {
    const agent = drawAgent(asked);
    agent.show(busy);
    expect(agent.all('approval')).toEqual([]);
  });
});

describe('the focus', () => {
  it('moves to the card, not to a button, where no key answers', () => {
    const agent = drawAgent(busy);
    agent.get('composer').focus();
    agent.show(asked);
    expect(document.activeElement).toBe(agent.get('approval'));
    for (const key of ['Enter', 'Escape', ' ', 'y', 'a']) agent.press(key);
    expect(agent.wishes).toEqual([]);
  });

  it('stays in a composer with text in it, and typing there answers nothing', () => {
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

  it('stays in the editor when that has it', () => {
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

  it('Enter behind words denies with them; other keys, and Enter without words, answer nothing', () => {
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
