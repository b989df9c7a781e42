import * as z from 'zod/mini';
import { RECORDABLE_AGENTS } from '../../recordings/captures/captureStore';
import { scratchpadShape, TODO_STATES, withEmptyLists } from '../../contextWindow/scratchpad';
import { scratchpadChangeOf, undoScratchpadChange } from '../session/scratchpadByHand';
import {
  answered,
  handlersOf,
  id,
  number,
  type Post,
  POST,
  postParser,
  text,
  type WishAnswered,
  wishesOf,
  type WishOf,
  wishReceiver,
} from '../wish';
import { BLOCK_WISHES } from './blocks/wishes';
import { EXPORT_WISHES } from './exports/wishes';
import { FILE_WISHES } from './files/wishes';
import { LOSS_WISHES } from './losses/wishes';
import { PASS_WISHES } from './ledger/wishes';
import { CAP_NOTICE_SEEN, INTRO_SEEN } from './inspection';
import type { ContextPanel } from './panel';
import { REQUEST_WISHES } from './request/wishes';
import { RULE_WISHES } from './rules/wishes';
import { WHAT_IF_WISHES } from './whatIf/wishes';

const { changes, looks, leaves } = wishesOf<ContextPanel>();

const scratchpad = z.strictObject({
  ...scratchpadShape(text, z.array(text)),
  lists: z.exactOptional(z.array(z.strictObject({ name: text, items: z.array(text) }))),
  todo: z.exactOptional(z.array(z.strictObject({ text, state: z.enum(TODO_STATES) }))),
});

/**
 * Everything the Context panel may ask the host for. Blocks, steps and passes have the same names
 * in every session, so a wish that names any must not reach another session than the one it was
 * made for.
 */
export const CONTEXT_WISHES = {
  announceReady: leaves({}, (_wish, panel) => panel.hydrate()),
  ...BLOCK_WISHES,
  ...FILE_WISHES,
  ...PASS_WISHES,
  ...LOSS_WISHES,
  ...REQUEST_WISHES,
  ...RULE_WISHES,
  ...WHAT_IF_WISHES,
  ...EXPORT_WISHES,
  /** Opens the scratchpad for editing: refused before the user types if it cannot be changed. */
  fetchScratchpad: changes(
    {},
    (_wish, { current, scratchpadLists }) =>
      current.run.whyNoChange ??
      answered(withEmptyLists(current.run.window.scratchpad, scratchpadLists)),
  ),
  /** `base` is the scratchpad as it was when the user began: what the agent changed since is kept. */
  updateScratchpad: changes({ scratchpad, base: scratchpad }, ({ scratchpad, base }, panel) =>
    panel.current.run.edit((window) => scratchpadChangeOf(window, scratchpad, base)),
  ),
  /** Undoes the user's own change of the scratchpad; `note` is the block that reports it. */
  undoScratchpad: changes({ note: id }, ({ note }, { current }) =>
    current.run.edit((window) => undoScratchpadChange(window, note)),
  ),
  travelTo: looks({ at: z.union([number, z.literal('now')]) }, async ({ at }, panel) => {
    const refusal = await panel.inspection.travelTo(at);
    panel.redraw();
    return refusal;
  }),
  /** Forks a new session that ends with a step. */
  forkAt: looks({ step: number }, ({ step }, panel) => panel.forkAt(step)),
  /** Starts a new session that continues this one's work. */
  handOver: looks({}, (_wish, panel) => panel.handOver()),
  closeSession: looks({}, (_wish, panel) => panel.closeSession()),
  /** Opens a session that continues this one, or that this one continues. */
  openLinked: looks({ session: id }, ({ session }, { features }) =>
    features.sessions.openLinked(session),
  ),
  openRecording: leaves({}, (_wish, panel) => panel.openRecording()),
  /** Stops opening a recording. */
  stopOpening: leaves({}, (_wish, panel) => panel.stopOpening()),
  closeRecording: leaves({}, (_wish, panel) => panel.showCurrent()),
  /** Shows the window of a sub-agent; without `toolUseId` the session's own. */
  showWindow: leaves({ toolUseId: z.exactOptional(id) }, ({ toolUseId }, panel) =>
    panel.showWindow(toolUseId),
  ),
  /** Makes the agent of a recording record its requests, or stops that. */
  recordExactly: looks(
    { agent: z.enum(RECORDABLE_AGENTS), isOn: z.boolean() },
    ({ agent, isOn }, panel) => panel.recordExactly(agent, isOn),
  ),
  followRecording: looks({ following: z.boolean() }, ({ following }, { recordings }) =>
    recordings.follow(following),
  ),
  dismissIntro: leaves({}, (_wish, panel) => panel.setSeen(INTRO_SEEN)),
  dismissCapNotice: leaves({}, (_wish, panel) => panel.setSeen(CAP_NOTICE_SEEN)),
  openProfile: leaves({}, (_wish, panel) => panel.openProfile()),
  openAgentView: leaves({}, (_wish, panel) => panel.openAgentView()),
  /** Turns third-party tools off in the settings, from the next prompt on. */
  turnToolsOff: looks({ names: z.array(id) }, ({ names }, { features }) =>
    features.tools.turnOff(names),
  ),
  /** Puts a prompt into the composer by which the agent proposes a line for project memory. */
  rememberNeeded: looks({ path: id }, ({ path }, panel) => panel.rememberNeeded(path)),
  /** Offers a file no longer for project memory. */
  dismissNeeded: looks({ path: id }, ({ path }, panel) => panel.dismissNeeded(path)),
  /** Switches an instruction file or skill on or off, from the next prompt on. */
  switchMemory: looks({ path: id, isOn: z.boolean() }, ({ path, isOn }, panel) =>
    panel.switchMemory(path, isOn),
  ),
  chooseTools: leaves({}, (_wish, panel) => panel.chooseTools()),
  openSettings: leaves({}, (_wish, panel) => panel.openSettings()),
  openWatermarkSettings: leaves({}, (_wish, panel) => panel.openSettings('watermark')),
};

export type ContextWishes = typeof CONTEXT_WISHES;
export type ContextWish = WishOf<ContextWishes>;

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

const ANOTHER_SHOWN =
  'The panel now shows another session, so nothing was done. Check it and try again.';

/** Handles the messages of the Context panel; each answer names its wish. */
export function contextWishReceiver(
  panel: ContextPanel,
): (message: unknown) => Promise<void> | void {
  return wishReceiver({
    parse: parseContextPost,
    handlers: handlersOf(CONTEXT_WISHES, panel),
    whyNot: ({ session, wish }: Pick<ContextPost, 'session' | 'wish'>) => {
      const { effect } = CONTEXT_WISHES[wish.type];
      if (effect === 'leaves') return undefined;
      if (session !== panel.session) return ANOTHER_SHOWN;
      return effect === 'changes' ? panel.whyReadOnly : undefined;
    },
    answer: ({ session, number }, answer) =>
      panel.post({ type: 'wishAnswered', session, number, answer }),
    log: (problem) => panel.log(problem),
  });
}
