// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { approval, conversation, turn } from './conversations';
import { drawAgent } from './drawAgent';

const turns = [turn()];
const asking = { state: 'asking', since: 0 } as const;
const busy = conversation({ turns, activity: asking });

afterEach(() => vi.restoreAllMocks());

/** An open question that has been visible for this long, ms. */
function askedFor(ms: number) {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const agent = drawAgent(conversation({ turns, activity: approval('t1') }));
  clock.mockReturnValue(1_000 + ms);
  return agent;
}

const ALLOWED = { type: 'answerApproval', toolUseId: 't1', approved: true };

describe('Ctrl+Enter in the composer', () => {
  it.each([{ ctrlKey: true }, { metaKey: true }])(
    'sends a prompt at the next step (%o)',
    (held) => {
      const agent = drawAgent(busy);
      agent.get('composer').focus();
      agent.type('Mind the tabs.');
      expect(agent.press('Enter', held)).toBe(true);
      expect(agent.wishes).toEqual([
        { type: 'submitPrompt', text: 'Mind the tabs.', atNextStep: true },
      ]);
    },
  );

  it('sends while the agent is idle', () => {
    const agent = drawAgent(conversation());
    agent.get('composer').focus();
    agent.type('Fix it.');
    agent.press('Enter', { ctrlKey: true });
    expect(agent.wishes).toEqual([{ type: 'submitPrompt', text: 'Fix it.' }]);
  });

  it('is named in the hint of Send and in the label of the composer', () => {
    const agent = drawAgent(busy, 'Mind the tabs.');
    expect(agent.get('send').title).toMatch(/Ctrl\+Enter .* sends at the next step/);
    expect(agent.get('composer').getAttribute('aria-label')).toMatch(
      /Ctrl\+Enter sends at its next step/,
    );
  });
});

describe('Ctrl+. in the composer', () => {
  it.each([
    ['ask', 'acceptEdits'],
    ['acceptEdits', 'plan'],
    ['plan', 'ask'],
  ] as const)('switches from %s to %s, once for each press', (mode, next) => {
    const agent = drawAgent({ ...busy, mode });
    agent.get('composer').focus();
    expect(agent.press('.', { ctrlKey: true })).toBe(true);
    agent.press('.', { ctrlKey: true, repeat: true });
    expect(agent.press('.')).toBe(false);
    expect(agent.wishes).toEqual([{ type: 'setMode', mode: next }]);
    expect(agent.get('mode').title).toMatch(/\(Ctrl\+\. in the prompt: the next mode\)$/);
  });
});

describe('Ctrl+. twice in the composer', () => {
  it('goes two modes on, although the first is not shown yet', () => {
    const agent = drawAgent(busy);
    agent.get('composer').focus();
    agent.press('.', { ctrlKey: true });
    agent.press('.', { ctrlKey: true });
    expect(agent.wishes).toEqual([
      { type: 'setMode', mode: 'acceptEdits' },
      { type: 'setMode', mode: 'plan' },
    ]);
  });
});

describe('Escape in the composer', () => {
  it('stops the turn, and the button says so', () => {
    const agent = drawAgent(busy, 'half a thou');
    agent.get('composer').focus();
    expect(agent.press('Escape')).toBe(true);
    expect(agent.wishes).toEqual([{ type: 'stopTurn' }]);
    expect(agent.get('stop').title).toBe('Stop the turn (Escape in the prompt)');
    expect((agent.get('composer') as HTMLTextAreaElement).value).toBe('half a thou');
  });

  it('stops nothing while it is held down, composes a character, or has a modifier', () => {
    const agent = drawAgent(busy);
    agent.get('composer').focus();
    const others = [{ repeat: true }, { isComposing: true }, { altKey: true }, { shiftKey: true }];
    for (const held of others) expect(agent.press('Escape', held)).toBe(false);
    expect(agent.wishes).toEqual([]);
  });

  it('closes an open list first, and then stops', () => {
    const agent = drawAgent(busy);
    agent.get('composer').focus();
    agent.type('/');
    expect(agent.all('composer-list')).toHaveLength(1);
    agent.press('Escape');
    expect(agent.all('composer-list')).toEqual([]);
    expect(agent.wishes).toEqual([{ type: 'findCommands' }]);
    agent.press('Escape');
    expect(agent.wishes.at(-1)).toEqual({ type: 'stopTurn' });
  });

  it('stops nothing elsewhere in the view; in the editor of a queued prompt it cancels and focuses the composer', () => {
    const agent = drawAgent({ ...busy, queued: [{ id: 4, text: 'one' }] });
    agent.click('queued-edit');
    agent.get('queued-field').focus();
    agent.press('Escape');
    expect(agent.all('queued-field')).toEqual([]);
    expect(document.activeElement).toBe(agent.get('composer'));
    agent.get('queued-edit').focus();
    agent.press('Escape');
    expect(agent.wishes).toEqual([]);
  });
});

describe('Ctrl+Enter in an approval card', () => {
  it('allows once, from the card itself and from the note', () => {
    const agent = askedFor(500);
    expect(agent.press('Enter', { ctrlKey: true })).toBe(true);
    expect(agent.wishes).toEqual([ALLOWED]);
    agent.press('Enter', { ctrlKey: true });
    expect(agent.wishes).toHaveLength(1);
    expect(agent.get('approval-allow').title).toMatch(/Ctrl\+Enter .* allows this once/);
  });

  it('sends the note', () => {
    const agent = askedFor(500);
    agent.type('carefully', 'approval-feedback');
    agent.get('approval-feedback').focus();
    agent.press('Enter', { metaKey: true });
    expect(agent.wishes).toEqual([{ ...ALLOWED, feedback: 'carefully' }]);
  });

  it('allows nothing from the composer', () => {
    const agent = askedFor(500);
    agent.get('composer').focus();
    agent.press('Enter', { ctrlKey: true });
    agent.type('and now?');
    agent.press('Enter', { ctrlKey: true });
    expect(agent.wishes).toEqual([{ type: 'submitPrompt', text: 'and now?', atNextStep: true }]);
  });

  it('allows nothing just after the card appeared, held down, with Shift, or on a button', () => {
    const early = askedFor(499);
    early.press('Enter', { ctrlKey: true });
    expect(early.wishes).toEqual([]);
    const agent = askedFor(500);
    agent.press('Enter', { ctrlKey: true, repeat: true });
    agent.press('Enter', { ctrlKey: true, shiftKey: true });
    agent.press('Enter');
    agent.get('approval-deny').focus();
    agent.press('Enter', { ctrlKey: true });
    expect(agent.wishes).toEqual([]);
  });
});
