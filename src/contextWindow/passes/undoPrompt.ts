import type { Block, BlockId } from '../block';
import { callEffectOf } from '../callEffect';
import type { Pass, UndonePrompt } from '../plan';
import { isPinnedAnchor } from '../request/blockMessages';
import { type Refusal, refused } from '../result';
import { scratchpadText } from '../scratchpad';
import { rulesText } from '../standingRules/standingRules';
import {
  type ContextWindow,
  findBlock,
  type FormerScratchpad,
  latestPrompt,
  type LedgerEntry,
} from '../window';
import type { ByHand } from './byHand';
import { passName } from './passName';
import { changeAll, startDraft, type BlockChange } from './rungs/draft';
import { planOf } from './rungs/planOf';
import type { PolicyFacts } from './rungs/policyInput';
import { trimBehindEdit } from './rungs/trimThinking';
import { textShownAfter, isShownOtherwise } from '../request/request';

/** What a prompt led to so far. */
export interface PromptEffects {
  /** The later prompts, which are undone with it. */
  readonly prompts: number;
  readonly steps: number;
  /**
   * Paths of the files that its calls changed, each once; undoing the prompt does not change them.
   */
  readonly files: readonly string[];
  /** How many commands ran; what they changed is unknown. */
  readonly commands: number;
}

/** Collects what the calls since a prompt did. */
export function effectsOfPrompt(window: ContextWindow, promptId: string): PromptEffects {
  const led = behind(window, promptId);
  const steps = led.filter((block) => block.kind === 'step');
  const prompts = led.filter(({ kind }) => kind === 'prompt' || kind === 'anchor').length;
  const done = steps.flatMap(({ pairs }) =>
    pairs
      .filter(({ result }) => result === undefined || mayHaveActed(result))
      .map(({ use }) => callEffectOf(use)),
  );
  const files = done.flatMap((effect) =>
    effect.kind === 'edit' || effect.kind === 'write' ? [effect.path] : [],
  );
  return {
    prompts: Math.max(0, prompts - 1),
    steps: steps.length,
    files: [...new Set(files)],
    commands: done.filter(({ kind }) => kind === 'command').length,
  };
}

/** A denied or cut call did nothing; a stopped one may have. */
function mayHaveActed({ origin, isError }: { readonly origin: string; readonly isError: boolean }) {
  if (origin === 'ran') return !isError;
  return origin === 'stopped' || origin === 'interrupted';
}

/** Says why a prompt cannot be undone; undefined if it can. */
export function whyNotUndoPrompt(window: ContextWindow, promptId: string): Refusal {
  const prompt = findBlock(window, promptId as BlockId);
  const isPrompt = prompt?.kind === 'prompt' || prompt?.kind === 'anchor';
  if (!isPrompt || prompt.state === 'undone') return 'Only a prompt can be undone, and only once.';
  const summary = summaryAcross(window, promptId);
  if (summary === undefined) return undefined;
  const pass = window.ledger.find(({ pass: { summaries } }) =>
    summaries.some(({ id }) => id === summary),
  )?.pass;
  return (
    'Nothing was undone: a summary covers this prompt or its steps together with earlier ' +
    `blocks. Undo ${pass === undefined ? 'its pass' : passName(pass)} first.`
  );
}

/** A summary before the prompt that covers the prompt or a later block. */
function summaryAcross(window: ContextWindow, promptId: string): BlockId | undefined {
  const taken = new Set(behind(window, promptId).map(({ id }) => id));
  return window.blocks.find(
    (block) =>
      block.kind === 'summary' &&
      !taken.has(block.id) &&
      window.decisions.get(block.id)?.reason.rule !== 'undone' &&
      block.covers.some((id) => taken.has(id)),
  )?.id;
}

/**
 * Undoes a prompt: removes it and everything after it, and resets the scratchpad to its state in
 * the window `before` it. Only an undo of this change restores it.
 */
export function undoPromptByHand(
  input: PolicyFacts,
  before: ContextWindow,
  promptId: string,
): ByHand {
  const { window } = input;
  const why = whyNotUndoPrompt(window, promptId);
  if (why !== undefined) return refused(why);
  const undonePrompt = undoneOf(window, before, promptId);
  const draft = startDraft({ ...input, trigger: 'byHand', undonePrompt }, input.settings.policy);
  const changes = behind(window, promptId).map(({ id, kind }): BlockChange => {
    const isPrompt = kind === 'prompt' || kind === 'anchor';
    const reason = { rule: 'undoneByUser', isPrompt } as const;
    return { id, weight: 0, what: { action: 'undoPrompt', reason } };
  });
  const plan = planOf(trimBehindEdit(changeAll(draft, changes)));
  return { ok: true, plan: { ...plan, undonePrompt } };
}

/** The prompt and all later blocks that are not undone yet, in the window or not. */
function behind({ blocks }: ContextWindow, promptId: string): readonly Block[] {
  const at = blocks.findIndex(({ id }) => id === promptId);
  return at === -1 ? [] : blocks.slice(at).filter(({ state }) => state !== 'undone');
}

function undoneOf(window: ContextWindow, before: ContextWindow, promptId: string): UndonePrompt {
  const turn = findBlock(window, promptId as BlockId)?.turn ?? window.turn;
  const through = latestPrompt(window)?.turn ?? turn;
  const isSame = scratchpadText(before.scratchpad) === scratchpadText(window.scratchpad);
  return {
    ...(isSame ? {} : { scratchpad: before.scratchpad }),
    ...(isSameAge(before, window) ? {} : { scratchpadAge: before.scratchpadAge }),
    ...(isShownOtherwise(before, window) || losesAnchor(window, promptId)
      ? { showsScratchpad: true }
      : {}),
    ...(through > turn ? { through } : {}),
    turn,
  };
}

/** Says whether the anchor before scratchpad and rules is removed, which moves both. */
function losesAnchor(window: ContextWindow, promptId: string): boolean {
  const { shownScratchpad, scratchpadBehindAnchor } = window;
  const isAnyShown = shownScratchpad !== '' || rulesText(window) !== '';
  if (!isAnyShown || !scratchpadBehindAnchor) return false;
  return behind(window, promptId).some(isPinnedAnchor);
}

function isSameAge({ scratchpadAge: one }: ContextWindow, { scratchpadAge: other }: ContextWindow) {
  return (
    one.writtenAt === other.writtenAt &&
    one.isReminded === other.isReminded &&
    one.isWarned === other.isWarned
  );
}

/** The scratchpad state that the ledger keeps if undoing a prompt resets it. */
export function keptScratchpad(
  window: ContextWindow,
  { undonePrompt }: Pass,
): Pick<LedgerEntry, 'formerScratchpad'> {
  const { scratchpad: put, scratchpadAge: age, showsScratchpad } = undonePrompt ?? {};
  if (put === undefined && age === undefined && showsScratchpad !== true) return {};
  const { scratchpad, scratchpadAge, shownScratchpad, scratchpadBehindAnchor, scratchpadChange } =
    window;
  return {
    formerScratchpad: {
      scratchpad,
      scratchpadAge,
      shownScratchpad,
      scratchpadBehindAnchor,
      ...(scratchpadChange === undefined ? {} : { scratchpadChange }),
    },
  };
}

/** Forgets the last change of a scratchpad that was reset: there is nothing left to undo. */
export function withoutChange(window: ContextWindow, { undonePrompt }: Pass): ContextWindow {
  if (undonePrompt?.scratchpad === undefined) return window;
  const { scratchpadChange: _back, ...rest } = window;
  return rest;
}

/**
 * The scratchpad before a prompt was undone; undefined if that left it unchanged, or if it was
 * changed or shown since.
 */
export function formerScratchpadOf(
  window: ContextWindow,
  { pass: { undonePrompt }, formerScratchpad: former }: LedgerEntry,
): FormerScratchpad | undefined {
  if (former === undefined) return undefined;
  const then = scratchpadText(undonePrompt?.scratchpad ?? former.scratchpad);
  if (scratchpadText(window.scratchpad) !== then) return undefined;
  const shownThen = textShownAfter({ ...window, ...former }, undonePrompt);
  return window.shownScratchpad === shownThen ? former : undefined;
}
