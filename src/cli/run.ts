import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnthropicModel } from '../anthropic/anthropicModel';
import { makeClient } from '../anthropic/client';
import { AnthropicModelCatalog } from '../anthropic/modelCatalog';
import { AnthropicTokenCounter } from '../anthropic/tokenCounter';
import type { AgentDeps } from '../agent/agentDeps';
import { runTurn } from '../agent/runTurn';
import { Session, type EventStore } from '../agent/session';
import { makeBudget } from '../contextWindow/budget';
import { latestStep } from '../contextWindow/contextWindow';
import type { TurnOutcome } from '../contextWindow/event';
import { cacheReadShare } from '../counting/pricing';
import { WorkerEstimator } from '../counting/workerEstimator';
import { openLog } from '../sessions/sessionLog';
import { makeNodeWorkspace } from '../tools/nodeWorkspace';
import { TOOLS } from '../tools/toolbox';
import { budgetSettings, CLI_SETTINGS, HELP, readArguments, type RunOptions } from './arguments';
import { progressLine } from './progress';
import { terminalApproval } from './terminalApproval';

/** Where the process is and what it may use; a parameter, so that tests can run the command. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly apiKey: string | undefined;
  /** The folder of the bundles: the count worker lies there. */
  readonly bundles: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

const ASSUMED_WINDOW_TOKENS = 200_000;

/** Runs the command line; returns the exit code. */
export async function runCommandLine(around: Surroundings): Promise<number> {
  const args = readArguments(around.argv, around.cwd);
  if (args.type === 'help') {
    around.stdout.write(`${HELP}\n`);
    return 0;
  }
  const say = (line: string) => void around.stderr.write(`${line}\n`);
  const problem = args.type === 'badUsage' ? args.message : unusable(args.options);
  if (args.type === 'badUsage' || problem !== undefined) {
    say(`plimsoll: ${problem}\nNothing was done. See plimsoll --help.`);
    return 2;
  }
  const { options } = args;
  if ((around.apiKey ?? '').trim() === '' && options.baseUrl === undefined) {
    say(
      'plimsoll: there is no API key. Nothing was done. Set ANTHROPIC_API_KEY, or name a server with --base-url.',
    );
    return 1;
  }
  return run(options, around, say);
}

/** What makes a run impossible before it begins; undefined when nothing does. */
function unusable({ cwd, logFile, requestsFile }: RunOptions): string | undefined {
  if (!existsSync(cwd) || !statSync(cwd).isDirectory()) return `--cwd ${cwd} is not a folder.`;
  for (const [option, file] of [
    ['--log', logFile],
    ['--requests', requestsFile],
  ]) {
    if (file !== undefined && existsSync(file) && statSync(file).size > 0) {
      return `${option} ${file} exists already and is not overwritten.`;
    }
  }
  if (requestsFile === undefined) return undefined;
  try {
    writeFileSync(requestsFile, '', { mode: 0o600 });
    return undefined;
  } catch (error) {
    return `--requests ${requestsFile} cannot be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function run(
  options: RunOptions,
  around: Surroundings,
  say: (line: string) => void,
): Promise<number> {
  const { requestsFile } = options;
  const client = makeClient({
    ...(around.apiKey === undefined ? {} : { apiKey: around.apiKey }),
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    ...(requestsFile === undefined
      ? {}
      : { onMessagesBody: (body: string) => appendFileSync(requestsFile, `${body}\n`) }),
  });
  const limits = await new AnthropicModelCatalog(client).limitsOf(options.model, around.signal);
  const { maxReplyTokens = Infinity } = limits;
  if (options.maxReplyTokens > maxReplyTokens) {
    say(
      `plimsoll: --max-reply must be at most ${maxReplyTokens}, what ${options.model} can write.`,
    );
    return 2;
  }
  const windowTokens = options.windowTokens ?? limits.contextWindowTokens ?? ASSUMED_WINDOW_TOKENS;
  const budget = makeBudget(budgetSettings(options, windowTokens));
  if (!budget.ok) {
    say(`plimsoll: the window ${budget.problems.map(({ message }) => message).join(' ')}`);
    return 2;
  }
  const root = realpathSync(options.cwd);
  const { store, close } = openStore(options);
  const session = new Session(store, Date.now);
  session.append({
    type: 'sessionStarted',
    version: 1,
    sessionId: randomUUID(),
    pinTaskAnchor: true,
  });
  const estimator = new WorkerEstimator(options.model, {
    workerPath: join(around.bundles, 'countWorker.js'),
    onProblem: (message) => say(`  note: ${message}`),
  });
  const deps: AgentDeps = {
    session,
    model: new AnthropicModel(client),
    counter: new AnthropicTokenCounter(client),
    estimator,
    workspace: makeNodeWorkspace({ root }),
    platform: process.platform,
    tools: TOOLS,
    settings: () => ({
      model: options.model,
      budget: budget.budget,
      toolResultCapTokens: CLI_SETTINGS.toolResultCapTokens,
      compaction: 'model',
      cacheRead: cacheReadShare(options.model),
      ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
    }),
    approve: terminalApproval(options.yes, root, { input: around.stdin, output: around.stderr }),
    now: Date.now,
  };
  try {
    const outcome = await takeTurn(deps, options.task, around.signal, say);
    return report(outcome, session, around, say);
  } finally {
    await estimator.dispose();
    close();
  }
}

function openStore({ logFile }: RunOptions): {
  readonly store: EventStore;
  readonly close: () => void;
} {
  if (logFile === undefined) return { store: { append: () => undefined }, close: () => undefined };
  const log = openLog(logFile);
  return { store: log, close: () => log.close() };
}

async function takeTurn(
  deps: AgentDeps,
  task: string,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<TurnOutcome> {
  const turn = runTurn(deps, task, signal);
  for (;;) {
    const next = await turn.next();
    if (next.done === true) return next.value;
    const line = progressLine(next.value);
    if (line !== undefined) say(line);
  }
}

function report(
  outcome: TurnOutcome,
  session: Session,
  around: Surroundings,
  say: (line: string) => void,
): number {
  switch (outcome.type) {
    case 'finished': {
      const step = latestStep(session.window);
      const said = step?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? [];
      if (said.length > 0) around.stdout.write(`${said.join('\n')}\n`);
      else say('plimsoll: finished without a last word.');
      return 0;
    }
    case 'stepLimit':
      say(`plimsoll: ended after ${outcome.steps} steps, the limit set by --max-steps.`);
      return 3;
    case 'stopped':
      say('plimsoll: stopped.');
      return 130;
    case 'replyCut':
    case 'refused':
    case 'contextFull':
    case 'failed':
      say(`plimsoll: ${inOptions(outcome.message)}`);
      return 1;
  }
}

/** What the editor's settings are called on the command line. */
const OPTION_OF: readonly (readonly [string, string])[] = [
  ['plimsoll.context.windowTokens', '--window'],
  ['plimsoll.context.maxReplyTokens', '--max-reply'],
  ['plimsoll.baseUrl', '--base-url'],
  ['plimsoll.model', '--model'],
];

/** Puts options in the place of settings: a message of the agent says what to change. */
function inOptions(message: string): string {
  return OPTION_OF.reduce((text, [setting, option]) => text.replaceAll(setting, option), message);
}
