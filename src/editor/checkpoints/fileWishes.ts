import type { AgentWishes } from '../conversation/wishes';
import { answered, type WishHandlers } from '../wish';
import { effectsOfPrompt, whyNotUndoPrompt } from '../../contextWindow/passes/undoPrompt';
import type { PromptContent } from '../../contextWindow/event';
import type { Refusal } from '../../contextWindow/result';
import type { AgentController } from '../session/agentController';
import type { FileHistory } from './fileHistory';
import { undoPrompt } from '../session/undoPrompt';

/** The wishes that concern how files were. */
type FileWishes =
  | 'fetchPromptEffects'
  | 'undoPrompt'
  | 'planRestore'
  | 'restoreFiles'
  | 'forkBefore'
  | 'undoRestore'
  | 'keepFiles'
  | 'undoFiles'
  | 'fetchHunks'
  | 'keepHunk'
  | 'undoHunk'
  | 'openTurnDiff';

/** What these wishes do. */
export interface FileWishEffects {
  readonly controller: AgentController;
  readonly history: FileHistory;
  /** Opens the diff of a file of a turn; false where there is none. */
  openTurnDiff(turn: number, path: string): Promise<boolean>;
  /** Makes a session of everything up to the end of a step, and shows it; says why not. */
  forkAt(step: number): Promise<Refusal>;
  /** Gives a prompt back, with what was beside it; the text is what was typed. */
  restorePrompt(prompt: PromptContent): Promise<string>;
  /** Sends a prompt, or says why not; the user is told what stands in the way. */
  submit(prompt: PromptContent): Refusal;
  /** Tells the user what was not done. */
  warn(message: string): void;
}

const LEFT = 'No files were put back: another session is shown by now.';

const NO_CHANGE = 'The turn did not change this file.';

/** Fulfils the wishes of the Agent view that concern how files were, or says why not. */
export function fileWishHandlers(
  effects: FileWishEffects,
): Pick<WishHandlers<AgentWishes>, FileWishes> {
  const { controller, history } = effects;
  return {
    fetchPromptEffects: async ({ blockId }) => {
      const why = whyNotUndoPrompt(controller.window, blockId);
      if (why !== undefined) return why;
      const restore = await history.plan({ type: 'prompt', turn: turnNamed(blockId) });
      return answered({ ...effectsOfPrompt(controller.window, blockId), restore });
    },
    undoPrompt: async ({ blockId, steps, files, again }) => {
      const run = controller.shown;
      const taken = await undoPrompt(run, blockId, steps);
      if (!taken.ok) return taken.message;
      // While it was stopped the user may have gone to another session, which this does not concern.
      const isShown = (): boolean => controller.shown === run;
      if (files !== undefined && !isShown()) effects.warn(LEFT);
      if (files !== undefined && isShown()) {
        const moment = { type: 'prompt', turn: turnNamed(blockId) } as const;
        // The model is told nothing: what it knows by then is as the files are.
        const refusal = await history.restore(moment, files === 'all', false);
        if (refusal !== undefined) effects.warn(refusal);
      }
      // With what stood beside it, word for word.
      const isSent = again === true && isShown() && effects.submit(taken.prompt) === undefined;
      return answered(isSent ? '' : await effects.restorePrompt(taken.prompt));
    },
    planRestore: async ({ moment }) => answered(await history.plan(moment)),
    restoreFiles: ({ moment, files }) => history.restore(moment, files === 'all', true),
    forkBefore: async ({ step, files }) => {
      if (step < 2) return 'There is no step before the first one. Take its prompt back instead.';
      if (controller.isBusy) return 'The agent is working. Stop it before you go back.';
      if (files !== undefined) {
        const put = await history.restore({ type: 'step', step }, files === 'all', true);
        if (put !== undefined) effects.warn(put);
      }
      return effects.forkAt(step - 1);
    },
    undoRestore: () => history.undoRestore(),
    keepFiles: ({ turn, path }) => history.keep(turn, path),
    undoFiles: async ({ turn, path, files }) => {
      const undone = await history.undo(turn, path, files === 'all');
      return undone.ok ? answered(undone.left) : undone.message;
    },
    fetchHunks: async ({ turn, path }) => {
      const hunks = await history.hunks(turn, path);
      return hunks === undefined ? NO_CHANGE : answered(hunks);
    },
    keepHunk: ({ turn, path, ...shown }) => history.keepHunk(turn, path, shown),
    undoHunk: ({ turn, path, ...shown }) => history.undoHunk(turn, path, shown),
    openTurnDiff: async ({ turn, path }) =>
      (await effects.openTurnDiff(turn, path)) ? undefined : NO_CHANGE,
  };
}

function turnNamed(promptId: string): number {
  return Number(promptId.replace('prompt-', ''));
}
