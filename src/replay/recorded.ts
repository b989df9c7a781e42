import type { Block, BlockId, StepBlock, ToolPair, ToolUseId } from '../contextWindow/block';
import { blocksInWindow } from '../contextWindow/window';
import type { Summary } from '../contextWindow/plan';
import { nextSummaryId } from '../contextWindow/passes/rungs/summariseOldest';
import {
  startDraft,
  changeAll,
  weightAs,
  type Draft,
  type BlockChange,
  weightIn,
} from '../contextWindow/passes/rungs/draft';
import { planOf } from '../contextWindow/passes/rungs/planOf';
import type { Policy } from '../contextWindow/passes/rungs/policyInput';
import { trimBehindEdit } from '../contextWindow/passes/rungs/trimThinking';
import { summaryTokens } from '../contextWindow/passes/rungs/summary';
import type { Transcript, TranscriptEntry } from '../sessions/transcript';
import { modelOf } from './recording';

/** The point of a recording where its agent compacted. */
export type RecordedCompaction = Extract<TranscriptEntry, { readonly type: 'compacted' }>;

/** The point where the other agent compacted: with a summary, or by clearing results. */
export interface RecordedMark {
  /** The step that follows it. */
  readonly step: number;
  readonly summary?: string;
  /** How many results it cleared. */
  readonly cleared?: number;
  /** How many prompts and steps it kept in addition to its summary. */
  readonly kept?: number;
}

/** Describes a compaction without the content it removed. */
export function markOf(did: RecordedCompaction, step: number): RecordedMark {
  const { summary, clearedToolUseIds, kept } = did;
  return {
    step,
    summary,
    cleared: clearedToolUseIds?.length,
    kept: kept?.length,
  };
}

/** What a pass of the recorded agent needs to know, apart from the agent's actions. */
interface RecordedPlace {
  /** Whether the next entry is a prompt; otherwise the model continues from the last results. */
  readonly beforePrompt: boolean;
  /** The model that wrote the summary. */
  readonly model: string;
  /** The blocks that the agent kept. */
  readonly kept: ReadonlySet<BlockId>;
}

/** Reads the context of the entry at an index: what follows it, and which model was active. */
export function placeIn(transcript: Transcript, index: number): RecordedPlace {
  const { entries } = transcript;
  const next = entries.slice(index + 1).find(({ type }) => type !== 'compacted');
  const last = entries.slice(0, index).findLast((entry) => entry.type === 'reply');
  const known = last === undefined || last.model === '' ? modelOf(transcript) : last.model;
  const kept = blocksOf(entries, entries[index]);
  return { beforePrompt: next?.type === 'prompt', model: known ?? 'its model', kept };
}

/** The blocks that a replay makes of the kept entries: it numbers prompts and replies in order. */
function blocksOf(
  entries: readonly TranscriptEntry[],
  did: TranscriptEntry | undefined,
): ReadonlySet<BlockId> {
  const kept = new Set(did?.type === 'compacted' ? did.kept : []);
  const blocks = new Set<BlockId>();
  const count = { prompt: 0, reply: 0 };
  for (const [index, { type }] of entries.entries()) {
    if (type === 'compacted') continue;
    count[type] += 1;
    const id = type === 'prompt' ? `prompt-${count.prompt}` : `step-${count.reply}`;
    if (kept.has(index)) blocks.add(id as BlockId);
  }
  return blocks;
}

/**
 * Repeats the recorded agent's compaction. If it cleared results, these are cleared; otherwise
 * everything earlier is evicted except what it kept, and its summary, if it wrote one, replaces it.
 * The content that the model must answer stays, since no request works without it.
 */
export function recorded(did: RecordedCompaction, place: RecordedPlace): Policy {
  return (input) => {
    // Nothing was protected from the recorded agent.
    const draft: Draft = { ...startDraft(input, 'recorded'), protections: new Map() };
    const { summary, clearedToolUseIds } = did;
    const done =
      summary === undefined && clearedToolUseIds !== undefined
        ? clearAsRecorded(draft, clearedToolUseIds)
        : takeAll(draft, place, summary);
    return planOf(trimBehindEdit(done));
  };
}

function clearAsRecorded(draft: Draft, ids: readonly ToolUseId[]): Draft {
  const meant = new Set(ids);
  const isCleared = ({ use, result, cleared }: ToolPair) =>
    meant.has(use.id) && result !== undefined && !cleared;
  const touched = blocksInWindow(draft.input.window).flatMap((block): BlockChange[] => {
    if (block.kind !== 'step' || !block.pairs.some(isCleared)) return [];
    const pairs = block.pairs.map((pair) => (isCleared(pair) ? { ...pair, cleared: true } : pair));
    const form: StepBlock = { ...block, pairs };
    const toolUseIds = pairs.filter(({ cleared }) => cleared).map(({ use }) => use.id);
    const what = { action: 'clear', reason: { rule: 'recorded' }, toolUseIds } as const;
    return [{ id: block.id, weight: weightAs(draft, form), what, form }];
  });
  return changeAll(draft, touched);
}

function takeAll(draft: Draft, { beforePrompt, model, kept }: RecordedPlace, text?: string): Draft {
  const { window, estimate } = draft.input;
  const blocks = blocksInWindow(window);
  const asked = beforePrompt ? undefined : askedBy(blocks);
  const covers = blocks
    .filter((block) => block !== asked && !kept.has(block.id))
    .map(({ id }) => id);
  if (covers.length === 0) return draft;
  if (text === undefined) return takeOut(draft, covers);
  const id = nextSummaryId(draft);
  const ready: Summary = { id, covers, text, writtenBy: { by: 'model', model } };
  const maxTokens = summaryTokens(ready, window, estimate);
  const tokensBefore = covers.reduce((sum, one) => sum + weightIn(draft, one), 0);
  const out = takeOut(draft, covers, id);
  const replaced = {
    ...out,
    used: out.used + maxTokens,
    summaries: [{ summaryId: id, covers, tokensBefore, maxTokens, ready }],
  };
  return replaced;
}

function takeOut(draft: Draft, covers: readonly BlockId[], summaryId?: BlockId): Draft {
  const what =
    summaryId === undefined
      ? ({ action: 'evict', reason: { rule: 'recorded' } } as const)
      : ({ action: 'summarise', reason: { rule: 'recorded' }, summaryId } as const);
  return changeAll(
    draft,
    covers.map((id) => ({ id, weight: 0, what })),
  );
}

/** The prompt, or the step with results, that the model must answer next. */
function askedBy(blocks: readonly Block[]): Block | undefined {
  const last = blocks.at(-1);
  const isAsked =
    last?.kind === 'step'
      ? last.pairs.length > 0
      : last?.kind === 'prompt' || last?.kind === 'anchor';
  return isAsked ? last : undefined;
}
