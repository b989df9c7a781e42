import type { Block, BlockId } from '../block';
import { blocksInWindow } from '../contextWindow';
import { closeRung, isOut, touchAll, weightIn, type Draft } from './draft';

/** The newest steps stay word for word whatever a summary could save. */
export const KEEP_STEPS = 2;

/** Largest summary as a share of the input budget, and its bounds in tokens. */
const SUMMARY_SHARE = 0.04;
const SMALLEST_SUMMARY = 200;
const LARGEST_SUMMARY = 2_000;

/** A run must be this many times the largest summary, or replacing it gains too little. */
const WORTHWHILE = 2;

/** Replaces the oldest runs of blocks by one summary each until the target is reached. */
export function compactOldest(draft: Draft): Draft {
  if (!draft.input.compaction) return draft;
  let next = draft;
  for (const segment of segmentsOf(draft)) {
    if (next.used <= next.target) break;
    next = compactSegment(next, segment);
  }
  return closeRung(draft, next, 'compact');
}

/** The most a summary may take; tokens. */
export function summaryCap(inputBudget: number): number {
  const share = Math.floor(inputBudget * SUMMARY_SHARE);
  return Math.min(LARGEST_SUMMARY, Math.max(SMALLEST_SUMMARY, share));
}

/** Neighbouring blocks that may go together; a protected block ends a segment. */
function segmentsOf(draft: Draft): readonly (readonly Block[])[] {
  const { window } = draft.input;
  const segments: Block[][] = [[]];
  for (const block of blocksInWindow(window)) {
    const isRecent = block.kind === 'step' && block.step > window.step - KEEP_STEPS;
    if (draft.protections.has(block.id) || isRecent || isOut(draft, block.id)) segments.push([]);
    else segments.at(-1)?.push(block);
  }
  return segments.filter((segment) => segment.length > 0);
}

function compactSegment(draft: Draft, segment: readonly Block[]): Draft {
  const cap = summaryCap(draft.input.budget.inputBudget);
  let length = 0;
  for (
    let tokens = 0;
    length < segment.length && draft.used - tokens + cap > draft.target;
    length++
  ) {
    tokens += weightOfRun(draft, segment.slice(length, length + 1));
  }
  // A prompt whose steps still stand would be told of as done: leave it with them.
  while (
    length > 0 &&
    isPromptOfStandingSteps(draft, segment[length - 1], segment.slice(0, length))
  ) {
    length -= 1;
  }
  const run = segment.slice(0, length);
  const tokens = weightOfRun(draft, run);
  if (tokens < cap * WORTHWHILE || run.every((block) => block.kind === 'summary')) return draft;
  const summaryId = `summary-${summariesSoFar(draft) + 1}` as BlockId;
  const what = { action: 'compact', rule: 'compactOldest', summaryId } as const;
  const compacted = touchAll(
    draft,
    run.map(({ id }) => ({ id, weight: 0, what })),
  );
  return {
    ...compacted,
    used: compacted.used + cap,
    summaries: [
      ...draft.summaries,
      { summaryId, covers: run.map(({ id }) => id), tokensBefore: tokens, maxTokens: cap },
    ],
  };
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

function summariesSoFar(draft: Draft): number {
  const earlier = draft.input.window.blocks.filter((block) => block.kind === 'summary').length;
  return earlier + draft.summaries.length;
}
