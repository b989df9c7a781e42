import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AnthropicModel } from '../anthropic/anthropicModel';
import { makeClient } from '../anthropic/client';
import { AnthropicModelCatalog } from '../anthropic/modelCatalog';
import { AnthropicTokenCounter } from '../anthropic/tokenCounter';
import type { AgentDeps } from '../agent/agentDeps';
import type { AgentEvent } from '../agent/agentEvent';
import { runTurn } from '../agent/runTurn';
import { Session, type EventStore } from '../agent/session';
import { dropAhead } from '../agent/summaryAhead';
import { writeOwnFile } from '../sessions/ownFile';
import { passName } from '../contextWindow/passes/passName';
import { rungGains } from '../contextWindow/passes/rungGains';
import { amountText, tokenText } from '../contextWindow/amountText';
import { makeBudget } from '../contextWindow/budget';
import { latestStep } from '../contextWindow/contextWindow';
import type { TurnOutcome } from '../contextWindow/event';
import { labelOfCall } from '../contextWindow/label';
import type { Pass } from '../contextWindow/plan';
import { modelSize } from '../counting/modelWindows';
import { cacheReadShare } from '../counting/pricing';
import { WorkerEstimator } from '../counting/workerEstimator';
import { openLog } from '../sessions/sessionLog';
import { makeProfile } from '../tools/nodeProfile';
import { makeProjectMemory } from '../tools/nodeProjectMemory';
import { makeNodeWorkspace } from '../tools/nodeWorkspace';
import { toolbox } from '../tools/toolbox';
import { DEFAULT_SETTINGS } from '../settings/settings';
import { turnSettings } from '../settings/turnSettings';
import { closeRun } from './closeRun';
import { occupied, unwritable } from './files';
import { inOptions } from './options';
import { budgetSettings, whyNoClose, type RunOptions } from './runOptions';
import { terminalApproval, type Say, type Surroundings } from './terminal';
import { redacted, redactedEvents } from '../agent/secrets';

/** What makes a run impossible from the start; undefined when nothing does. */
export function unusableRun(options: RunOptions): string | undefined {
  const { cwd, logFile, requestsFile } = options;
  if (!existsSync(cwd) || !statSync(cwd).isDirectory()) return `--cwd ${cwd} is not a folder.`;
  return (
    occupied('--log', logFile) ??
    occupied('--requests', requestsFile) ??
    unwritable('--requests', requestsFile) ??
    whyNoClose(options)
  );
}

/** Runs the agent on a folder; returns the exit code. */
export async function run(options: RunOptions, around: Surroundings, say: Say): Promise<number> {
  if ((around.apiKey ?? '').trim() === '' && options.baseUrl === undefined) {
    say(
      'plimsoll: there is no API key. Nothing was done. Set ANTHROPIC_API_KEY, or name a server with --base-url.',
    );
    return 1;
  }
  const { requestsFile } = options;
  const client = makeClient({
    ...(around.apiKey === undefined ? {} : { apiKey: around.apiKey }),
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    ...(requestsFile === undefined
      ? {}
      : {
          onMessagesBody: (body: string) =>
            writeOwnFile(requestsFile, `${redacted(body)}\n`, 'append'),
        }),
  });
  const limits = await new AnthropicModelCatalog(client).limitsOf(options.model, around.signal);
  const { maxReplyTokens, windowTokens } = modelSize(options.model, limits);
  if (maxReplyTokens !== undefined && options.maxReplyTokens > maxReplyTokens) {
    say(
      `plimsoll: --max-reply must be at most ${maxReplyTokens}, what ${options.model} can write.`,
    );
    return 2;
  }
  const budget = makeBudget(budgetSettings(options, options.windowTokens ?? windowTokens));
  if (!budget.ok) {
    say(`plimsoll: the window ${budget.problems.map(({ message }) => message).join(' ')}`);
    return 2;
  }
  const root = realpathSync(options.cwd);
  const { store, close } = openStore(options);
  const session = new Session(store, Date.now);
  session.append({
    type: 'sessionStarted',
    version: 2,
    sessionId: randomUUID(),
    pinTaskAnchor: true,
  });
  const estimator = new WorkerEstimator(options.model, {
    workerPath: join(around.bundles, 'countWorker.js'),
    onProblem: (message) => say(`  note: ${message}`),
  });
  const workspace = makeNodeWorkspace({ root });
  const place = options.profile ? DEFAULT_SETTINGS.memory.profile : '';
  const profile = makeProfile({ place, home: around.home, root });
  const deps: AgentDeps = {
    session,
    model: new AnthropicModel(client),
    counter: new AnthropicTokenCounter(client),
    estimator,
    workspace,
    projectMemory: makeProjectMemory(workspace),
    ...(profile === undefined ? {} : { profile }),
    platform: process.platform,
    tools: toolbox([], profile !== undefined),
    settings: () => ({
      ...turnSettings({
        settings: { ...DEFAULT_SETTINGS, model: options.model },
        budget: budget.budget,
      }),
      cacheRead: cacheReadShare(options.model),
      ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
    }),
    approve: terminalApproval(options.yes, root, { input: around.stdin, output: around.stderr }),
    now: Date.now,
  };
  let reason: TurnOutcome['type'] = 'failed';
  try {
    const outcome = await takeTurn(deps, options.task, around.signal, say);
    reason = outcome.type;
    return report(outcome, session, around, say);
  } finally {
    dropAhead(session);
    await closeRun({ deps, options, reason }, around.nextStop(), say);
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
  say: Say,
): Promise<TurnOutcome> {
  const turn = redactedEvents(runTurn(deps, task, signal));
  for (;;) {
    const next = await turn.next();
    if (next.done === true) return next.value;
    const line = progressLine(next.value);
    if (line !== undefined) say(line);
  }
}

function report(outcome: TurnOutcome, session: Session, around: Surroundings, say: Say): number {
  switch (outcome.type) {
    case 'finished': {
      const step = latestStep(session.window);
      const said = step?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? [];
      if (said.length > 0) around.stdout.write(`${said.join('\n')}\n`);
      else say('plimsoll: finished without a final answer.');
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

/** Writes what happens during a turn as lines for standard error. */
export function progressLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'toolStarted':
      return `  ${labelOfCall(event.use)}`;
    case 'approvalAnswered':
      return event.approved ? undefined : `  denied: ${labelOfCall(event.use)}`;
    case 'askStarted':
      return `step ${event.step}`;
    case 'retrying':
      return `  ${event.message}`;
    case 'passFinished':
      return passLine(event.pass);
    case 'notice':
      return `  note: ${event.message}`;
    case 'textDelta':
    case 'toolUseStreaming':
    case 'replyReceived':
    case 'approvalAsked':
    case 'toolOutput':
    case 'toolFinished':
    case 'counting':
    case 'passStarted':
      return undefined;
  }
}

function passLine(pass: Pass): string {
  const { trigger, before, after, target } = pass;
  const gains = rungGains(pass)
    .map(({ rung, blocks, tokens }) => {
      const what = rung === 'besides' ? 'notes and lines' : `${rung} ${blocks}`;
      return `${what} (${tokens < 0 ? '+' : '-'}${tokenText(Math.abs(tokens))})`;
    })
    .join(', ');
  return `${passName(pass)} (${trigger}): ${amountText(before)} -> ${amountText(after)} tokens, target ${tokenText(target)}: ${gains}`;
}
