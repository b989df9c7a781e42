// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Activity } from '../../../src/editor/conversation/state';
import { conversation, step, tool, turn } from './conversations';
import { drawAgent, plain, type DrawnAgent } from './drawAgent';

const asking: Activity = { state: 'asking', since: 0 };
const asked = conversation({ turns: [turn()], activity: asking });

function stream(agent: DrawnAgent, text: string, more: { step?: number; whole?: boolean } = {}) {
  agent.say({ type: 'replyStreamed', step: 1, text, ...more });
}

const texts = (agent: DrawnAgent): string[] =>
  agent.all('step').map((element) => plain(element.textContent!));

describe('a reply in flight', () => {
  it('grows piece by piece, as Markdown', () => {
    const agent = drawAgent(asked);
    stream(agent, 'It was **win');
    agent.frame();
    expect(texts(agent)).toEqual(['It was **win']);
    stream(agent, 'ter**.');
    agent.frame();
    expect(texts(agent)).toEqual(['It was winter.']);
    expect(agent.get('step').querySelector('strong')?.textContent).toBe('winter');
    expect(agent.get('step').dataset['streaming']).toBe('true');
  });

  it('is drawn once a frame, however many pieces arrive', () => {
    const agent = drawAgent(asked);
    for (const piece of ['a', 'b', 'c']) stream(agent, piece);
    expect(texts(agent)).toEqual([]);
    expect(agent.frame()).toBe(1);
    expect(texts(agent)).toEqual(['abc']);
    expect(agent.frame()).toBe(0);
  });

  it('is replaced by its step once that is in the conversation', () => {
    const agent = drawAgent(asked);
    stream(agent, 'Hel');
    agent.frame();
    agent.show(conversation({ turns: [turn({ items: [step(1, 'Hello.')] })], activity: asking }));
    expect(texts(agent)).toEqual(['Hello.']);
  });

  it('leaves nothing behind if pieces were still waiting for a frame', () => {
    const agent = drawAgent(asked);
    stream(agent, 'Hel');
    agent.show(conversation({ turns: [turn({ items: [step(1, 'Hello.')] })], activity: asking }));
    agent.frame();
    expect(texts(agent)).toEqual(['Hello.']);
  });

  it("stays if its session's id arrives after its first words, and disappears when another session is opened", () => {
    const agent = drawAgent(conversation({ session: '' }));
    stream(agent, 'Hel');
    agent.show({ ...asked, session: 'begun' });
    agent.frame();
    expect(texts(agent)).toEqual(['Hel']);
    agent.show({ ...asked, session: 'another' });
    expect(texts(agent)).toEqual([]);
  });

  it('survives a change of the conversation that does not contain its step', () => {
    const agent = drawAgent(asked);
    stream(agent, 'Hel');
    agent.show({ ...asked, queued: [{ id: 1, text: 'next' }] });
    stream(agent, 'lo');
    agent.frame();
    expect(texts(agent)).toEqual(['Hello']);
  });

  it('starts over when the whole text is sent', () => {
    const agent = drawAgent(asked);
    stream(agent, 'First try');
    stream(agent, '', { whole: true });
    stream(agent, 'Second');
    agent.frame();
    expect(texts(agent)).toEqual(['Second']);
  });

  it('disappears at the end of the turn if it never became a step', () => {
    const agent = drawAgent(asked);
    stream(agent, 'Hel');
    agent.frame();
    agent.show({ ...asked, activity: { state: 'idle' } });
    expect(texts(agent)).toEqual([]);
  });

  it('is in the newest turn', () => {
    const agent = drawAgent({ ...asked, turns: [turn(), turn({ turn: 2 })] });
    stream(agent, 'Hello');
    agent.frame();
    expect(agent.get('step').closest('article')?.dataset['turn']).toBe('2');
  });

  it('draws no step without visible text', () => {
    const agent = drawAgent(asked);
    stream(agent, '\n\n');
    agent.frame();
    expect(texts(agent)).toEqual([]);
  });
});

describe('the output of a running tool', () => {
  const { resultChars: _chars, elapsedMs: _ms, ...call } = tool('t1', { state: 'running' });
  const running = conversation({
    turns: [turn({ items: [step(1, '', [call])] })],
    activity: { state: 'runningTool', toolUseId: 't1', since: 0 },
  });
  const write = (agent: DrawnAgent, text: string): void => {
    agent.say({ type: 'toolOutputStreamed', toolUseId: 't1', text });
    agent.frame();
  };

  it('shows its last three lines under the row', () => {
    const agent = drawAgent(running);
    write(agent, 'one\ntwo\nthree\n');
    write(agent, '\nfour\nfive\n');
    expect(agent.get('live-output').textContent).toBe('three\nfour\nfive');
  });

  it('is shown in full in the opened row', () => {
    const agent = drawAgent(running);
    write(agent, 'one\ntwo\nthree\nfour\nfive\n');
    agent.click(agent.get('tool-row').querySelector('button')!);
    expect(agent.get('tool-output').textContent).toBe('one\ntwo\nthree\nfour\nfive\n');
    expect(agent.all('live-output')).toEqual([]);
  });

  it('keeps its end when it is long', () => {
    const agent = drawAgent(running);
    write(agent, 'x'.repeat(20_000));
    write(agent, 'end');
    agent.click(agent.get('tool-row').querySelector('button')!);
    const shown = agent.get('tool-output').textContent!;
    expect(shown).toHaveLength(20_000);
    expect(shown.endsWith('xend')).toBe(true);
  });

  it('disappears when the tool is done', () => {
    const agent = drawAgent(running);
    write(agent, 'one\n');
    agent.show(
      conversation({ turns: [turn({ items: [step(1, '', [tool('t1')])] })], activity: asking }),
    );
    expect(agent.all('live-output')).toEqual([]);
  });
});
