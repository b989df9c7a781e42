import type { ReviewView } from '../../../src/editor/contextPanel/ledger/state';
import type { Scratchpad } from '../../../src/editor/contextPanel/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import type { ScratchpadTexts } from './scratchpadFields';

/** Raise this whenever the form of `Look` or `Unsent` changes: older state is then dropped. */
const VERSION = 1;

/** The state that VS Code keeps while the panel is hidden, moved or reloaded. */
export interface KeptState {
  readonly look: Look;
  readonly unsent: Unsent;
}

/** Stamps the state with its version. */
export function stamped(kept: KeptState): unknown {
  return { version: VERSION, ...kept };
}

/** Reads the state back; another version starts with the defaults. */
export function keptState(state: unknown): KeptState {
  const isOurs =
    typeof state === 'object' && state !== null && Reflect.get(state, 'version') === VERSION;
  return isOurs ? (state as KeptState) : { look: DEFAULT_LOOK, unsent: {} };
}

/** The areas beside the blocks, one at a time. */
export const TABS = [
  'ledger',
  'block',
  'files',
  'scratchpad',
  'tools',
  'request',
  'session',
] as const;

export type Tab = (typeof TABS)[number];

export const SORTS = ['order', 'tokens', 'salience', 'age'] as const;

/** What the blocks are ordered by; `order` is the one in which the model reads them. */
export type Sort = (typeof SORTS)[number];

/** Blocks on one line each, or on two. */
export type RowStyle = 'compact' | 'comfortable';

/** Sections of a request the user opened or closed, by their ids. */
export type Unfolded = Readonly<Record<string, boolean>>;

/** What the user chose to see; VS Code keeps it when the panel is hidden, moved or reloaded. */
export interface Look {
  /**
   * The session it belongs to; numbers of steps and turns and names of blocks apply to no other.
   */
  readonly session?: string;
  readonly tab: Tab;
  readonly query: string;
  /** A display state, or 'all', 'in' (the window) or 'out' (of it). */
  readonly states: string;
  readonly sort: Sort;
  readonly byTurn: boolean;
  /** Turns whose blocks are folded away while the list is by turn. */
  readonly collapsedTurns: readonly number[];
  /** Summaries whose blocks are unfolded beneath them, by id. */
  readonly openSummaries: readonly string[];
  readonly rows: RowStyle;
  /** Whether the timeline is drawn in full; absent until the user chose, then the height decides. */
  readonly timelineOpen?: boolean;
  /** The block looked at; the tab `block` shows its details. */
  readonly blockId?: string;
  /** The moment travelled to, to be asked for again after a reload. */
  readonly at: number | 'now';
  /** The request looked at. */
  readonly requestStep: number | 'next';
  /** The search text in it; kept while the user goes from request to request. */
  readonly requestQuery: string;
  /** In every request: the tools and the system prompt are in all of them. */
  readonly unfolded: Unfolded;
  /** Passes whose decisions are unfolded, by their numbers. */
  readonly openPasses: readonly number[];
  /** Whether the plan that would run now is shown. */
  readonly previews: boolean;
  /** How far the list of blocks is scrolled, CSS pixels; absent before it was. */
  readonly listTop?: number;
  /**
   * The look at the session shown before, for when that is shown again: after a reload, an open
   * recording comes back only after the current session was shown.
   */
  readonly aside?: Omit<Look, 'aside'>;
}

export const DEFAULT_LOOK: Look = {
  tab: 'ledger',
  query: '',
  states: 'all',
  sort: 'order',
  byTurn: false,
  collapsedTurns: [],
  openSummaries: [],
  rows: 'compact',
  at: 'now',
  requestStep: 'next',
  requestQuery: '',
  unfolded: {},
  openPasses: [],
  previews: false,
};

/**
 * The look for a session: the one set aside if it belongs to that session, else only how things are
 * shown is taken over. The former look is set aside.
 */
export function lookAt(look: Look, session: string): Look {
  if (look.session === session) return look;
  const { aside: before, ...left } = look;
  const aside = left.session === undefined ? before : left;
  const kept = aside === undefined ? {} : { aside };
  if (before?.session === session) return { ...before, ...kept };
  const { tab, query, states, sort, byTurn, rows, timelineOpen, requestQuery } = left;
  return {
    ...DEFAULT_LOOK,
    session,
    tab,
    query,
    states,
    sort,
    byTurn,
    rows,
    ...(timelineOpen === undefined ? {} : { timelineOpen }),
    requestQuery,
    ...kept,
  };
}

/** What the user wants of the next summaries, in the session it was typed for. */
interface UnsentInstructions {
  readonly session: string;
  readonly text: string;
}

/**
 * A summary as the user edited it, and its original text: another text under its id is another
 * summary.
 */
interface EditedSummary {
  readonly from: string;
  readonly text: string;
}

/** What the user ticked and typed in a waiting pass. */
interface ReviewEdits {
  readonly session: string;
  readonly proposedPassId: number;
  /** Ids of the blocks to be left alone. */
  readonly spared: readonly string[];
  readonly summaries: Readonly<Record<string, EditedSummary>>;
}

/** The settings the user tries on a scratch copy. */
interface TriedSettings {
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
