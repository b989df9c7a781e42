import type { ContextFact, ContextWish } from '../protocol/contextPanel';
import type { Handlers } from '../protocol/handlers';
import type { AgentController, Refusal } from './agentController';

/** What the Context panel's wishes lead to. */
export interface ContextWishEffects {
  readonly controller: AgentController;
  post(fact: ContextFact): void;
  hydrate(): void;
  /** Opens the text of a block; false when there is no such block. */
  openBlock(blockId: string): Promise<boolean>;
  openAgentView(): void;
  openSettings(): void;
  /** Runs work whose failure is our bug. */
  background(work: () => Promise<void>): void;
}

/** Fulfils the wishes of the Context panel, or says why not. */
export function contextWishHandlers(effects: ContextWishEffects): Handlers<ContextWish> {
  const { controller } = effects;
  const refuse = (message: Refusal) => {
    if (message !== undefined) effects.post({ type: 'wishRefused', message });
  };
  return {
    announceReady: () => effects.hydrate(),
    openBlock: ({ blockId }) =>
      effects.background(async () => {
        if (!(await effects.openBlock(blockId))) refuse('There is no such block.');
      }),
    pinBlock: ({ blockId }) => refuse(controller.setPinned(blockId, true)),
    unpinBlock: ({ blockId }) => refuse(controller.setPinned(blockId, false)),
    openAgentView: () => effects.openAgentView(),
    openSettings: () => effects.openSettings(),
  };
}
