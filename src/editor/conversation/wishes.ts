import * as z from 'zod/mini';
import type { PromptEffects } from '../../contextWindow/passes/undoPrompt';
import type { FileToRestore, HunksView } from '../checkpoints/state';
import { mention, slashCommand, type MentionChoice } from '../composer/state';
import { changes, data, id, leaves, looks, POST, postParser, text, type WishOf } from '../wish';

const number = z.int().check(z.minimum(0));

/** A moment that files are put back to: before a prompt, or before a step. */
const moment = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('prompt'), turn: number }),
  z.strictObject({ type: z.literal('step'), step: number }),
]);

/** Longest image or PDF in base64, characters: the API takes 5 MiB. */
const LONGEST_MEDIA = 5_242_880;

/** Those that the agent left as they are, or also what somebody else changed since. */
const filesToRestore = z.enum(['unchanged', 'all']);

const ofTurn = { turn: number, path: z.exactOptional(id) };
const hunkOfTurn = { turn: number, path: id, before: id, after: id, hunk: number };

/** Everything the Agent view may ask the host for. */
export const AGENT_WISHES = {
  announceReady: leaves({}),
  /** `attached`: what the user saw beside it. `atNextStep`: a turn that runs is told at its next step. */
  submitPrompt: changes({
    text,
    attached: z.exactOptional(z.array(number).check(z.maxLength(100))),
    atNextStep: z.exactOptional(z.literal(true)),
  }),
  /** Gives what may be mentioned and fits the words behind an @. */
  findMentions: leaves({ query: text }, data<readonly MentionChoice[]>()),
  /** Reads what is mentioned, and puts it beside the prompt that is being typed. */
  attach: leaves({ mention }),
  /** Puts the text of a file there that the user pasted or dropped. */
  attachText: leaves({ name: id, text }),
  /** Puts an image or PDF there that the user pasted or dropped; `data` is base64. */
  attachMedia: leaves({ name: id, data: z.string().check(z.maxLength(LONGEST_MEDIA)) }),
  /** Puts files and folders there that the user dropped, by their addresses. */
  attachDropped: leaves({ uris: z.array(text).check(z.maxLength(100)) }),
  detach: leaves({ id: number }),
  /** Runs a command of the palette. */
  runCommand: leaves({ command: slashCommand }),
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
  /** Says what a prompt led to, and what putting files back would do; refused where it cannot be taken back. */
  fetchPromptEffects: looks({ blockId: id }, data<PromptEffectsView>()),
  /**
   * Takes a prompt back with all it led to, and gives its text. `steps` is how many the user was told
   * of: refused where there are others. `files`: they are put back as they were before it, too. `again`: it
   * is sent again, and nothing is given.
   */
  undoPrompt: changes(
    {
      blockId: id,
      steps: number,
      files: z.exactOptional(filesToRestore),
      again: z.exactOptional(z.literal(true)),
    },
    data<string>(),
  ),
  /** Brings a prompt back that was taken back. */
  bringPromptBack: changes({ blockId: id }),
  /** Says what going back to a moment would do to files. */
  planRestore: looks({ moment }, data<readonly FileToRestore[]>()),
  /** Puts files back as they were at a moment. */
  restoreFiles: changes({ moment, files: filesToRestore }),
  /** Goes on in a new session that ends before a step, the files as they were then where that is wanted. */
  forkBefore: leaves({ step: number, files: z.exactOptional(filesToRestore) }),
  /** Takes the last putting back of files back. */
  undoRestore: changes({}),
  /** Keeps what a turn made of its files, or of one of them. */
  keepFiles: changes(ofTurn),
  /** Undoes that; gives the files that were left since somebody else changed them. */
  undoFiles: changes({ ...ofTurn, files: filesToRestore }, data<readonly string[]>()),
  /** Gives the parts of what a turn made of a file. */
  fetchHunks: looks({ turn: number, path: id }, data<HunksView>()),
  keepHunk: changes(hunkOfTurn),
  undoHunk: changes(hunkOfTurn),
  /** Opens the diff of a file against the beginning of a turn. */
  openTurnDiff: looks({ turn: number, path: id }),
  stopTurn: changes({}),
  /** Moves the command that runs to the background, where it goes on. */
  moveToBackground: changes({ toolUseId: id }),
  /** Stops a command in the background. */
  stopCommand: changes({ handle: id }),
  /** Opens what a command in the background has written. */
  showCommandOutput: looks({ handle: id }),
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
  /** Puts code of a reply into the clipboard. */
  copyCode: leaves({ code: text }),
  /** Puts code of a reply where the cursor is. */
  insertCode: leaves({ code: text }),
  /** Changes a file to code of a reply, unsaved; `path`: absent for the file in the editor. */
  applyCode: leaves({ code: text, path: z.exactOptional(id) }),
  /** Opens a file that a reply names, at a line counted from 1. */
  openFile: leaves({ path: id, line: z.exactOptional(z.int().check(z.minimum(1))) }),
  openContextPanel: leaves({}),
  setApiKey: leaves({}),
  /** Lets the user choose the model, and how it thinks and works. */
  chooseModel: leaves({}),
  /** Shows Plimsoll's settings, or one of them by its full name. */
  openSettings: leaves({ setting: z.exactOptional(id) }),
  openFolder: leaves({}),
  /** Goes to a session that this one goes on with or in. */
  openLinked: leaves({ session: id }),
};

/** What a prompt led to, and what going back to before it would do to files. */
export interface PromptEffectsView extends PromptEffects {
  readonly restore: readonly FileToRestore[];
}

export type AgentWishes = typeof AGENT_WISHES;
export type AgentWish = WishOf<AgentWishes>;

/** Checks a message from the Agent view. */
export const parseAgentPost = postParser(AGENT_WISHES, z.strictObject(POST));
