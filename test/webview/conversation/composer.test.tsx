// @vitest-environment happy-dom
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Activity } from '../../../src/editor/conversation/state';
import { approval, conversation, step, tool, turn } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';

const BUSY: readonly Activity[] = [
  { state: 'asking', since: 0 },
  { state: 'runningTool', toolUseId: 't1', since: 0 },
  approval('t1'),
  { state: 'compacting', since: 0 },
  { state: 'awaitingReview' },
  { state: 'stopping' },
];

const command = { name: 'run_command', kind: 'command', label: 'run_command npm test' } as const;
const lookup = { name: 'weather_lookup', kind: 'other', label: 'weather_lookup Oslo' } as const;
const calls = [
  tool('t1', command),
  tool('reading', { label: 'read_file src/a.js' }),
  tool('other', lookup),
];
const turns = [turn({ items: [step(1, '', calls)] })];

/** Freezes the clock of the page; returns its time, ms. */
function heldClock(): number {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  return Date.now();
}

const typed = (agent: DrawnAgent): string => (agent.get('composer') as HTMLTextAreaElement).value;

describe('the composer', () => {
  it('sends with the button and empties itself', () => {
    const agent = drawAgent(conversation());
    agent.type('  Fix the tests.\n');
    agent.click('send');
    expect(agent.wishes).toEqual([{ type: 'submitPrompt', text: 'Fix the tests.' }]);
    expect(typed(agent)).toBe('');
  });

  it('sends with Enter', () => {
    const agent = drawAgent(conversation());
    agent.get('composer').focus();
    agent.type('Fix it.');
    expect(agent.press('Enter')).toBe(true);
    expect(agent.wishes).toEqual([{ type: 'submitPrompt', text: 'Fix it.' }]);
  });

  it('does not send with Shift+Enter, an unfinished composition or Escape', () => {
    const agent = drawAgent(conversation());
    agent.get('composer').focus();
    agent.type('Fix');
    expect(agent.press('Enter', { shiftKey: true })).toBe(false);
    expect(agent.press('Enter', { isComposing: true })).toBe(false);
    expect(agent.press('Escape')).toBe(false);
    expect(agent.wishes).toEqual([]);
  });

  it('sends no empty prompt', () => {
    const agent = drawAgent(conversation());
    agent.get('composer').focus();
    agent.press('Enter');
    agent.type(' \n ');
    agent.press('Enter');
    agent.click('send');
    expect(agent.wishes).toEqual([]);
    expect(agent.get('send').getAttribute('aria-disabled')).toBe('true');
  });

  it('restores a refused prompt', () => {
    const agent = drawAgent(conversation());
    agent.type('Fix it. ');
    agent.click('send');
    agent.show(conversation());
    agent.answer({ type: 'refused', message: 'No folder is open.' });
    expect(typed(agent)).toBe('Fix it.');
  });

  it('keeps newer text when a prompt is refused', () => {
    const agent = drawAgent(conversation());
    agent.type('Fix it.');
    agent.click('send');
    agent.type('Something else');
    agent.answer({ type: 'refused', message: 'No folder is open.' });
    expect(typed(agent)).toBe('Fix it.\n\nSomething else');
  });

  it('does not restore an accepted prompt after a later refusal', () => {
    const agent = drawAgent(conversation());
    agent.type('Fix it.');
    agent.click('send');
    agent.answer({ type: 'done' });
    agent.show(conversation({ turns }));
    agent.answer({ type: 'refused', message: 'No.' });
    expect(typed(agent)).toBe('');
  });

  it('gets the text of a queued prompt that was sent while the user edited it', () => {
    const agent = drawAgent(conversation({ turns, queued: [{ id: 4, text: 'one' }] }));
    agent.click('queued-edit');
    agent.type('one more', 'queued-field');
    agent.get('queued-field').focus();
    agent.press('Enter');
    expect(agent.wishes).toEqual([{ type: 'editQueued', id: 4, text: 'one more' }]);
    agent.answer({ type: 'refused', message: 'It was sent meanwhile.' });
    expect(typed(agent)).toBe('one more');
  });

  it('sends a queued prompt at the next step while the agent works, or after the turn again', () => {
    const working = { turns, activity: { state: 'asking', since: 0 } } as const;
    const agent = drawAgent(conversation({ ...working, queued: [{ id: 4, text: 'one' }] }));
    expect(agent.all('queued-next')).toEqual([]);
    agent.click('queued-tell');
    expect(agent.wishes.at(-1)).toEqual({ type: 'tellQueued', id: 4, atNextStep: true });
    agent.show(conversation({ ...working, queued: [{ id: 4, text: 'one', atNextStep: true }] }));
    expect(agent.text('queued-next')).toBe('at the next step');
    agent.click('queued-tell');
    expect(agent.wishes.at(-1)).toEqual({ type: 'tellQueued', id: 4, atNextStep: false });
    agent.show(conversation({ turns, queued: [{ id: 4, text: 'one', atNextStep: true }] }));
    expect([agent.all('queued-tell'), agent.all('queued-next')]).toEqual([[], []]);
  });

  it('says why queued prompts are held, with a Send button unless a question is open', () => {
    const queued = [{ text: 'first' }, { id: 1, text: 'one' }, { id: 2, text: 'two' }];
    const agent = drawAgent(conversation({ turns, queued, held: 'stopped' }));
    expect(agent.text('held')).toBe('Not sent: you stopped the turn.');
    expect(agent.text('sending')).toBe('Sendingfirst');
    expect(agent.all('queued-text').map(({ textContent }) => textContent)).toEqual(['one', 'two']);
    agent.click('queued-up');
    expect(agent.wishes).toEqual([{ type: 'moveQueued', id: 2, to: 0 }]);
    agent.show(conversation({ turns, queued, held: 'question' }));
    expect(agent.all('send-queued')).toEqual([]);
    agent.show(conversation({ turns, queued }));
    expect(agent.all('held')).toEqual([]);
  });

  it('keeps the unsent prompt while the conversation changes', () => {
    const agent = drawAgent(conversation(), 'half a thou');
    agent.show(conversation({ turns, activity: BUSY[0]! }));
    expect(typed(agent)).toBe('half a thou');
  });
});

describe('while the agent is busy', () => {
  it.each(BUSY.map((activity) => [activity.state, activity] as const))(
    '(%s) the Stop button is shown',
    (_, activity) => {
      const agent = drawAgent(conversation({ turns, activity }));
      expect(agent.get('stop').getAttribute('aria-disabled')).toBeNull();
      agent.click('stop');
      expect(agent.wishes).toEqual([{ type: 'stopTurn' }]);
    },
  );

  it('a prompt is queued and shown with its text', () => {
    const busy = conversation({ turns, activity: BUSY[0]! });
    const agent = drawAgent(busy);
    agent.type('Then update the changelog.');
    expect(agent.get('send').getAttribute('aria-label')).toBe('Queue');
    agent.click('send');
    expect(agent.wishes).toEqual([{ type: 'submitPrompt', text: 'Then update the changelog.' }]);
    agent.show({ ...busy, queued: [{ id: 1, text: 'Then update the changelog.' }] });
    expect(agent.text('queued')).toBe('Then update the changelog.');
  });

  it('the Stop button is absent while it is idle', () => {
    const agent = drawAgent(conversation({ turns }));
    expect(agent.all('stop')).toEqual([]);
    expect(agent.get('send').getAttribute('aria-label')).toBe('Send');
  });
});

describe('the frame of the prompt', () => {
  const framed = (agent: DrawnAgent) =>
    [...agent.get('prompt-frame').querySelectorAll<HTMLElement>('[data-testid]')].map(
      ({ dataset }) => dataset['testid'],
    );

  it('contains the text, attach, the model and Send; while the agent works, Stop in place of Send', () => {
    const agent = drawAgent(conversation({ turns }));
    expect(framed(agent)).toEqual(['composer', 'attach', 'mode', 'choose-model', 'send']);
    agent.show(conversation({ turns, activity: BUSY[0]! }));
    expect(framed(agent)).toEqual(['composer', 'attach', 'mode', 'choose-model', 'stop']);
    agent.type('Mind the tabs.');
    expect(framed(agent)).toEqual(['composer', 'attach', 'mode', 'choose-model', 'send', 'stop']);
  });

  it('names the model once, and how it thinks', () => {
    const reasoning = 'thinking adaptive, effort high';
    const agent = drawAgent(conversation({ model: 'claude-x', reasoning }));
    expect(agent.text('choose-model')).toBe('claude-x, thinking adaptive, effort high');
    expect(agent.get('choose-model').title).toContain(`claude-x, ${reasoning}`);
    expect(document.body.textContent!.split('claude-x')).toHaveLength(2);
  });

  it.each([
    ['', '@', ''],
    ['Look at ', 'Look at @', ''],
    ['Look at', 'Look at @', ''],
    ['Look at @load', 'Look at @load', 'load'],
  ])('Attach after "%s" lists what an @ lists', (before, after, query) => {
    const agent = drawAgent(conversation(), before);
    const field = agent.get('composer') as HTMLTextAreaElement;
    field.setSelectionRange(before.length, before.length);
    agent.click('attach');
    expect(agent.wishes).toEqual([{ type: 'findMentions', query }]);
    const choice = { mention: { type: 'selection' }, label: 'selection', detail: 'a.js' } as const;
    agent.answer({ type: 'answered', data: [choice] });
    expect([field.value, document.activeElement]).toEqual([after, field]);
    agent.click('composer-choice');
    expect(agent.wishes.at(-1)).toEqual({ type: 'attach', mention: choice.mention });
    expect(field.value).toMatch(/@selection $/);
  });
});

describe('the activity', () => {
  it.each([
    [{ state: 'idle' }, ''],
    [{ state: 'asking', since: 0 }, 'Asking the model'],
    [{ state: 'asking', since: 0, note: 'Retry 2: overloaded' }, 'Retry 2: overloaded'],
    [{ state: 'runningTool', toolUseId: 't1', since: 0 }, 'Running npm test'],
    [{ state: 'runningTool', toolUseId: 'reading', since: 0 }, 'Reading src/a.js'],
    [{ state: 'runningTool', toolUseId: 'other', since: 0 }, 'Running weather_lookup Oslo'],
    [{ state: 'runningTool', toolUseId: 'unknown', since: 0 }, 'Running a tool'],
    [approval('t1'), 'Waiting for your answer'],
    [{ state: 'compacting', since: 0 }, 'Running a pass on the context window'],
    [{ state: 'awaitingReview' }, 'Waiting for you to review a pass'],
    [{ state: 'stopping' }, 'Stopping'],
  ] as readonly (readonly [Activity, string])[])('%o reads "%s"', (activity, words) => {
    const agent = drawAgent(conversation({ turns, activity }));
    const element = agent.get('activity');
    expect(element.dataset['state']).toBe(activity.state);
    expect(element.querySelector('[role="status"]')?.textContent).toBe(words);
  });

  it('asks no model in the offline demo', () => {
    const agent = drawAgent(conversation({ turns, activity: BUSY[0]!, offline: true }));
    expect(agent.get('activity').textContent).toContain('Asking the script');
  });

  it('announces its text politely and its time not at all', () => {
    const since = heldClock() - 12_300;
    const agent = drawAgent(conversation({ turns, activity: { state: 'asking', since } }));
    const spoken = agent.get('activity').querySelector('[role="status"]')!;
    expect(spoken.getAttribute('aria-live')).toBe('polite');
    expect(spoken.textContent).not.toContain('12');
    expect(agent.text('activity')).toContain('12 s');
    expect(agent.get('activity').querySelector('.number')?.getAttribute('aria-hidden')).toBe(
      'true',
    );
  });

  it('counts the time in the row of the running tool', () => {
    const since = heldClock() - 65_000;
    const { elapsedMs: _, ...call } = tool('t1', { state: 'running' });
    const agent = drawAgent(
      conversation({
        turns: [turn({ items: [step(1, '', [call, tool('t2')])] })],
        activity: { state: 'runningTool', toolUseId: 't1', since },
      }),
    );
    expect(
      agent.all('tool-row').map((row) => row.querySelector('.tool-time')?.textContent),
    ).toEqual(['1\u00a0min 05\u00a0s', '12\u00a0ms']);
  });
});
