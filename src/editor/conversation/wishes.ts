import * as z from 'zod/mini';
import { effectsOfPrompt, whyNotUndoPrompt } from '../../contextWindow/passes/undoPrompt';
import type { AttachedText } from '../../contextWindow/attached';
import { MODES } from '../../contextWindow/mode';
import type { Refusal } from '../../contextWindow/result';
import type { ContextWindow } from '../../contextWindow/window';
import type { ApprovalAnswers } from '../approvals/approvalAnswers';
import type { ApprovalRules } from '../approvals/approvalRules';
import type { Proposals } from '../approvals/proposals';
import { FILE_WISHES, filesToRestore, type FilesHost } from '../checkpoints/wishes';
import type { RunningCommands } from '../commands/runningCommands';
import type { KeptDraft } from '../composer/keptDraft';
import { COMPOSER_WISHES, type ComposerHost } from '../composer/wishes';
import type { CurrentSession } from '../session/currentSession';
import type { Returning } from '../session/returnQuestion';
import type { RunSession } from '../session/turnSource';
import { restorePrompt, undoPrompt } from '../session/promptUndo';
import type { SessionCommands } from '../sessions/sessionCommands';
import {
  answered,
  handlersOf,
  id,
  POST,
  postParser,
  text,
  wishesOf,
  wishReceiver,
  type WishHandlers,
  type WishOf,
} from '../wish';
import type { AgentViewProvider } from './panel';
import type { Plans } from './plans';
import type { ReplyCode } from './replyCode';
import type { AgentFact, Problem, PromptEffectsView } from './state';

/** The objects whose methods the wishes of the Agent view call. */
export interface AgentViewHost extends ComposerHost, FilesHost {
  readonly agentView: Pick<AgentViewProvider, 'focusChanged'>;
  readonly current: CurrentSession;
  readonly answers: Pick<ApprovalAnswers, 'answer'>;
  readonly rulesOf: (run: RunSession) => Pick<ApprovalRules, 'revoke'>;
  readonly proposals: Pick<Proposals, 'open'>;
  readonly commands: Pick<RunningCommands, 'move' | 'stopOne' | 'show' | 'type'>;
  readonly sessions: Pick<SessionCommands, 'forkAt' | 'openLinked'>;
  readonly returning: Pick<Returning, 'answer'>;
  readonly drafts: Pick<KeptDraft, 'text' | 'keep'>;
  readonly plans: Pick<Plans, 'open' | 'start'>;
  /** Shows the window of a sub-agent in the Context panel. */
  readonly openSubAgent: (toolUseId: string) => void;
  readonly code: Pick<ReplyCode, 'copy' | 'insert' | 'apply' | 'open'>;
  /** Sends the page everything it shows. */
  hydrate(): void;
  /** Shows a problem to the user, with the button that helps. */
  tell(problem: Problem): void;
  readonly notices: { warn(message: string): void };
}

const { changes, looks, leaves } = wishesOf<AgentViewHost>();

const index = z.int().check(z.minimum(0));

/** A moment to go back to: before a prompt, or before a step. */
const moment = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('prompt'), turn: index }),
  z.strictObject({ type: z.literal('step'), step: index }),
]);

/** Everything the Agent view may ask for. */
export const AGENT_WISHES = {
  /** Gives the text that was being typed when the window was last open. */
  announceReady: leaves({}, (_wish, host) => {
    host.hydrate();
    return answered(host.drafts.text);
  }),
  /** The page got the focus, or lost it. */
  tellFocus: leaves({ isFocused: z.boolean() }, ({ isFocused }, { agentView }) =>
    agentView.focusChanged(isFocused),
  ),
  /** `attached`: the attachments the user saw. `atNextStep`: a running turn gets it at its next step. */
  submitPrompt: changes(
    {
      text,
      attached: z.exactOptional(z.array(index).check(z.maxLength(100))),
      atNextStep: z.exactOptional(z.literal(true)),
    },
    ({ text: typed, attached = [], atNextStep = false }, host) =>
      withCommand(host, typed, (command) =>
        unlessProblem(host, () =>
          host.attachments.send(
            typed,
            attached,
            (prompt) => host.current.run.turns.submit(prompt, atNextStep),
            command,
          ),
        ),
      ),
  ),
  ...COMPOSER_WISHES,

  editQueued: changes({ id: index, text }, (wish, host) =>
    withCommand(host, wish.text, (command) =>
      host.current.run.turns.change((queue) => queue.edit(wish.id, wish.text, command)),
    ),
  ),
  /** `to` is the new position in the queue, 0 for the first. */
  moveQueued: changes({ id: index, to: index }, (wish, { current }) =>
    current.run.turns.change((queue) => queue.move(wish.id, wish.to)),
  ),
  deleteQueued: changes({ id: index }, (wish, { current }) =>
    current.run.turns.change((queue) => queue.remove(wish.id)),
  ),
  /** Sends a queued prompt at the next step of the running turn, or after the turn again. */
  tellQueued: changes({ id: index, atNextStep: z.boolean() }, (wish, { current }) =>
    current.run.turns.change((queue) => queue.tellAtNextStep(wish.id, wish.atNextStep)),
  ),
  /** Sends a queued prompt before the others, and stops a running turn for it. */
  sendQueuedNow: changes({ id: index }, (wish, host) =>
    unlessProblem(host, () => host.current.run.turns.sendNow(wish.id)),
  ),
  /** Sends the prompts that are held, one after another. */
  sendQueued: changes({}, (_wish, host) =>
    unlessProblem(host, () => host.current.run.turns.sendQueued()),
  ),

  /** Says what a prompt led to, and what restoring files would do; refused if it cannot be undone. */
  fetchPromptEffects: looks({ blockId: id }, async ({ blockId }, { current, files }) => {
    const why = whyNotUndoPrompt(current.run.window, blockId);
    if (why !== undefined) return why;
    const restore = await files.history.plan({ type: 'prompt', turn: turnOf(blockId) });
    const effects: PromptEffectsView = { ...effectsOfPrompt(current.run.window, blockId), restore };
    return answered(effects);
  }),
  /**
   * Undoes a prompt with its steps, and gives its text. `steps` is the number the user was shown:
   * refused if it changed. `files`: restores files, too. `again`: sends the prompt again, and gives ''.
   */
  undoPrompt: changes(
    {
      blockId: id,
      steps: index,
      files: z.exactOptional(filesToRestore),
      again: z.exactOptional(z.literal(true)),
    },
    async ({ blockId, steps, files, again }, host) => {
      const { current, attachments } = host;
      const run = current.run;
      const taken = await undoPrompt(run, blockId, steps);
      if (!taken.ok) return taken.message;
      // While the turn was stopping, the user may have opened another session.
      const isShown = (): boolean => current.run === run;
      if (files !== undefined && !isShown()) host.notices.warn(OTHER_SESSION);
      if (files !== undefined && isShown()) {
        const before = { type: 'prompt', turn: turnOf(blockId) } as const;
        // No note to the model: its context then matches the files.
        const refusal = await host.files.history.restore(before, files === 'all', false);
        if (refusal !== undefined) host.notices.warn(refusal);
      }
      const submit = (): Refusal => unlessProblem(host, () => current.run.submit(taken.prompt));
      const isSent = again === true && isShown() && submit() === undefined;
      return answered(isSent ? '' : await attachments.restore(taken.prompt));
    },
  ),
  /** Undoes the undoing of a prompt. */
  restorePrompt: changes({ blockId: id }, ({ blockId }, { current }) =>
    restorePrompt(current.run, blockId),
  ),
  /** Says what restoring the files of a moment would do. */
  planRestore: looks({ moment }, async (wish, { files }) =>
    answered(await files.history.plan(wish.moment)),
  ),
  restoreFiles: changes({ moment, files: filesToRestore }, (wish, { files }) =>
    files.history.restore(wish.moment, wish.files === 'all', true),
  ),
  /** Continues in a new session that ends before a step, with the files of that moment if wanted. */
  forkBefore: leaves(
    { step: index, files: z.exactOptional(filesToRestore) },
    async ({ step, files }, host) => {
      if (step < 2) return 'There is no step before the first one. Undo its prompt instead.';
      if (host.current.run.isBusy) return 'The agent is working. Stop it before you go back.';
      if (files !== undefined) {
        const before = { type: 'step', step } as const;
        const refusal = await host.files.history.restore(before, files === 'all', true);
        if (refusal !== undefined) host.notices.warn(refusal);
      }
      return host.sessions.forkAt(step - 1);
    },
  ),
  ...FILE_WISHES,

  /** Chooses how the agent works from the next step on. */
  setMode: changes({ mode: z.enum(MODES) }, ({ mode }, { current }) => current.run.setMode(mode)),
  /** Opens the plan that waits for its start. */
  openPlan: looks({}, (_wish, { plans }) => plans.open()),
  /** Starts the work on the plan, as the user left it. */
  startPlan: changes({ place: z.enum(['here', 'newSession']) }, ({ place }, host) =>
    unlessProblem(host, () => host.plans.start(place)),
  ),

  stopTurn: changes({}, (_wish, { current }) => current.run.stop()),
  /** Continues the newest turn, which ended early or was interrupted. */
  continueTurn: changes({}, (_wish, host) =>
    unlessProblem(host, () => host.current.run.turns.continueTurn()),
  ),
  /** Sends now the request that waits for its next try. */
  tryNow: changes({}, (_wish, { current }) => current.run.tryNow()),
  moveToBackground: changes({ toolUseId: id }, ({ toolUseId }, { commands }) =>
    commands.move(toolUseId),
  ),
  stopCommand: changes({ handle: id }, ({ handle }, { commands }) => commands.stopOne(handle)),
  /** Types a line into a background command. */
  typeIntoCommand: changes({ handle: id, line: text }, ({ handle, line }, { commands }) =>
    commands.type(handle, line),
  ),
  showCommandOutput: looks({ handle: id }, ({ handle }, { commands }) => commands.show(handle)),
  startSession: leaves({}, (_wish, { current }) => current.startNew()),
  /** Opens the session again after its log failed or while another window had it. */
  reopenSession: leaves({}, (_wish, { current }) => current.reopen()),
  /** Opens a session that this one continues or is continued in. */
  openLinked: leaves({ session: id }, ({ session }, { sessions }) => sessions.openLinked(session)),

  answerApproval: changes(
    {
      toolUseId: id,
      approved: z.boolean(),
      feedback: z.exactOptional(text),
      /** Applies to the further edits of the card, too. */
      together: z.exactOptional(z.boolean()),
      /** With Allow: the index of the choice that becomes a rule, and its scope. */
      rule: z.exactOptional(
        z.strictObject({ choice: index, scope: z.enum(['session', 'workspace', 'always']) }),
      ),
    },
    ({ toolUseId, approved, feedback, together = false, rule }, { answers }) =>
      answers.answer(
        toolUseId,
        { approved, together, ...(feedback === undefined ? {} : { feedback }) },
        rule,
      ),
  ),
  /** Removes an approval rule, so that the user is asked again. */
  revokeRule: changes({ name: text }, ({ name }, { rulesOf, current }) =>
    rulesOf(current.run).revoke(name),
  ),
  /** Says how to continue a session that was idle for long; `remember` stores the answer as a setting. */
  answerReturn: changes(
    { choice: z.enum(['continue', 'summary', 'new']), remember: z.boolean() },
    ({ choice, remember }, { returning }) => returning.answer(choice, remember),
  ),
  /** Answers the question whether to compact first; the panel shows the same pass in full. */
  answerColdPass: changes(
    { proposedPassId: z.int(), choice: z.enum(['continue', 'compact']) },
    ({ proposedPassId, choice }, { current }) =>
      current.run.questions.answerPass(proposedPassId, {
        type: choice === 'compact' ? 'applyUnseen' : 'postpone',
      }),
  ),
  openDiff: looks({ toolUseId: id }, async ({ toolUseId }, { proposals }) =>
    (await proposals.open(toolUseId))
      ? undefined
      : 'The proposal is no longer available; the session log has its text.',
  ),
  /** Gives the text of a tool result. */
  fetchResult: looks({ toolUseId: id }, ({ toolUseId }, { current }) => {
    const result = resultTextOf(current.run.window, toolUseId);
    return result === undefined ? 'This call has no result.' : answered(result);
  }),

  copyCode: leaves({ code: text }, ({ code }, host) => host.code.copy(code)),
  /** Inserts code of a reply at the cursor. */
  insertCode: leaves({ code: text }, ({ code }, host) => host.code.insert(code)),
  /** Applies code of a reply to a file without saving; without `path`, to the file in the editor. */
  applyCode: leaves({ code: text, path: z.exactOptional(id) }, ({ code, path }, host) =>
    host.code.apply(code, path),
  ),
  /** Opens a file that a reply names; lines count from 1. */
  openFile: leaves(
    { path: id, line: z.exactOptional(z.int().check(z.minimum(1))) },
    ({ path, line }, host) => host.code.open(path, line),
  ),

  openContextPanel: leaves({}, (_wish, { editor }) => editor.run('plimsoll.openContextPanel')),
  /** Shows the window of a sub-agent in the Context panel. */
  openSubAgent: leaves({ toolUseId: id }, ({ toolUseId }, { openSubAgent }) =>
    openSubAgent(toolUseId),
  ),
  tryDemo: leaves({}, (_wish, { editor }) => editor.run('plimsoll.tryDemo')),
  inspectSession: leaves({}, (_wish, { editor }) => editor.run('plimsoll.inspectSession')),
  setApiKey: leaves({}, (_wish, { editor }) => editor.run('plimsoll.setApiKey')),
  chooseModel: leaves({}, (_wish, { editor }) => editor.run('plimsoll.chooseModel')),
  /** Opens Plimsoll's settings, or one of them by its full name. */
  openSettings: leaves({ setting: z.exactOptional(id) }, ({ setting }, { editor }) =>
    editor.run(
      'workbench.action.openSettings',
      setting === undefined ? 'plimsoll.' : `@id:${setting}`,
    ),
  ),
  openFolder: leaves({}, (_wish, { editor }) => editor.run('vscode.openFolder')),
};

export type AgentWishes = typeof AGENT_WISHES;
export type AgentWish = WishOf<AgentWishes>;

/** Checks a message from the Agent view. */
export const parseAgentPost = postParser(AGENT_WISHES, z.strictObject(POST));

/** Binds the wishes of the Agent view to the objects that fulfil them. */
export function agentWishHandlers(host: AgentViewHost): WishHandlers<AgentWishes> {
  return handlersOf(AGENT_WISHES, host);
}

/** Handles the messages of the Agent view. */
export function agentWishReceiver(
  handlers: WishHandlers<AgentWishes>,
  page: { post(fact: AgentFact): void },
  report: { log(problem: string): void },
  current: Pick<CurrentSession, 'opening' | 'opened' | 'run'>,
): (message: unknown) => Promise<void> | void {
  return wishReceiver({
    parse: parseAgentPost,
    handlers: waiting(handlers, current),
    whyNot: () => undefined,
    answer: ({ number }, answer) => page.post({ type: 'wishAnswered', number, answer }),
    log: (problem) => report.log(problem),
  });
}

const NOT_OPENED = 'The session could not be opened, so this was not done.';

/**
 * While the page shows only the end of a session, the wishes that concern the session wait until
 * it is loaded. They are refused if it cannot be loaded: the page then shows another one.
 */
function waiting(
  handlers: WishHandlers<AgentWishes>,
  current: Pick<CurrentSession, 'opening' | 'opened' | 'run'>,
): WishHandlers<AgentWishes> {
  const all = Object.entries(handlers).map(([type, handler]) => {
    const isFree = AGENT_WISHES[type as keyof AgentWishes].effect === 'leaves';
    const fulfil = handler as (wish: unknown) => unknown;
    const later = (wish: unknown): unknown => {
      const { opening } = current;
      if (opening === undefined) return fulfil(wish);
      return current
        .opened()
        .then(() =>
          current.run.window.sessionId === opening.sessionId ? fulfil(wish) : NOT_OPENED,
        );
    };
    return [type, isFree ? fulfil : later];
  });
  return Object.fromEntries(all) as WishHandlers<AgentWishes>;
}

const OTHER_SESSION = 'No files were restored: another session is open now.';

/** Does something with the custom command that a prompt calls; a path or another prompt does not wait. */
function withCommand(
  { customCommands }: Pick<AgentViewHost, 'customCommands'>,
  typed: string,
  work: (command: readonly AttachedText[]) => Refusal,
): Refusal | Promise<Refusal> {
  if (!customCommands.mayCall(typed)) return work([]);
  return customCommands
    .called(typed)
    .then((called) => (called.ok ? work(called.attached) : called.message));
}

/** Sends something, unless a problem prevents a turn; then the user sees the problem. */
function unlessProblem(
  { current, tell }: Pick<AgentViewHost, 'current' | 'tell'>,
  send: () => Refusal,
): Refusal {
  const { problem, run } = current;
  if (run.isBusy || problem === undefined) return send();
  tell(problem);
  return problem.message;
}

function turnOf(promptId: string): number {
  return Number(promptId.replace('prompt-', ''));
}

/** Longest result a page is sent, characters; the session log has the rest. */
const LONGEST_SHOWN = 100_000;

/** The text of a tool result as logged; undefined if there is none. */
function resultTextOf(window: ContextWindow, toolUseId: string): string | undefined {
  for (const block of window.blocks) {
    if (block.kind !== 'step') continue;
    const pair = block.pairs.find(({ use }) => use.id === toolUseId);
    if (pair?.result !== undefined) return shortened(pair.result.text);
  }
  return undefined;
}

function shortened(whole: string): string {
  if (whole.length <= LONGEST_SHOWN) return whole;
  const left = whole.length - LONGEST_SHOWN;
  return `${whole.slice(0, LONGEST_SHOWN)}\n… (${left} more characters are in the session log)`;
}
