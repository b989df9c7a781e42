import { basename, dirname } from 'node:path';
import { dollarAmountText, countText, tokenText } from '../contextWindow/amount';
import type { SessionEvent } from '../contextWindow/event';
import { errorText, refused } from '../contextWindow/result';
import { visiblePath } from '../contextWindow/visibleText';
import { documentTokens, imageTokens } from '../model/mediaTokens';
import { importTranscript } from '../recordings/importTranscript';
import { SessionFinder } from '../recordings/lens/findSessions';
import { withInner } from '../recordings/lens/foundSession';
import { sessionBytes } from '../recordings/lens/sessionBytes';
import { readOwnSession, transcriptOfSession } from '../recordings/plimsoll';
import { chargesInLog, priceOf, type SummedPrice } from '../replay/inspectSession';
import type { NeedKind } from '../replay/losses/neededLater';
import type { RecordedLoss } from '../replay/losses/recordedLoss';
import {
  cacheWrites,
  type CacheWrites,
  requestsInLog,
  requestsInRecording,
  type WritesByCause,
  writesByCause,
} from '../replay/measures/cacheRewrites';
import { causeText, rewritesText } from '../replay/measures/cacheText';
import { recordedChargesOf, type Transcript } from '../sessions/transcript';
import { lensPlaces } from './lensPlaces';
import type { Read } from './options';
import type { Say, Surroundings } from './terminal';
import { terminalJson } from './terminalText';
import type { SignalsOfCommand } from './sendSignals';
import type { WindowReport, WindowSizes } from './windowSizes';

/** The sessions of a machine in numbers. */
interface MachineReport {
  readonly sessions: number;
  /** US dollars of the sessions with known prices. */
  readonly usd: number;
  /** The server of one of them does not count reliably. */
  readonly isEstimate?: true;
  /** Files name prices of their own; elsewhere list prices apply. */
  readonly isOfFile?: true;
  /** Sessions without a known price: it is not listed, or their file has no usage. */
  readonly unpriced: number;
  readonly compactions: number;
  /** How often removed content was needed again, by how. */
  readonly neededAgain: Readonly<Partial<Record<NeedKind, number>>>;
  readonly cacheWrites: WritesByCause;
  /** What the same sessions would have cost and kept, by window; absent if not asked for. */
  readonly windows?: readonly WindowReport[];
}

/** What one session adds. */
interface SummedSession extends SummedPrice {
  readonly compactions: number;
  /** How removed content was needed again. */
  readonly needed: readonly NeedKind[];
  readonly writes: CacheWrites;
  /** The session as other windows may replay it. */
  readonly transcript: Transcript;
  /** Up to this step it is a copy of sessions that are counted already; 0 for none. */
  readonly copiedSteps: number;
  /** The log of a Plimsoll session. */
  readonly events?: readonly SessionEvent[];
}

/** The numbers of one session. */
type Summand = Omit<SummedSession, 'transcript' | 'copiedSteps' | 'events'>;

type RecordedReply = Extract<Transcript['entries'][number], { readonly type: 'reply' }>;

/** Finds what a recorded agent's compactions lost. */
export type FindLosses = (transcript: Transcript) => Promise<readonly RecordedLoss[] | 'stopped'>;

/** What to report about each session. */
interface Measures {
  readonly findLosses: FindLosses;
  /** Replays it in windows of several sizes; absent if that is not asked for. */
  readonly sizes?: WindowSizes;
  readonly signals: Pick<SignalsOfCommand, 'sendLog' | 'sendRecording'>;
}

/**
 * Sums up the sessions of all agents on this machine that were used since a moment, ms since the
 * epoch; returns the exit code, which is 1 if one could not be read.
 */
export async function inspectAll(
  { since, json }: { readonly since: number; readonly json: boolean },
  { home, stdout, signal, environment = process.env }: Surroundings,
  { findLosses, sizes, signals }: Measures,
  say: Say,
): Promise<number> {
  const machine = { home, environment, now: () => Date.now() };
  const places = await lensPlaces(machine, say);
  const found = await new SessionFinder(machine).find(undefined, places, { own: true });
  // The oldest first, so that a response counts in the session that was copied.
  const recent = found.sessions
    .flatMap(withInner)
    .filter(({ usedAt }) => usedAt >= since)
    .toSorted((a, b) => a.usedAt - b.usedAt);
  const problems = [...found.problems];
  const sums: Summand[] = [];
  const counted: Counted = { responses: new Set(), losses: new Set() };
  const stopped = (): number => {
    say('plimsoll: stopped.');
    return 130;
  };
  // One after the other: some files have hundreds of megabytes.
  for (const [at, { file }] of recent.entries()) {
    if (signal.aborted) return stopped();
    const sum = await summed(file, findLosses, counted).catch((error: unknown) =>
      refused(`${visiblePath(file)} was left out: ${errorText(error)}.`),
    );
    if (!sum.ok) {
      problems.push(sum.message);
      continue;
    }
    const { transcript, copiedSteps, events, ...numbers } = sum.value;
    sums.push(numbers);
    if (events === undefined) signals.sendRecording(transcript, file);
    else signals.sendLog(events);
    if (sizes === undefined) continue;
    const steps = transcript.entries.filter(({ type }) => type === 'reply').length;
    say(`  session ${at + 1} of ${recent.length}: replaying ${countText(steps, 'step')}`);
    const refusal = await sizes.take(transcript, dirname(file), copiedSteps);
    if (refusal === 'stopped') return stopped();
    if (refusal !== undefined) problems.push(`${visiblePath(file)}: ${refusal}`);
  }
  for (const problem of problems) say(`plimsoll: ${problem}`);
  const report = machineReport(sums, sizes?.reports);
  const lines = [...machineLines(report), ...(sizes === undefined ? [] : sizes.lines)];
  stdout.write(`${json ? terminalJson(report) : lines.join('\n')}\n`);
  return problems.length > 0 ? 1 : 0;
}

/** The responses counted so far, by name; losses count with the response after them. */
interface Counted {
  readonly responses: Set<string>;
  readonly losses: Set<string>;
}

/** Sums up one session without the responses that are `counted` already, and adds its own to these. */
async function summed(
  file: string,
  findLosses: FindLosses,
  counted: Counted,
): Promise<Read<SummedSession>> {
  let content: string;
  try {
    content = (await sessionBytes(file)).toString('utf8');
  } catch (error) {
    return refused(`${visiblePath(file)} was left out: ${errorText(error)}.`);
  }
  const name = visiblePath(basename(file));
  const own = readOwnSession(content, name, { growing: true });
  if (own?.ok === false) return refused(`${visiblePath(file)} was left out: ${own.message}`);
  if (own !== undefined) {
    const { events } = own.own;
    const writes = cacheWrites(requestsInLog(events));
    const transcript = transcriptOfSession(own.own);
    const price = priceOf(chargesInLog(events));
    const lost = { compactions: 0, needed: [] };
    const value = { ...price, ...lost, writes, transcript, copiedSteps: 0, events };
    return { ok: true, value };
  }
  const tokens: Parameters<typeof importTranscript>[3] = (attachment) =>
    attachment.type === 'document'
      ? documentTokens(attachment.data)
      : imageTokens(attachment.data, attachment.mediaType);
  const imported = importTranscript(content, 'auto', name, tokens, { growing: true });
  if (!imported.ok) return refused(`${visiblePath(file)} was left out: ${imported.message}`);
  const { transcript } = imported;
  const found = await findLosses(transcript);
  if (found === 'stopped') return refused(`${visiblePath(file)} was left out: stopped.`);
  const replies = transcript.entries.filter((entry) => entry.type === 'reply');
  const names = replies.map((reply) => nameOfResponse(reply, transcript));
  const isCopied = (step: number) => counted.responses.has(names[step - 1] ?? '');
  const charges = replies.flatMap((reply, at) =>
    isCopied(at + 1) ? [] : recordedChargesOf(reply),
  );
  const nextOf = ({ beforeStep }: RecordedLoss) => names[beforeStep - 1];
  const losses = found.filter((loss) => !counted.losses.has(nextOf(loss) ?? ''));
  // A fork may need what a compaction of its origin removed.
  const needed = found.flatMap((loss) => loss.needed).filter(({ step }) => !isCopied(step));
  const writes = cacheWrites(requestsInRecording(transcript), ({ step }) => !isCopied(step));
  const copiedSteps = names.findLastIndex((_, at) => isCopied(at + 1)) + 1;
  const hasUsage =
    replies.length === 0 || replies.some((reply) => recordedChargesOf(reply).length > 0);
  const price = hasUsage ? priceOf(charges) : { usd: null };
  const lost = { compactions: losses.length, needed: needed.map(({ kind }) => kind) };
  const value = { ...price, ...lost, writes, transcript, copiedSteps };
  for (const name of names) if (name !== undefined) counted.responses.add(name);
  for (const name of losses.map(nextOf)) if (name !== undefined) counted.losses.add(name);
  return { ok: true, value };
}

/**
 * Names a response, so that it is counted once: a session that continues or forks another one begins
 * with a copy of it. Undefined if the file tells it from no other.
 */
function nameOfResponse(
  { responseId, at, model, usage, parts }: RecordedReply,
  { lineage }: Transcript,
): string | undefined {
  if (responseId !== undefined) return responseId;
  if (usage === undefined) return undefined;
  // Codex gives copies the time of the fork.
  if (lineage !== undefined) return JSON.stringify([lineage, model, Object.values(usage), parts]);
  return at === undefined ? undefined : JSON.stringify([at, model, Object.values(usage)]);
}

function machineReport(
  sums: readonly Summand[],
  windows: readonly WindowReport[] | undefined,
): MachineReport {
  const neededAgain: Partial<Record<NeedKind, number>> = {};
  for (const kind of sums.flatMap(({ needed }) => needed)) {
    neededAgain[kind] = (neededAgain[kind] ?? 0) + 1;
  }
  return {
    sessions: sums.length,
    usd: sums.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    ...(sums.some(({ isEstimate }) => isEstimate === true) ? { isEstimate: true } : {}),
    ...(sums.some(({ isOfFile }) => isOfFile === true) ? { isOfFile: true } : {}),
    unpriced: sums.filter(({ usd }) => usd === null).length,
    compactions: sums.reduce((sum, one) => sum + one.compactions, 0),
    neededAgain,
    cacheWrites: writesByCause(sums.map(({ writes }) => writes)),
    ...(windows === undefined ? {} : { windows }),
  };
}

const NEEDED: Readonly<Record<NeedKind, string>> = {
  read: 'files read again',
  command: 'commands run again with the same result',
  search: 'searches run again with the same result',
  question: 'questions asked again',
  edit: 'edits without their text in the window',
};

function machineLines(report: MachineReport): readonly string[] {
  const { sessions, usd, isEstimate, isOfFile, unpriced, compactions, neededAgain } = report;
  const priced = isOfFile === true ? 'at list prices, or as the files say' : 'at list prices';
  const rest =
    unpriced === 0 ? '' : `, without ${tokenText(unpriced)} of them whose price is not known`;
  const rewrites = rewritesText(report.cacheWrites);
  const needed = Object.entries(neededAgain) as [NeedKind, number][];
  return [
    `${countText(sessions, 'session')}, ${dollarAmountText(usd, isEstimate !== true)} ${priced}${rest}`,
    `${countText(compactions, 'compaction')} of other agents; needed again afterwards:${needed.length === 0 ? ' nothing' : ''}`,
    ...needed.map(([kind, times]) => `  ${NEEDED[kind]}: ${tokenText(times)}`),
    ...(rewrites === undefined
      ? []
      : [
          `Cache rewrites: ${rewrites}`,
          ...report.cacheWrites.rewrites.map((one) => `  ${causeText(one)}`),
        ]),
  ];
}

const SINCE = /^(\d{1,5})([dhw])$/;
const UNIT_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Reads "30d", "12h" or "4w" as ms; undefined if it is none. */
export function durationMs(given: string): number | undefined {
  const [, count, unit] = SINCE.exec(given) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
