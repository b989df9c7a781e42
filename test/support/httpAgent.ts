import type { AgentDeps, AgentSettings } from '../../src/agent/agentDeps';
import type { AgentEvent } from '../../src/agent/agentEvent';
import { runTurn } from '../../src/agent/runTurn';
import { Session } from '../../src/agent/session';
import { AnthropicModel } from '../../src/model/anthropicModel';
import { makeClient } from '../../src/model/client';
import { AnthropicTokenCounter } from '../../src/model/tokenCounter';
import type { BudgetSettings } from '../../src/contextWindow/budget';
import type { SessionEvent, TurnOutcome } from '../../src/contextWindow/event';
import type { RecordedRequest } from '../../src/offline/strictServer';
import { NO_FILES } from './noFiles';
import { AGENT_SETTINGS } from './agentSettings';
import { smallBudget } from './smallBudget';
import { ECHO, NO_MEMORY } from './scriptedAgent';
import { STAND_IN_ESTIMATOR } from './standInEstimator';

export interface HttpAgentOptions {
  readonly url: string;
  readonly events?: readonly SessionEvent[];
  readonly budget?: Partial<BudgetSettings>;
  readonly deps?: Partial<AgentDeps>;
  readonly settings?: Partial<AgentSettings>;
  readonly onEvent?: (event: AgentEvent, session: Session) => void;
}

export interface HttpAgent {
  readonly session: Session;
  readonly deps: AgentDeps;
  readonly stop: AbortController;
  run(prompt: string): Promise<TurnOutcome>;
}

/** The real loop and adapter against a server; only tools and clock are fake. */
export function httpAgent(options: HttpAgentOptions): HttpAgent {
  let clock = 0;
  const stop = new AbortController();
  const session = new Session({ append: () => undefined }, () => ++clock, options.events);
  const budget = smallBudget(options.budget);
  const client = makeClient({ apiKey: 'test-key', baseUrl: options.url });
  const deps: AgentDeps = {
    session,
    model: new AnthropicModel(client),
    counter: new AnthropicTokenCounter(client, { timeoutMs: 60_000 }),
    estimator: STAND_IN_ESTIMATOR,
    workspace: NO_FILES,
    projectMemory: NO_MEMORY,
    platform: 'linux',
    tools: [ECHO],
    settings: () => ({
      model: 'claude-sonnet-5-5',
      budget,
      ...AGENT_SETTINGS,
      summary: { writer: 'model', model: 'claude-sonnet-5-5' },
      ...options.settings,
    }),
    approve: () => Promise.resolve({ approved: true }),
    now: () => ++clock,
    ...options.deps,
  };
  if (session.events.length === 0) {
    session.append({ type: 'sessionStarted', version: 3, sessionId: 'test', pinTaskAnchor: true });
  }
  return {
    session,
    deps,
    stop,
    async run(prompt) {
      const turn = runTurn(deps, prompt, stop.signal);
      for (;;) {
        const next = await turn.next();
        if (next.done === true) return next.value;
        options.onEvent?.(next.value, session);
      }
    },
  };
}

/** The server's refusals, in its own words. */
export function refusals(requests: readonly RecordedRequest[]): readonly string[] {
  return requests.flatMap(({ status, path, abandoned }) =>
    status === 200 || abandoned ? [] : [`${path} ${status}`],
  );
}
