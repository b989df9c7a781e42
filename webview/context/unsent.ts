import type { ReviewView } from '../../src/protocol/contextPanel';

/** What the user wishes of the next summaries, in the session it was typed for. */
export interface UnsentInstructions {
  readonly session: string;
  readonly text: string;
}

/** A summary as the user edited it, and as it stood: another text under its id is another summary. */
export interface EditedSummary {
  readonly from: string;
  readonly text: string;
}

/** What the user ticked and typed in a pass that waits. */
export interface ReviewEdits {
  readonly session: string;
  readonly draft: number;
  /** Ids of the blocks to be left alone. */
  readonly spared: readonly string[];
  readonly summaries: Readonly<Record<string, EditedSummary>>;
}

/** What the user has begun and not sent; kept by VS Code like the look, over hiding and reloading. */
export interface Unsent {
  readonly instructions?: UnsentInstructions;
  readonly review?: ReviewEdits;
}

/** Takes what was kept as far as it has the form it should. */
export function unsentOf(kept: unknown): Unsent {
  const instructions = instructionsOf(partOf(kept, 'instructions'));
  const review = reviewOf(partOf(kept, 'review'));
  return {
    ...(instructions === undefined ? {} : { instructions }),
    ...(review === undefined ? {} : { review }),
  };
}

/** The edits of this draft, without those of blocks and summaries it does not have. */
export function editsOf(
  { review: kept }: Unsent,
  session: string,
  { draft, decisions, summaries }: ReviewView,
): ReviewEdits {
  const none: ReviewEdits = { session, draft, spared: [], summaries: {} };
  if (kept === undefined || kept.session !== session || kept.draft !== draft) return none;
  const texts = new Map(summaries.map(({ id, text }) => [id, text]));
  return {
    ...none,
    spared: kept.spared.filter((id) => decisions.some(({ blockId }) => blockId === id)),
    summaries: Object.fromEntries(
      Object.entries(kept.summaries).filter(([id, { from }]) => texts.get(id) === from),
    ),
  };
}

function instructionsOf(kept: unknown): UnsentInstructions | undefined {
  const session = partOf(kept, 'session');
  const text = partOf(kept, 'text');
  if (typeof session !== 'string' || typeof text !== 'string') return undefined;
  return { session, text };
}

function reviewOf(kept: unknown): ReviewEdits | undefined {
  const session = partOf(kept, 'session');
  const draft = partOf(kept, 'draft');
  if (typeof session !== 'string' || typeof draft !== 'number') return undefined;
  const spared = partOf(kept, 'spared');
  const summaries = Object.entries(partOf(kept, 'summaries') ?? {}).flatMap(([id, edited]) => {
    const from = partOf(edited, 'from');
    const text = partOf(edited, 'text');
    return typeof from === 'string' && typeof text === 'string' ? [[id, { from, text }]] : [];
  });
  return {
    session,
    draft,
    spared: Array.isArray(spared) ? spared.filter((id) => typeof id === 'string') : [],
    summaries: Object.fromEntries(summaries),
  };
}

function partOf(kept: unknown, key: string): unknown {
  return typeof kept === 'object' && kept !== null ? Reflect.get(kept, key) : undefined;
}
