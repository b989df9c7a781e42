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
import { CurrentSession } from '../../../src/editor/session/currentSession';
import type { Problem } from '../../../src/editor/conversation/state';
import type { PreparedTurn, TurnSource } from '../../../src/editor/session/turnSource';
import type { SessionRun } from '../../../src/editor/session/sessionRun';
import { DEFAULT_SETTINGS } from '../../../src/settings/settings';
import { AGENT_SETTINGS } from '../../support/agentSettings';
import { budgetOf, countDots, promptEvent } from '../../support/drawing';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';

export type RunTurn = TurnSource['runTurn'];
export type MakeRoom = TurnSource['compactNow'];
export type Prepared = PreparedTurn;

export const READY = { ok: true, parts: {} } as Prepared;
export const NOT_READY: Prepared = { ok: false, message: 'There is no key.' };
export const FINISHED: TurnOutcome = { type: 'finished' };

const SETTINGS: AgentSettings = {
  ...AGENT_SETTINGS,
  model: 'test',
  budget: budgetOf(1_000),
  summary: { writer: 'workNote', model: 'test' },
};

/** Counts like a drawing: each middle dot is a token, everything else is none. */
const ESTIMATOR: Estimator = { ...STAND_IN_ESTIMATOR, estimate: countDots };

/** The current session over sessions in memory, whose logs have numbers as names. */
export class SceneSession extends CurrentSession {
  readonly #logs: MemoryLogs;

  constructor(services: unknown, start: () => Session) {
    const logs = new MemoryLogs(start);
    super(services as never, () => logs as never);
    this.#logs = logs;
  }

  /** Shows a session, or a new one if undefined; `why` makes it read-only. */
  openSession(session: Session | undefined, why?: string): void {
    if (session === undefined) this.startNew();
    else void this.open(this.#logs.add(session, why));
  }
}

/** Sessions in memory, as in a registry. */
class MemoryLogs {
  readonly #files = new Map<string, { readonly session: Session; readonly why?: string }>();

  constructor(private readonly begin: () => Session) {}

  add(session: Session, why?: string): string {
    const file = this.heldFile(session) ?? `${this.#files.size + 1}.jsonl`;
    this.#files.set(file, { session, why });
    return file;
  }

  start() {
    const session = this.begin();
    return { session, file: this.add(session) };
  }

  load(file: string) {
    const { session, why } = this.#files.get(file)!;
    return why === undefined
      ? { ok: true, session, file }
      : { ok: false, cause: 'locked', message: why };
  }

  loadLook(file: string) {
    return { ok: true, session: this.#files.get(file)!.session, file };
  }

  heldFile(session: Session): string | undefined {
    return [...this.#files].find(([, held]) => held.session === session)?.[0];
  }

  fileOf(sessionId: string): string | undefined {
    const held = [...this.#files].find(([, { session }]) => session.window.sessionId === sessionId);
    return held?.[0];
  }

  inMemory(file: string): Session | undefined {
    return this.#files.get(file)?.session;
  }

  get heldFiles(): readonly string[] {
    return [...this.#files.keys()];
  }

  setLimits(): void {}
  onExpire(): void {}
}

export function scene(runTurn: RunTurn, compactNow: MakeRoom = freesNothing) {
  const seen = {
    textsChanged: 0,
    prompts: [] as string[],
    outcomes: [] as TurnOutcome[],
    refusals: [] as string[],
    bugs: [] as unknown[],
    proposals: [] as string[],
    warnings: [] as string[],
    prepared: READY,
    /** Returns why a prompt may not be sent, if it may not. */
    gate: () => true,
    problem: undefined as Problem | undefined,
    sessions: 0,
    continued: 0,
  };
  const source: TurnSource = {
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
    prepare: async () => seen.prepared,
    background: (session) =>
      new BackgroundCommands(session, { changed: () => undefined, report: () => undefined }),
    now: () => 0,
  };
  const current = currentSession(seen, () => {
    seen.sessions += 1;
    return new Session({ append: () => undefined }, () => 0);
  });
  current.runTurnsWith(source);
  current.follow({
    ended: (_run, outcome) => seen.outcomes.push(outcome),
    refused: (_run, { message }) => seen.refusals.push(message),
    asked: (_run, question) => {
      const name = question.type === 'pass' ? 'pass' : question.use.id;
      seen.proposals.push(`+${name}`);
      return () => seen.proposals.push(`-${name}`);
    },
  });
  return { current, seen };
}

/** The current session of a window whose disk is memory. */
export function currentSession(
  seen: {
    textsChanged: number;
    problem: Problem | undefined;
    readonly bugs: unknown[];
    readonly warnings: string[];
  },
  start: () => Session,
): SceneSession {
  const services = {
    access: {
      settings: { valid: { settings: DEFAULT_SETTINGS } },
      agentSettings: SETTINGS,
      estimator: { ...ESTIMATOR, warm: async () => void (seen.textsChanged += 1) },
      onChange: () => undefined,
      get problem() {
        return seen.problem;
      },
    },
    context: {
      workspaceState: { get: (_key: string, none: unknown) => none, update: async () => undefined },
    },
    notices: {
      warn: (message: string) => seen.warnings.push(message),
      warnOfLog: async (message: string) => void seen.warnings.push(message),
    },
    report: {
      run: (work: () => unknown) => void work(),
      bug: (error: unknown) => seen.bugs.push(error),
      log: (error: unknown) => seen.bugs.push(error),
    },
  };
  return new SceneSession(services, start);
}

/** A turn that ends when the test ends it. */
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

/** A turn that ends automatically. */
export const finishes: RunTurn = async function* () {
  yield { type: 'askStarted', step: 1 };
  return FINISHED;
};

/** A pass by hand that finds nothing to remove. */
// eslint-disable-next-line require-yield -- it finds nothing to tell either
export const freesNothing: MakeRoom = async function* () {
  return { ok: false, message: 'There was nothing to gain.' };
};

/** A turn with a pass in review. */
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

/** The texts of the waiting prompts. */
export const textsOf = (queued: SessionRun['queued']): readonly string[] =>
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
