// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Conversation, TurnView } from '../../../src/editor/conversation/state';
import { conversationPatch } from '../../../src/editor/conversation/conversationPatch';
import { layOut } from '../support/layOut';
import { conversation, step, tool, turn } from './conversations';
import { drawAgent } from './drawAgent';

const HEIGHT = 600;
const TURN_STEPS = 40;

let takeBack: () => void;
beforeEach(() => {
  takeBack = layOut(HEIGHT);
});
afterEach(() => takeBack());

const called = (number: number) => step(number, `Part ${number}.`, [tool(`t${number}`)]);

/** Turns of 40 steps each. */
function turnsOf(steps: number, turnSteps = TURN_STEPS): readonly TurnView[] {
  return Array.from({ length: Math.ceil(steps / turnSteps) }, (_, index) =>
    turn({
      turn: index + 1,
      prompt: `Look at part ${index + 1}.`,
      outcome: { type: 'finished' },
      items: Array.from({ length: turnSteps }, (_item, at) => called(index * turnSteps + at + 1)),
    }),
  );
}

/** The conversation with one more step in its last turn. */
function goesOn(before: Conversation): Conversation {
  const last = before.turns.at(-1)!;
  const items = [...last.items, called(before.turns.length * TURN_STEPS + 1)];
  return { ...before, turns: [...before.turns.slice(0, -1), { ...last, items }] };
}

function drawn(shown: Conversation) {
  const agent = drawAgent();
  agent.say({ type: 'conversationChanged', conversation: shown, number: 1 });
  const list = () => agent.get('turns').closest('main')!;
  return {
    ...agent,
    list,
    nodes: () => list().querySelectorAll('*').length,
    steps: () => agent.all('step').map((element) => Number(element.dataset['step'])),
    scrollTo: (top: number) => void act(() => void (list().scrollTop = top)),
    isAtEnd: () => list().scrollTop === list().scrollHeight - HEIGHT,
    patch: (before: Conversation, after: Conversation, number = 2): void =>
      agent.say({
        type: 'conversationPatched',
        number,
        patch: JSON.parse(JSON.stringify(conversationPatch(before, after))) as never,
      }),
  };
}

describe('a conversation of 10,000 steps', () => {
  it('has as few elements as one of 1,000, and starts at its end', () => {
    const nodesOf = (steps: number): number => {
      const agent = drawn(conversation({ turns: turnsOf(steps) }));
      expect(agent.steps().at(-1)).toBe(steps);
      expect(agent.isAtEnd()).toBe(true);
      return agent.nodes();
    };
    const few = nodesOf(1_000);
    document.body.replaceChildren();
    expect(Math.abs(nodesOf(10_000) - few)).toBeLessThan(20);
    expect(few).toBeLessThan(900);
  });

  it('has as few elements if all steps belong to one turn', () => {
    const agent = drawn(conversation({ turns: turnsOf(10_000, 10_000) }));
    expect(agent.steps().length).toBeLessThan(40);
    expect(agent.get('turn').getAttribute('aria-setsize')).toBe('1');
  });

  it('tells screen readers the number of each turn, and the numbers of turns and rows', () => {
    const agent = drawn(conversation({ turns: turnsOf(10_000) }));
    const last = agent.all('turn').at(-1)!;
    expect(last.getAttribute('aria-posinset')).toBe('250');
    expect(last.getAttribute('aria-setsize')).toBe('250');
    expect(last.parentElement?.getAttribute('role')).toBe('feed');
    expect(agent.get('turns').dataset['count']).toBe(String(250 * (TURN_STEPS + 2)));
  });

  it('shows any position the user scrolls to, with a button back to the newest row', () => {
    const agent = drawn(conversation({ turns: turnsOf(10_000) }));
    agent.scrollTo(0);
    expect(agent.steps()[0]).toBe(1);
    expect(agent.all('turn')[0]?.textContent).toContain('Look at part 1.');
    agent.click('newest');
    expect(agent.isAtEnd()).toBe(true);
    expect(agent.steps().at(-1)).toBe(10_000);
    expect(agent.all('newest')).toEqual([]);
  });

  it('follows the newest step while the user is at the end, and stays where the user scrolled to', () => {
    const before = conversation({ turns: turnsOf(1_000) });
    const agent = drawn(before);
    const after = goesOn(before);
    agent.patch(before, after);
    expect(agent.isAtEnd()).toBe(true);
    expect(agent.steps().at(-1)).toBe(1_001);
    agent.scrollTo(5_000);
    agent.patch(after, goesOn({ ...after, title: 'Other' }), 3);
    expect(agent.list().scrollTop).toBe(5_000);
    expect(agent.steps()).not.toContain(1_002);
  });

  it('scrolls to the end when the user sends something', () => {
    const before = conversation({ turns: turnsOf(1_000) });
    const agent = drawn(before);
    agent.scrollTo(0);
    agent.patch(before, { ...before, turns: [...before.turns, turn({ turn: 26, prompt: 'Go.' })] });
    expect(agent.isAtEnd()).toBe(true);
    expect(agent.all('turn').at(-1)?.textContent).toContain('Go.');
  });

  it('keeps the element of an unchanged row', () => {
    const before = conversation({ turns: turnsOf(1_000) });
    const agent = drawn(before);
    const kept = agent.all('step').at(-1)!;
    agent.patch(before, goesOn(before));
    expect(agent.all('step').at(-2)).toBe(kept);
  });

  it('keeps a call open while its row is out of sight', () => {
    const agent = drawn(conversation({ turns: turnsOf(1_000) }));
    const row = (): HTMLElement | undefined =>
      agent.all('tool-row').find(({ dataset }) => dataset['toolUseId'] === 't1000');
    agent.click(row()!.querySelector('button')!);
    agent.answer({ type: 'answered', data: 'Here.' });
    agent.scrollTo(0);
    expect(row()).toBeUndefined();
    agent.click('newest');
    expect(row()?.querySelector('button')?.getAttribute('aria-expanded')).toBe('true');
    expect(row()?.textContent).toContain('Here.');
    expect(agent.wishes).toEqual([{ type: 'fetchResult', toolUseId: 't1000' }]);
  });

  it('keeps the focus on a row that is out of sight', () => {
    const agent = drawn(conversation({ turns: turnsOf(1_000) }));
    const button = agent.all('tool-row').at(-1)!.querySelector('button')!;
    act(() => button.focus());
    agent.scrollTo(0);
    expect(document.activeElement).toBe(button);
    expect(agent.steps()).toEqual([...agent.steps().slice(0, -1), 1_000]);
  });

  it('starts at its end with nothing open after another session was opened', () => {
    const agent = drawn(conversation({ turns: turnsOf(1_000) }));
    agent.click(agent.all('tool-row').at(-1)!.querySelector('button')!);
    agent.scrollTo(0);
    agent.show(conversation({ session: 'two', turns: turnsOf(2_000) }));
    expect(agent.isAtEnd()).toBe(true);
    expect(agent.steps().at(-1)).toBe(2_000);
    agent.show(conversation({ session: 'one', turns: turnsOf(1_000) }));
    expect(agent.all('tool-arguments')).toEqual([]);
  });

  it('is requested whole when a patch is missing', () => {
    const before = conversation({ turns: turnsOf(80) });
    const agent = drawn(before);
    agent.patch(before, goesOn(before), 3);
    expect(agent.wishes).toEqual([{ type: 'announceReady' }]);
    expect(agent.steps().at(-1)).toBe(80);
  });
});

it('a reply keeps its element when it becomes a step', () => {
  const asked = conversation({ turns: [turn()], activity: { state: 'asking', since: 0 } });
  const agent = drawn(asked);
  agent.say({ type: 'replyStreamed', step: 1, text: 'Hel' });
  agent.frame();
  const row = agent.get('step').parentElement;
  agent.patch(asked, { ...asked, turns: [turn({ items: [step(1, 'Hello.')] })] });
  expect(agent.text('step')).toBe('Hello.');
  expect(agent.get('step').parentElement).toBe(row);
});
