import type { BlockId } from '../contextWindow/block';
import type { AnsweredWish, ContextFact, ContextPost, ContextWish } from '../protocol/contextPanel';
import { dispatch, type Handlers } from '../protocol/handlers';
import type { AgentController } from './agentController';
import type { InspectionWish } from './inspection/inspectionWishes';
import type { Refusal } from './refusal';
import { anchorEdit, scratchpadEdit, summaryIn } from './windowEdits';

/** What the Context panel's wishes lead to. */
export interface ContextWishEffects {
  readonly controller: AgentController;
  post(fact: ContextFact): void;
  hydrate(): void;
  /** The wishes to look at something. */
  readonly inspection: Handlers<InspectionWish>;
  /** Names what the panel shows. */
  session(): string;
  /** Why nothing can be changed at what is looked at: the past, or a recording. */
  whyReadOnly(): Refusal;
  /** Opens the text of a block; false when there is no such block. */
  openBlock(blockId: string): Promise<boolean>;
  openAgentView(): void;
  openSettings(): void;
  /** Runs work whose failure is our bug. */
  background(work: () => Promise<void>): void;
}

/** What a wish does to the current session: those that change it are refused while it is not what is shown. */
export const EFFECT_OF: Readonly<Record<ContextWish['type'], 'changes' | 'leaves'>> = {
  announceReady: 'leaves',
  openBlock: 'leaves',
  pinBlock: 'changes',
  unpinBlock: 'changes',
  moveAnchor: 'changes',
  excludeBlock: 'changes',
  restoreBlock: 'changes',
  clearBlock: 'changes',
  // Fetched to be changed.
  fetchSummary: 'changes',
  rewriteSummary: 'changes',
  fetchScratchpad: 'changes',
  updateScratchpad: 'changes',
  makeRoom: 'changes',
  undoPass: 'changes',
  applyPass: 'changes',
  postponePass: 'changes',
  previewPass: 'leaves',
  whatIf: 'leaves',
  // Changes settings, or how a recording is replayed.
  applyWhatIf: 'leaves',
  fetchDecisions: 'leaves',
  travelTo: 'leaves',
  // Makes another session.
  forkAt: 'leaves',
  fetchRequest: 'leaves',
  openRequest: 'leaves',
  copyRequest: 'leaves',
  diffRequests: 'leaves',
  exportView: 'leaves',
  exportPass: 'leaves',
  openRecording: 'leaves',
  closeRecording: 'leaves',
  followRecording: 'leaves',
  dismissIntro: 'leaves',
  openAgentView: 'leaves',
  openSettings: 'leaves',
};

/** Fulfils the wishes of the Context panel, or says why not. */
export function fulfilContextWishes(effects: ContextWishEffects): (post: ContextPost) => void {
  const handlers = contextWishHandlers(effects);
  // Blocks and passes have the same names in every session.
  const whyNot = (session: string): Refusal =>
    session === effects.session()
      ? effects.whyReadOnly()
      : 'The panel has just come to show another session: nothing was changed. Look, and try again.';
  return ({ session, wish }) => {
    const why = EFFECT_OF[wish.type] === 'changes' ? whyNot(session) : undefined;
    if (why === undefined) dispatch(handlers, wish);
    else effects.post({ type: 'wishRefused', message: why });
  };
}

function contextWishHandlers(effects: ContextWishEffects): Handlers<ContextWish> {
  const { controller } = effects;
  const { questions, byHand } = controller;
  const refuse = (message: Refusal) => {
    if (message !== undefined) effects.post({ type: 'wishRefused', message });
  };
  const answer = (wish: AnsweredWish, message: Refusal) => {
    if (message === undefined) effects.post({ type: 'wishFulfilled', wish });
    else refuse(message);
  };
  return {
    ...effects.inspection,
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
    updateScratchpad: ({ scratchpad, base }) =>
      answer(
        'updateScratchpad',
        controller.edit((window) => scratchpadEdit(window, scratchpad, base)),
      ),
    excludeBlock: ({ blockId }) =>
      effects.background(async () => refuse(await byHand.exclude(blockId))),
    restoreBlock: ({ blockId, as }) =>
      effects.background(async () => refuse(await byHand.restore(blockId, as))),
    clearBlock: ({ blockId }) =>
      effects.background(async () => refuse(await byHand.clearResult(blockId))),
    fetchSummary: ({ blockId }) => {
      const text = summaryIn(controller.window, blockId);
      // Refused before the user has typed anything.
      const why = text === undefined ? 'There is no such summary any more.' : controller.whyNoEdit;
      if (text === undefined || why !== undefined) return refuse(why);
      effects.post({ type: 'summaryFetched', blockId, text });
    },
    rewriteSummary: ({ blockId, text }) =>
      effects.background(async () =>
        answer('rewriteSummary', await byHand.rewriteSummary(blockId, text)),
      ),
    makeRoom: ({ instructions }) =>
      effects.background(async () => {
        const { freed, message } = await controller.makeRoom(instructions);
        // What was freed stands in the ledger.
        answer('makeRoom', freed ? undefined : message);
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
