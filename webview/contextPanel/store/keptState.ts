import type { ReviewView } from '../../../src/editor/contextPanel/ledger/state';
import type { Scratchpad } from '../../../src/editor/contextPanel/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import type { ScratchpadTexts } from './scratchpadFields';

/** Raise this whenever the form of `Look` or `Unsent` changes: older state is then dropped. */
export const VERSION = 5;

/** The state that VS Code keeps while the panel is hidden, moved or reloaded. */
export interface KeptState {
  readonly look: Look;
  readonly unsent: Unsent;
}

/** The tabs next to the blocks. */
export const TABS = ['ledger', 'block', 'files', 'request', 'session'] as const;

export type Tab = (typeof TABS)[number];

/** The details below the bar: of a part of it, or the sum of all parts. */
export type OpenPart = 'fixed' | 'unrecorded' | 'kept' | 'files' | 'conversation' | 'rules' | 'sum';

/** Which blocks the list shows: in the window, removed, pinned, needed again, or all. */
export const CHIPS = ['in', 'out', 'pinned', 'again', 'all'] as const;

export type Chip = (typeof CHIPS)[number];

export const SORTS = ['order', 'tokens', 'salience', 'age'] as const;

/** The order of the blocks; `order` is the one in which the model reads them. */
export type Sort = (typeof SORTS)[number];

/** Sections of a request the user opened or closed, by their ids. */
export type Unfolded = Readonly<Record<string, boolean>>;

/** What the user chose to see; VS Code keeps it when the panel is hidden, moved or reloaded. */
export interface Look {
  /** The session it belongs to: steps, turns and block ids mean nothing in another one. */
  readonly session?: string;
  readonly tab: Tab;
  readonly chip: Chip;
  readonly query: string;
  /** Whether the text filter and the order are shown. */
  readonly filterOpen: boolean;
  readonly sort: Sort;
  readonly byTurn: boolean;
  /** Turns whose blocks are folded while the list is by turn. */
  readonly collapsedTurns: readonly number[];
  /** Ids of the summaries whose blocks are unfolded. */
  readonly openSummaries: readonly string[];
  readonly timelineOpen: boolean;
  /** Whether the details of a recording are shown. */
  readonly recordingOpen: boolean;
  /** The part of the bar whose details are shown; absent for none. */
  readonly openPart?: OpenPart | undefined;
  /** The chosen block; the tab `block` shows its details. */
  readonly blockId?: string;
  /** The moment travelled to, requested again after a reload. */
  readonly at: number | 'now';
  /** The step whose request is shown. */
  readonly requestStep: number | 'next';
  /** The search text in it; kept from request to request. */
  readonly requestQuery: string;
  /** Shared by all requests, since all contain the tools and the system prompt. */
  readonly unfolded: Unfolded;
  /** Passes whose decisions are unfolded, by their numbers. */
  readonly openPasses: readonly number[];
  /** Whether the preview of the next pass is open. */
  readonly previews: boolean;
  /** Scroll position of the list of blocks, CSS pixels; absent until it was scrolled. */
  readonly listTop?: number;
  /**
   * The look at the session shown before: after a reload, the current session is shown first and an
   * open recording only after it.
   */
  readonly aside?: Omit<Look, 'aside'>;
}

export const DEFAULT_LOOK: Look = {
  tab: 'ledger',
  chip: 'in',
  query: '',
  filterOpen: false,
  sort: 'order',
  byTurn: false,
  collapsedTurns: [],
  openSummaries: [],
  timelineOpen: false,
  recordingOpen: false,
  at: 'now',
  requestStep: 'next',
  requestQuery: '',
  unfolded: {},
  openPasses: [],
  previews: false,
};

/**
 * The look for a session: the one set aside if it belongs to that session, otherwise only the
 * settings of the view. The former look is set aside.
 */
export function lookAt(look: Look, session: string): Look {
  if (look.session === session) return look;
  const { aside: before, ...left } = look;
  const aside = left.session === undefined ? before : left;
  const kept = aside === undefined ? {} : { aside };
  if (before?.session === session) return { ...before, ...kept };
  const {
    tab,
    chip,
    query,
    filterOpen,
    sort,
    byTurn,
    timelineOpen,
    recordingOpen,
    openPart,
    requestQuery,
  } = left;
  return {
    ...DEFAULT_LOOK,
    session,
    tab,
    chip,
    query,
    filterOpen,
    sort,
    byTurn,
    timelineOpen,
    recordingOpen,
    openPart,
    requestQuery,
    ...kept,
  };
}

/** The user's instructions for the next summaries, with the session they were typed for. */
interface UnsentInstructions {
  readonly session: string;
  readonly text: string;
}

/**
 * A summary as the user edited it, with its original text: another text under its id is another
 * summary.
 */
interface EditedSummary {
  readonly from: string;
  readonly text: string;
}

/** The user's choices and edits in a waiting pass. */
interface ReviewEdits {
  readonly session: string;
  readonly reviewId: number;
  readonly summaries: Readonly<Record<string, EditedSummary>>;
}

interface TriedSettings {
  readonly session: string;
  readonly settings: WhatIfSettings;
}

/** The scratchpad with the user's edits, and as it was when they began. */
export interface EditedScratchpad {
  readonly session: string;
  readonly base: Scratchpad;
  readonly texts: ScratchpadTexts;
}

/** A summary in the window with the user's edits, and as it was when they began. */
export interface RewrittenSummary extends EditedSummary {
  readonly session: string;
  readonly blockId: string;
}

/** Unsent input of the user: the newest of each kind, with its session. */
export interface Unsent {
  readonly instructions?: UnsentInstructions | undefined;
  readonly review?: ReviewEdits | undefined;
  readonly whatIf?: TriedSettings | undefined;
  readonly scratchpad?: EditedScratchpad | undefined;
  readonly summary?: RewrittenSummary | undefined;
}

/** Unsent input without its session. */
export type Begun<K extends keyof Unsent> = Omit<NonNullable<Unsent[K]>, 'session'>;

/** The unsent input for one session. */
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

/** The edits of this proposed pass, without those of blocks and summaries that it does not have. */
export function editsOf(
  { review: kept }: Unsent,
  session: string,
  { reviewId, summaries }: ReviewView,
): ReviewEdits {
  const none: ReviewEdits = { session, reviewId, summaries: {} };
  if (kept === undefined || kept.session !== session || kept.reviewId !== reviewId) return none;
  const texts = new Map(summaries.map(({ id, text }) => [id, text]));
  return {
    ...none,
    summaries: Object.fromEntries(
      Object.entries(kept.summaries).filter(([id, { from }]) => texts.get(id) === from),
    ),
  };
}
