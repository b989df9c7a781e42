import { isInWindow, type Block, type StepBlock, type ToolPair } from '../contextWindow/block';
import type { Budget } from '../contextWindow/budget';
import type { ContextWindow } from '../contextWindow/window';
import { weighBlock } from '../contextWindow/account/guesses';
import { measure, textsOf } from '../contextWindow/account/measure';
import {
  contextEditsOf,
  type ContextEditingSettings,
} from '../contextWindow/passes/policies/server';
import type { ContextEdit } from '../contextWindow/contextEditing';
import type { ReplayLog } from './replay';
import type { ReplayPorts } from './replaySettings';

type ClearToolUses = Extract<ContextEdit, { readonly type: 'clear_tool_uses_20250919' }>;

/** The effect of the simulated edits in all requests. */
export interface SimulatedContextEdits {
  /** Requests in which results were cleared. */
  readonly requests: number;
  readonly clearedTokens: number;
}

/**
 * Applies the API's documented clearing of tool results to a window: above the trigger, all results
 * but those of the newest calls are cleared, if that frees enough. Like the API it remembers
 * nothing: every request is edited again. Recordings have no thinking, and the API's compaction
 * needs the model, so neither is simulated.
 */
export class SimulatedServer {
  readonly #edit: ClearToolUses | undefined;
  /**
   * A block with the same results cleared is the same value, so that the prompt cache finds it
   * again.
   */
  readonly #forms = new WeakMap<StepBlock, Map<string, StepBlock>>();
  #done: SimulatedContextEdits = { requests: 0, clearedTokens: 0 };

  constructor(
    settings: ContextEditingSettings,
    budget: Budget,
    private readonly ports: Pick<ReplayPorts, 'estimate' | 'warm'>,
  ) {
    this.#edit = contextEditsOf(settings, budget).find(
      (edit): edit is ClearToolUses => edit.type === 'clear_tool_uses_20250919',
    );
  }

  get done(): SimulatedContextEdits {
    return this.#done;
  }

  /** Logs the answer of count_tokens: the tokens after the edits. */
  async count(log: ReplayLog): Promise<void> {
    const { shown } = this.#edited(log.window);
    await this.ports.warm(textsOf(shown));
    const { tokens } = measure(shown, this.ports.estimate).used;
    log.append({ type: 'windowCounted', tokens, source: 'countTokens', edited: true });
  }

  /** The window as the model reads it in the request. */
  take(window: ContextWindow): ContextWindow {
    const { shown, savedTokens } = this.#edited(window);
    if (savedTokens > 0) {
      const { requests, clearedTokens } = this.#done;
      this.#done = { requests: requests + 1, clearedTokens: clearedTokens + savedTokens };
    }
    return shown;
  }

  /** Counts of the unedited window do not apply to the edited one. */
  #edited(counted: ContextWindow) {
    const { baseline: _, ...window } = counted;
    const edit = this.#edit;
    const asSent = { shown: window as ContextWindow, savedTokens: 0 };
    if (edit === undefined) return asSent;
    const { tokens } = measure(window, this.ports.estimate).used;
    if (tokens <= edit.trigger.value) return asSent;
    const ids = new Set(clearable(window, edit).map(({ use }) => use.id as string));
    let savedTokens = 0;
    const blocks = window.blocks.mapped((block) => {
      const cleared = this.#cleared(block, ids);
      savedTokens += this.#saving(block, cleared);
      return cleared;
    });
    const isEnough = savedTokens > 0 && savedTokens >= (edit.clear_at_least?.value ?? 0);
    return isEnough ? { shown: { ...window, blocks }, savedTokens } : asSent;
  }

  #cleared(block: Block, ids: ReadonlySet<string>): Block {
    if (block.kind !== 'step' || !isInWindow(block)) return block;
    const mine = block.pairs.filter(({ use }) => ids.has(use.id)).map(({ use }) => use.id);
    if (mine.length === 0) return block;
    const forms = this.#forms.get(block) ?? new Map<string, StepBlock>();
    this.#forms.set(block, forms);
    const key = mine.join(' ');
    const known = forms.get(key);
    if (known !== undefined) return known;
    const pairs = block.pairs.map((pair) =>
      ids.has(pair.use.id) ? { ...pair, cleared: true } : pair,
    );
    const form: StepBlock = { ...block, pairs };
    forms.set(key, form);
    return form;
  }

  #saving(block: Block, form: Block): number {
    if (form === block) return 0;
    const { estimate } = this.ports;
    return weighBlock(block, estimate) - weighBlock(form, estimate);
  }
}

/** The calls whose results are old enough to clear. */
function clearable(window: ContextWindow, edit: ClearToolUses): readonly ToolPair[] {
  const pairs = window.blocks.flatMap((block) =>
    block.kind === 'step' && isInWindow(block) ? block.pairs : [],
  );
  return pairs
    .slice(0, Math.max(0, pairs.length - edit.keep.value))
    .filter(
      ({ use, result }) => result !== undefined && edit.exclude_tools?.includes(use.name) !== true,
    );
}
