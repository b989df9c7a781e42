import { type Block, type BlockId, isInWindow, type StepBlock, type SummaryBlock } from '../block';
import { identifiersOf } from '../passes/rungs/identifiers';
import { byChunk, rememberedFold } from '../persistentList';
import { PersistentMap } from '../persistentMap';
import type { Pass } from '../plan';
import { messagesOf, type MessagePart } from '../request/blockMessages';
import { scratchpadMessages, systemText } from '../request/request';
import { blocksInWindow, type ContextWindow, type LedgerEntry, type Refault } from '../window';
import { Evidence } from './evidence';

/**
 * A reply used a name that only summarised blocks had said: the summary kept it, or had dropped it.
 */
export interface SummaryUse {
  /** The step of the reply. */
  readonly step: number;
  readonly summaryId: BlockId;
  readonly name: string;
  readonly isKept: boolean;
}

/** How often later work used what a summary had replaced, as far as nothing else showed it. */
export interface SummaryUseCounts {
  /** The summary had it. */
  readonly kept: number;
  /** The summary had dropped it. */
  readonly dropped: number;
}

export const NO_SUMMARY_USES: SummaryUseCounts = { kept: 0, dropped: 0 };

/** Adds up counts. */
export function plusSummaryUses(one: SummaryUseCounts, other: SummaryUseCounts): SummaryUseCounts {
  return { kept: one.kept + other.kept, dropped: one.dropped + other.dropped };
}

/** Something that later work needed, and that a summary had dropped. */
export interface DroppedNeed {
  /** The step that needed it. */
  readonly step: number;
  /** It used the name, recalled the text, or read the file again. */
  readonly by: 'name' | Refault['by'];
  /** The name, the handle or words, or the path. */
  readonly what: string;
}

/** What later work used of the content that the summaries of a pass replaced. */
export interface PassSummaryUses {
  /** Names that the summaries kept. */
  readonly kept: readonly SummaryUse[];
  readonly dropped: readonly DroppedNeed[];
}

/** Finds what later work used of the content that the summaries of a pass replaced. */
export function summaryUsesOfPass(
  { summaryUses, refaults }: Pick<ContextWindow, 'summaryUses' | 'refaults'>,
  { number, summaries, decisions }: Pass,
): PassSummaryUses {
  if (summaries.length === 0) return { kept: [], dropped: [] };
  const ids = new Set(summaries.map(({ id }) => id));
  const uses = summaryUses.filter(({ summaryId }) => ids.has(summaryId));
  const covered = new Set(
    decisions.flatMap(({ action, blockId }) => (action === 'summarise' ? [blockId] : [])),
  );
  const names = uses
    .filter(({ isKept }) => !isKept)
    .map(({ step, name }): DroppedNeed => ({ step, by: 'name', what: name }));
  const asked = refaults
    .filter(({ pass, blockId }) => pass === number && covered.has(blockId))
    .map(({ step, by, what }): DroppedNeed => ({ step, by, what }))
    // The call that asks for it names it, too.
    .filter(({ step, what }) => !names.some((one) => one.step === step && what.includes(one.what)));
  return {
    kept: uses.filter(({ isKept }) => isKept),
    dropped: [...names, ...asked].toSorted((one, other) => one.step - other.step),
  };
}

/** Counts the uses of all passes of a session so far; changes by hand have no summaries. */
export function allSummaryUses(window: ContextWindow): SummaryUseCounts {
  return window.ledger
    .map(({ pass }) => summaryUsesOfPass(window, pass))
    .map(({ kept, dropped }) => ({ kept: kept.length, dropped: dropped.length }))
    .reduce(plusSummaryUses, NO_SUMMARY_USES);
}

const haveSummaries = byChunk((entries: readonly LedgerEntry[]) =>
  entries.some(({ pass }) => pass.summaries.length > 0),
);

/**
 * Finds the names in a new reply, in its text and calls, that a summary's blocks had said and that
 * nothing else in the window shows. Each counts once for each summary.
 */
export function summaryUsesOf(window: ContextWindow, step: StepBlock): readonly SummaryUse[] {
  // Every reply of a session asks, and most sessions have no summary.
  if (!haveSummaries(window.ledger).includes(true)) return [];
  const summaries = blocksInWindow(window).filter((block) => block.kind === 'summary');
  if (summaries.length === 0) return [];
  const { said } = identifiersOf(step);
  const known = knownUses(window.summaryUses);
  return summaries.flatMap((summary): readonly SummaryUse[] => {
    const covered = namesReplacedBy(window, summary);
    return said
      .filter((name) => covered.has(name) && !known.has(keyOf(summary.id, name)))
      .filter((name) => !isShownBeside(window, summary, name))
      .map((name) => ({
        step: step.step,
        summaryId: summary.id,
        name,
        isKept: new Evidence([summary.text]).has({ kind: 'name', text: name }),
      }));
  });
}

/** A cache: blocks are immutable, and every reply asks again. */
const REPLACED = new WeakMap<SummaryBlock, ReadonlySet<string>>();

/** The names that the blocks of a summary had said. */
function namesReplacedBy(window: ContextWindow, summary: SummaryBlock): ReadonlySet<string> {
  const known = REPLACED.get(summary);
  if (known !== undefined) return known;
  const covers = new Set(summary.covers);
  const covered = window.blocks.filter(({ id }) => covers.has(id));
  const names = new Set(covered.flatMap((block) => identifiersOf(block).all));
  REPLACED.set(summary, names);
  return names;
}

/** The uses by their keys; a long session has thousands of them, and every reply asks again. */
const knownUses = rememberedFold(
  PersistentMap.of<string, true>(),
  (known, { summaryId, name }: SummaryUse) => known.with([[keyOf(summaryId, name), true]]),
);

function keyOf(summaryId: BlockId, name: string): string {
  return `${summaryId} ${name}`;
}

/** Newest first, since a name in use is most often there. */
function isShownBeside(window: ContextWindow, summary: SummaryBlock, name: string): boolean {
  const { preamble } = window;
  const shows = (text: string) => text.includes(name);
  return (
    blocksInWindow(window)
      .toReversed()
      .some((block) => block !== summary && isInWindow(block) && isShownIn(block, shows)) ||
    scratchpadMessages(window).some(({ content }) => content.some((part) => isIn(part, shows))) ||
    shows(systemText(preamble))
  );
}

function isShownIn(block: Block, shows: (text: string) => boolean): boolean {
  return messagesOf(block).some(({ content }) => content.some((part) => isIn(part, shows)));
}

function isIn(part: MessagePart, shows: (text: string) => boolean): boolean {
  switch (part.type) {
    case 'text':
      return shows(part.text);
    case 'tool_use':
      return shows(JSON.stringify(part.input));
    case 'tool_result':
      return typeof part.content === 'string'
        ? shows(part.content)
        : part.content.some((inner) => isIn(inner, shows));
    case 'compaction':
      return shows(part.content ?? '');
    case 'thinking':
      return shows(part.thinking);
    case 'redacted_thinking':
    case 'image':
    case 'document':
      return false;
  }
}
