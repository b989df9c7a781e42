import type { Block, BlockId } from '../../block';
import { byChunk } from '../../persistentList';
import { blocksInWindow, latestStep, newestStep, type ContextWindow } from '../../window';
import type { Summary } from '../../plan';
import { summaryTokens, haveSameText } from './summary';
import {
  ifGained,
  isOut,
  takeable,
  changeAll,
  weightIn,
  type Draft,
  type Rung,
  type DraftReason,
  formOf,
} from './draft';
import { callEffectOf } from '../../callEffect';
import type { Cap } from '../../reasons';
import { lastUsesOf, type LastUses } from './need';

const SUMMARY = 'summary-';

/** This many of the newest steps stay verbatim, whatever a summary could save. */
export const KEEP_STEPS = 2;

/** Largest summary as a share of the input budget, and its bounds in tokens. */
const SUMMARY_SHARE = 0.04;
const SMALLEST_SUMMARY = 200;
const LARGEST_SUMMARY = 2_000;

/** A run must be this many times the largest summary to be worth replacing. */
const WORTHWHILE = 2;

/** Replaces the oldest runs of blocks by one summary each until the target is reached. */
export const summariseOldest: Rung = (draft) => summariseRuns(draft, AS_OLDEST, () => false);

/** The reasons for a summary. */
type SummaryReason = Extract<
  DraftReason,
  { readonly rule: 'summariseOldest' | 'summariseSpent' | 'summariseOverCap' }
>;

const AS_OLDEST: SummaryReason = { rule: 'summariseOldest' };

/** Summarises the oldest runs, without the blocks for which `isLeft` holds. */
function summariseRuns(draft: Draft, as: SummaryReason, isLeft: (block: Block) => boolean): Draft {
  if (!draft.input.settings.summaries || draft.used <= draft.target) return draft;
  // A summary that was written ahead covers the oldest blocks, whatever this rung would leave.
  let next = takePrepared(draft, () => takeable(draft), AS_OLDEST);
  for (const whole of segmentsOf(next, isRecent)) {
    const segment = whole.filter((block) => !isLeft(block));
    if (next.used <= next.target) break;
    next = summariseSegment(next, segment, as);
  }
  return ifGained(draft, next);
}

/**
 * Summarises the turns up to the given one, earlier summaries included, if a summary is smaller;
 * `cap` is the limit that they exceed.
 */
export function summariseTurns(draft: Draft, last: number, cap: Cap): Draft {
  const { settings, budget } = draft.input;
  if (!settings.summaries) return draft;
  const as: SummaryReason = { rule: 'summariseOverCap', cap };
  const largest = summaryCap(budget.inputBudget, settings.summaryTokens);
  let next = takePrepared(draft, () => takeable(draft).filter(({ turn }) => turn <= last), as);
  for (const run of segmentsOf(next, (_, { turn }) => turn > last)) {
    const maxTokens = Math.min(largest, Math.floor(weightOfRun(next, run) / WORTHWHILE));
    const isTooSmall = maxTokens < Math.min(largest, SMALLEST_SUMMARY);
    if (isTooSmall || run.every(({ kind }) => kind === 'summary')) continue;
    next = replaceRun(next, run.map(idOf), maxTokens, as);
  }
  return ifGained(draft, next);
}

/** Summarises every removable run of blocks apart from the newest steps, whatever the target. */
export const summariseEverything: Rung = (draft) => {
  const cap = summaryCap(draft.input.budget.inputBudget, draft.input.settings.summaryTokens);
  let next = draft;
  for (const run of segmentsOf(draft, isRecent)) {
    const maxTokens = Math.min(cap, Math.floor(weightOfRun(next, run) / WORTHWHILE));
    if (maxTokens < Math.min(cap, SMALLEST_SUMMARY)) continue;
    if (run.every(({ kind }) => kind === 'summary')) continue;
    next = replaceRun(next, run.map(idOf), maxTokens, AS_OLDEST);
  }
  return ifGained(draft, next);
};

function idOf({ id }: Block): BlockId {
  return id;
}

/** The most tokens of a summary: the setting, or a share of the input budget. */
export function summaryCap(inputBudget: number, settingTokens?: number): number {
  if (settingTokens !== undefined) return settingTokens;
  const share = Math.floor(inputBudget * SUMMARY_SHARE);
  return Math.min(LARGEST_SUMMARY, Math.max(SMALLEST_SUMMARY, share));
}

/**
 * Uses the summary that was written ahead, if all covered blocks are removable and still have the
 * text that was summarised.
 */
function takePrepared(draft: Draft, free: () => readonly Block[], as: SummaryReason): Draft {
  const { prepared, estimate, window } = draft.input;
  if (prepared === undefined) return draft;
  const { summary, from } = prepared;
  const freeIds = new Set(free().map(idOf));
  if (!summary.covers.every((id) => freeIds.has(id)) || !haveSameText(window, from)) return draft;
  const tokens = summary.covers.reduce((sum, id) => sum + weightIn(draft, id), 0);
  const size = summaryTokens(summary, window, estimate);
  return size < tokens ? replaceRun(draft, summary.covers, size, as, summary) : draft;
}

/** Replaces a run by a summary of at most `maxTokens`; `ready` is one written ahead. */
function replaceRun(
  draft: Draft,
  covers: readonly BlockId[],
  maxTokens: number,
  as: SummaryReason,
  ready?: Summary,
): Draft {
  const summaryId = nextSummaryId(draft);
  const what = { action: 'summarise', summaryId, reason: as } as const;
  const tokensBefore = covers.reduce((sum, id) => sum + weightIn(draft, id), 0);
  const compacted = changeAll(
    draft,
    covers.map((id) => ({ id, weight: 0, what })),
  );
  const job = { summaryId, covers, tokensBefore, maxTokens };
  const whole = ready === undefined ? job : { ...job, ready: { ...ready, id: summaryId } };
  return {
    ...compacted,
    used: compacted.used + maxTokens,
    summaries: [...draft.summaries, whole],
  };
}

/**
 * Neighbouring blocks that may be summarised together; a protected or recent block ends a segment.
 */
function segmentsOf(
  draft: Draft,
  mustStay: (window: ContextWindow, block: Block) => boolean,
): readonly (readonly Block[])[] {
  const { window } = draft.input;
  const segments: Block[][] = [[]];
  for (const block of blocksInWindow(window)) {
    // Blocks before and after evicted excerpts belong together.
    if (block.kind === 'excerpts' && isOut(draft, block.id)) continue;
    const isFree = !draft.protections.has(block.id) && !isOut(draft, block.id);
    if (isFree && !mustStay(window, block)) segments.at(-1)?.push(block);
    else segments.push([]);
  }
  return segments.filter((segment) => segment.length > 0);
}

/**
 * Says whether a block is too new for a summary: one of the newest steps, or a note after the
 * newest step. The model has not read that note, and a request may not end with a summary of it.
 */
function isRecent(window: ContextWindow, block: Block): boolean {
  if (block.kind === 'step') return block.step > newestStep(window) - KEEP_STEPS;
  if (block.kind !== 'note') return false;
  const newest = latestStep(window);
  const blocks = blocksInWindow(window);
  return newest === undefined || blocks.indexOf(block) > blocks.lastIndexOf(newest);
}

function summariseSegment(draft: Draft, segment: readonly Block[], as: SummaryReason): Draft {
  const { budget, settings } = draft.input;
  const cap = summaryCap(budget.inputBudget, settings.summaryTokens);
  let length = 0;
  for (
    let tokens = 0;
    length < segment.length && draft.used - tokens + cap > draft.target;
    length++
  ) {
    tokens += weightIn(draft, (segment[length] as Block).id);
  }
  // A summary would report a prompt as done while its steps are still there, so the prompt stays
  // with them.
  const taken = new Set(segment.slice(0, length));
  for (
    let last = segment[length - 1];
    last !== undefined && isPromptOfStandingSteps(draft, last, taken);
    last = segment[length - 1]
  ) {
    taken.delete(last);
    length -= 1;
  }
  const run = segment.slice(0, length);
  const tokens = weightOfRun(draft, run);
  if (tokens < cap * WORTHWHILE || run.every((block) => block.kind === 'summary')) return draft;
  return replaceRun(draft, run.map(idOf), cap, as);
}

function isPromptOfStandingSteps(draft: Draft, last: Block, run: ReadonlySet<Block>): boolean {
  if (last.kind !== 'prompt' && last.kind !== 'anchor') return false;
  return blocksInWindow(draft.input.window).some(
    (block) => block.kind === 'step' && block.turn === last.turn && !run.has(block),
  );
}

function weightOfRun(draft: Draft, run: readonly Block[]): number {
  return run.reduce((sum, block) => sum + weightIn(draft, block.id), 0);
}

/**
 * Names the next summary. Does not count summaries, since one whose pass was lost from the log
 * keeps its number.
 */
export function nextSummaryId(draft: Draft): BlockId {
  const last = Math.max(0, ...lastSummaries(draft.input.window.blocks));
  return `${SUMMARY}${last + draft.summaries.length + 1}` as BlockId;
}

const lastSummaries = byChunk((chunk: readonly Block[]) =>
  chunk.reduce(
    (most, { kind, id }) =>
      kind === 'summary' ? Math.max(most, Number(id.slice(SUMMARY.length))) : most,
    0,
  ),
);

/** A file whose last edit is before this place of the window, 0 to 1, counts as finished. */
const STILL_EDITED = 0.2;

/**
 * Summarises the oldest blocks with nothing to quote: steps whose reads are cleared, commands,
 * searches, finished files. The agent may edit from a read that is still whole, and a summary
 * cannot be quoted, so such a read stays.
 */
export const summariseSpent: Rung = (draft) => {
  const { lastEdit } = lastUsesOf(draft.input.window);
  return summariseRuns(draft, { rule: 'summariseSpent' }, (block) =>
    mayBeEditedFrom(lastEdit, formOf(draft, block)),
  );
};

/**
 * Says whether a step shows a file, or edited one that was edited recently; `lastEdit` as in
 * `LastUses`.
 */
function mayBeEditedFrom(lastEdit: LastUses['lastEdit'], block: Block): boolean {
  if (block.kind !== 'step') return false;
  return block.pairs.some(({ use, result, cleared }) => {
    const effect = callEffectOf(use);
    if (effect.kind === 'read') return result !== undefined && !cleared;
    if (effect.kind !== 'edit' && effect.kind !== 'write') return false;
    return (lastEdit.get(effect.path) ?? 0) >= STILL_EDITED;
  });
}
