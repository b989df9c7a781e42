import type { ContextWindow } from '../../contextWindow/window';
import { parseAgentPost, type AgentWishes } from './wishes';
import type { AgentFact, Problem } from './state';
import { answered, type WishHandlers, wishReceiver } from '../wish';
import type { Refusal } from '../../contextWindow/result';
import type { ApprovalAnswers } from '../approvals/approvalAnswers';
import type { ApprovalRules } from '../approvals/approvalRules';
import type { AgentController } from '../session/agentController';
import type { CommandDesk } from '../commands/commandDesk';
import type { ReturnChoice } from '../session/returnDesk';
import { fileWishHandlers, type FileWishEffects } from '../checkpoints/fileWishes';
import {
  mentionWishHandlers,
  sendWithAttached,
  type MentionWishEffects,
} from '../composer/mentionWishes';
import { bringPromptBack } from '../session/undoPrompt';

/** What the wishes of the Agent view do. */
export interface AgentWishEffects {
  readonly controller: AgentController;
  /** Those of the session shown. */
  readonly rules: () => ApprovalRules;
  readonly answers: ApprovalAnswers;
  readonly files: Omit<FileWishEffects, 'submit'>;
  readonly beside: MentionWishEffects;
  /** The commands in the background. */
  readonly commands: Pick<CommandDesk, 'move' | 'stopOne' | 'show'>;
  hydrate(): void;
  /** What stands in the way of a turn. */
  problem(): Problem | undefined;
  /** Tells the user what stands in the way, with the button that helps. */
  tell(problem: Problem): void;
  /** Goes on with an idle session as the user says, or says why not. */
  answerReturn(choice: ReturnChoice, remember: boolean): Promise<Refusal>;
  /** Opens the diff of a proposal; false when the proposal is not known (any more). */
  openDiff(toolUseId: string): Promise<boolean>;
  readonly code: ReplyCodeEffects;
  openContextPanel(): void;
  setApiKey(): void;
  /** Lets the user choose the model, and how it thinks and works. */
  chooseModel(): void;
  /** Shows all settings, or one by its full name. */
  openSettings(setting?: string): void;
  /** Opens the session anew whose log took nothing more, or that was open in another window. */
  reopenSession(): void;
  openFolder(): void;
  /** Shows a session that this one goes on with or in, or says why not. */
  openLinked(session: string): Promise<Refusal>;
}

/** What is done with code and file names of a reply. */
export interface ReplyCodeEffects {
  copy(code: string): Promise<void>;
  insert(code: string): Promise<Refusal>;
  apply(code: string, path?: string): Promise<Refusal>;
  open(path: string, line?: number): Promise<Refusal>;
}

/** Fulfils the wishes of the Agent view, or says why not. */
export function agentWishHandlers(effects: AgentWishEffects): WishHandlers<AgentWishes> {
  const { controller } = effects;
  const unlessProblem = (send: () => Refusal): Refusal => {
    const problem = controller.isBusy ? undefined : effects.problem();
    if (problem === undefined) return send();
    effects.tell(problem);
    return problem.message;
  };
  return {
    announceReady: () => effects.hydrate(),
    submitPrompt: ({ text, attached = [], atNextStep = false }) =>
      unlessProblem(() =>
        sendWithAttached(effects.beside.desk, text, attached, (prompt) =>
          controller.turns.submit(prompt, atNextStep),
        ),
      ),
    ...mentionWishHandlers(effects.beside),
    editQueued: ({ id, text }) => controller.turns.change((queue) => queue.edit(id, text)),
    moveQueued: ({ id, to }) => controller.turns.change((queue) => queue.move(id, to)),
    deleteQueued: ({ id }) => controller.turns.change((queue) => queue.remove(id)),
    tellQueued: ({ id, atNextStep }) =>
      controller.turns.change((queue) => queue.tellAtNextStep(id, atNextStep)),
    sendQueuedNow: ({ id }) => unlessProblem(() => controller.turns.sendNow(id)),
    sendQueued: () => unlessProblem(() => controller.turns.sendQueued()),
    ...fileWishHandlers({
      ...effects.files,
      submit: (prompt) => unlessProblem(() => controller.submit(prompt)),
    }),
    bringPromptBack: ({ blockId }) => bringPromptBack(controller.shown, blockId),
    stopTurn: () => controller.stop(),
    moveToBackground: ({ toolUseId }) => effects.commands.move(toolUseId),
    stopCommand: ({ handle }) => effects.commands.stopOne(handle),
    showCommandOutput: ({ handle }) => effects.commands.show(handle),
    continueTurn: () => unlessProblem(() => controller.turns.continueTurn()),
    reopenSession: () => effects.reopenSession(),
    tryNow: () => controller.tryNow(),
    startSession: () => controller.startNew(),
    answerApproval: ({ toolUseId, approved, feedback, together = false, rule }) =>
      effects.answers.answer(
        toolUseId,
        { approved, together, ...(feedback === undefined ? {} : { feedback }) },
        rule,
      ),
    revokeRule: ({ name }) => effects.rules().revoke(name),
    answerReturn: ({ choice, remember }) => effects.answerReturn(choice, remember),
    openDiff: async ({ toolUseId }) =>
      (await effects.openDiff(toolUseId))
        ? undefined
        : 'The proposal is no longer at hand; the session log has its text.',
    fetchResult: ({ toolUseId }) => {
      const text = resultTextOf(controller.window, toolUseId);
      return text === undefined ? 'There is no result of this call.' : answered(text);
    },
    copyCode: ({ code }) => effects.code.copy(code),
    insertCode: ({ code }) => effects.code.insert(code),
    applyCode: ({ code, path }) => effects.code.apply(code, path),
    openFile: ({ path, line }) => effects.code.open(path, line),
    openContextPanel: () => effects.openContextPanel(),
    setApiKey: () => effects.setApiKey(),
    chooseModel: () => effects.chooseModel(),
    openSettings: ({ setting }) => effects.openSettings(setting),
    openFolder: () => effects.openFolder(),
    openLinked: ({ session }) => effects.openLinked(session),
  };
}

/** Handles the messages of the Agent view. */
export function agentWishReceiver(
  handlers: WishHandlers<AgentWishes>,
  post: (fact: AgentFact) => void,
  log: (problem: string) => void,
): (message: unknown) => Promise<void> | void {
  return wishReceiver({
    parse: parseAgentPost,
    handlers,
    whyNot: () => undefined,
    answer: ({ number }, answer) => post({ type: 'wishAnswered', number, answer }),
    log,
  });
}

/** Longest result a view is given, in characters; the session log has the rest. */
const LONGEST_SHOWN = 100_000;

/** The text of a tool result as the log has it; undefined when there is no such result. */
function resultTextOf(window: ContextWindow, toolUseId: string): string | undefined {
  for (const block of window.blocks) {
    if (block.kind !== 'step') continue;
    const pair = block.pairs.find(({ use }) => use.id === toolUseId);
    if (pair?.result !== undefined) return shortened(pair.result.text);
  }
  return undefined;
}

function shortened(text: string): string {
  if (text.length <= LONGEST_SHOWN) return text;
  const left = text.length - LONGEST_SHOWN;
  return `${text.slice(0, LONGEST_SHOWN)}\n… (${left} more characters are in the session log)`;
}
