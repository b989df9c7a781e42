import type { AgentSettings } from '../agent/agentDeps';
import type { Estimator } from '../agent/estimator';
import { blockText } from '../contextWindow/blockText';
import type { BlockId } from '../contextWindow/block';
import { findBlock, type ContextWindow } from '../contextWindow/contextWindow';
import { textsOf } from '../contextWindow/measure';
import type { Refusal } from './refusal';
import {
  clearEdit,
  excludeEdit,
  restoreEdit,
  rewriteEdit,
  type ByHandParts,
  type RestoreAs,
  type WindowEdit,
} from './windowEdits';

/** What a change of one block is worked out with. */
export interface ByHandEffects {
  /** Settings and estimator as they are in force. */
  byHandParts(): { readonly settings: AgentSettings; readonly estimator: Estimator };
}

/** The window that is changed; the agent may be at work on it. */
export interface ChangedWindow {
  readonly window: ContextWindow;
  edit(change: (window: ContextWindow) => WindowEdit): Refusal;
}

/**
 * The user's own changes of single blocks: each is a pass of one decision, or a note, in the log.
 * Each settles with why it was refused; the texts it is priced by are tokenized first.
 */
export class ChangesByHand {
  constructor(
    private readonly changed: ChangedWindow,
    private readonly effects: ByHandEffects,
  ) {}

  /** Takes a block out of the window. */
  exclude(blockId: string): Promise<Refusal> {
    return this.#change([], (window, parts) => excludeEdit(window, blockId, parts));
  }

  /** Brings a block back: whole in its place, or its text at the end. */
  restore(blockId: string, as: RestoreAs): Promise<Refusal> {
    const block = findBlock(this.changed.window, blockId as BlockId);
    const texts = block === undefined ? [] : [blockText(block)];
    return this.#change(texts, (window, parts) => restoreEdit(window, blockId, as, parts));
  }

  /** Puts placeholders in the place of a step's results. */
  clearResult(blockId: string): Promise<Refusal> {
    return this.#change([], (window, parts) => clearEdit(window, blockId, parts));
  }

  /** Lets a summary say something else. */
  rewriteSummary(blockId: string, text: string): Promise<Refusal> {
    return this.#change([text], (window, parts) => rewriteEdit(window, blockId, text, parts));
  }

  async #change(
    texts: readonly string[],
    edit: (window: ContextWindow, parts: ByHandParts) => WindowEdit,
  ): Promise<Refusal> {
    const { sessionId } = this.changed.window;
    const { settings, estimator } = this.effects.byHandParts();
    await estimator.warm([...textsOf(this.changed.window), ...texts]);
    const estimate = (text: string) => estimator.estimate(text);
    // Its blocks have the same names.
    if (this.changed.window.sessionId !== sessionId) {
      return 'Another session was opened meanwhile: nothing was changed in either.';
    }
    // The window as it is now, whatever came in meanwhile.
    return this.changed.edit((window) => edit(window, { settings, estimate }));
  }
}
