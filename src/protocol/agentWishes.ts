import * as z from 'zod/mini';
import type { LedTo } from '../contextWindow/passes/takeBack';
import { changes, data, id, leaves, looks, POST, postParser, text, type WishOf } from './wish';

const number = z.int().check(z.minimum(0));

/** Everything the Agent view may ask the host for. */
export const AGENT_WISHES = {
  announceReady: leaves({}),
  submitPrompt: changes({ text }),
  /** Gives a prompt that waits another text. */
  editQueued: changes({ id: number, text }),
  /** Moves a prompt that waits to a place in the queue, 0 for the first. */
  moveQueued: changes({ id: number, to: number }),
  deleteQueued: changes({ id: number }),
  /** Has a prompt that waits told at the next step of the turn that runs, or after the turn again. */
  tellQueued: changes({ id: number, atNextStep: z.boolean() }),
  /** Sends a prompt that waits before the others; a turn that runs is stopped for it. */
  sendQueuedNow: changes({ id: number }),
  /** Sends the prompts that are held, one after another. */
  sendQueued: changes({}),
  /** Says what the newest prompt led to; refused where it cannot be taken back. */
  fetchLedTo: looks({ blockId: id }, data<LedTo>()),
  /**
   * Takes the newest prompt back with all it led to, and gives its text. `steps` is how many the
   * user was told of: refused where there are others.
   */
  takeBackPrompt: changes({ blockId: id, steps: number }, data<string>()),
  /** Brings a prompt back that was taken back. */
  bringBackPrompt: changes({ blockId: id }),
  stopTurn: changes({}),
  /** Goes on with the newest turn, which ended early or was interrupted. */
  continueTurn: changes({}),
  /** Opens the session anew whose log took nothing more, or that was open in another window. */
  reopenSession: leaves({}),
  /** Sends the request again that waits for a passing failure to pass. */
  tryNow: changes({}),
  startSession: leaves({}),
  answerApproval: changes({
    toolUseId: id,
    approved: z.boolean(),
    feedback: z.exactOptional(text),
    /** It counts for the further edits of the card, too. */
    together: z.exactOptional(z.boolean()),
    /** With a yes: what is allowed from now on, the place of a choice, and for how long. */
    rule: z.exactOptional(
      z.strictObject({ choice: number, scope: z.enum(['session', 'workspace', 'always']) }),
    ),
  }),
  /** Takes a standing answer back, so that the user is asked again. */
  revokeRule: changes({ name: text }),
  /** Says how to go on with a session that was idle for long; `remember` stores it as a setting. */
  answerReturn: changes({
    choice: z.enum(['continue', 'summary', 'new']),
    remember: z.boolean(),
  }),
  openDiff: looks({ toolUseId: id }),
  /** Gives the text of a call's result. */
  fetchResult: looks({ toolUseId: id }, data<string>()),
  openContextPanel: leaves({}),
  setApiKey: leaves({}),
  /** Lets the user choose the model, and how it thinks and works. */
  chooseModel: leaves({}),
  /** Shows Plimsoll's settings, or one of them by its full name. */
  openSettings: leaves({ setting: z.exactOptional(id) }),
  /** Says whose value of a setting counts that costs money; `value` is the workspace's, as JSON. */
  answerCost: changes({ setting: id, value: text, whose: z.enum(['workspace', 'own']) }),
  openFolder: leaves({}),
  /** Goes to a session that this one goes on with or in. */
  openLinked: leaves({ session: id }),
};

export type { LedTo };
export type AgentWishes = typeof AGENT_WISHES;
export type AgentWish = WishOf<AgentWishes>;

/** Checks a message from the Agent view. */
export const parseAgentPost = postParser(AGENT_WISHES, z.strictObject(POST));
