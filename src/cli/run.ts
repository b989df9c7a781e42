import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentDeps } from '../agent/agentDeps';
import { type AgentEvent, redactedEvents } from '../agent/agentEvent';
import { commandReader } from '../agent/approvals/shellCommand';
import { BackgroundCommands } from '../agent/backgroundCommands';
import { closeCommandProblem, runCloseCommand, summariseSession } from '../agent/closeSession';
import { hasSkills } from '../agent/memory/projectMemory';
import { runTurn } from '../agent/runTurn';
import { SubAgents } from '../agent/subAgents/subAgents';
import { secretVariables, setLetThrough } from '../agent/secrets/secretNames';
import { redactedJson, setMasking } from '../agent/secrets/knownSecrets';
import { type EventStore, Session } from '../agent/session';
import { dropSummaryAhead } from '../agent/summaryAhead';
import type { Workspace } from '../agent/workspace';
import { promptWithAttached } from '../contextWindow/attached';
import { amountText, tokenText } from '../contextWindow/amount';
import { makeBudget } from '../contextWindow/budget';
import { LOG_VERSION, type SessionEvent, type TurnOutcome } from '../contextWindow/event';
import { excerptsSize, excerptsSizeText } from '../contextWindow/files/regions';
import { labelOfCall } from '../contextWindow/label';
import { passName } from '../contextWindow/passes/passName';
import { rungGains } from '../contextWindow/passes/rungGains';
import type { Pass } from '../contextWindow/plan';
import { errorText, type Result } from '../contextWindow/result';
import { connect } from '../model/anthropicModel';
import { modelSize } from '../model/modelWindows';
import { LearnedAbilities } from '../model/serverAbilities';
import { costOfCharge } from '../model/pricing';
import { WorkerEstimator } from '../model/workerEstimator';
import { writeOwnFile } from '../sessions/ownFile';
import { openLog } from '../sessions/sessionLog';
import { titleOfWindow } from '../sessions/sessionTitle';
import { DEFAULT_SETTINGS } from '../settings/settings';
import { turnSettings } from '../settings/turnSettings';
import { findAgents } from '../tools/files/agentFiles';
import { calledCommand } from '../tools/files/commandFiles';
import { makeProfile } from '../tools/files/nodeProfile';
import { makeProjectMemory } from '../tools/files/nodeProjectMemory';
import { makeNodeWorkspace } from '../tools/files/nodeWorkspace';
import { firstPlace, oneFolder } from '../agent/workspaceFolders';
import { findSandbox, type Sandbox, sandboxPlace } from '../tools/processes/sandbox';
import { BASH } from '../tools/processes/startedProcess';
import { visibleLine } from '../contextWindow/visibleText';
import { namesOf, toolbox } from '../tools/toolbox';
import { occupied, unwritable } from './files';
import { inOptions } from './options';
import { budgetSettings, type RunOptions, whyNoClose } from './runOptions';
import { SignalsOfCommand } from './sendSignals';
import { type Say, type Surroundings, terminalApproval } from './terminal';

/** What makes a run impossible from the start; undefined if nothing does. */
export function unusableRun(options: RunOptions): string | undefined {
  const { cwd, logFile, requestsFile } = options;
  if (!existsSync(cwd) || !statSync(cwd).isDirectory()) return `--cwd ${cwd} is not a folder.`;
  if (options.network && !options.sandbox) return '--network needs --sandbox.';
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
      'plimsoll: There is no API key. Nothing was done. Set ANTHROPIC_API_KEY, or name a server with --base-url.',
    );
    return 1;
  }
  setMasking(options.masking);
  setLetThrough(options.environment);
  const { requestsFile } = options;
  const { model, counter, catalog } = connect({
    idleMs: options.idleLimit * 1000,
    apiKey: around.apiKey,
    baseUrl: options.baseUrl,
    learned: new LearnedAbilities(),
    ...(requestsFile === undefined
      ? {}
      : {
          onMessagesBody: (body: string) =>
            writeOwnFile(requestsFile, `${redactedJson(body)}\n`, 'append'),
        }),
  });
  const limits = await catalog.limitsOf(options.model, around.signal);
  if (limits.problem !== undefined) say(`  note: ${inOptions(limits.problem)}`);
  const size = modelSize(options.model, limits);
  const { maxReplyTokens: most } = size;
  if (most !== undefined && options.maxReplyTokens !== undefined && options.maxReplyTokens > most) {
    say(`plimsoll: --max-reply must be at most ${most}, the longest reply of ${options.model}.`);
    return 2;
  }
  const windowTokens = options.windowTokens ?? size.windowTokens;
  const budget = makeBudget(budgetSettings(options, windowTokens, most));
  if (!budget.ok) {
    say(`plimsoll: the window ${budget.problems.map(({ message }) => message).join(' ')}`);
    return 2;
  }
  const root = realpathSync(options.cwd);
  const sandbox = await sandboxOf(options, root, around);
  if (!sandbox.ok) {
    say(`plimsoll: --sandbox: ${sandbox.message}\nNothing was done.`);
    return 2;
  }
  if (sandbox.sandbox !== undefined) {
    const { name, guards } = sandbox.sandbox;
    say(`Commands run in a sandbox (${name}): ${guards}`);
  }
  const withheld = secretVariables(process.env).filter(({ isLetThrough }) => !isLetThrough);
  if (withheld.length > 0) {
    const names = withheld.map(({ name }) => name).join(', ');
    say(`Commands run without ${names}: these look like secrets (--environment).`);
  }
  const { store, close } = openStore(options);
  const session = new Session(store, Date.now);
  const signals = await SignalsOfCommand.to(options.otlpEndpoint, around, say);
  session.append({
    type: 'sessionStarted',
    version: LOG_VERSION,
    sessionId: randomUUID(),
    pinTaskAnchor: true,
    standingRules: DEFAULT_SETTINGS.context.standingRules,
  });
  signals.follow(session);
  if (options.mode !== 'ask') session.append({ type: 'modeSet', mode: options.mode });
  const estimator = new WorkerEstimator(options.model, {
    workerPath: join(around.bundles, 'countWorker.js'),
    onProblem: (message) => say(`  note: ${message}`),
  });
  const folders = oneFolder(root);
  const workspace = makeNodeWorkspace({ folders, sandbox: sandbox.sandbox });
  const projectMemory = makeProjectMemory(workspace);
  const place = options.profile ? DEFAULT_SETTINGS.memory.profile : '';
  const background = new BackgroundCommands(session, {
    changed: () => undefined,
    report: (error) => say(`  note: ${String(error)}`),
  });
  const profile = makeProfile({ place, home: around.home, folders });
  const agents = await findAgents(workspace, namesOf(toolbox([])));
  for (const problem of agents.problems) say(`  note: ${problem}`);
  const deps: AgentDeps = {
    session,
    model,
    counter,
    estimator,
    workspace,
    projectMemory,
    profile,
    background,
    subAgents: new SubAgents(runTurn),
    platform: process.platform,
    tools: toolbox([], {
      agents: agents.agents,
      hasProfile: profile !== undefined,
      hasSkills: await hasSkills(projectMemory),
      hasNetwork: sandbox.sandbox === undefined || options.network,
    }),
    settings: () => ({
      ...turnSettings({
        settings: { ...DEFAULT_SETTINGS, model: options.model },
        budget: budget.budget,
        size,
      }),
      caps: { steps: options.maxSteps },
      costOf: costOfCharge,
    }),
    approve: terminalApproval(
      { input: around.stdin, output: around.stderr },
      options.yes
        ? {
            place: firstPlace(folders),
            inSandbox: sandbox.sandbox !== undefined,
            readCommand: commandReader(around.bundles, BASH !== undefined),
          }
        : undefined,
    ),
    now: Date.now,
  };
  let reason: TurnOutcome['type'] = 'failed';
  try {
    const task = await taskWithCommand(workspace, options.task);
    if (!task.ok) {
      say(`plimsoll: ${task.message}`);
      return 2;
    }
    for (const message of task.unsupported) say(`  note: ${message}`);
    const outcome = await takeTurn(deps, task.text, around.signal, say);
    reason = outcome.type;
    return report(outcome, session, around, say);
  } finally {
    dropSummaryAhead(session);
    await background.stopAll('sessionEnded');
    await closeRun({ deps, options, reason }, around.nextStop(), say);
    await Promise.all([estimator.dispose(), signals.stop()]);
    close();
  }
}

/** The task, with the text of the custom command that it calls. */
async function taskWithCommand(
  workspace: Workspace,
  typed: string,
): Promise<Result<{ readonly text: string; readonly unsupported: readonly string[] }>> {
  const called = await calledCommand(workspace, new Set(), typed);
  if (!called.ok) return called;
  const { attached = [], unsupported = [] } = called;
  return { ok: true, text: promptWithAttached({ typed, attached }), unsupported };
}

/** The sandbox that commands run in, if one is asked for. */
async function sandboxOf(
  options: RunOptions,
  root: string,
  { home }: Surroundings,
): Promise<Result<{ readonly sandbox?: Sandbox }>> {
  if (!options.sandbox) return { ok: true };
  const path = process.env['PATH'] ?? '';
  return findSandbox(sandboxPlace({ roots: [root], home, path, network: options.network }));
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
      const answer = finalAnswer(session.events);
      if (answer !== '') around.stdout.write(`${answer}\n`);
      else say('plimsoll: finished without a final answer.');
      return 0;
    }
    case 'capReached':
      say(`plimsoll: ended after ${outcome.spent.steps} steps, the limit of --max-steps.`);
      return 3;
    case 'stopped':
    case 'interrupted':
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

/** Writes what happens during a turn as lines for standard error; `now` in ms since the epoch. */
export function progressLine(event: AgentEvent, now: number = Date.now()): string | undefined {
  switch (event.type) {
    case 'toolStarted':
      return `  ${labelOfCall(event.use)}`;
    case 'approvalAnswered':
      return event.approved ? undefined : `  denied: ${labelOfCall(event.use)}`;
    case 'askStarted':
      return `step ${event.step}`;
    case 'retrying':
      return `  ${inOptions(event.message)} Retrying ${whenText(event.until, now)} (try ${event.attempt} of ${event.tries}). Ctrl+C stops.`;
    case 'silent':
      return `  Nothing has come from the server for ${secondsText(now - event.since)}. ${silenceText(event)}Ctrl+C stops.`;
    case 'passFinished':
      return passLine(event.pass);
    case 'notice':
    case 'warning':
      return `  note: ${event.message}`;
    case 'approvalAsked':
      return event.by === undefined ? undefined : `  ${visibleLine(event.by)} asks:`;
    case 'textDelta':
    case 'thinkingDelta':
    case 'toolUseStreaming':
    case 'askedAgain':
    case 'heardAgain':
    case 'replyReceived':
    case 'toolOutput':
    case 'toolFinished':
    case 'counting':
    case 'passStarted':
      return undefined;
  }
}

/** A longer wait also shows the time of day; ms. */
const LONG_WAIT_MS = 120_000;

function whenText(until: number, now: number): string {
  const ms = Math.max(0, until - now);
  if (ms < LONG_WAIT_MS) return `in ${secondsText(ms)}`;
  const time = new Date(until).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return `at ${time}, in ${Math.round(ms / 60_000)} min`;
}

function silenceText({ since, until }: Extract<AgentEvent, { type: 'silent' }>): string {
  if (until === undefined) return '';
  return `It is aborted after ${secondsText(until - since)} without a byte. `;
}

function secondsText(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}

function passLine(pass: Pass): string {
  const { trigger, before, after, target } = pass;
  const gains = rungGains(pass)
    .map(({ rung, blocks, tokens }) => {
      const what = rung === 'overhead' ? 'notes and lines' : `${rung} ${blocks}`;
      return `${what} (${tokens < 0 ? '+' : '-'}${tokenText(Math.abs(tokens))})`;
    })
    .join(', ');
  return `${passName(pass)} (${trigger}): ${amountText(before)} -> ${amountText(after)} tokens, target ${tokenText(target)}: ${gains}${rulesGrowthText(pass)}${shownText(pass)}`;
}

/** What the pass keeps of the prompts that it removed. */
function rulesGrowthText({ overhead: { rules = 0 } }: Pass): string {
  return rules > 0 ? `; keeps standing rules (+${tokenText(rules)})` : '';
}

function shownText({ excerpts }: Pass): string {
  return excerpts === undefined ? '' : `; shows ${excerptsSizeText(excerptsSize(excerpts.shown))}`;
}

/** A run that has ended. */
interface EndedRun {
  readonly deps: AgentDeps;
  readonly options: Pick<RunOptions, 'onClose' | 'onCloseCommand' | 'logFile'>;
  /** How the turn ended; `failed` also after an unexpected error. */
  readonly reason: TurnOutcome['type'];
}

/**
 * Does what `--on-close` says, however the run ended. A failure is reported and does not change the
 * exit code. A stop makes the summary a work note, and ends the command with everything it started.
 */
async function closeRun(run: EndedRun, signal: AbortSignal, say: Say): Promise<void> {
  try {
    const problem = await close(run, signal);
    if (problem !== undefined) say(`plimsoll: ${problem}`);
  } catch (error) {
    const why = errorText(error);
    say(`plimsoll: --on-close could not be carried out: ${why}`);
  }
}

async function close(
  { deps, options, reason }: EndedRun,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { session, estimator, workspace } = deps;
  switch (options.onClose) {
    case 'nothing':
      return undefined;
    case 'summary': {
      const model = { ok: true, model: deps.model } as const;
      const settings = deps.settings();
      const summary = await summariseSession({ session, estimator, model }, settings, signal);
      if (summary !== undefined) session.append({ type: 'sessionSummarised', ...summary });
      return undefined;
    }
    case 'command': {
      const { onCloseCommand: command = '', logFile = '' } = options;
      const title = titleOfWindow(session.window);
      const how = { command, title, reason, logFile };
      const outcome = await runCloseCommand(workspace, session, how, signal);
      return outcome && closeCommandProblem(command, outcome);
    }
  }
}

/** The model's last words; a reply that was cut off and continued counts as one text. */
function finalAnswer(events: readonly SessionEvent[]): string {
  let answer = '';
  let isContinued = false;
  for (const event of events) {
    if (event.type === 'noteAdded' && event.source.from === 'continue') isContinued = true;
    if (event.type !== 'replyReceived') continue;
    const said = event.parts
      .flatMap((part) => (part.type === 'text' ? [part.text] : []))
      .join('\n');
    answer = isContinued ? `${answer}${said}` : said;
    isContinued = false;
  }
  return answer;
}
