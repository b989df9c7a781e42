import { isInWindow, type BlockId } from '../../../src/contextWindow/block';
import { findBlock, latestPrompt, type ContextWindow } from '../../../src/contextWindow/window';
import type { NewEvent, SessionEvent } from '../../../src/contextWindow/event';
import { applyEvent, fold } from '../../../src/contextWindow/fold';
import { windowBeforePrompt } from '../../../src/contextWindow/history';
import { passApplied } from '../../../src/contextWindow/passes/pipeline';
import { policyFacts } from '../../../src/contextWindow/passes/rungs/policyInput';
import { undoPromptByHand } from '../../../src/contextWindow/passes/undoPrompt';
import { toRequest } from '../../../src/contextWindow/request/request';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { budgetOf, countDots, dated, drawnEvents } from '../../support/drawing';

export const SESSION = drawnEvents(`
  1 anchor task 10
  1 read   a.ts 40
  2 prompt next 10
  2 read   b.ts 30
  2 edit   c.ts 20
`);

/** The events and their window. */
export class Scene {
  readonly events: SessionEvent[];
  window: ContextWindow;

  constructor(events: readonly NewEvent[]) {
    this.events = [...dated(events)];
    this.window = fold(this.events);
  }

  undoPrompt(id = latestPrompt(this.window)?.id ?? ''): this {
    const change = undoPromptByHand(this.facts, windowBeforePrompt(this.events, id), id);
    if (!change.ok) throw new Error(change.message);
    return this.add(passApplied(this.facts, change.plan!, []));
  }

  undo(): this {
    return this.add({ type: 'passUndone', number: this.window.ledger.at(-1)!.pass.number });
  }

  add(event: NewEvent): this {
    const { turn, step, note } = this.window;
    const numbers =
      event.type === 'promptSubmitted'
        ? { turn: turn + 1 }
        : event.type === 'replyReceived'
          ? { step: step + 1 }
          : event.type === 'noteAdded' || event.type === 'scratchpadUpdated'
            ? { note: note + 1 }
            : {};
    const whole = { at: this.events.length, ...event, ...numbers } as SessionEvent;
    this.events.push(whole);
    this.window = applyEvent(this.window, whole);
    return this;
  }

  get facts() {
    const budget = budgetOf(10_000);
    const settings = POLICY_SETTINGS;
    return policyFacts({ window: this.window, budget, estimate: countDots, settings });
  }

  get sent(): string {
    return JSON.stringify(toRequest(this.window).messages);
  }

  get inWindow(): readonly string[] {
    return this.window.blocks.filter(isInWindow).map(({ id }) => id);
  }

  block(id: string) {
    return findBlock(this.window, id as BlockId)!;
  }
}

export const scene = (...more: readonly NewEvent[]) => new Scene([...SESSION, ...more]);

/** A session of four turns, the last still without a step. */
export const fourTurns = (): Scene =>
  new Scene(
    drawnEvents(`
      1 anchor task 30
      1 step   a.ts 40
      2 prompt next 10
      2 step   b.ts 20
      3 prompt more 5
      3 step   c.ts 30
      4 prompt last 7
    `),
  );
