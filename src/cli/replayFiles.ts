import { settingName } from '../settings/readSettings';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Estimator } from '../agent/model';
import { writeSummary } from '../agent/summariser';
import type { SessionPauses } from '../contextWindow/account/promptCache';
import { tokenText } from '../contextWindow/amount';
import type { Budget } from '../contextWindow/budget';
import type { WindowRequest } from '../contextWindow/request/blockMessages';
import { errorText, refused } from '../contextWindow/result';
import { visiblePath } from '../contextWindow/visibleText';
import type { ContextWindow } from '../contextWindow/window';
import { connect } from '../model/anthropicModel';
import { documentTokens, imageTokens } from '../model/mediaTokens';
import { messagesBody } from '../model/requestBody';
import { WorkerEstimator } from '../model/workerEstimator';
import { offlineModels } from '../offline/models';
import { validateRequest } from '../offline/rules/validateRequest';
import { importTranscript } from '../recordings/importTranscript';
import { sessionBytes } from '../recordings/lens/sessionBytes';
import { PassedWindows } from '../replay/judge/judgement';
import type { RecordedCounts } from '../replay/recordedCounts';
import { modelOf, type PausesInFolder, pausesBefore, pausesIn } from '../replay/recording';
import { countedSettings, recordedCountsOf, replay } from '../replay/replay';
import type { ReplayPolicy, ReplayPorts, ReplaySettings } from '../replay/replaySettings';
import { type ReplayReport, reportOf } from '../replay/replayReport';
import { type Spread, type TurnReport, turnReportOf, turnsOf } from '../replay/turnSizes';
import type { Transcript, TranscriptResult } from '../sessions/transcript';
import { DEFAULT_SETTINGS } from '../settings/settings';
import { occupied, realFile, unwritable, whyNotRead } from './files';
import { Judge, judgeTable } from './judge';
import { reportWorse, uncheckable } from './replayCheck';
import type { ReplayOptions } from './replayOptions';
import { openReplayOutputs, type ReplayOutputs } from './replayOutputs';
import { alignedColumns, budgetLine, replayTable } from './replayTable';
import type { Say, Surroundings } from './terminal';
import { terminalJson } from './terminalText';

/** A slow count on a busy machine is no reason to guess tokens. */
const COUNT_TIMEOUT_MS = 600_000;

/** What every replay of one command uses. */
interface Tools {
  readonly options: ReplayOptions;
  readonly around: Surroundings;
  readonly say: Say;
  readonly estimator: WorkerEstimator;
  readonly outputs: ReplayOutputs;
  /** By file: the pauses of the recordings before it. */
  readonly earlierPauses: ReadonlyMap<string, SessionPauses>;
  /** Absent if no model is asked what it knows from the windows. */
  readonly judge?: Judge;
}

/** Replays each file and writes the report; returns the exit code. */
export async function replayFiles(
  options: ReplayOptions,
  around: Surroundings,
  say: Say,
): Promise<number> {
  const estimator = new WorkerEstimator(DEFAULT_SETTINGS.model, {
    workerPath: join(around.bundles, 'countWorker.js'),
    // No user waits for a count here, and guesses would change the numbers.
    timeoutMs: COUNT_TIMEOUT_MS,
    onProblem: (message) => say(`  note: ${message}`),
  });
  const outputs = openReplayOutputs(options);
  const { judgeUrl: url, judgeModel: model = DEFAULT_SETTINGS.model } = options;
  const judge =
    url === undefined ? undefined : new Judge({ url, model }, around, say, estimator.estimate);
  const earlierPauses = await earlierPausesOf(options);
  const tools: Tools = { options, around, say, estimator, outputs, earlierPauses, judge };
  try {
    const done = options.turns ? await reportTurns(tools) : await reportPolicies(tools);
    if (done === 'stopped') say('plimsoll: stopped.');
    return done === 'stopped' ? 130 : done;
  } finally {
    outputs.close();
    await estimator.dispose();
  }
}

/** Replays each file under each policy, and compares the report with the saved one, if any. */
async function reportPolicies(tools: Tools): Promise<number | 'stopped'> {
  const { options, around, say } = tools;
  const done = await eachRecording(tools, (file, transcript) =>
    replayUnderAll(tools, file, transcript),
  );
  if (done === 'stopped') return 'stopped';
  const reports = done.taken.flat();
  if (options.json) around.stdout.write(`${terminalJson(reports)}\n`);
  else if (reports.length > 0) {
    const named = reports.map((report) => ({ ...report, file: visiblePath(report.file) }));
    const texts = [replayTable(named, options.budget), ...judgeTable(named)];
    around.stdout.write(`${texts.join('\n\n')}\n`);
  }
  const isWorse = options.checkFile !== undefined && reportWorse(reports, options.checkFile, say);
  const isUnmeasured = reports.some(
    ({ judged }) => judged !== undefined && (judged.unmeasured ?? judged.ungraded) !== null,
  );
  if (done.failed > 0 || isUnmeasured) return 1;
  return isWorse ? 3 : 0;
}

/** Replays each file with nothing evicted, and reports how large its turns are. */
async function reportTurns(tools: Tools): Promise<number | 'stopped'> {
  const { options, around, estimator } = tools;
  const done = await eachRecording(tools, async (file, transcript) => {
    const counts = await countsIn(tools, file, transcript);
    if (counts === 'stopped') return 'stopped';
    const replayed = await replayUnder(tools, file, transcript, 'none', counts);
    if (replayed === 'stopped') return 'stopped';
    return turnsOf(replayed.window, estimator.estimate);
  });
  if (done === 'stopped') return 'stopped';
  if (done.taken.length > 0) {
    const report = turnReportOf(done.taken, options.budget);
    const text = options.json ? terminalJson(report) : turnsText(report, options.budget);
    around.stdout.write(`${text}\n`);
  }
  return done.failed > 0 ? 1 : 0;
}

/** Results of the recordings, and how many failed. */
interface Taken<T> {
  readonly taken: readonly T[];
  readonly failed: number;
}

/** Processes one recording after the other. A failure is reported and does not stop the others. */
async function eachRecording<T>(
  { options, estimator, say }: Tools,
  take: (file: string, transcript: Transcript) => Promise<T | 'stopped'>,
): Promise<Taken<T> | 'stopped'> {
  const taken: T[] = [];
  let failed = 0;
  for (const file of options.files) {
    const read = await readRecording(file, options.format);
    if (!read.ok) {
      say(`plimsoll: ${read.message}`);
      failed += 1;
      continue;
    }
    estimator.forModel(modelOf(read.transcript) ?? DEFAULT_SETTINGS.model);
    try {
      const one = await take(file, read.transcript);
      if (one === 'stopped') return 'stopped';
      taken.push(one);
    } catch (error) {
      const why = errorText(error);
      say(
        `plimsoll: ${visiblePath(file)} could not be replayed: ${why}. The other files are not affected.`,
      );
      failed += 1;
    }
  }
  return { taken, failed };
}

/** The pauses of those among the files that ended before each of them began. */
async function earlierPausesOf({
  files,
  format,
  ignorePauses,
}: ReplayOptions): Promise<Tools['earlierPauses']> {
  if (ignorePauses) return new Map();
  const all: (PausesInFolder & { readonly file: string })[] = [];
  // One after the other: a recording can be large.
  for (const file of files) {
    const read = await readRecording(file, format);
    const pauses = read.ok ? pausesIn(read.transcript) : undefined;
    if (pauses !== undefined) all.push({ file, folder: dirname(file), ...pauses });
  }
  return new Map(all.map((one) => [one.file, pausesBefore(one, all)]));
}

async function readRecording(
  file: string,
  format: ReplayOptions['format'],
): Promise<TranscriptResult> {
  try {
    const text = (await sessionBytes(file)).toString('utf8');
    return importTranscript(text, format, visiblePath(file), (attachment) =>
      attachment.type === 'document'
        ? documentTokens(attachment.data)
        : imageTokens(attachment.data, attachment.mediaType),
    );
  } catch (error) {
    return refused(`${visiblePath(file)} cannot be read: ${whyNotRead(error)}`);
  }
}

/** The replay with nothing evicted runs once, and every policy is compared with it. */
async function replayUnderAll(
  tools: Tools,
  file: string,
  transcript: Transcript,
): Promise<readonly ReplayReport[] | 'stopped'> {
  const { policies, budget, fileOnly } = tools.options;
  const counts = await countsIn(tools, file, transcript);
  if (counts === 'stopped') return 'stopped';
  // Windows share their blocks, so all of them take little more than the last one.
  const wholes = new Map<number, ContextWindow>();
  const keep = tools.judge === undefined ? undefined : wholes;
  const baseline = await replayUnder(tools, file, transcript, 'none', counts, undefined, keep);
  if (baseline === 'stopped') return 'stopped';
  const reports: ReplayReport[] = [];
  for (const policy of policies) {
    const windows = new PassedWindows();
    const replayed =
      policy === 'none'
        ? baseline
        : await replayUnder(tools, file, transcript, policy, counts, windows);
    if (replayed === 'stopped') return 'stopped';
    const name = `${visiblePath(file)}, ${policy}`;
    const judged = await tools.judge?.judge(name, transcript, windows, wholes);
    if (judged === 'stopped') return 'stopped';
    tools.outputs.takePasses(file, policy, replayed.passes);
    const { inputBudget } = budget;
    const about = { file, transcript, policy, inputBudget, fileOnly, replayed, baseline };
    reports.push(reportOf({ ...about, judged }));
  }
  return reports;
}

/** What the API of a recording counted; undefined if it is not wanted, or not known. */
async function countsIn(
  { options, around, say, estimator }: Tools,
  file: string,
  transcript: Transcript,
): Promise<RecordedCounts | 'stopped' | undefined> {
  if (options.fileOnly) return undefined;
  say(`${visiblePath(file)}: what its API counted`);
  const ports = portsOf(estimator);
  return recordedCountsOf(transcript, settingsOf(options, 'none'), ports, around.signal);
}

/** The ports of one replay, which estimates as if it ran alone. */
function portsOf(estimator: WorkerEstimator): ReplayPorts {
  const own = estimator.fork();
  return {
    estimate: own.estimate,
    warm: async (texts) => {
      await own.warm(texts);
      // A replay never waits for input or output: without this, the process would notice no signal.
      await nextTurn();
    },
    validate: () => undefined,
    now: () => performance.now(),
  };
}

function settingsOf(
  { settings, budget, pinTaskAnchor, toolResultCapTokens, ignorePauses }: ReplayOptions,
  policy: ReplayPolicy,
): ReplaySettings {
  const { server: contextEditing } = DEFAULT_SETTINGS.context;
  return {
    policy,
    settings,
    contextEditing,
    budget,
    toolResultCapTokens,
    pinTaskAnchor,
    ignorePauses,
  };
}

function replayUnder(
  tools: Tools,
  file: string,
  transcript: Transcript,
  policy: ReplayPolicy,
  counts: RecordedCounts | undefined,
  windows?: PassedWindows,
  wholes?: Map<number, ContextWindow>,
) {
  const { options, around, say, estimator, outputs } = tools;
  const { budget, policies, summariserUrl } = options;
  say(`${visiblePath(file)}: ${policy === 'none' ? 'nothing evicted' : policy}`);
  const { maxReplyTokens } = budget;
  const ports: ReplayPorts = {
    ...portsOf(estimator),
    ...(options.turns ? {} : { validate: refusalOf }),
    ...(summariserUrl === undefined
      ? {}
      : { summarise: replaySummariser(summariserUrl, budget, estimator, around) }),
    onRequest: (request, model, step, window) => {
      windows?.take(request, step, window);
      wholes?.set(step, window);
      if (outputs.takeRequest === undefined || !policies.includes(policy)) return;
      const body = messagesBody({
        ...request,
        model: model === '' ? DEFAULT_SETTINGS.model : model,
        maxTokens: maxReplyTokens,
      });
      outputs.takeRequest({ file, policy, step }, body);
    },
  };
  const earlierPauses = tools.earlierPauses.get(file);
  const settings = { ...settingsOf(options, policy), earlierPauses };
  const counted = countedSettings(settings, counts);
  return replay(transcript, counted, ports, around.signal);
}

/** Asks a server for the summaries of a replay; if that fails, the work note names the cause. */
function replaySummariser(
  baseUrl: string,
  budget: Budget,
  estimator: Estimator,
  { apiKey, signal }: Surroundings,
): NonNullable<ReplayPorts['summarise']> {
  const { model } = connect({ baseUrl, apiKey });
  const settings = { summary: { writer: 'model', model: DEFAULT_SETTINGS.model }, budget } as const;
  return (window, job) =>
    writeSummary({ session: { window }, model, estimator }, settings, job, signal);
}

/** What makes a replay impossible from the start; undefined if nothing does. */
export function unusableReplay(options: ReplayOptions): string | undefined {
  const { requestsFile, ledgerFile } = options;
  return (
    usedTwice(options) ??
    judgeless(options) ??
    occupied('--requests', requestsFile) ??
    occupied('--ledger', ledgerFile) ??
    unwritable('--requests', requestsFile) ??
    unwritable('--ledger', ledgerFile) ??
    uncheckable(options)
  );
}

/** A model that no server runs is a mistake. */
function judgeless({ judgeUrl, judgeModel }: ReplayOptions): string | undefined {
  return judgeModel !== undefined && judgeUrl === undefined
    ? '--judge-model needs --judge.'
    : undefined;
}

/** No other option may read or write an output file, however the path is written. */
function usedTwice({ files, requestsFile, ledgerFile }: ReplayOptions): string | undefined {
  const inputs = new Set(files.map(realFile));
  const outputs = [
    ['--requests', requestsFile],
    ['--ledger', ledgerFile],
  ] as const;
  for (const [option, file] of outputs) {
    if (file !== undefined && inputs.has(realFile(file))) {
      return `${option} cannot write ${visiblePath(file)}: it is one of the recordings.`;
    }
  }
  if (requestsFile === undefined || ledgerFile === undefined) return undefined;
  return realFile(requestsFile) === realFile(ledgerFile)
    ? `--requests and --ledger cannot both write ${visiblePath(requestsFile)}.`
    : undefined;
}

/** The strictest model that the offline server serves. */
const MODEL = offlineModels.find(({ id }) => id === 'claude-opus-5-5');

/**
 * Says why the API would refuse a request; undefined if it would accept it. Only its form is
 * checked: the budget limits its size, and the recording decides its model.
 */
export function refusalOf({ system, tools, messages }: WindowRequest): string | undefined {
  const body = {
    model: MODEL?.id,
    ...(system.length === 0 ? {} : { system }),
    ...(tools.length === 0 ? {} : { tools }),
    messages,
  };
  return validateRequest(body, { endpoint: 'count_tokens' })?.message;
}

/** Draws how long turns are, and explains the limits that follow. */
function turnsText(report: TurnReport, budget: Budget): string {
  const rows = [
    ['', 'count', 'least', 'median', '90 of 100', 'most'],
    rowOf('turns of a file', report.turnsPerFile, ''),
    rowOf('steps of a turn', report.stepsPerTurn, ''),
    rowOf('tokens of a turn', report.tokensPerTurn, '≈ '),
  ];
  return [
    budgetLine(budget),
    alignedColumns(rows, 1),
    `${keepText(report, budget)}\n${maxText(report, budget)}`,
  ].join('\n\n');
}

function rowOf(name: string, { count, least, median, p90, most }: Spread, mark: string) {
  const texts = [least, median, p90, most].map((number) => `${mark}${tokenText(number)}`);
  return [name, tokenText(count), ...texts];
}

function keepText({ keepRecentTurns }: TurnReport, { lowTokens }: Budget): string {
  const limit = `the low watermark of ${tokenText(lowTokens)} tokens`;
  const cases = `Where not all turns fit below ${limit},\n `;
  if (keepRecentTurns === undefined)
    return proposal('keepRecentTurns', 'any number', allFit(limit));
  if (keepRecentTurns === 0) {
    const why = `${cases} not even the newest one does in 90 of 100 cases.`;
    return proposal('keepRecentTurns', '1', why);
  }
  const why = `${cases} the newest ${keepRecentTurns} do in 90 of 100 cases.`;
  return proposal('keepRecentTurns', String(keepRecentTurns), why);
}

function maxText({ maxHistoryTurns }: TurnReport, { highTokens }: Budget): string {
  const limit = `the high watermark of ${tokenText(highTokens)} tokens`;
  if (maxHistoryTurns === 0) return proposal('maxHistoryTurns', '0, no limit', allFit(limit));
  const why =
    `Where not all turns fit below ${limit},\n` +
    `  no more than the newest ${maxHistoryTurns} do in 90 of 100 cases.`;
  return proposal('maxHistoryTurns', String(maxHistoryTurns), why);
}

function allFit(limit: string): string {
  return `All turns of every file fit below ${limit}.`;
}

function proposal(setting: string, value: string, why: string): string {
  return `${settingName(['context', setting])}: ${value}\n  ${why}`;
}
