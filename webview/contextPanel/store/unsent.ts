import type { Scratchpad } from '../../../src/editor/contextPanel/state';
import type { ReviewView } from '../../../src/editor/contextPanel/ledger/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import type { ScratchpadTexts } from './scratchpadFields';

/** What the user wants of the next summaries, in the session it was typed for. */
export interface UnsentInstructions {
  readonly session: string;
  readonly text: string;
}

/**
 * A summary as the user edited it, and its original text: another text under its id is another
 * summary.
 */
export interface EditedSummary {
  readonly from: string;
  readonly text: string;
}

/** What the user ticked and typed in a waiting pass. */
export interface ReviewEdits {
  readonly session: string;
  readonly proposedPassId: number;
  /** Ids of the blocks to be left alone. */
  readonly spared: readonly string[];
  readonly summaries: Readonly<Record<string, EditedSummary>>;
}

/** The settings the user tries on a scratch copy. */
export interface TriedSettings {
  readonly session: string;
  readonly settings: WhatIfSettings;
}

/** The scratchpad as the user edited it, and as it was when they began. */
export interface EditedScratchpad {
  readonly session: string;
  readonly base: Scratchpad;
  readonly texts: ScratchpadTexts;
}

/** A summary in the window as the user rewrites it, and as it was when they began. */
export interface RewrittenSummary extends EditedSummary {
  readonly session: string;
  readonly blockId: string;
}

/**
 * What the user has begun and not sent: the newest of each kind, with its session. VS Code keeps
 * it, like the look, when the panel is hidden or reloaded.
 */
export interface Unsent {
  readonly instructions?: UnsentInstructions | undefined;
  readonly review?: ReviewEdits | undefined;
  readonly whatIf?: TriedSettings | undefined;
  readonly scratchpad?: EditedScratchpad | undefined;
  readonly summary?: RewrittenSummary | undefined;
}

/** Something begun, without its session. */
export type Begun<K extends keyof Unsent> = Omit<NonNullable<Unsent[K]>, 'session'>;

/** What was begun in a session. */
export function begunIn(unsent: Unsent, session: string): Unsent {
  const own = <T extends { readonly session: string }>(begun: T | undefined): T | undefined =>
    begun?.session === session ? begun : undefined;
  return {
    instructions: own(unsent.instructions),
    review: own(unsent.review),
    whatIf: own(unsent.whatIf),
    scratchpad: own(unsent.scratchpad),
    summary: own(unsent.summary),
  };
}

/** The edits of this proposed pass, without those of blocks and summaries it does not have. */
export function editsOf(
  { review: kept }: Unsent,
  session: string,
  { proposedPassId, decisions, summaries }: ReviewView,
): ReviewEdits {
  const none: ReviewEdits = { session, proposedPassId, spared: [], summaries: {} };
  if (kept === undefined || kept.session !== session || kept.proposedPassId !== proposedPassId)
    return none;
  const texts = new Map(summaries.map(({ id, text }) => [id, text]));
  return {
    ...none,
    spared: kept.spared.filter((id) => decisions.some(({ blockId }) => blockId === id)),
    summaries: Object.fromEntries(
      Object.entries(kept.summaries).filter(([id, { from }]) => texts.get(id) === from),
    ),
  };
}
