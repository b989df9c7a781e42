import * as z from 'zod/mini';
import type { Scratchpad } from '../../contextWindow/scratchpad';
import type { DecisionView, PlanView } from './ledger/state';
import type { FileLifeView, LifeView } from './blocks/state';
import type { PolicyComparison } from './comparison/state';
import type { RequestView } from './request/state';
import type { ExcerptsView } from './files/state';
import { WHAT_IF, type WhatIfView } from './whatIf/state';
import {
  changes,
  data,
  id,
  leaves,
  looks,
  number,
  POST,
  postParser,
  text,
  type Post,
  type WishAnswered,
  type WishOf,
} from '../wish';

/** A request of a step; 'next' for the one that would be sent now. */
const step = z.union([number, z.literal('next')]);

/** A request as its JSON body, or laid out to be read. */
const REQUEST_FORM = z.enum(['raw', 'readable']);

/** What a model was asked for a summary, or what it answered. */
const EXCHANGE_SIDE = z.enum(['asked', 'answered']);

/** What the panel can be saved as: as it is shown, or the log of the session. */
const EXPORT_FORM = z.enum(['html', 'markdown', 'jsonl']);

/** Lines of a file, counted from 1. */
const LINES = z.strictObject({ first: z.int().check(z.minimum(1)), last: z.int() });

/** The blocks that the panel shows, where the user chose some or another order. */
const SHOWN_BLOCKS = z.strictObject({
  /** In the order in which they are shown. */
  ids: z.array(id),
  /** How they were chosen: "filter “read”, state “Evicted”, “Largest first”". */
  words: text,
});

const SCRATCHPAD = z.strictObject({
  objective: text,
  keyFacts: z.array(text),
  decisions: z.array(text),
  currentStep: text,
  blockers: z.array(text),
  lists: z.exactOptional(z.array(z.strictObject({ name: text, items: z.array(text) }))),
  todo: z.exactOptional(
    z.array(z.strictObject({ text, state: z.enum(['open', 'doing', 'done']) })),
  ),
});

/**
 * Everything the Context panel may ask the host for. Blocks, steps and passes have the same names
 * in every session, so a wish that names any must not reach another session than the one it was
 * made for.
 */
export const CONTEXT_WISHES = {
  announceReady: leaves({}),
  openBlock: looks({ blockId: id }),
  /** `undo`: it takes the user's last unpinning of the block back. */
  pinBlock: changes({ blockId: id, undo: z.exactOptional(z.literal(true)) }),
  /** `undo`: it takes the user's last pinning of the block back. */
  unpinBlock: changes({ blockId: id, undo: z.exactOptional(z.literal(true)) }),
  /** Makes a prompt the task. */
  moveAnchor: changes({ blockId: id }),
  /** Takes a block out of the window, a step with its pairs. */
  excludeBlock: changes({ blockId: id }),
  /** Brings a block back: whole in its place, or its text as a note at the end. */
  restoreBlock: changes({ blockId: id, as: z.enum(['whole', 'recall']) }),
  /** Puts placeholders in the place of a step's results. */
  clearBlock: changes({ blockId: id }),
  /**
   * Says that a file, or lines of it, are always or never to be shown by a view of files; `auto` takes
   * that back. `undo`: it takes the user's last choice of them back.
   */
  chooseFile: changes({
    path: id,
    lines: z.exactOptional(LINES),
    choice: z.enum(['always', 'never', 'auto']),
    undo: z.exactOptional(z.literal(true)),
  }),
  /** Fetched to be edited: refused where it cannot be. */
  fetchSummary: changes({ blockId: id }, data<string>()),
  rewriteSummary: changes({ blockId: id, text }),
  /** Fetched to be edited: refused where it cannot be. */
  fetchScratchpad: changes({}, data<Scratchpad>()),
  /**
   * `base` is what the scratchpad said when the user began: what the agent changed since is kept.
   */
  updateScratchpad: changes({ scratchpad: SCRATCHPAD, base: SCRATCHPAD }),
  /**
   * Puts the scratchpad back as it was before the user's own change; `note` is the block that tells
   * of it.
   */
  undoScratchpad: changes({ note: id }),
  /** `instructions` are what the user wants of the summaries; '' for nothing. */
  compactNow: changes({ instructions: text }),
  undoPass: changes({ number }),
  /** Applies the waiting pass, except to the spared blocks, with its summaries as edited, by id. */
  applyPass: changes({
    proposedPassId: z.int(),
    spared: z.array(id),
    summaries: z.record(id, text),
  }),
  postponePass: changes({ proposedPassId: z.int() }),
  previewPass: looks({}, data<PlanView>()),
  whatIf: looks({ settings: WHAT_IF }, data<WhatIfView>()),
  /**
   * Replays the whole session under every policy with these settings; `comparisonProgressed` says how
   * far it is. Only one runs at a time: a newer one stops it.
   */
  comparePolicies: looks({ settings: WHAT_IF }, data<PolicyComparison | 'stopped'>()),
  stopComparing: leaves({}),
  /** Writes the settings that differ, after the user has confirmed; a recording is replayed with them. */
  applyWhatIf: looks({ settings: WHAT_IF }),
  fetchDecisions: looks({ number }, data<readonly DecisionView[]>()),
  /** Of the files that the block's calls are on, else of the block itself. */
  fetchLives: looks({ blockId: id }, data<readonly LifeView[]>()),
  fetchFiles: looks({}, data<readonly FileLifeView[]>()),
  /** Of a block that is a view of files, also of one that has left. */
  fetchExcerpts: looks({ blockId: id }, data<ExcerptsView>()),
  /** Opens a file of the workspace; `line` is counted from 1. */
  openFile: leaves({ path: id, line: z.exactOptional(z.int().check(z.minimum(1))) }),
  travelTo: looks({ at: z.union([number, z.literal('now')]) }),
  /** Makes another session of everything up to a step. */
  forkAt: looks({ step: number }),
  /** Makes another session that goes on with this one's work. */
  handOver: looks({}),
  /** Closes the session as over. */
  closeSession: looks({}),
  /** Goes to a session that this one goes on with or in. */
  openLinked: looks({ session: id }),
  fetchRequest: looks({ step }, data<RequestView>()),
  /** Opens a request in an editor. */
  openRequest: looks({ step, form: REQUEST_FORM }),
  /** Opens what a model was asked for a summary, or what it answered, in an editor. */
  openExchange: looks({ summaryId: id, side: EXCHANGE_SIDE, form: REQUEST_FORM }),
  copyRequest: looks({ step }),
  diffRequests: looks({ from: number, to: step, form: REQUEST_FORM }),
  /** `shown` are the blocks the panel shows; absent for all of them, in order. */
  exportView: looks({ form: EXPORT_FORM, shown: z.exactOptional(SHOWN_BLOCKS) }),
  exportPass: looks({ number }),
  openRecording: leaves({}),
  closeRecording: leaves({}),
  followRecording: looks({ following: z.boolean() }),
  dismissIntro: leaves({}),
  dismissCapNotice: leaves({}),
  /** Opens the user's profile in an editor. */
  openProfile: leaves({}),
  openAgentView: leaves({}),
  /** Shows the tree of tools. */
  chooseTools: leaves({}),
  openSettings: leaves({}),
  openWatermarkSettings: leaves({}),
};

export type ContextWishes = typeof CONTEXT_WISHES;
export type ContextWish = WishOf<ContextWishes>;
export type ExchangeSide = z.output<typeof EXCHANGE_SIDE>;
export type RequestForm = z.output<typeof REQUEST_FORM>;
export type ExportForm = z.output<typeof EXPORT_FORM>;
export type ShownBlocks = NonNullable<WishOf<ContextWishes, 'exportView'>['shown']>;

/** What the panel posts: a wish, and the session it was made for, so that it changes no other. */
export interface ContextPost extends Post<ContextWishes> {
  readonly session: string;
}

/** An answer, with the session its wish was made for. */
export interface ContextWishAnswered extends WishAnswered {
  readonly session: string;
}

/** Checks a message from the Context panel. */
export const parseContextPost = postParser(
  CONTEXT_WISHES,
  z.strictObject({ ...POST, session: text }),
);
