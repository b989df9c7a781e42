// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { conversation, turn } from './conversations';
import { drawAgent, plain } from './drawAgent';

describe('the header', () => {
  it('is one line: the session, how full its window is, and two buttons', () => {
    const gauge = { usedTokens: 12_480, exact: true, inputBudget: 26_880 };
    const agent = drawAgent(conversation({ title: 'Fix the tests', gauge }));
    expect(document.querySelector('h1')?.textContent).toBe('Fix the tests');
    expect(plain(document.querySelector('.header')!.textContent!)).toBe('Fix the tests46 %');
    expect(agent.get('new-session').getAttribute('aria-label')).toBe('New session');
  });

  it('shows counted tokens plainly', () => {
    const gauge = { usedTokens: 12_480, exact: true, inputBudget: 26_880 };
    const agent = drawAgent(conversation({ gauge }));
    expect(agent.text('gauge')).toBe('46 %');
    expect(agent.get('gauge').dataset['used']).toBe('12480');
    expect(plain(agent.get('gauge').title)).toBe(
      'Context window 46 % full: 12,480 / 26,880 tokens, counted by the server Open the Context panel',
    );
  });

  it('marks estimated tokens', () => {
    const gauge = { usedTokens: 12_480, exact: false, inputBudget: 26_880 };
    const agent = drawAgent(conversation({ gauge }));
    expect(agent.text('gauge')).toBe('≈ 46 %');
    expect(plain(agent.get('gauge').title)).toContain(
      '≈ 46 % full: ≈ 12,480 / 26,880 tokens, estimated',
    );
  });

  it('says so when the window is over budget', () => {
    const over = { usedTokens: 26_881, exact: true, inputBudget: 26_880 };
    const agent = drawAgent(conversation({ gauge: over }));
    expect(agent.get('gauge').dataset['over']).toBe('true');
    agent.show(conversation({ gauge: { ...over, usedTokens: 26_880 } }));
    expect(agent.get('gauge').dataset['over']).toBe('false');
  });

  it('opens the details of the session, with its tokens and a way to the Context panel', () => {
    const gauge = { usedTokens: 12_480, exact: true, inputBudget: 26_880 };
    const agent = drawAgent(conversation({ gauge }));
    const button = agent.get('session-details');
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(agent.all('details-window')).toEqual([]);
    agent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(document.getElementById(button.getAttribute('aria-controls')!)!.hidden).toBe(false);
    expect(agent.text('details-window')).toBe(
      '46 % full: 12,480 / 26,880 tokens, counted by the server',
    );
    agent.click('details-panel');
    expect(agent.wishes).toEqual([{ type: 'openContextPanel' }]);
    agent.click(button);
    expect(agent.all('details-window')).toEqual([]);
  });
});

describe('activity in other sessions', () => {
  it('is reported in the header, with a link to the list of sessions', () => {
    const words = 'Another session waits for your answer';
    const agent = drawAgent(conversation({ elsewhere: { words, isWaiting: true } }));
    expect(agent.text('elsewhere')).toBe(words);
    agent.click('elsewhere');
    expect(agent.wishes).toEqual([{ type: 'runCommand', command: 'sessions' }]);
    agent.show(conversation({}));
    expect(agent.all('elsewhere')).toEqual([]);
  });

  it('does not show their text here', () => {
    const busy = { activity: { state: 'asking', since: 0 } as const, turns: [turn()] };
    const agent = drawAgent(conversation({ session: 'one', ...busy }));
    agent.say({ type: 'replyStreamed', step: 9, text: 'The other reply.' });
    agent.frame();
    expect(document.body.textContent).toContain('The other reply.');
    agent.show(conversation({ session: 'two', ...busy }));
    expect(document.body.textContent).not.toContain('The other reply.');
  });
});

describe('a session that is still being read', () => {
  it('shows its last turns, says that it loads the others, and shows no size of the window', () => {
    const { gauge, ...rest } = conversation({ turns: [turn({ turn: 240 })] });
    const agent = drawAgent({ ...rest, isOpening: true });
    expect(agent.text('opening')).toBe(
      'Loading earlier turns… What you send or change now waits until they are loaded.',
    );
    expect(agent.all('gauge')).toEqual([]);
    expect(agent.all('turn')).toHaveLength(1);
    agent.show(conversation({ turns: [turn({ turn: 239 }), turn({ turn: 240 })], gauge: gauge! }));
    expect(agent.all('opening')).toEqual([]);
    expect(agent.all('gauge')).toHaveLength(1);
    expect(agent.all('turn')).toHaveLength(2);
  });
});

describe('the offline mark', () => {
  const words = 'Offline demo: scripted, no AI';

  it('is in the header alone while a script has answered every turn', () => {
    const turns = [turn(), turn({ turn: 2 })];
    const agent = drawAgent(conversation({ offline: true, turns }));
    expect(agent.text('offline-mark')).toBe(words);
    expect(agent.all('turn-offline-mark')).toEqual([]);
  });

  it('is at each scripted turn of a session in which a model answered, too', () => {
    const turns = [turn({ offline: false }), turn({ turn: 2 }), turn({ turn: 3, offline: true })];
    const agent = drawAgent(conversation({ offline: true, turns }));
    expect(agent.all('turn-offline-mark').map((mark) => mark.textContent)).toEqual([words, words]);
  });

  it('is absent if a model answers', () => {
    const agent = drawAgent(conversation({ turns: [turn()] }));
    expect(agent.all('offline-mark')).toEqual([]);
    expect(agent.all('turn-offline-mark')).toEqual([]);
  });

  it('stays at a scripted turn after a model was chosen, and is absent at a turn that a model answered', () => {
    const turns = [turn({ offline: true }), turn({ turn: 2, offline: false })];
    const agent = drawAgent(conversation({ offline: false, turns }));
    expect(agent.all('turn-offline-mark')).toHaveLength(1);
    agent.show(conversation({ offline: true, turns }));
    expect(agent.all('turn-offline-mark')).toHaveLength(1);
  });
});

describe('a problem', () => {
  it('is shown with a button that sends its wish', () => {
    const agent = drawAgent(
      conversation({
        problem: {
          message: 'There is no API key.',
          action: { label: 'Set key', wish: { type: 'setApiKey' } },
        },
      }),
    );
    expect(agent.get('problem').textContent).toContain('There is no API key.');
    agent.click('problem-action');
    expect(agent.wishes).toEqual([{ type: 'setApiKey' }]);
  });

  it('has no button without an action', () => {
    const agent = drawAgent(conversation({ problem: { message: 'Settings are invalid.' } }));
    expect(agent.all('problem-action')).toEqual([]);
  });

  it('disappears when it is solved', () => {
    const agent = drawAgent(conversation({ problem: { message: 'x' } }));
    agent.show(conversation());
    expect(agent.all('problem')).toEqual([]);
  });
});

describe('a refused wish', () => {
  it('is shown until the user dismisses it', () => {
    const agent = drawAgent(conversation());
    agent.answer({ type: 'refused', message: 'No folder is open.' });
    expect(agent.get('refusal').textContent).toBe('No folder is open.');
    agent.click(agent.get('refusal').querySelector('button')!);
    agent.show(conversation());
    expect(agent.all('refusal')).toEqual([]);
  });

  it('disappears with the next wish', () => {
    const agent = drawAgent(conversation());
    agent.answer({ type: 'refused', message: 'No.' });
    agent.click('gauge');
    expect(agent.all('refusal')).toEqual([]);
  });
});

describe('an empty session', () => {
  it('says what to do', () => {
    const agent = drawAgent(conversation());
    expect(agent.text('empty')).toContain('Give the agent a task');
    expect(agent.all('turn')).toEqual([]);
  });

  it.each([
    ['ask', 'It asks before it edits a file or runs a command.'],
    ['acceptEdits', 'It edits ordinary files, and asks before it runs a command.'],
    ['plan', 'It changes nothing, and ends with a plan.'],
  ] as const)('says what the agent does without asking in the mode %s', (mode, says) => {
    expect(drawAgent(conversation({ mode })).text('empty')).toContain(says);
  });

  it('offers a key, the demo and the session of another agent, each with one click', () => {
    const start = { needsKey: true, otherAgents: ['Claude Code', 'Codex'] };
    const agent = drawAgent(conversation({ start }));
    const offers = [...agent.get('empty').querySelectorAll('.offer strong')];
    expect(offers.map(({ textContent }) => textContent)).toEqual([
      'Use your key',
      'Try the demo',
      "See another agent's session",
    ]);
    expect(agent.text('see-session')).toContain('Claude Code or Codex');
    agent.show(conversation({ start: { needsKey: false, otherAgents: [] } }));
    expect(agent.all('use-key')).toEqual([]);
    expect(agent.all('see-session')).toEqual([]);
    expect(agent.all('try-demo')).toHaveLength(1);
  });

  it('says once that there is no key: as an offer, and as a problem after a prompt was refused', () => {
    const action = { label: 'Set API key', wish: { type: 'setApiKey' } } as const;
    const problem = { message: 'There is no key.', action };
    const agent = drawAgent(conversation({ problem, start: { needsKey: true, otherAgents: [] } }));
    expect(agent.all('problem')).toEqual([]);
    agent.type('Go.');
    agent.click('send');
    agent.answer({ type: 'refused', message: problem.message });
    expect(agent.text('problem')).toContain('There is no key.');
    expect(agent.all('refusal')).toEqual([]);
  });

  it('is not empty once a turn has begun', () => {
    const agent = drawAgent(conversation());
    agent.show(conversation({ turns: [turn()] }));
    expect(agent.all('empty')).toEqual([]);
  });
});

it('says that it waits until the host sends the session', () => {
  const agent = drawAgent();
  expect(agent.text('session-waits')).toBe('Waiting for the session…');
  expect(agent.get('session-waits').getAttribute('role')).toBe('status');
  agent.show(conversation());
  expect(agent.all('session-waits')).toEqual([]);
});

describe('suggestions', () => {
  const suggested = conversation({ suggestions: ['Fix the tests.', 'Explain the deck plan.'] });

  it('fill the composer and send nothing', () => {
    const agent = drawAgent(suggested);
    expect(agent.all('suggestion')).toHaveLength(2);
    agent.click(agent.all('suggestion')[1]!);
    agent.show(suggested);
    expect((agent.get('composer') as HTMLTextAreaElement).value).toBe('Explain the deck plan.');
    expect(document.activeElement).toBe(agent.get('composer'));
    expect(agent.wishes).toEqual([]);
  });

  it('disappear while the composer contains text and while the agent is busy', () => {
    const agent = drawAgent(suggested);
    agent.type('x');
    expect(agent.all('suggestion')).toEqual([]);
    agent.type('');
    expect(agent.all('suggestion')).toHaveLength(2);
    agent.show({ ...suggested, activity: { state: 'asking', since: 0 } });
    expect(agent.all('suggestion')).toEqual([]);
  });
});
