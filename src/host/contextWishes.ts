import type { BlockId } from '../contextWindow/block';
import type { Answer } from '../protocol/answer';
import type { ContextFact, ContextPost, ContextWish } from '../protocol/contextPanel';
import { dispatch, type Handlers } from '../protocol/handlers';
import type { AgentController } from './agentController';
import type { InspectionWish } from './inspectionWishes';
import type { Refusal } from '../protocol/refusal';
import { anchorChange, scratchpadChangeOf, summaryIn, undoScratchpadChange } from './changesByHand';

/** What the Context panel's wishes lead to. */
export interface ContextWishEffects {
  readonly controller: AgentController;
  post(fact: ContextFact): void;
  hydrate(): void;
  /** Fulfils the wishes to look at something. */
  inspection(
    answer: (answer: Answer) => void,
    background: (work: () => Promise<void>) => void,
  ): Handlers<InspectionWish>;
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

/**
 * What a wish does to the session it was made of. Blocks, steps and passes have the same names in
 * every session: those that name any are refused once another one is shown, and those that change
 * it while it is not the present of the current one.
 */
export const EFFECT_OF: Readonly<Record<ContextWish['type'], 'changes' | 'looks' | 'leaves'>> = {
  announceReady: 'leaves',
  openBlock: 'looks',
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
  undoScratchpad: 'changes',
  makeRoom: 'changes',
  undoPass: 'changes',
  applyPass: 'changes',
  postponePass: 'changes',
  previewPass: 'looks',
  whatIf: 'looks',
  // Changes settings, or how a recording is replayed.
  applyWhatIf: 'looks',
  fetchDecisions: 'looks',
  travelTo: 'looks',
  // Makes another session.
  forkAt: 'looks',
  fetchRequest: 'looks',
  openRequest: 'looks',
  copyRequest: 'looks',
  diffRequests: 'looks',
  exportView: 'looks',
  exportPass: 'looks',
  openRecording: 'leaves',
  closeRecording: 'leaves',
  followRecording: 'looks',
  dismissIntro: 'leaves',
  openAgentView: 'leaves',
  openSettings: 'leaves',
};

/** Fulfils the wishes of the Context panel, or says why not; each answer names the wish it is to. */
export function fulfilContextWishes(effects: ContextWishEffects): (post: ContextPost) => void {
  const whyNot = ({ session, wish }: ContextPost): Refusal => {
    const effect = EFFECT_OF[wish.type];
    if (effect === 'leaves') return undefined;
    if (session !== effects.session()) return ANOTHER_SHOWN;
    return effect === 'changes' ? effects.whyReadOnly() : undefined;
  };
  return (post) => {
    const { session, number } = post;
    const answer = (said: Answer) =>
      effects.post({ type: 'wishAnswered', session, number, answer: said });
    const message = whyNot(post);
    if (message !== undefined) return answer({ type: 'wishRefused', message });
    const failed = (error: unknown): never => {
      answer({ type: 'wishRefused', message: FAILED });
      throw error;
    };
    const background = (work: () => Promise<void>) =>
      effects.background(() => work().catch(failed));
    try {
      dispatch(contextWishHandlers({ ...effects, background }, answer), post.wish);
    } catch (error) {
      failed(error);
    }
  };
}

/** Whoever asked must not wait for ever where we have a bug; what it was is reported besides. */
const FAILED = 'Something went wrong inside Plimsoll: this may not have been done. Try again.';

const ANOTHER_SHOWN =
  'The panel has just come to show another session: nothing was done. Look, and try again.';

function contextWishHandlers(
  effects: ContextWishEffects,
  answer: (answer: Answer) => void,
): Handlers<ContextWish> {
  const { controller } = effects;
  const { questions, byHand } = controller;
  const refuse = (message: Refusal) => {
    if (message !== undefined) answer({ type: 'wishRefused', message });
  };
  const settle = (message: Refusal) =>
    message === undefined ? answer({ type: 'wishFulfilled' }) : refuse(message);
  return {
    ...effects.inspection(answer, (work) => effects.background(work)),
    announceReady: () => effects.hydrate(),
    openBlock: ({ blockId }) =>
      effects.background(async () => {
        if (!(await effects.openBlock(blockId))) refuse('There is no such block.');
      }),
    pinBlock: ({ blockId }) => refuse(controller.setPinned(blockId, true)),
    unpinBlock: ({ blockId }) => refuse(controller.setPinned(blockId, false)),
    moveAnchor: ({ blockId }) => refuse(controller.edit((window) => anchorChange(window, blockId))),
    fetchScratchpad: () => {
      // Refused before the user has typed anything.
      const why = controller.whyNoChange;
      if (why !== undefined) return refuse(why);
      answer({ type: 'scratchpadFetched', scratchpad: controller.window.scratchpad });
    },
    updateScratchpad: ({ scratchpad, base }) =>
      settle(controller.edit((window) => scratchpadChangeOf(window, scratchpad, base))),
    undoScratchpad: ({ note }) =>
      refuse(controller.edit((window) => undoScratchpadChange(window, note))),
    excludeBlock: ({ blockId }) =>
      effects.background(async () => refuse(await byHand.exclude(blockId))),
    restoreBlock: ({ blockId, as }) =>
      effects.background(async () => refuse(await byHand.restore(blockId, as))),
    clearBlock: ({ blockId }) =>
      effects.background(async () => refuse(await byHand.clearResult(blockId))),
    fetchSummary: ({ blockId }) => {
      const text = summaryIn(controller.window, blockId);
      // Refused before the user has typed anything.
      const why =
        text === undefined ? 'There is no such summary any more.' : controller.whyNoChange;
      if (text === undefined || why !== undefined) return refuse(why);
      answer({ type: 'summaryFetched', blockId, text });
    },
    rewriteSummary: ({ blockId, text }) =>
      effects.background(async () => settle(await byHand.rewriteSummary(blockId, text))),
    makeRoom: ({ instructions }) =>
      effects.background(async () => {
        const { freed, message } = await controller.makeRoom(instructions);
        // What was freed stands in the ledger.
        settle(freed ? undefined : message);
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
