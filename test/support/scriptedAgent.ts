import type { ReplyPart, ToolUseId } from '../../src/contextWindow/block';
import type { BudgetSettings } from '../../src/contextWindow/budget';
import type { SessionEvent, StopReason, TurnOutcome } from '../../src/contextWindow/event';
import type { AgentDeps, AgentSettings } from '../../src/agent/agentDeps';
import type { AgentEvent } from '../../src/agent/agentEvent';
import type { CountResult, ModelFailure, ModelRequest, ModelResult } from '../../src/agent/model';
import { continueTurn, runTurn } from '../../src/agent/runTurn';
import { Session } from '../../src/agent/session';
import type { ApprovalAnswer, Tool, ToolOutput } from '../../src/agent/tool';
import { countTokens } from '../../src/offline/countTokens';
import type { MessagesRequest } from '../../src/offline/messagesApi';
import { offlineModels } from '../../src/offline/models';
import { validateRequest } from '../../src/offline/rules/validateRequest';
import { NO_FILES } from './noFiles';
import { AGENT_SETTINGS } from './agentSettings';
import { smallBudget } from './smallBudget';
import { STAND_IN_ESTIMATOR } from './standInEstimator';

const MODEL = offlineModels[0]!;

/** The scripted model's answer to one request. */
export type Turn = (request: ModelRequest) => ModelResult;

/** The answer of a summariser or rater, which may take its time. */
export type Beside = (
  request: ModelRequest,
  signal: AbortSignal,
) => ModelResult | Promise<ModelResult>;

export function says(text: string, stopReason: StopReason = 'end_turn'): Turn {
  return (request) => replyOf(request, [{ type: 'text', text }], stopReason);
}

export function calls(
  uses: readonly { readonly id: string; readonly name: string; readonly input?: object }[],
  stopReason: StopReason = 'tool_use',
): Turn {
  return (request) =>
    replyOf(
      request,
      uses.map(({ id, name, input }) => ({
        type: 'toolUse',
        use: { id: id as ToolUseId, name, input: { ...input } },
      })),
      stopReason,
    );
}

export function fails(failure: ModelFailure): Turn {
  return () => ({ ok: false, failure });
}

function replyOf(
  request: ModelRequest,
  parts: readonly ReplyPart[],
  stopReason: StopReason,
): ModelResult {
  return {
    ok: true,
    reply: {
      model: MODEL.id,
      parts,
      stopReason,
      usage: {
        inputTokens: sizeOf(request),
        cacheCreationTokens: 0,
        cacheReadTokens: 0,
        outputTokens: 10,
      },
    },
  };
}

/** The API's count of a request, by the strict double's own tokenizer. */
export function sizeOf(request: ModelRequest): number {
  return countTokens(bodyOf(request), MODEL);
}

function bodyOf({ model, maxTokens, system, tools, messages }: ModelRequest): MessagesRequest {
  return JSON.parse(
    JSON.stringify({
      model,
      max_tokens: maxTokens,
      system,
      messages,
      ...(tools.length > 0 ? { tools } : {}),
    }),
  ) as MessagesRequest;
}

/** A call of the echo tool. */
export function echo(id: string, input: object = {}) {
  return { id, name: 'echo', input };
}

/** Steps that add `chars` characters each, then a final reply. */
export function steps(count: number, chars: number, prefix = 'toolu'): readonly Turn[] {
  return [
    ...Array.from({ length: count }, (_, index) =>
      calls([
        echo(`${prefix}_${index}`, { text: `line ${index} of some output\n`, times: chars / 20 }),
      ]),
    ),
    says('All done.'),
  ];
}

/** A tool that echoes its input. */
export const ECHO: Tool = {
  definition: {
    name: 'echo',
    description: 'Answers with `text`, `times` over.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  },
  prepare: (input) =>
    Promise.resolve({
      ok: true,
      call: {
        action: 'the echo',
        ...(input['ask'] === true
          ? { approval: { kind: 'command', command: 'echo', cwd: '/' } as const }
          : {}),
        run: async (signal): Promise<ToolOutput> => {
          if (input['hang'] === true) {
            await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          }
          const text = String(input['text'] ?? 'ok').repeat(Number(input['times'] ?? 1));
          return { text, isError: input['error'] === true };
        },
      },
    }),
};

/** A project without memory files. */
export const NO_MEMORY: AgentDeps['projectMemory'] = {
  root: () => Promise.resolve([]),
  of: () => Promise.resolve([]),
  everywhere: () => Promise.resolve([]),
};

export interface Options {
  readonly script: readonly Turn[];
  /** Answers the summariser's requests, concurrently with the steps if it takes its time. */
  readonly summariser?: Beside;
  /** Answers requests for ratings of salience. */
  readonly rater?: Beside;
  readonly budget?: Partial<BudgetSettings>;
  readonly settings?: Partial<AgentSettings>;
  readonly count?: (request: ModelRequest) => CountResult;
  readonly deps?: Partial<
    Pick<
      AgentDeps,
      | 'tools'
      | 'workspace'
      | 'projectMemory'
      | 'profile'
      | 'estimator'
      | 'reviewPass'
      | 'answerByRules'
      | 'checkpoints'
      | 'queuedPrompts'
      | 'earlierPauses'
    >
  >;
  readonly approve?: (text: string) => Promise<ApprovalAnswer>;
  readonly events?: readonly SessionEvent[];
  /** How long nothing happened so far; ms. */
  readonly pausedMs?: () => number;
  /** Called with every agent event, for example to stop at a certain moment. */
  readonly onEvent?: (event: AgentEvent) => void;
}

export interface ScriptedAgent {
  readonly session: Session;
  readonly deps: AgentDeps;
  /** The requests for steps and summaries, in order; each has passed the double's validation. */
  readonly requests: readonly ModelRequest[];
  readonly summaryRequests: readonly ModelRequest[];
  readonly ratingRequests: readonly ModelRequest[];
  readonly counted: readonly ModelRequest[];
  readonly heard: readonly AgentEvent[];
  readonly stop: AbortController;
  run(prompt: string): Promise<TurnOutcome>;
  /** Continues the newest turn. */
  continueTurn(): Promise<TurnOutcome>;
}

function taskOf({ system }: ModelRequest): 'step' | 'summary' | 'rating' {
  const words = system[0]!.text;
  if (words.startsWith('Plimsoll summariser')) return 'summary';
  return words.startsWith('Plimsoll salience rater') ? 'rating' : 'step';
}

/** An agent whose model follows a script; every request is validated as the API would. */
export function scriptedAgent(options: Options): ScriptedAgent {
  const script = [...options.script];
  const requests: ModelRequest[] = [];
  const summaryRequests: ModelRequest[] = [];
  const ratingRequests: ModelRequest[] = [];
  const counted: ModelRequest[] = [];
  const heard: AgentEvent[] = [];
  const stop = new AbortController();
  let clock = 0;
  const tick = () => ++clock + (options.pausedMs?.() ?? 0);
  const session = new Session({ append: () => undefined }, tick, options.events);
  const budget = smallBudget(options.budget);
  const deps: AgentDeps = {
    session,
    model: {
      // eslint-disable-next-line require-yield -- this model streams nothing
      async *ask(request, signal) {
        const fault = validateRequest(bodyOf(request));
        if (fault !== undefined) throw new Error(`The double refuses: ${fault.message}`);
        const task = taskOf(request);
        ({ step: requests, summary: summaryRequests, rating: ratingRequests })[task].push(request);
        if (signal.aborted) return { ok: false, failure: { type: 'aborted', message: 'Stopped.' } };
        if (task === 'summary') return (options.summariser ?? says('Summary.'))(request, signal);
        if (task === 'rating') return (options.rater ?? says('None.'))(request, signal);
        const turn = script.shift();
        if (turn === undefined) throw new Error('The script has ended.');
        return turn(request);
      },
    },
    counter: {
      count: (request) => {
        counted.push(request);
        return Promise.resolve(options.count?.(request) ?? { ok: true, tokens: sizeOf(request) });
      },
    },
    estimator: STAND_IN_ESTIMATOR,
    workspace: NO_FILES,
    projectMemory: NO_MEMORY,
    platform: 'linux',
    tools: [ECHO],
    settings: () => ({
      model: MODEL.id,
      budget,
      ...AGENT_SETTINGS,
      summary: { writer: 'model', model: MODEL.id },
      ...options.settings,
    }),
    approve: (use) => options.approve?.(use.id) ?? Promise.resolve({ approved: true }),
    now: tick,
    ...options.deps,
  };
  if (session.events.length === 0) {
    session.append({ type: 'sessionStarted', version: 3, sessionId: 'test', pinTaskAnchor: true });
  }
  const listened = async (turn: AsyncGenerator<AgentEvent, TurnOutcome>): Promise<TurnOutcome> => {
    try {
      for (;;) {
        const next = await turn.next();
        if (next.done === true) return next.value;
        heard.push(next.value);
        options.onEvent?.(next.value);
      }
    } finally {
      await turn.return({ type: 'finished' });
    }
  };
  return {
    session,
    deps,
    requests,
    summaryRequests,
    ratingRequests,
    counted,
    heard,
    stop,
    run: (prompt) => listened(runTurn(deps, prompt, stop.signal)),
    continueTurn: () => listened(continueTurn(deps, stop.signal)),
  };
}
