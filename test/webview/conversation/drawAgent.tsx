import '../support/standardDom';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { onTestFinished } from 'vitest';
import type { AgentFact, Conversation } from '../../../src/editor/conversation/state';
import type { AgentWish, AgentWishes } from '../../../src/editor/conversation/wishes';
import type { Answer, Post } from '../../../src/editor/wish';
import { dispatch } from '../../../webview/kit/hostLink';
import { AgentViewStore } from '../../../webview/conversation/agentViewStore';
import { AgentView } from '../../../webview/conversation/agentView';

export interface DrawnAgent {
  /** Without those of `drafts`. */
  readonly wishes: AgentWish[];
  readonly posts: Post<AgentWishes>[];
  /** The texts that the host was asked to keep. */
  readonly drafts: string[];
  /** Sends a fact from the host; streamed text is drawn with the next `frame`. */
  say(fact: AgentFact): void;
  /** Answers a wish, by default the newest one. */
  answer(answer: Answer, to?: Post<AgentWishes>): void;
  show(conversation: Conversation): void;
  /** Announces the page as main does; returns the post. */
  announced(): Post<AgentWishes>;
  /** Draws a frame; returns how many tasks waited for it. */
  frame(): number;
  /** The only element with that test id; fails if there is none or more than one. */
  get(testId: string): HTMLElement;
  all(testId: string): HTMLElement[];
  /** Clicks an element, or the only one with that test id. */
  click(target: string | HTMLElement): void;
  type(text: string, testId?: string): void;
  /** Presses a key at the focus; returns whether its default was prevented. */
  press(key: string, more?: KeyboardEventInit): boolean;
  text(testId: string): string;
}

/** Draws the Agent view into the page, with the test as its host. */
export function drawAgent(conversation?: Conversation, unsentPrompt = ''): DrawnAgent {
  const root = document.body.appendChild(document.createElement('div'));
  const wishes: AgentWish[] = [];
  const posts: Post<AgentWishes>[] = [];
  const drafts: string[] = [];
  const tasks: (() => void)[] = [];
  const store = new AgentViewStore({
    post: (post) => {
      if (post.wish.type === 'keepDraft') return void drafts.push(post.wish.text);
      posts.push(post);
      wishes.push(post.wish);
    },
    firstNumber: 1,
    beforeFrame: (task) => tasks.push(task),
    unsentPrompt,
  });
  act(() => render(<AgentView store={store} />, root));
  onTestFinished(() => {
    act(() => render(null, root));
    root.remove();
  });

  const all = (testId: string): HTMLElement[] => [
    ...root.querySelectorAll<HTMLElement>(`[data-testid="${testId}"]`),
  ];
  const get = (testId: string): HTMLElement => {
    const found = all(testId);
    if (found.length !== 1) throw new Error(`${found.length} elements are "${testId}".`);
    return found[0]!;
  };
  const agent: DrawnAgent = {
    wishes,
    posts,
    drafts,
    all,
    get,
    say: (fact) => act(() => void dispatch(store.handlers, fact)),
    answer: (answer, to = posts.at(-1)) =>
      agent.say({ type: 'wishAnswered', number: to?.number ?? 0, answer }),
    show: (shown) => agent.say({ type: 'conversationChanged', conversation: shown }),
    frame: () => {
      const waiting = tasks.splice(0);
      act(() => waiting.forEach((task) => task()));
      return waiting.length;
    },
    announced: () => {
      store.wish({ type: 'announceReady' });
      wishes.pop();
      return posts.at(-1)!;
    },
    click: (target) => act(() => (typeof target === 'string' ? get(target) : target).click()),
    type: (text, testId = 'composer') =>
      act(() => {
        const field = get(testId) as HTMLTextAreaElement | HTMLInputElement;
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    press: (key, more = {}) => {
      const event = new KeyboardEvent('keydown', {
        key,
        bubbles: true,
        cancelable: true,
        ...more,
      });
      act(() => void document.activeElement!.dispatchEvent(event));
      return event.defaultPrevented;
    },
    text: (testId) => plain(get(testId).textContent!),
  };
  if (conversation !== undefined) agent.show(conversation);
  return agent;
}

/** The text with ordinary spaces. */
export function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ').trim();
}
