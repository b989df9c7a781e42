import { expect } from 'vitest';
import { ApprovalAnswers } from '../../../src/editor/approvals/approvalAnswers';
import type { ApprovalRules } from '../../../src/editor/approvals/approvalRules';
import type { AgentController } from '../../../src/editor/session/agentController';
import {
  agentWishHandlers,
  agentWishReceiver,
  type AgentWishEffects,
} from '../../../src/editor/conversation/agentWishes';
import { restorePrompt } from '../../../src/editor/composer/mentionWishes';
import { Mentions } from '../../../src/editor/composer/mentions';
import { FileHistory } from '../../../src/editor/checkpoints/fileHistory';
import type { AgentFact } from '../../../src/editor/conversation/state';
import type { AgentWish } from '../../../src/editor/conversation/wishes';
import type { Answer } from '../../../src/editor/wish';
import { attachedDesk, mentionPlace } from './mentionPlace';
import { finishes, scene, type RunTurn } from './controllerScene';

/** An Agent view over a controller, and what each of its wishes is answered with. */
export function view(runTurn: RunTurn = finishes, more: Partial<AgentWishEffects> = {}) {
  const { controller, seen } = scene(runTurn);
  const facts: AgentFact[] = [];
  const done: string[] = [];
  const desk = attachedDesk();
  const rules = {
    allow: async (toolUseId: string, choice: number, scope: string) =>
      void done.push(`allowed ${toolUseId} ${choice} ${scope}`),
    revoke: async (name: string) => void done.push(`revoked ${name}`),
  } as unknown as ApprovalRules;
  const effects: AgentWishEffects = {
    controller: controller satisfies AgentController,
    rules: () => rules,
    answers: new ApprovalAnswers({
      controller: () => controller,
      rulesOf: () => rules,
      proposals: () => ({ openCallOf: () => undefined }),
      tell: (message) => done.push(message),
    }),
    files: {
      controller,
      history: new FileHistory({
        controller: () => controller,
        checkpoints: async () => undefined,
        write: async () => undefined,
        isUnsaved: () => false,
        warm: async () => undefined,
      }),
      openTurnDiff: async () => false,
      restorePrompt: (prompt) => restorePrompt(desk, prompt),
      forkAt: async (step) => void done.push(`forked at ${step}`),
      warn: (message) => done.push(message),
    },
    commands: {
      move: (toolUseId) => void done.push(`moved ${toolUseId}`),
      stopOne: async (handle) => void done.push(`stopped ${handle}`),
      show: async (handle) => void done.push(`showed ${handle}`),
    },
    beside: {
      desk,
      mentions: new Mentions(mentionPlace()),
      drop: async (uri) => (uri.endsWith('no') ? `Not ${uri}.` : void done.push(uri)),
      runCommand: (command) => done.push(`ran ${command}`),
    },
    hydrate: () => done.push('hydrated'),
    problem: () => undefined,
    tell: ({ message }) => done.push(`told: ${message}`),
    answerReturn: async (choice, remember) => void done.push(`${choice} ${remember}`),
    openDiff: async () => false,
    code: {
      copy: async (code) => void done.push(`copied ${code}`),
      insert: async (code) => void done.push(`inserted ${code}`),
      apply: async (code, path = 'the editor') => void done.push(`applied ${code} to ${path}`),
      open: async (path, line) => void done.push(`opened ${path} at ${line}`),
    },
    openContextPanel: () => done.push('panel'),
    setApiKey: () => done.push('key'),
    chooseModel: () => done.push('model'),
    reopenSession: () => done.push('reopened'),
    openSettings: (setting = 'settings') => done.push(setting),
    openFolder: () => done.push('folder'),
    openLinked: async (session) => void done.push(`session ${session}`),
    ...more,
  };
  const receive = agentWishReceiver(
    agentWishHandlers(effects),
    (fact) => facts.push(fact),
    (problem) => done.push(problem),
  );
  const wish = async (asked: AgentWish): Promise<Answer> => {
    await receive({ number: 7, wish: asked });
    const [fact, ...others] = facts.splice(0);
    expect(others).toEqual([]);
    expect(fact).toMatchObject({ type: 'wishAnswered', number: 7 });
    return (fact as Extract<AgentFact, { readonly type: 'wishAnswered' }>).answer;
  };
  return { controller, seen, done, wish, desk };
}

export const DONE: Answer = { type: 'done' };
export const refused = (why: string): Answer => ({ type: 'refused', message: why });
