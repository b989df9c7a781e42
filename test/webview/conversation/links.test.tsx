// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { conversation, turn } from './conversations';
import { drawAgent } from './drawAgent';

const FROM = { session: 's-1', title: 'Mend it', isGone: false };
const TO = { session: 's-3', title: 'Mend it (continued)', isGone: false };

describe('the sessions that this one continues and is continued in', () => {
  it('are links in the details of the session', () => {
    const agent = drawAgent(conversation({ links: { from: FROM, to: [TO] } }));
    agent.click('session-details');
    expect(agent.text('linked-sessions')).toBe('Continues Mend itContinued in Mend it (continued)');
    agent.click('link-from');
    agent.click('link-to');
    expect(agent.wishes).toEqual([
      { type: 'openLinked', session: 's-1' },
      { type: 'openLinked', session: 's-3' },
    ]);
  });

  it('say that they were deleted; when clicked, the host says why they cannot be opened', () => {
    const agent = drawAgent(conversation({ links: { from: { ...FROM, isGone: true }, to: [] } }));
    agent.click('session-details');
    const link = agent.get('link-from');
    expect(link.textContent).toBe('Mend it (deleted)');
    expect(link.getAttribute('aria-disabled')).toBe('true');
    agent.click(link);
    agent.answer({ type: 'refused', message: 'That session is gone.' });
    expect(agent.text('refusal')).toContain('That session is gone.');
  });

  it('are absent if there are none', () => {
    const agent = drawAgent(conversation());
    agent.click('session-details');
    expect(agent.all('linked-sessions')).toEqual([]);
  });
});

describe('the summary of a whole session', () => {
  const withSummary = (parts: { readonly from?: string; readonly writtenBy?: string }) =>
    drawAgent(
      conversation({
        turns: [turn({ items: [{ type: 'summary', number: 1, text: '<b>Mended</b>', ...parts }] })],
      }),
    );

  it('is folded, names its author, and is plain text', () => {
    const agent = withSummary({ writtenBy: 'by claude-x' });
    const summary = agent.get('session-summary');
    expect(summary.querySelector('summary')?.textContent).toBe(
      'Summary of this session, by claude-x',
    );
    expect(summary.querySelector('p')?.textContent).toBe('<b>Mended</b>');
  });

  it('names the session it came from', () => {
    const agent = withSummary({ from: 'Mend it' });
    expect(agent.text('session-summary')).toContain('Handed over from “Mend it”');
  });
});
