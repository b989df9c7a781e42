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
