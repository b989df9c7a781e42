import { withInputBudget } from '../../../src/contextWindow/budget';
import { entered, type SessionEvent } from '../../../src/contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../../../src/contextWindow/fold';
import type { ContextWindow } from '../../../src/contextWindow/window';
import type { Inspection } from '../../../src/editor/contextPanel/inspection';
import { PanelPosts } from '../../../src/editor/contextPanel/panelPosts';
import type { ContextFact } from '../../../src/editor/contextPanel/state';
import { ConversationPosts } from '../../../src/editor/conversation/conversationPosts';
import type { AgentFact } from '../../../src/editor/conversation/state';
import { IDLE } from '../../../src/editor/session/agentWork';
import type { CurrentSession } from '../../../src/editor/session/currentSession';
import { accountOf } from '../../../src/editor/session/derive';
import type { SessionRun } from '../../../src/editor/session/sessionRun';
import type { ValidSettings } from '../../../src/settings/windowBudget';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { dated, promptEvent } from '../../support/drawing';
import { estimate } from '../../support/player';
import { play } from '../../support/randomSession';
import { DEMO } from '../contextPanel/support/inspecting';

/** An Agent view, visible, of a session that a test owns; `run` are parts of its work. */
export function conversationPosts(
  valid: ValidSettings,
  session: Pick<SessionRun, 'events' | 'window'>,
  post: (fact: AgentFact) => void,
  run: Partial<SessionRun> = {},
): ConversationPosts {
  const questions = { pendingPass: undefined };
  const idle = { live: IDLE, turns: { queued: [], queue: {} }, questions };
  const current = {
    get run() {
      return { ...idle, events: session.events, window: session.window, ...run };
    },
    get account() {
      return accountOf(session.window, valid.budget, estimate);
    },
    elsewhere: { waiting: 0, working: 0 },
    registry: { fileOf: () => 'there' },
  } as unknown as CurrentSession;
  const access = { settings: { valid }, settingNotices: [], estimator: { estimate } };
  const services = { access, demoAuthor: DEMO, demoPrompts: [], now: () => 0 };
  return new ConversationPosts({ isLive: true, post }, services as never, current, {
    attachments: { items: [], mentions: {} as never },
    inEditor: { offered: () => undefined },
    offers: { found: undefined },
    commands: { withOutput: new Set() },
    proposals: { revisedTexts: {} },
    returning: { question: undefined },
    rulesOf: () => ({ views: [] }),
  });
}

/** A Context panel; counts the requests to publish again and to read files ahead. */
export function panelPosts(inspection: Inspection, post: (fact: ContextFact) => void) {
  const seen = { again: 0, ahead: 0 };
  const current = { changed: () => void (seen.again += 1) };
  const ahead = { request: () => void (seen.ahead += 1), countMoves: () => undefined };
  return { posts: new PanelPosts({ post }, inspection, current, ahead), seen };
}

/** A session that grows, and is published after each change. */
export class GrowingSession {
  events: SessionEvent[] = [];
  window: ContextWindow = EMPTY_WINDOW;

  constructor(private readonly publish: () => void) {}

  /** Continues the session. */
  take(events: readonly SessionEvent[]): void {
    this.events.push(...events);
    this.window = events.reduce(applyEvent, this.window);
    this.publish();
  }

  /** Continues the session with a prompt. */
  prompt(): void {
    this.take([entered(promptEvent('And then?'), this.events.length, this.window)]);
  }

  /** Opens another session. */
  show(events: readonly SessionEvent[]): void {
    this.events = [];
    this.window = EMPTY_WINDOW;
    this.take(events);
  }
}

/** A new session with a name and a task. */
export const started = (sessionId: string): readonly SessionEvent[] =>
  dated([
    { type: 'sessionStarted', version: 3, sessionId, pinTaskAnchor: true },
    promptEvent('task'),
  ]);

/** The events of a random session with small windows. */
export const played = (
  script: Parameters<typeof play>[0],
  { budget }: ValidSettings,
): readonly SessionEvent[] => play(script, withInputBudget(budget, 3_000), POLICY_SETTINGS).events;

/** The size of facts in characters. */
export const sizeOf = (facts: readonly object[]): number => JSON.stringify(facts).length;

export const typesOf = (facts: readonly { readonly type: string }[]): readonly string[] =>
  facts.map(({ type }) => type);
