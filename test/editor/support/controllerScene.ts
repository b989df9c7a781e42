import { BackgroundCommands } from '../../../src/agent/backgroundCommands';
import type {
  AgentDeps,
  AgentSettings,
  ProposedPass,
  PassReview,
} from '../../../src/agent/agentDeps';
import type { Estimator } from '../../../src/agent/model';
import { Session } from '../../../src/agent/session';
import type { ApprovalRequest } from '../../../src/agent/tool';
import type { ToolUseId } from '../../../src/contextWindow/block';
import type { TurnOutcome } from '../../../src/contextWindow/event';
import { AgentController } from '../../../src/editor/session/agentController';
import type { ControllerEffects } from '../../../src/editor/session/controllerEffects';
import { AGENT_SETTINGS } from '../../support/agentSettings';
import { budgetOf, countDots, promptEvent } from '../../support/drawing';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';

export type RunTurn = ControllerEffects['runTurn'];
export type MakeRoom = ControllerEffects['compactNow'];
export type Prepared = Awaited<ReturnType<ControllerEffects['prepareTurn']>>;

export const READY = { ok: true, parts: {} } as Prepared;
export const NOT_READY: Prepared = { ok: false, message: 'There is no key.' };
export const FINISHED: TurnOutcome = { type: 'finished' };

const SETTINGS: AgentSettings = {
  ...AGENT_SETTINGS,
  model: 'test',
  budget: budgetOf(1_000),
  summary: { writer: 'workNote', model: 'test' },
};

/** Counts as drawings do: a middle dot is a token, and nothing else is. */
const ESTIMATOR: Estimator = { ...STAND_IN_ESTIMATOR, estimate: countDots };

export function scene(runTurn: RunTurn, compactNow: MakeRoom = freesNothing) {
  const seen = {
    textsChanged: 0,
    prompts: [] as string[],
    outcomes: [] as TurnOutcome[],
    refusals: [] as string[],
    bugs: [] as unknown[],
    proposals: [] as string[],
    prepared: READY,
    /** Says whether a prompt may be sent. */
    gate: () => true,
    /** Called when the session is left. */
    left: () => undefined as void,
    sessions: 0,
    continued: 0,
  };
  const effects: ControllerEffects = {
    runTurn: (deps, prompt, signal) => {
      seen.prompts.push(prompt.text);
      deps.session.append({ ...promptEvent(prompt.text), ...prompt });
      return runTurn(deps, prompt, signal);
    },
    continueTurn: (deps, signal) => {
      seen.continued += 1;
      deps.session.append({ type: 'turnContinued' });
      return runTurn(deps, { text: '' }, signal);
    },
    compactNow,
    mayBegin: () => seen.gate(),
    prepareTurn: async () => seen.prepared,
    byHandParts: () => ({ settings: SETTINGS, estimator: ESTIMATOR }),
    startSession: () => {
      seen.sessions += 1;
      return new Session({ append: () => undefined }, () => 0);
    },
    commandsOf: (session) =>
      new BackgroundCommands(session, { changed: () => undefined, report: () => undefined }),
    sessionLeft: () => seen.left(),
    showProposal: (use) => {
      seen.proposals.push(`+${use.id}`);
      return () => seen.proposals.push(`-${use.id}`);
    },
    showReview: () => {
      seen.proposals.push('+pass');
      return () => seen.proposals.push('-pass');
    },
    changed: () => undefined,
    revisedTexts: () => ({}),
    textsChanged: () => void (seen.textsChanged += 1),
    heard: () => undefined,
    turnEnded: (outcome) => seen.outcomes.push(outcome),
    turnRefused: ({ message }) => seen.refusals.push(message),
    report: (error) => seen.bugs.push(error),
    now: () => 0,
  };
  const controller = new AgentController(() => effects);
  return { controller, seen };
}

/** A turn that ends when it is told to. */
export function gate() {
  const ends: ((outcome: TurnOutcome) => void)[] = [];
  const runTurn: RunTurn = async function* (_deps, _prompt, signal) {
    yield { type: 'askStarted', step: 1 };
    return await new Promise<TurnOutcome>((resolve) => {
      ends.push(resolve);
      signal.addEventListener('abort', () => resolve({ type: 'stopped' }));
    });
  };
  return { runTurn, end: (outcome = FINISHED) => ends.shift()?.(outcome) };
}

/** A turn that ends by itself. */
export const finishes: RunTurn = async function* () {
  yield { type: 'askStarted', step: 1 };
  return FINISHED;
};

/** A pass by hand that finds nothing to take. */
// eslint-disable-next-line require-yield -- it finds nothing to tell either
export const freesNothing: MakeRoom = async function* () {
  return { ok: false, message: 'There was nothing to gain.' };
};

/** A turn in which a pass waits for the user's answer. */
export function proposing(proposed: ProposedPass, reviews: PassReview[]): RunTurn {
  return async function* (deps, _prompt, signal) {
    yield { type: 'passStarted', trigger: 'highWatermark' };
    yield { type: 'passProposed', trigger: 'highWatermark' };
    const review = await deps.reviewPass!(proposed, signal);
    reviews.push(review);
    yield { type: 'passReviewed', applied: review.type === 'apply' };
    return signal.aborted ? { type: 'stopped' } : FINISHED;
  };
}

/** What the prompts say that are not in the log yet. */
export const textsOf = (queued: AgentController['queued']): readonly string[] =>
  queued.map(({ text }) => text);

export const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

export const EDIT: ApprovalRequest = { kind: 'edit', path: 'a.ts', before: 'a', after: 'b' };
export const USE = { id: 'toolu_1' as ToolUseId, name: 'edit_file', input: {} };

export function asking(answers: unknown[]): RunTurn {
  return async function* (deps: AgentDeps, _prompt, signal) {
    yield { type: 'approvalAsked', use: USE, request: EDIT };
    answers.push(await deps.approve(USE, EDIT, signal));
    return signal.aborted ? { type: 'stopped' } : FINISHED;
  };
}
