import type { AgentSettings } from '../../agent/agentDeps';
import type { Estimator } from '../../agent/model';
import { textsOf } from '../../contextWindow/account/measure';
import { isKept, marksIn } from '../../agent/secrets/knownSecrets';
import { type BlockId, isInWindow } from '../../contextWindow/block';
import { blockText } from '../../contextWindow/blockText';
import { type ContextWindow, findBlock } from '../../contextWindow/window';
import type { NewEvent, SessionEvent } from '../../contextWindow/event';
import { choiceOf, type Choosing } from '../../contextWindow/files/fileChoices';
import { windowBeforePrompt } from '../../contextWindow/history';
import {
  type ByHand,
  clearByHand,
  excludeByHand,
  NO_SUCH_BLOCK,
  recallByHand,
  restoreByHand,
  rewriteByHand,
  UNDONE_PROMPT,
} from '../../contextWindow/passes/byHand';
import { windowAfter } from '../../contextWindow/passes/movement';
import { passApplied } from '../../contextWindow/passes/pipeline';
import { passTitle } from '../../contextWindow/passes/passName';
import { policyFacts, type PolicyFacts } from '../../contextWindow/passes/rungs/policyInput';
import { undoPromptByHand } from '../../contextWindow/passes/undoPrompt';
import { whyNotUndone } from '../../contextWindow/passes/undoPass';
import { type Refusal, refused, type Result } from '../../contextWindow/result';
import type { Estimate } from '../../contextWindow/truncate';

/** The event of a user's wish; absent if nothing would change. */
export type WindowChange = Result<{ readonly event?: NewEvent }>;

const NOTHING: WindowChange = { ok: true };

/** Pins or unpins a block; `undo`: undoes the opposite. */
export function pinChange(
  window: ContextWindow,
  blockId: string,
  pinned: boolean,
  undo?: true,
): WindowChange {
  const block = findBlock(window, blockId as BlockId);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  if (block.pinned === pinned) return NOTHING;
  if (pinned && !isInWindow(block)) {
    return refused('This block is no longer in the window; a pin would not restore it.');
  }
  return append({
    type: pinned ? 'blockPinned' : 'blockUnpinned',
    blockId: block.id,
    undoes: undo,
  });
}

/** Always or never shows a file or lines of it; `undo`: undoes the last choice. */
export function fileChange(
  window: ContextWindow,
  { path, lines, choice, undo }: Choosing & { readonly undo?: true },
): WindowChange {
  const file = window.files.get(path);
  if (file === undefined) {
    return refused(
      'No call of this session has read or changed this file: there is nothing to show.',
    );
  }
  if (lines !== undefined && lines.first > lines.last) {
    return refused(
      `Lines ${lines.first} to ${lines.last} are not a valid range: the first line must come first.`,
    );
  }
  if (choiceOf(window.fileChoices, path, lines) === choice) return NOTHING;
  return append({
    type: 'fileChosen',
    path,
    lines,
    choice,
    undoes: undo,
  });
}

/** Sends the secrets of a block with its text, or masks them again. */
export function secretsChange(
  window: ContextWindow,
  blockId: string,
  isSent: boolean,
): WindowChange {
  const block = findBlock(window, blockId as BlockId);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  const { sentSecrets: sent = [] } = window;
  const own = marksIn(blockText(block));
  const others = sent.filter((mark) => !own.includes(mark));
  if (!isSent) return append({ type: 'secretsSent', marks: others });
  const kept = own.filter(isKept);
  if (kept.length === 0) return refused(NO_ORIGINAL);
  return append({ type: 'secretsSent', marks: [...others, ...kept] });
}

const NO_ORIGINAL =
  'Plimsoll has the originals only until the session is closed. Let the agent read them again.';

/** Makes a prompt the task; `undo`: undoes the last move of the task. */
export function anchorChange(window: ContextWindow, blockId: string, undo?: true): WindowChange {
  const block = findBlock(window, blockId as BlockId);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  if (block.kind === 'anchor') return NOTHING;
  if (block.kind !== 'prompt') return refused('Only a prompt can become the task.');
  if (block.state === 'undone') return refused(UNDONE_PROMPT);
  return append({ type: 'anchorMoved', blockId: block.id, ...(undo && { undoes: undo }) });
}

/** The settings and the estimator that price a change by hand. */
export interface Pricing {
  readonly settings: AgentSettings;
  readonly estimator: Estimator;
}

/** The same, while the change is made. */
export interface Priced {
  readonly settings: Pick<AgentSettings, 'budget' | 'policy' | 'toolResultCapTokens'>;
  readonly estimate: Estimate;
}

/** What a block's buttons do; `recall` brings its text back as a note at the end. */
type BlockAct = 'exclude' | 'clear' | 'restore' | 'recall';

export function blockChange(
  window: ContextWindow,
  act: BlockAct,
  id: string,
  priced: Priced,
): WindowChange {
  const facts = factsOf(window, priced);
  switch (act) {
    case 'exclude':
      return passChange(excludeByHand(facts, id), window, priced);
    case 'clear':
      return passChange(clearByHand(facts, id), window, priced);
    case 'restore':
      return passChange(restoreByHand(facts, id), window, priced);
    case 'recall':
      return recallByHand(facts, id, priced.settings.toolResultCapTokens);
  }
}

/** The text of a summary in the window, for the user to change; undefined if there is none. */
export function summaryIn(window: ContextWindow, id: string): string | undefined {
  const block = findBlock(window, id as BlockId);
  return block?.kind === 'summary' && isInWindow(block) ? block.text : undefined;
}

export function undoChange(window: ContextWindow, number: number): WindowChange {
  const why = whyNotUndone(window, number);
  return why === undefined ? append({ type: 'passUndone', number }) : refused(why);
}

function factsOf(window: ContextWindow, { settings, estimate }: Priced): PolicyFacts {
  const { budget, policy } = settings;
  return policyFacts({ window, budget, settings: policy, estimate });
}

/** Turns a change of one block into the logged pass, with its price. */
function passChange(change: ByHand, window: ContextWindow, priced: Priced): WindowChange {
  if (!change.ok) return change;
  if (change.plan === undefined) return NOTHING;
  const { estimate } = priced;
  return append(passApplied({ window, estimate }, change.plan, []));
}

function append(event: NewEvent): WindowChange {
  return { ok: true, event };
}

/** The window to change; the agent may be working on it. */
interface ChangedWindow {
  readonly pricing: Pricing;
  readonly window: ContextWindow;
  readonly events: readonly SessionEvent[];
  edit(change: (window: ContextWindow) => WindowChange): Refusal;
}

/**
 * The user's changes of single blocks: the log gets each as a pass of one decision, or as a note.
 * Each resolves to the reason if it is refused.
 */
export class ChangesByHand {
  constructor(private readonly changed: ChangedWindow) {}

  /** Makes the change of a block's button. */
  change(act: BlockAct, blockId: string): Promise<Refusal> {
    return this.#change((window, priced) => blockChange(window, act, blockId, priced));
  }

  rewriteSummary(blockId: string, text: string): Promise<Refusal> {
    return this.#change((window, priced) =>
      passChange(rewriteByHand(factsOf(window, priced), blockId, text), window, priced),
    );
  }

  /** Undoes a prompt and everything after it. */
  undoPrompt(blockId: string): Promise<Refusal> {
    return this.#change((window, priced) => {
      const before = windowBeforePrompt(this.changed.events, blockId);
      return passChange(undoPromptByHand(factsOf(window, priced), before, blockId), window, priced);
    });
  }

  async #change(edit: (window: ContextWindow, priced: Priced) => WindowChange): Promise<Refusal> {
    const { settings, estimator } = this.changed.pricing;
    const priced = { settings, estimate: estimator.estimate };
    await estimator.warm(textsOf(this.changed.window));
    await estimator.warm(textsAfter(this.changed.window, edit(this.changed.window, priced)));
    // The current window, including what arrived meanwhile.
    return this.changed.edit((window) => edit(window, priced));
  }
}

/**
 * The texts of the window after a change. They are tokenized before it is made: the number that a
 * button promises, the ledger and the window then agree.
 */
function textsAfter(window: ContextWindow, change: WindowChange): readonly string[] {
  return change.ok && change.event !== undefined
    ? textsOf(windowAfter(window, [change.event]))
    : [];
}

/** Undoes the newest pass not undone yet, and reports the result. */
export function undoNewest(run: {
  readonly window: Pick<ContextWindow, 'ledger'>;
  undoPass(number: number): Refusal;
}): string {
  const pass = run.window.ledger.findLast(({ undone }) => undone !== true)?.pass;
  if (pass === undefined) return 'There is no pass to undo.';
  return run.undoPass(pass.number) ?? `${passTitle(pass)} was undone.`;
}
