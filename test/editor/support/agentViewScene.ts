import { expect } from 'vitest';
import { ApprovalAnswers } from '../../../src/editor/approvals/approvalAnswers';
import type { ApprovalRules } from '../../../src/editor/approvals/approvalRules';
import {
  agentWishHandlers,
  agentWishReceiver,
  type AgentViewHost,
  type AgentWish,
} from '../../../src/editor/conversation/wishes';
import { FileHistory } from '../../../src/editor/checkpoints/fileHistory';
import type { AgentFact, Problem } from '../../../src/editor/conversation/state';
import type { Answer } from '../../../src/editor/wish';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';
import { promptAttachments } from './mentionSources';
import { finishes, scene, type RunTurn } from './controllerScene';

/** An Agent view of the current session, and the answers to its wishes. */
export function view(
  runTurn: RunTurn = finishes,
  more: Partial<AgentViewHost> = {},
  problem?: Problem,
) {
  const { current, seen } = scene(runTurn);
  seen.problem = problem;
  current.follow({ reopening: () => void done.push('reopened') });
  const facts: AgentFact[] = [];
  const done: string[] = [];
  const attachments = promptAttachments();
  const rules = {
    allow: async (toolUseId: string, choice: number, scope: string) =>
      void done.push(`allowed ${toolUseId} ${choice} ${scope}`),
    revoke: async (name: string) => void done.push(`revoked ${name}`),
  } as unknown as ApprovalRules;
  const host: AgentViewHost = {
    agentView: { focusChanged: (isFocused) => void done.push(`focused ${isFocused}`) },
    current,
    rulesOf: () => rules,
    answers: new ApprovalAnswers({
      current,
      rulesOf: () => rules,
      proposals: { callAt: () => undefined, revisedTexts: {} },
      notices: { tell: (message) => done.push(message) },
    }),
    files: {
      history: new FileHistory(
        current,
        {
          checkpoints: async () => undefined,
          write: async () => undefined,
          isUnsaved: () => false,
        },
        STAND_IN_ESTIMATOR,
      ),
      openDiff: async () => false,
    },
    sessions: {
      forkAt: async (step) => void done.push(`forked at ${step}`),
      openLinked: async (session) => void done.push(`session ${session}`),
    },
    notices: { warn: (message) => done.push(message) },
    commands: {
      move: (toolUseId) => void done.push(`moved ${toolUseId}`),
      stopOne: async (handle) => void done.push(`stopped ${handle}`),
      type: async (handle, line) => void done.push(`typed ${line} into ${handle}`),
      show: async (handle) => void done.push(`showed ${handle}`),
    },
    attachments,
    customCommands: {
      choices: async () => [],
      mayCall: (typed) => typed.startsWith('/'),
      called: async () => ({ ok: true, attached: [] }),
    },
    adding: {
      addDropped: async (uri) => (uri.endsWith('no') ? `Not ${uri}.` : void done.push(uri)),
    },
    drafts: { text: 'half a', keep: (text) => void done.push(`kept ${text}`) },
    openSubAgent: (toolUseId) => void done.push(`window of ${toolUseId}`),
    editor: { run: (...command) => done.push(command.join(' ')) },
    hydrate: () => done.push('hydrated'),
    tell: ({ message }) => done.push(`told: ${message}`),
    returning: { answer: async (choice, remember) => void done.push(`${choice} ${remember}`) },
    proposals: { open: async () => false },
    plans: {
      open: async () => void done.push('plan opened'),
      start: (place) => void done.push(`plan started ${place}`),
    },
    code: {
      copy: async (code) => void done.push(`copied ${code}`),
      insert: async (code) => void done.push(`inserted ${code}`),
      apply: async (code, path = 'the editor') => void done.push(`applied ${code} to ${path}`),
      open: async (path, line) => void done.push(`opened ${path} at ${line}`),
    },
    ...more,
  };
  const receive = agentWishReceiver(
    agentWishHandlers(host),
    { post: (fact) => facts.push(fact) },
    { log: (problem) => done.push(problem) },
    current,
  );
  const wish = async (asked: AgentWish): Promise<Answer> => {
    await receive({ number: 7, wish: asked });
    const [fact, ...others] = facts.splice(0);
    expect(others).toEqual([]);
    expect(fact).toMatchObject({ type: 'wishAnswered', number: 7 });
    return (fact as Extract<AgentFact, { readonly type: 'wishAnswered' }>).answer;
  };
  return { current, seen, done, wish, attachments };
}

export const DONE: Answer = { type: 'done' };
export const refused = (why: string): Answer => ({ type: 'refused', message: why });
