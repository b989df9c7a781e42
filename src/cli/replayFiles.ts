import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Estimator } from '../agent/model';
import { writeSummary } from '../agent/summariser';
import { connect } from '../model/connect';
import { messagesBody } from '../model/requestBody';
import type { Budget } from '../contextWindow/budget';
import { documentTokens, imageTokens } from '../model/mediaTokens';
import { WorkerEstimator } from '../model/workerEstimator';
import { cacheReadOf, modelOf } from '../replay/recording';
import { countedSettings, recordedCountsOf } from '../replay/countedReplay';
import type { RecordedCounts } from '../replay/recordedCounts';
import { PassedWindows } from '../replay/judge/passedWindows';
import { replay } from '../replay/replay';
import type { ReplayPolicy, ReplayPorts, ReplaySettings } from '../replay/replaySettings';
import { reportOf, type ReplayReport } from '../replay/report';
import { turnReportOf, turnsOf } from '../replay/turnSizes';
import { importTranscript } from '../recordings/importTranscript';
import type { Transcript, TranscriptResult } from '../sessions/transcript';
import { DEFAULT_SETTINGS } from '../settings/settings';
import { whyNotRead } from './files';
import { refusalOf } from './refusalOf';
import type { ReplayOptions } from './replayOptions';
import { openReplayOutputs, type ReplayOutputs } from './replayOutputs';
import { Judge } from './judge';
import { judgeTable } from './judgeTable';
import { reportWorse } from './replayCheck';
import { replayTable } from './replayTable';
import { turnsText } from './turnsText';
import type { Say, Surroundings } from './terminal';
import { terminalJson } from './terminalText';
import { refused, errorText } from '../contextWindow/result';

/** A busy machine is no reason to guess tokens. */
const COUNT_TIMEOUT_MS = 600_000;

/** What every replay of one command uses. */
interface Tools {
  readonly options: ReplayOptions;
  readonly around: Surroundings;
  readonly say: Say;
  readonly estimator: WorkerEstimator;
  readonly outputs: ReplayOutputs;
  /** Absent where no model is asked what it knows from the windows. */
  readonly judge?: Judge;
}

/** Replays each file and writes the report that was asked for; returns the exit code. */
export async function replayFiles(
  options: ReplayOptions,
  around: Surroundings,
  say: Say,
): Promise<number> {
  const estimator = new WorkerEstimator(DEFAULT_SETTINGS.model, {
    workerPath: join(around.bundles, 'countWorker.js'),
    // Nobody waits in front of it, and guesses would give other numbers.
    timeoutMs: COUNT_TIMEOUT_MS,
    onProblem: (message) => say(`  note: ${message}`),
  });
  const outputs = openReplayOutputs(options);
  const { judgeUrl: url, judgeModel: model = DEFAULT_SETTINGS.model } = options;
  const judge = url === undefined ? {} : { judge: new Judge({ url, model }, around, say) };
  const tools: Tools = { options, around, say, estimator, outputs, ...judge };
  try {
    const done = options.turns ? await reportTurns(tools) : await reportPolicies(tools);
    if (done === 'stopped') say('plimsoll: stopped.');
    return done === 'stopped' ? 130 : done;
  } finally {
    outputs.close();
    await estimator.dispose();
  }
}

/** Replays each file under each policy, and compares the report with the stored one, if any. */
async function reportPolicies(tools: Tools): Promise<number | 'stopped'> {
  const { options, around, say } = tools;
  const done = await eachRecording(tools, (file, transcript) =>
    replayUnderAll(tools, file, transcript),
  );
  if (done === 'stopped') return 'stopped';
  const reports = done.taken.flat();
  if (options.json) around.stdout.write(`${terminalJson(reports)}\n`);
  else if (reports.length > 0) {
    const texts = [replayTable(reports, options.budget), ...judgeTable(reports)];
    around.stdout.write(`${texts.join('\n\n')}\n`);
  }
  const isWorse = options.checkFile !== undefined && reportWorse(reports, options.checkFile, say);
  const isUnmeasured = reports.some(({ judged }) => (judged?.unmeasured ?? null) !== null);
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

/** What was made of the recordings, and how many of them failed. */
interface Taken<T> {
  readonly taken: readonly T[];
  readonly failed: number;
}

/** Takes one recording after the other; one that fails is named and does not stop the others. */
async function eachRecording<T>(
  { options, estimator, say }: Tools,
  take: (file: string, transcript: Transcript) => Promise<T | 'stopped'>,
): Promise<Taken<T> | 'stopped'> {
  const taken: T[] = [];
  let failed = 0;
  for (const file of options.files) {
    const read = readRecording(file, options.format);
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
      say(`plimsoll: ${file} could not be replayed: ${why}. The other files are not affected.`);
      failed += 1;
    }
  }
  return { taken, failed };
}

function readRecording(file: string, format: ReplayOptions['format']): TranscriptResult {
  try {
    return importTranscript(readFileSync(file, 'utf8'), format, file, (attachment) =>
      attachment.type === 'document'
        ? documentTokens(attachment.data)
        : imageTokens(attachment.data, attachment.mediaType),
    );
  } catch (error) {
    return refused(`${file} cannot be read: ${whyNotRead(error)}`);
  }
}

/** The replay with nothing evicted runs once: every policy is compared with it. */
async function replayUnderAll(
  tools: Tools,
  file: string,
  transcript: Transcript,
): Promise<readonly ReplayReport[] | 'stopped'> {
  const { policies, budget, fileOnly } = tools.options;
  const counts = await countsIn(tools, file, transcript);
  if (counts === 'stopped') return 'stopped';
  const baseline = await replayUnder(tools, file, transcript, 'none', counts);
  if (baseline === 'stopped') return 'stopped';
  const reports: ReplayReport[] = [];
  for (const policy of policies) {
    const windows = new PassedWindows();
    const replayed =
      policy === 'none'
        ? baseline
        : await replayUnder(tools, file, transcript, policy, counts, windows);
    if (replayed === 'stopped') return 'stopped';
    const judged = await tools.judge?.judge(`${file}, ${policy}`, transcript, windows);
    if (judged === 'stopped') return 'stopped';
    tools.outputs.takePasses(file, policy, replayed.passes);
    const { inputBudget } = budget;
    const about = { file, transcript, policy, inputBudget, fileOnly, replayed, baseline };
    reports.push(reportOf({ ...about, ...(judged === undefined ? {} : { judged }) }));
  }
  return reports;
}

/** What the API of a recording counted; undefined where that is not to be measured, or not known. */
async function countsIn(
  { options, around, say, estimator }: Tools,
  file: string,
  transcript: Transcript,
): Promise<RecordedCounts | 'stopped' | undefined> {
  if (options.fileOnly) return undefined;
  say(`${file}: what its API counted`);
  const ports = portsOf(estimator);
  return recordedCountsOf(
    transcript,
    settingsOf(options, transcript, 'none'),
    ports,
    around.signal,
  );
}

function portsOf(estimator: Estimator): ReplayPorts {
  return {
    estimate: estimator.estimate,
    warm: async (texts) => {
      await estimator.warm(texts);
      // A replay waits for nothing else: without this, no signal would be noticed.
      await nextTurn();
    },
    validate: () => undefined,
    now: () => performance.now(),
  };
}

function settingsOf(
  { settings, budget, pinTaskAnchor }: ReplayOptions,
  transcript: Transcript,
  policy: ReplayPolicy,
): ReplaySettings {
  const { toolResultCapTokens, server: contextEditing } = DEFAULT_SETTINGS.context;
  const cacheRead = cacheReadOf(transcript);
  return {
    policy,
    settings,
    contextEditing,
    budget,
    toolResultCapTokens,
    pinTaskAnchor,
    cacheRead,
  };
}

function replayUnder(
  tools: Tools,
  file: string,
  transcript: Transcript,
  policy: ReplayPolicy,
  counts: RecordedCounts | undefined,
  windows?: PassedWindows,
) {
  const { options, around, say, estimator, outputs } = tools;
  const { budget, policies, summariserUrl } = options;
  say(`${file}: ${policy === 'none' ? 'nothing evicted' : policy}`);
  const { maxReplyTokens } = budget;
  const ports: ReplayPorts = {
    ...portsOf(estimator),
    ...(options.turns ? {} : { validate: refusalOf }),
    ...(summariserUrl === undefined
      ? {}
      : { summarise: replaySummariser(summariserUrl, budget, estimator, around) }),
    onRequest: (request, model, step, window) => {
      windows?.take(request, step, window);
      if (outputs.takeRequest === undefined || !policies.includes(policy)) return;
      const body = messagesBody({
        ...request,
        model: model === '' ? DEFAULT_SETTINGS.model : model,
        maxTokens: maxReplyTokens,
      });
      outputs.takeRequest({ file, policy, step }, body);
    },
  };
  const counted = countedSettings(settingsOf(options, transcript, policy), counts);
  return replay(transcript, counted, ports, around.signal);
}

/** Asks a server for the summaries of a replay; if that fails, the work note names the cause. */
function replaySummariser(
  baseUrl: string,
  budget: Budget,
  estimator: Estimator,
  { apiKey, signal }: Surroundings,
): NonNullable<ReplayPorts['summarise']> {
  const { model } = connect({ baseUrl, ...(apiKey === undefined ? {} : { apiKey }) });
  const settings = { summary: { writer: 'model', model: DEFAULT_SETTINGS.model }, budget } as const;
  return (window, job) =>
    writeSummary({ session: { window }, model, estimator }, settings, job, signal);
}
