import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  amountText,
  countText,
  dollarAmountText,
  percentText,
  tokenText,
} from '../contextWindow/amount';
import { errorText, refused } from '../contextWindow/result';
import { visiblePath } from '../contextWindow/visibleText';
import {
  ACTION_NAMES,
  CATEGORY_NAMES,
  RULE_PLACES,
  TRIGGER_NAMES,
} from '../editor/contextPanel/exports/exportedNames';
import { sessionReport } from '../editor/contextPanel/exports/sessionReport';
import { CATEGORIES } from '../contextWindow/account/balance';
import { documentTokens, imageTokens } from '../model/mediaTokens';
import { WorkerEstimator } from '../model/workerEstimator';
import { allCaptureFolders } from '../recordings/captures/captureFolders';
import { joinCaptures } from '../recordings/captures/joinCaptures';
import { importTranscript } from '../recordings/importTranscript';
import { SessionFinder } from '../recordings/lens/findSessions';
import { type Machine, withInner } from '../recordings/lens/foundSession';
import { sessionBytes } from '../recordings/lens/sessionBytes';
import { fileHolding } from '../recordings/lens/storedSessions';
import { readOwnSession } from '../recordings/plimsoll';
import { windowOrigin } from '../recordings/windowOrigin';
import { lossesOfRecording, reportOfRecording } from '../replay/inspectRecording';
import type { RecordedLoss } from '../replay/losses/recordedLoss';
import {
  keptText,
  lossInstructionsText,
  lossLimits,
  lossCostText,
  lossDidText,
  lossName,
  lossSizeText,
  lossSummaryText,
  neededSumText,
  needText,
} from '../replay/losses/lossText';
import {
  chargesInLog,
  fullnessWords,
  reportOfSession,
  type SessionReport,
} from '../replay/inspectSession';
import { requestsInLog } from '../replay/measures/cacheRewrites';
import { causeText, rewritesText } from '../replay/measures/cacheText';
import { modelOf } from '../replay/recording';
import type { TranscriptFormat } from '../sessions/transcript';
import { DEFAULT_SETTINGS } from '../settings/settings';
import { whyNotRead } from './files';
import { lensPlaces } from './lensPlaces';
import { durationMs, type FindLosses, inspectAll } from './inspectAll';
import {
  address,
  flag,
  optionsHelp,
  OTLP_HELP,
  parsing,
  readOptions,
  type Read,
  text,
  whole,
} from './options';
import { alignedColumns } from './replayTable';
import { SignalsOfCommand } from './sendSignals';
import type { Say, Surroundings } from './terminal';
import { terminalJson, terminalText } from './terminalText';
import { settingsFor, settingsOf, WindowSizes } from './windowSizes';

export const INSPECT_OPTIONS = {
  step: whole('N', 'show the window that was sent for this step, not the newest one'),
  report: text('FILE.html', 'save a page of numbers to attach to an issue, without any text'),
  all: flag('sum up the sessions of all agents on this machine instead'),
  since: parsing(
    'TIME',
    'with --all: only those used within this time, such as 12h, 30d or 4w',
    agoMs,
  ),
  windows: flag('with --all: also replay each session in windows of 64k, 128k and 200k tokens'),
  'otlp-endpoint': address('URL', OTLP_HELP),
  json: flag('as JSON'),
};

export interface InspectOptions {
  /** A file, or the id of a session; undefined for the newest session of the folder. */
  readonly session: string | undefined;
  readonly step: number | undefined;
  /** Absolute; undefined to print the session. */
  readonly report: string | undefined;
  /** Sums up all sessions used within `sinceMs`. */
  readonly all: boolean;
  readonly sinceMs: number;
  /** Replays all of them in windows of several sizes, too. */
  readonly windows: boolean;
  readonly otlpEndpoint: string | undefined;
  readonly json: boolean;
}

export const INSPECT_HELP = `Usage: plimsoll inspect [options] [SESSION|FILE]

Shows one session, of Plimsoll or of another agent: how full its window is and of what, what was
removed and why, what was needed again, what it cost, and which requests wrote most of their window
to the prompt cache again. SESSION is an id, or the beginning of one, as plimsoll sessions lists it.
Without one it takes the newest session of any agent in this folder. Reads only.

${optionsHelp(INSPECT_OPTIONS)}`;

export function readInspectArguments(args: readonly string[], here: string): Read<InspectOptions> {
  const read = readOptions(args, INSPECT_OPTIONS, (names) =>
    names.length > 1 ? 'plimsoll inspect takes one session.' : undefined,
  );
  if (!read.ok) return read;
  const { values, positionals } = read.value;
  const { step, all, since, windows, json } = values;
  if (all && (positionals.length > 0 || step !== undefined || values.report !== undefined)) {
    return refused('--all takes no session, no --step and no --report.');
  }
  if (!all && since !== undefined) return refused('--since needs --all.');
  if (!all && windows) return refused('--windows needs --all.');
  const report = values.report === undefined ? undefined : resolve(here, values.report);
  return {
    ok: true,
    value: {
      session: positionals[0],
      step,
      report,
      all,
      sinceMs: since ?? Infinity,
      windows,
      otlpEndpoint: values['otlp-endpoint'],
      json,
    },
  };
}

/** A session's file, and what the report says of its origin. */
interface InspectedSession {
  readonly file: string;
  readonly format: TranscriptFormat;
  readonly model: string;
  /** Whether its windows are exact, and what was left out of the file, one sentence each. */
  readonly notes: readonly string[];
  /** Says whether its windows are exact; absent for a Plimsoll session. */
  readonly origin?: string;
  readonly report: SessionReport;
}

/** Shows a session; returns the exit code. */
export async function inspectSession(
  { session, step, report, all, sinceMs, windows, otlpEndpoint, json }: InspectOptions,
  around: Surroundings,
  say: Say,
): Promise<number> {
  const estimator = new WorkerEstimator(DEFAULT_SETTINGS.model, {
    workerPath: join(around.bundles, 'countWorker.js'),
    onProblem: (message) => say(`  note: ${message}`),
  });
  const signals = await SignalsOfCommand.to(otlpEndpoint, around, say);
  try {
    if (all) {
      const since = Date.now() - sinceMs;
      const measures = {
        findLosses: finderOfLosses(estimator, around),
        signals,
        ...(windows ? { sizes: new WindowSizes(estimator, around.signal) } : {}),
      };
      return await inspectAll({ since, json }, around, measures, say);
    }
    const found = await fileOf(session, around, say);
    if (!found.ok) {
      say(`plimsoll: ${found.message}`);
      return 1;
    }
    const inspected = await inspect(found.value, step, { ...around, estimator, signals }, say);
    if (inspected === 'stopped') {
      say('plimsoll: stopped.');
      return 130;
    }
    if (!inspected.ok) {
      say(`plimsoll: ${inspected.message}`);
      return 1;
    }
    if (report !== undefined) return await saveReport(report, inspected.value, say);
    const text = json ? terminalJson(inspected.value) : pageOf(inspected.value).map(terminalText);
    around.stdout.write(`${typeof text === 'string' ? text : text.join('\n')}\n`);
    return 0;
  } finally {
    await Promise.all([estimator.dispose(), signals.stop()]);
  }
}

function agoMs(given: string, name: string): Read<number> {
  const ms = durationMs(given);
  return ms === undefined
    ? refused(`${name} must be a time such as 12h, 30d or 4w, not "${given}".`)
    : { ok: true, value: ms };
}

/** Finds what the compactions of a recording lost. */
function finderOfLosses(estimator: WorkerEstimator, { signal }: Surroundings): FindLosses {
  return async (transcript) => {
    const model = modelOf(transcript) ?? DEFAULT_SETTINGS.model;
    estimator.forModel(model);
    const set = settingsFor(model, transcript.windowTokens);
    if (!set.ok) return [];
    return lossesOfRecording({ transcript, settings: settingsOf(set.valid) }, estimator, signal);
  };
}

/** Saves the report as a new file; returns the exit code. */
async function saveReport(file: string, session: InspectedSession, say: Say): Promise<number> {
  try {
    await writeFile(file, sessionReport(session), { flag: 'wx' });
    say(`plimsoll: saved ${visiblePath(file)}. It has numbers only. Read it before you share it.`);
    return 0;
  } catch (error) {
    say(`plimsoll: ${visiblePath(file)} was not written: ${errorText(error)}. Name another file.`);
    return 1;
  }
}

/** Finds the file of a session that is named by its path, its id, or not at all. */
async function fileOf(
  session: string | undefined,
  around: Surroundings,
  say: Say,
): Promise<Read<string>> {
  const { cwd } = around;
  if (session !== undefined) {
    const path = resolve(cwd, session);
    if (existsSync(fileHolding(path))) return { ok: true, value: path };
  }
  const machine = machineOf(around);
  const places = await lensPlaces(machine, say);
  const folder = session === undefined ? cwd : undefined;
  const requests = await allCaptureFolders(machine, places);
  const { sessions } = await new SessionFinder(machine).find(folder, places, {
    own: true,
    requests,
  });
  if (session === undefined) {
    const [newest] = sessions;
    return newest === undefined
      ? refused('no session was found in this folder. Name a file.')
      : { ok: true, value: newest.file };
  }
  const named = sessions.flatMap(withInner).filter(({ id }) => id.startsWith(session));
  const [first, second] = named;
  if (first === undefined) {
    return refused(
      `there is no file or session ${visiblePath(session)}. See plimsoll sessions --all.`,
    );
  }
  return second === undefined || first.id === session
    ? { ok: true, value: first.file }
    : refused(`${named.length} sessions begin with ${visiblePath(session)}. Give more of the id.`);
}

function machineOf({ home, environment = process.env }: Surroundings): Machine {
  return { home, environment, now: () => Date.now() };
}

async function inspect(
  file: string,
  step: number | undefined,
  around: Surroundings & {
    readonly estimator: WorkerEstimator;
    readonly signals: SignalsOfCommand;
  },
  say: Say,
): Promise<Read<InspectedSession> | 'stopped'> {
  const { signal, estimator, signals } = around;
  let content: string;
  try {
    content = (await sessionBytes(file)).toString('utf8');
  } catch (error) {
    return refused(`${visiblePath(file)} cannot be read: ${whyNotRead(error)}`);
  }
  const own = readOwnSession(content, visiblePath(file), { growing: true });
  if (own?.ok === false) return refused(own.message);
  const noStep = () => refused(`there is no step ${step} in ${visiblePath(file)}.`);
  if (own !== undefined) {
    const { events, notes } = own.own;
    const last = events.findLast((event) => event.type === 'replyReceived');
    const model = last?.model ?? DEFAULT_SETTINGS.model;
    const set = settingsFor(model, undefined);
    if (!set.ok) return set;
    const { budget } = set.valid;
    const charges = chargesInLog(events);
    const served = requestsInLog(events);
    signals.sendLog(events);
    const log = { events, charges, served, losses: [], budget, step };
    const report = await reportOfSession(log, estimator);
    const named = { file, format: 'plimsoll' as const, model, notes };
    return report === undefined ? noStep() : { ok: true, value: { ...named, report } };
  }
  const imported = importTranscript(
    content,
    'auto',
    visiblePath(file),
    (attachment) =>
      attachment.type === 'document'
        ? documentTokens(attachment.data)
        : imageTokens(attachment.data, attachment.mediaType),
    { growing: true },
  );
  if (!imported.ok) return refused(imported.message);
  const machine = machineOf(around);
  const folders = await allCaptureFolders(machine, await lensPlaces(machine, say));
  const { transcript, captured } = await joinCaptures(content, imported.transcript, folders, file);
  signals.sendRecording(transcript, file);
  const named = modelOf(transcript);
  const model = named ?? 'model not recorded';
  estimator.forModel(named ?? DEFAULT_SETTINGS.model);
  const set = settingsFor(model, transcript.windowTokens);
  if (!set.ok) return set;
  const report = await reportOfRecording(
    { transcript, settings: settingsOf(set.valid), step },
    estimator,
    { signal },
  );
  if (report === 'stopped') return 'stopped';
  const { format } = transcript;
  const origin = windowOrigin(transcript, captured);
  const notes = [origin, ...transcript.notes];
  return report === undefined
    ? noStep()
    : { ok: true, value: { file, format, model, origin, notes, report } };
}

/** Blocks of a pass that are named; the rest is counted. */
const MOST_NAMED = 12;

/** The page of text for a terminal. Text of the session stays on one line. */
function pageOf({ file, format, model, notes, report }: InspectedSession): readonly string[] {
  const { balance, step, steps } = report;
  const { used, source, categories } = balance;
  const origin = used.exact
    ? `counted by ${source === 'recorded' ? "its agent's server" : 'the server'}`
    : 'estimate';
  const rows = CATEGORIES.filter((name) => categories[name] !== 0).map((name) => [
    `  ${CATEGORY_NAMES[name]}`,
    `≈ ${tokenText(categories[name])}`,
  ]);
  return [
    oneLine(basename(file)),
    oneLine(`${format} · ${model} · ${countText(steps, 'step')}`),
    '',
    `Window ${report.isSent ? 'sent for' : 'after'} step ${step}: ${fullnessWords(balance, format)}, ${origin}`,
    ...(rows.length === 0 ? [] : [alignedColumns(rows, 1)]),
    '',
    ...rulesLines(report),
    ...removedLines(report, format),
    '',
    ...costLines(report),
    ...(notes.length === 0 ? [] : ['', ...notes.map(oneLine)]),
  ];
}

function rulesLines({ rules }: SessionReport): readonly string[] {
  if (rules.length === 0) return [];
  const lines = rules.map(({ text, place }) => `  ${RULE_PLACES[place]}: ${oneLine(text)}`);
  return ['Standing rules', ...lines, ''];
}

function removedLines(
  { passes, losses }: SessionReport,
  format: TranscriptFormat,
): readonly string[] {
  if (passes.length + losses.length === 0) return ['Nothing was removed.'];
  const limits = losses.length === 0 ? [] : [`  ${lossLimits(format)}`];
  return ['Removed', ...passes.flatMap(passLines), ...losses.flatMap(lossLines), ...limits];
}

/** A compaction of the recorded agent: its numbers, its largest blocks, and every later need. */
function lossLines(loss: RecordedLoss): readonly string[] {
  const { beforeStep, removed, needed } = loss;
  const largestFirst = removed.toSorted((a, b) => b.tokens.tokens - a.tokens.tokens);
  const sentences = [
    lossDidText(loss),
    lossSummaryText(loss),
    lossInstructionsText(loss),
    lossCostText(loss),
  ];
  return [
    `  ${lossName(loss)} before step ${beforeStep}: ${lossSizeText(loss)}`,
    ...sentences.filter((text) => text !== '').map((text) => `    ${text}`),
    ...largestFirst.slice(0, MOST_NAMED).map((block) => {
      const kept = keptText(block);
      const end = kept === '' ? '' : `, ${kept}`;
      return oneLine(`    ${block.label}: ${amountText(block.tokens)} tokens${end}`);
    }),
    ...(removed.length <= MOST_NAMED ? [] : [`    and ${removed.length - MOST_NAMED} more`]),
    `    ${neededSumText(needed)}`,
    ...needed.map((need) => oneLine(`      ${needText(need)}`)),
  ];
}

function passLines(pass: SessionReport['passes'][number]): readonly string[] {
  const { name, beforeStep, trigger, undone, before, after, removed, neededAgain } = pass;
  const largestFirst = removed.toSorted((a, b) => b.tokens.tokens - a.tokens.tokens);
  const reasons = new Set(removed.map(({ reason }) => reason));
  const [reason] = removed.length > 1 && reasons.size === 1 ? reasons : [];
  return [
    `  ${name} before step ${beforeStep}: ${amountText(before)} to ${amountText(after)} tokens; ${TRIGGER_NAMES[trigger]}${undone ? ', undone' : ''}`,
    ...(reason === undefined ? [] : [oneLine(`    ${reason}`)]),
    ...largestFirst.slice(0, MOST_NAMED).map((one) => {
      const why = reason === undefined ? `. ${one.reason}` : '';
      return oneLine(
        `    ${one.label}: ${ACTION_NAMES[one.action]}, ${amountText(one.tokens)} tokens${why}`,
      );
    }),
    ...(removed.length <= MOST_NAMED ? [] : [`    and ${removed.length - MOST_NAMED} more`]),
    ...neededAgain.map(({ step, what }) => oneLine(`    Needed again at step ${step}: ${what}`)),
  ];
}

function costLines({ cost, cacheWrites }: SessionReport): readonly string[] {
  const { requests, usd, isEstimate, cacheReadShare } = cost;
  const read =
    cacheReadShare === null
      ? ''
      : `, ${percentText(cacheReadShare)} of the input read from the cache`;
  const price =
    usd === null
      ? 'unknown, since a price is not listed'
      : dollarAmountText(usd, isEstimate !== true);
  // The panel says the same of a file without usage.
  if (requests === 0) return ['Cost: not recorded'];
  const rewrites = rewritesText(cacheWrites);
  return [
    `Cost: ${price}, ${countText(requests, 'request')}${read}`,
    ...(rewrites === undefined
      ? []
      : [
          '',
          `Cache rewrites: ${rewrites}`,
          ...cacheWrites.rewrites.map((one) => `  ${causeText(one)}`),
        ]),
  ];
}

/** Line breaks of a session could pass for lines of this page. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n\t]+\s*/g, ' ').trimEnd();
}
