import type { BlockId } from '../../contextWindow/block';
import type { ContextFact } from './state';
import { CONTEXT_WISHES, parseContextPost, type ContextPost, type ContextWishes } from './wishes';
import { answered, type WishHandlers, wishReceiver } from '../wish';
import type { AgentController } from '../session/agentController';
import { withEmptyLists } from '../../contextWindow/scratchpad';
import { anchorChange, fileChange, pinChange, summaryIn } from '../session/changesByHand';
import type { ComparisonHandlers } from './comparison/comparisonDesk';
import type { InspectionHandlers } from './inspectionWishes';
import { scratchpadChangeOf, undoScratchpadChange } from '../session/scratchpadByHand';
import type { Refusal } from '../../contextWindow/result';

/** What the wishes of the Context panel do. */
export interface ContextWishEffects {
  readonly controller: AgentController;
  post(fact: ContextFact): void;
  hydrate(): void;
  /** Fulfils the wishes to look at something. */
  readonly inspection: InspectionHandlers;
  /** Fulfils the wishes to compare policies. */
  readonly comparison: ComparisonHandlers;
  /** The id of the session or recording that the panel shows. */
  session(): string;
  /** Why nothing can be changed in what is shown: it is the past, or a recording. */
  whyReadOnly(): Refusal;
  /** The names of the lists the user added to the scratchpad. */
  scratchpadLists(): readonly string[];
  /** Opens the text of a block; false when there is no such block. */
  openBlock(blockId: string): Promise<boolean>;
  /** Opens a file of the workspace, or says why not; `line` is counted from 1. */
  openFile(path: string, line?: number): Promise<Refusal>;
  openAgentView(): void;
  chooseTools(): void;
  openSettings(): void;
  openWatermarkSettings(): void;
  /** Takes what went wrong where the user need not act. */
  log(problem: string): void;
}

const ANOTHER_SHOWN =
  'The panel now shows another session, so nothing was done. Check it and try again.';

/** Handles the messages of the Context panel; each answer names its wish. */
export function contextWishReceiver(
  effects: ContextWishEffects,
): (message: unknown) => Promise<void> | void {
  return wishReceiver({
    parse: parseContextPost,
    handlers: contextWishHandlers(effects),
    whyNot: ({ session, wish }: Pick<ContextPost, 'session' | 'wish'>) => {
      const { effect } = CONTEXT_WISHES[wish.type];
      if (effect === 'leaves') return undefined;
      if (session !== effects.session()) return ANOTHER_SHOWN;
      return effect === 'changes' ? effects.whyReadOnly() : undefined;
    },
    answer: ({ session, number }, answer) =>
      effects.post({ type: 'wishAnswered', session, number, answer }),
    log: (problem) => effects.log(problem),
  });
}

/** Fulfils the wishes of the Context panel, or says why not. */
export function contextWishHandlers(effects: ContextWishEffects): WishHandlers<ContextWishes> {
  const { controller } = effects;
  return {
    ...effects.inspection,
    ...effects.comparison,
    announceReady: () => effects.hydrate(),
    openBlock: async ({ blockId }) =>
      (await effects.openBlock(blockId)) ? undefined : 'There is no such block.',
    pinBlock: ({ blockId, undo }) =>
      controller.edit((window) => pinChange(window, blockId, true, undo)),
    unpinBlock: ({ blockId, undo }) =>
      controller.edit((window) => pinChange(window, blockId, false, undo)),
    chooseFile: (choosing) => controller.edit((window) => fileChange(window, choosing)),
    openFile: ({ path, line }) => effects.openFile(path, line),
    moveAnchor: ({ blockId }) => controller.edit((window) => anchorChange(window, blockId)),
    // Refused before the user has typed anything.
    fetchScratchpad: () =>
      controller.whyNoChange ??
      answered(withEmptyLists(controller.window.scratchpad, effects.scratchpadLists())),
    updateScratchpad: ({ scratchpad, base }) =>
      controller.edit((window) => scratchpadChangeOf(window, scratchpad, base)),
    undoScratchpad: ({ note }) => controller.edit((window) => undoScratchpadChange(window, note)),
    excludeBlock: ({ blockId }) => controller.byHand.exclude(blockId),
    restoreBlock: ({ blockId, as }) => controller.byHand.restore(blockId, as),
    clearBlock: ({ blockId }) => controller.byHand.clearResult(blockId),
    fetchSummary: ({ blockId }) => {
      const text = summaryIn(controller.window, blockId);
      if (text === undefined) return 'There is no such summary any more.';
      // Refused before the user has typed anything.
      return controller.whyNoChange ?? answered(text);
    },
    rewriteSummary: ({ blockId, text }) => controller.byHand.rewriteSummary(blockId, text),
    compactNow: async ({ instructions }) => {
      const { ok, message } = await controller.compactNow(instructions);
      // The ledger shows what was freed.
      return ok ? undefined : message;
    },
    undoPass: ({ number }) => controller.undoPass(number),
    applyPass: ({ proposedPassId, spared, summaries }) =>
      controller.questions.answerPass(proposedPassId, {
        type: 'apply',
        spared: spared as readonly BlockId[],
        summaries,
      }),
    postponePass: ({ proposedPassId }) =>
      controller.questions.answerPass(proposedPassId, { type: 'postpone' }),
    openAgentView: () => effects.openAgentView(),
    chooseTools: () => effects.chooseTools(),
    openSettings: () => effects.openSettings(),
    openWatermarkSettings: () => effects.openWatermarkSettings(),
  };
}
