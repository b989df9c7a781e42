// @vitest-environment happy-dom
import fc from 'fast-check';
import { act } from 'preact/test-utils';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { visiblePieces } from '../../../src/contextWindow/visibleText';
import { textOfVisible } from '../../support/textOfVisible';
import { runs } from '../../support/runs';
import { trickyText } from '../../support/trickyText';
import { approval, conversation } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';
import { askedToRun, turns } from './askedQuestions';

/** Gives boxes a height of 100 pixels, and their content this height. */
function boxesHold(pixels: number): void {
  const sizes = [
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100),
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(pixels),
  ];
  onTestFinished(() => sizes.forEach((size) => size.mockRestore()));
}

const mayAllow = (agent: DrawnAgent): boolean =>
  agent.get('approval-allow').getAttribute('aria-disabled') !== 'true';

describe('the subject of a question', () => {
  it('shows every character, so that it identifies the exact command', () => {
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

  it('is shown in full even if the title repeats it', () => {
    expect(drawAgent(askedToRun('Run')).text('approval-subject')).toBe('Run');
  });

  it('keeps verb and file name visible, and shows a long path in full below', () => {
    const subject = `packages/${'deep/'.repeat(40)}loadLine.ts`;
    const agent = drawAgent(conversation({ turns, activity: approval('t1', { subject }) }));
    const title = agent.get('approval').querySelector('h2')!.textContent!;
    expect(title).toMatch(/^Edit packages.*…\/loadLine\.ts$/);
    expect(title.length).toBeLessThanOrEqual(35);
    expect(agent.get('approval-subject').textContent).toBe(subject);
  });

  it('shows a path with invisible characters in quotes, with marks', () => {
    const agent = drawAgent(
      conversation({ turns, activity: approval('t1', { subject: 'a\n\u202Eb.ts' }) }),
    );
    expect(agent.text('approval')).toContain('Edit "a⟨LF⟩⟨U+202E⟩b.ts"');
  });
});

describe('Allow', () => {
  it('is enabled immediately if the whole command is visible', () => {
    const agent = drawAgent(askedToRun('npm test'));
    expect(mayAllow(agent)).toBe(true);
    expect(agent.all('approval-wait')).toEqual([]);
  });

  it('adds a keyboard stop for the box only if it is long', () => {
    expect(drawAgent(askedToRun('ls')).get('approval-subject').tabIndex).toBe(-1);
    boxesHold(350);
    const long = drawAgent(askedToRun('ls'));
    expect(long.get('approval-subject').tabIndex).toBe(0);
  });

  it('is disabled until the user has seen the last line of a long command, and says so', () => {
    boxesHold(350);
    const agent = drawAgent(askedToRun('a\n'.repeat(40)));
    expect(mayAllow(agent)).toBe(false);
    agent.click('approval-allow');
    expect(agent.wishes).toEqual([]);
    expect(agent.text('approval-wait')).toContain('Scroll to the end to enable Allow.');
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

  it('is disabled while the view cuts off the last line', () => {
    const bottom = window.innerHeight + 50;
    const rect = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect');
    onTestFinished(() => rect.mockRestore());
    rect.mockReturnValue({ ...new DOMRect(), bottom } as DOMRect);
    expect(mayAllow(drawAgent(askedToRun('npm test')))).toBe(false);
  });

  it('is reached with the Show more button, which takes the keyboard focus', () => {
    boxesHold(250);
    const agent = drawAgent(askedToRun('a\n'.repeat(40)));
    expect(agent.get('approval-more').tagName).toBe('BUTTON');
    for (let presses = 0; presses < 2; presses += 1) {
      agent.click('approval-more');
      act(() => void agent.get('approval-subject').dispatchEvent(new Event('scroll')));
    }
    expect(mayAllow(agent)).toBe(true);
  });

  it('never disables Deny', () => {
    boxesHold(350);
    const agent = drawAgent(askedToRun('a\n'.repeat(40)));
    agent.click('approval-deny');
    expect(agent.wishes).toEqual([{ type: 'answerApproval', toolUseId: 't1', approved: false }]);
  });
});
