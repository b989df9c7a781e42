import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Estimator } from '../../agent/estimator';
import { documentTokens, imageTokens } from '../../counting/mediaTokens';
import { cacheReadShare } from '../../counting/pricing';
import { modelOf } from '../../replay/recording';
import { replay, type Replayed } from '../../replay/replay';
import { unrecordedIn, type Unrecorded } from '../../replay/unrecorded';
import { importTranscript } from '../../sessions/importers/importTranscript';
import type { Transcript, TranscriptResult } from '../../sessions/transcript';
import { turnSettings } from '../../settings/turnSettings';
import type { RecordingSettings } from './recordingSettings';
import { readFile } from 'node:fs/promises';
import { tokenText } from '../../contextWindow/amountText';
import { promptTokens, type Usage } from '../../contextWindow/usage';

/** A recording as Plimsoll would have managed it, in a window that also holds what the file does not. */
export interface ReplayedRecording {
  readonly replayed: Replayed;
  readonly unrecorded: Unrecorded | undefined;
}

/** Reads the text of a recording; of one that grows a torn last line is left out. */
export function transcriptOf(text: string, file: string, growing: boolean): TranscriptResult {
  return importTranscript(
    text,
    'auto',
    basename(file),
    (attachment) =>
      attachment.type === 'document'
        ? documentTokens(attachment.data)
        : imageTokens(attachment.data, attachment.mediaType),
    { growing },
  );
}

/** Replays a recording. What no request could do without is weighed at its first, and put in each. */
export async function replayRecording(
  transcript: Transcript,
  sessionId: string,
  { inForce, policy }: RecordingSettings,
  estimator: Pick<Estimator, 'estimate' | 'warm'>,
  signal: AbortSignal,
): Promise<ReplayedRecording | 'stopped'> {
  const { policy: policySettings, serverEdits, toolResultCapTokens } = turnSettings(inForce);
  const { policy: _named, ...rest } = policySettings;
  const settings = {
    sessionId,
    policy,
    settings: rest,
    serverEdits,
    budget: inForce.budget,
    toolResultCapTokens,
    pinTaskAnchor: inForce.settings.context.pinTaskAnchor,
    cacheRead: cacheReadShare(modelOf(transcript) ?? ''),
  };
  const ports = {
    estimate: (text: string) => estimator.estimate(text),
    warm: async (texts: readonly string[]) => {
      await estimator.warm(texts);
      // The editor is not to wait for a replay.
      await nextTurn();
    },
    validate: () => undefined,
    now: () => performance.now(),
  };
  const unrecorded = await unrecordedIn(transcript, settings, ports, signal);
  const fixed =
    unrecorded === undefined ? {} : { unrecordedTokens: unrecorded.counted - unrecorded.held };
  const replayed = await replay(transcript, { ...settings, ...fixed }, ports, signal);
  return replayed === 'stopped' ? replayed : { replayed, unrecorded };
}

/**
 * Names a replay. The panel keeps over a reload what the user began, by this name, while the numbers
 * begin again: another file must have another one, which does not say where the file lies.
 */
export function sessionIdOf(file: string, number: number): string {
  return `recording-${number}-${digestOf(file).slice(0, 12)}`;
}

/** Stands for a text, to be held against another. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Why a recording is not shown. */
export interface NotShown {
  readonly message: string;
  /** The user stopped it; its file is gone or is no recording; or another time it may be shown. */
  readonly why: 'stopped' | 'lost' | 'other';
}

/** A recording as its file holds it; `digest` stands for the text it was read from. */
export interface RecordingRead {
  readonly transcript: Transcript;
  readonly digest: string;
}

/** Reads the file of a recording whole. */
export async function readRecording(
  file: string,
): Promise<
  ({ readonly ok: true } & RecordingRead) | { readonly ok: false; readonly notShown: NotShown }
> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = `${file} cannot be read (${code}). Choose another file.`;
    return { ok: false, notShown: { message, why: code === 'ENOENT' ? 'lost' : 'other' } };
  }
  const read = transcriptOf(text, file, false);
  if (!read.ok) return { ok: false, notShown: { message: read.message, why: 'lost' } };
  return { ok: true, transcript: read.transcript, digest: digestOf(text) };
}

/** Says what a recording does not hold of its agent's requests; undefined where it seems to hold all. */
export function recordingLacks(
  { system, tools }: Pick<Transcript, 'system' | 'tools'>,
  unrecorded: Unrecorded | undefined,
  usage: ReadonlyMap<number, Usage>,
): string | undefined {
  const missing = [
    ...(system === '' ? ['system prompt'] : []),
    ...(tools.length === 0 ? ['tools'] : []),
  ];
  if (unrecorded !== undefined) {
    const { counted, held } = unrecorded;
    const such = missing.length === 0 ? '' : `, such as its ${missing.join(' and ')},`;
    return (
      `The API counted ${tokenText(counted)} tokens in its first request, of which the file holds ` +
      `≈ ${tokenText(held)}: the other ≈ ${tokenText(counted - held)}${such} are not in the ` +
      `recording and stand in the window as a fixed part.`
    );
  }
  const counted = [...usage].filter(([, each]) => promptTokens(each) > 0).map(([step]) => step);
  if (missing.length === 0 || counted.includes(1)) return undefined;
  const how =
    counted.length === 0
      ? 'the file does not say by how much'
      : 'the counts of its API stand beside the steps';
  return `The file holds no ${missing.join(' and no ')}: the window of its agent was fuller than this one, and ${how}.`;
}

/** What a followed file holds. */
export interface Grown {
  readonly file: string;
  readonly text: string;
}

/** What takes in what a file has grown by. */
export interface GrowthTaker {
  /** Shows it; 'stopped' where something more pressing came between. */
  show(grown: Grown): Promise<'stopped' | 'shown'>;
  /** Takes a sentence on what went wrong. */
  troubled(message: string): void;
}

/** Hands on what a file has grown by: while it is being shown only the newest text waits. */
export class Growth {
  #newest: Grown | undefined;
  #isShowing = false;

  constructor(private readonly taker: GrowthTaker) {}

  take(grown: Grown): void {
    this.#newest = grown;
    if (this.#isShowing) return;
    this.#isShowing = true;
    void this.#show().finally(() => {
      this.#isShowing = false;
    });
  }

  async #show(): Promise<void> {
    for (let next = this.#newest; next !== undefined; next = this.#newest) {
      const taken = next;
      this.#newest = undefined;
      try {
        if ((await this.taker.show(taken)) === 'stopped') this.#newest ??= taken;
      } catch (error) {
        this.taker.troubled(error instanceof Error ? error.message : String(error));
      }
    }
  }
}
