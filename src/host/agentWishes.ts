import type { AgentFact, AgentWish, Problem } from '../protocol/agentView';
import type { Handlers } from '../protocol/handlers';
import type { AgentController } from './agentController';
import type { Refusal } from '../protocol/refusal';
import type { ContextWindow } from '../contextWindow/contextWindow';

/** What the Agent view's wishes lead to. */
export interface AgentWishEffects {
  readonly controller: AgentController;
  post(fact: AgentFact): void;
  hydrate(): void;
  /** What stands in the way of a turn. */
  problem(): Problem | undefined;
  /** Tells the user what stands in the way, with the button that helps. */
  tell(problem: Problem): void;
  /** Opens the diff of a proposal; false when it is not known (any more). */
  openDiff(toolUseId: string): Promise<boolean>;
  openContextPanel(): void;
  setApiKey(): void;
  openSettings(): void;
  openFolder(): void;
  /** Runs work whose failure is our bug. */
  background(work: () => Promise<void>): void;
}

/** Fulfils the wishes of the Agent view, or says why not. */
export function agentWishHandlers(effects: AgentWishEffects): Handlers<AgentWish> {
  const { controller } = effects;
  const refuse = (message: Refusal) => {
    if (message !== undefined) effects.post({ type: 'wishRefused', message });
  };
  const giveBack = (text: string) => {
    if (text !== '') effects.post({ type: 'promptReturned', text });
  };
  return {
    announceReady: () => effects.hydrate(),
    submitPrompt: ({ text }) => {
      const problem = controller.isBusy ? undefined : effects.problem();
      if (problem === undefined) return refuse(controller.submit(text));
      refuse(problem.message);
      giveBack(text);
      effects.tell(problem);
    },
    takeBackQueued: () => giveBack(controller.takeBackQueued()),
    stopTurn: () => controller.stop(),
    startSession: () => {
      const refusal = controller.startNew();
      if (refusal === undefined) giveBack(controller.takeBackQueued());
      else refuse(refusal);
    },
    answerApproval: ({ toolUseId, approved, feedback }) =>
      refuse(
        controller.questions.answerApproval(
          toolUseId,
          approved ? { approved } : { approved, ...(feedback === undefined ? {} : { feedback }) },
        ),
      ),
    openDiff: ({ toolUseId }) =>
      effects.background(async () => {
        if (!(await effects.openDiff(toolUseId))) {
          refuse('The proposal is no longer at hand; the session log has its text.');
        }
      }),
    fetchResult: ({ toolUseId }) => {
      const text = resultTextOf(controller.window, toolUseId);
      if (text === undefined) refuse('There is no result of this call.');
      else effects.post({ type: 'resultFetched', toolUseId, text });
    },
    openContextPanel: () => effects.openContextPanel(),
    setApiKey: () => effects.setApiKey(),
    openSettings: () => effects.openSettings(),
    openFolder: () => effects.openFolder(),
  };
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
