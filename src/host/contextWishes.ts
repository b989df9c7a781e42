import type { BlockId } from '../contextWindow/block';
import type { ContextFact, ContextWish } from '../protocol/contextPanel';
import type { Handlers } from '../protocol/handlers';
import type { AgentController } from './agentController';
import type { Refusal } from './refusal';
import { anchorEdit, scratchpadEdit } from './windowEdits';

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
  const { questions } = controller;
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
    moveAnchor: ({ blockId }) => refuse(controller.edit((window) => anchorEdit(window, blockId))),
    fetchScratchpad: () => {
      // Refused before the user has typed anything.
      const why = controller.whyNoEdit;
      if (why !== undefined) return refuse(why);
      effects.post({ type: 'scratchpadFetched', scratchpad: controller.window.scratchpad });
    },
    updateScratchpad: ({ scratchpad }) =>
      refuse(controller.edit((window) => scratchpadEdit(window, scratchpad))),
    makeRoom: () =>
      effects.background(async () => {
        const { freed, message } = await controller.makeRoom();
        // What was freed stands in the ledger.
        if (!freed) refuse(message);
      }),
    undoPass: ({ number }) => refuse(controller.undoPass(number)),
    applyPass: ({ draft, spared, summaries }) =>
      refuse(
        questions.answerPass(draft, {
          type: 'apply',
          spared: spared as readonly BlockId[],
          summaries,
        }),
      ),
    postponePass: ({ draft }) => refuse(questions.answerPass(draft, { type: 'postpone' })),
    openAgentView: () => effects.openAgentView(),
    openSettings: () => effects.openSettings(),
  };
}
