import type { Block, BlockId } from '../block';
import { callEffectOf } from '../callEffect';
import type { Pass, UndonePrompt } from '../plan';
import { isPinnedAnchor } from '../request/blockMessages';
import { type Refusal, refused } from '../result';
import { scratchpadText } from '../scratchpad';
import {
  type ContextWindow,
  findBlock,
  type FormerScratchpad,
  latestPrompt,
  type LedgerEntry,
} from '../window';
import type { ByHand } from './byHand';
import { passName } from './passName';
import { changeAll, startDraft } from './rungs/draft';
import { planOf } from './rungs/planOf';
import type { PolicyFacts } from './rungs/policyInput';
import { trimBehindEdit } from './rungs/trimThinking';
import { textShownAfter, isShownOtherwise } from '../request/request';

/** What a prompt led to so far. */
export interface PromptEffects {
  /** The prompts behind it, which leave with it. */
  readonly prompts: number;
  readonly steps: number;
  /** Paths of the files that its calls changed, each once; taking it back does not change them. */
  readonly files: readonly string[];
  /** How many commands ran; nobody knows what they changed. */
  readonly commands: number;
}

/** Works out what the calls since a prompt did. */
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

/** A call that was denied or cut did nothing; one that was stopped midway may have. */
function mayHaveActed({ origin, isError }: { readonly origin: string; readonly isError: boolean }) {
  if (origin === 'ran') return !isError;
  return origin === 'stopped' || origin === 'interrupted';
}

/** Says why a prompt cannot be taken back; undefined when it can. */
export function whyNotUndoPrompt(window: ContextWindow, promptId: string): Refusal {
  const prompt = findBlock(window, promptId as BlockId);
  const isPrompt = prompt?.kind === 'prompt' || prompt?.kind === 'anchor';
  if (!isPrompt || prompt.state === 'undone') return 'Only a prompt can be taken back, and once.';
  const summary = summaryAcross(window, promptId);
  if (summary === undefined) return undefined;
  const pass = window.ledger.find(({ pass: { summaries } }) =>
    summaries.some(({ id }) => id === summary),
  )?.pass;
  return (
    'Nothing was taken back: a summary tells of what this prompt led to together with what came ' +
    `before it. Undo ${pass === undefined ? 'its pass' : passName(pass)} first.`
  );
}

/** A summary before the prompt that covers the prompt or something behind it. */
function summaryAcross(window: ContextWindow, promptId: string): BlockId | undefined {
  const taken = new Set(behind(window, promptId).map(({ id }) => id));
  return window.blocks.find(
    (block) =>
      block.kind === 'summary' &&
      !taken.has(block.id) &&
      window.decisions.get(block.id)?.rule !== 'undone' &&
      block.covers.some((id) => taken.has(id)),
  )?.id;
}

/**
 * Takes a prompt back: it leaves the window with everything that came after it, and the scratchpad is
 * as it was in the window `before` it. Only an undo brings it back.
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
  const what = { action: 'undoPrompt', rule: 'undoneByUser' } as const;
  const changes = behind(window, promptId).map(({ id }) => ({ id, weight: 0, what }));
  const plan = planOf(trimBehindEdit(changeAll(draft, changes)));
  return { ok: true, plan: { ...plan, undonePrompt } };
}

/** The prompt and everything behind it that is not taken back yet, in the window or not. */
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

/** Says whether the anchor leaves behind which the scratchpad is shown: it then stands elsewhere. */
function losesAnchor(window: ContextWindow, promptId: string): boolean {
  const { shownScratchpad, scratchpadBehindAnchor } = window;
  if (shownScratchpad === '' || !scratchpadBehindAnchor) return false;
  return behind(window, promptId).some(isPinnedAnchor);
}

function isSameAge({ scratchpadAge: one }: ContextWindow, { scratchpadAge: other }: ContextWindow) {
  return (
    one.writtenAt === other.writtenAt &&
    one.isReminded === other.isReminded &&
    one.isTold === other.isTold
  );
}

/** What the ledger keeps of the scratchpad, where taking back a prompt puts it back as it was. */
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

/** Forgets the last change of a scratchpad that was put back: there is nothing left to undo. */
export function withoutChange(window: ContextWindow, { undonePrompt }: Pass): ContextWindow {
  if (undonePrompt?.scratchpad === undefined) return window;
  const { scratchpadChange: _back, ...rest } = window;
  return rest;
}

/**
 * The scratchpad as it was before a prompt was taken back; undefined where that left it alone, or
 * where it has changed or was shown since.
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
