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
  type DraftDecision,
  formOf,
} from './draft';
import { callEffectOf } from '../../callEffect';
import { lastUsesOf, type LastUses } from './need';

const SUMMARY = 'summary-';

/** This many of the newest steps stay word for word, whatever a summary could save. */
export const KEEP_STEPS = 2;

/** Largest summary as a share of the input budget, and its bounds in tokens. */
const SUMMARY_SHARE = 0.04;
const SMALLEST_SUMMARY = 200;
const LARGEST_SUMMARY = 2_000;

/** A run must be this many times the largest summary, or replacing it gains too little. */
const WORTHWHILE = 2;

/** Replaces the oldest runs of blocks by one summary each until the target is reached. */
export const summariseOldest: Rung = (draft) => summariseRuns(draft, AS_OLDEST, () => false);

/** How a decision names the compaction of a block. */
type SummarisedAs = Pick<DraftDecision, 'because'> & {
  readonly rule: 'summariseOldest' | 'summariseSpent' | 'summariseOverCap';
};

const AS_OLDEST: SummarisedAs = { rule: 'summariseOldest' };

/** Compacts the oldest runs, without the blocks among them that are left as they are. */
function summariseRuns(draft: Draft, as: SummarisedAs, isLeft: (block: Block) => boolean): Draft {
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
 * Compacts the turns up to the last one given, with the summaries of earlier turns among them, as
 * far as a summary is smaller than they are; `because` says which limit they are over.
 */
export function summariseTurns(draft: Draft, last: number, because: string): Draft {
  const { settings, budget } = draft.input;
  if (!settings.summaries) return draft;
  const as: SummarisedAs = { rule: 'summariseOverCap', because };
  const cap = summaryCap(budget.inputBudget, settings.summaryTokens);
  let next = takePrepared(draft, () => takeable(draft).filter(({ turn }) => turn <= last), as);
  for (const run of segmentsOf(next, (_, { turn }) => turn > last)) {
    const maxTokens = Math.min(cap, Math.floor(weightOfRun(next, run) / WORTHWHILE));
    const isTooSmall = maxTokens < Math.min(cap, SMALLEST_SUMMARY);
    if (isTooSmall || run.every(({ kind }) => kind === 'summary')) continue;
    next = replaceRun(next, run.map(idOf), maxTokens, as);
  }
  return ifGained(draft, next);
}

/**
 * Compacts every run of blocks that may go, apart from the newest steps, whatever the target: no
 * more and no less is asked for.
 */
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

/** The most tokens a summary may take: as set, or else a share of the input budget. */
export function summaryCap(inputBudget: number, settingTokens?: number): number {
  if (settingTokens !== undefined) return settingTokens;
  const share = Math.floor(inputBudget * SUMMARY_SHARE);
  return Math.min(LARGEST_SUMMARY, Math.max(SMALLEST_SUMMARY, share));
}

/**
 * Uses the summary that was written ahead, if everything it covers is among the blocks that may
 * leave and they still say what was summarised.
 */
function takePrepared(draft: Draft, free: () => readonly Block[], as: SummarisedAs): Draft {
  const { prepared, estimate, window } = draft.input;
  if (prepared === undefined) return draft;
  const { summary, from } = prepared;
  const freeIds = new Set(free().map(idOf));
  if (!summary.covers.every((id) => freeIds.has(id)) || !haveSameText(window, from)) return draft;
  const tokens = summary.covers.reduce((sum, id) => sum + weightIn(draft, id), 0);
  const size = summaryTokens(summary, window, estimate);
  return size < tokens ? replaceRun(draft, summary.covers, size, as, summary) : draft;
}

/** Puts a summary of at most `maxTokens` in the place of a run; `ready` is one written ahead. */
function replaceRun(
  draft: Draft,
  covers: readonly BlockId[],
  maxTokens: number,
  as: SummarisedAs,
  ready?: Summary,
): Draft {
  const summaryId = nextSummaryId(draft);
  const what = { action: 'summarise', summaryId, ...as } as const;
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

/** Neighbouring blocks that may go together; one that is protected or must stay ends a segment. */
function segmentsOf(
  draft: Draft,
  mustStay: (window: ContextWindow, block: Block) => boolean,
): readonly (readonly Block[])[] {
  const { window } = draft.input;
  const segments: Block[][] = [[]];
  for (const block of blocksInWindow(window)) {
    // What stood behind a view that leaves goes on from what stood before it.
    if (block.kind === 'excerpts' && isOut(draft, block.id)) continue;
    const isFree = !draft.protections.has(block.id) && !isOut(draft, block.id);
    if (isFree && !mustStay(window, block)) segments.at(-1)?.push(block);
    else segments.push([]);
  }
  return segments.filter((segment) => segment.length > 0);
}

/**
 * Says whether a block is too new for a summary: one of the newest steps, or a note behind the
 * newest step. That has not been read yet, and a request may not end with a summary of it.
 */
function isRecent(window: ContextWindow, block: Block): boolean {
  if (block.kind === 'step') return block.step > newestStep(window) - KEEP_STEPS;
  if (block.kind !== 'note') return false;
  const newest = latestStep(window);
  const blocks = blocksInWindow(window);
  return newest === undefined || blocks.indexOf(block) > blocks.lastIndexOf(newest);
}

function summariseSegment(draft: Draft, segment: readonly Block[], as: SummarisedAs): Draft {
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
  // A summary would report a prompt as done while its steps still stand: leave it with them.
  while (
    length > 0 &&
    isPromptOfStandingSteps(draft, segment[length - 1], segment.slice(0, length))
  ) {
    length -= 1;
  }
  const run = segment.slice(0, length);
  const tokens = weightOfRun(draft, run);
  if (tokens < cap * WORTHWHILE || run.every((block) => block.kind === 'summary')) return draft;
  return replaceRun(draft, run.map(idOf), cap, as);
}

function isPromptOfStandingSteps(
  draft: Draft,
  last: Block | undefined,
  run: readonly Block[],
): boolean {
  if (last?.kind !== 'prompt' && last?.kind !== 'anchor') return false;
  return blocksInWindow(draft.input.window).some(
    (block) => block.kind === 'step' && block.turn === last.turn && !run.includes(block),
  );
}

function weightOfRun(draft: Draft, run: readonly Block[]): number {
  return run.reduce((sum, block) => sum + weightIn(draft, block.id), 0);
}

/**
 * Names the next summary. It does not count them, since a summary whose pass is lost from the log
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

/** A file whose last edit lies before this place of the window, 0 to 1, counts as done with. */
const STILL_EDITED = 0.2;

/**
 * Compacts the oldest blocks that hold nothing an agent would still quote: steps whose reads are
 * cleared, commands, searches, files long done with. A read that is still whole was left by the
 * earlier rungs because it may be edited from, and a summary cannot be quoted, so it stays where it
 * stands.
 */
export const summariseSpent: Rung = (draft) => {
  const { lastEdit } = lastUsesOf(draft.input.window);
  return summariseRuns(draft, { rule: 'summariseSpent' }, (block) =>
    mayBeEditedFrom(lastEdit, formOf(draft, block)),
  );
};

/**
 * Says whether a step shows a file, or has edited one that was still edited of late; `lastEdit` as in
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
