import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Estimator } from '../../agent/estimator';
import type { WhatIfSettings } from '../../protocol/whatIf';
import { modelOf } from '../../replay/modelOf';
import { followFile, type Following } from '../../sessions/followFile';
import type { Transcript } from '../../sessions/transcript';
import type { Refusal } from '../refusal';
import type { ValidSettings } from '../windowBudget';
import { Growth, type Grown } from './growth';
import type { Inspected } from './inspected';
import type { KeptRecording } from './keptRecording';
import { recordingLacks } from './recordingLacks';
import {
  digestOf,
  replayRecording,
  sessionIdOf,
  transcriptOf,
  type ReplayedRecording,
} from './recordingReplay';
import { modelNameOf, recordingSettings, type RecordingSettings } from './recordingSettings';

/** What recordings are replayed with. */
export interface RecordingParts {
  /** The settings a recording begins with; its own model and window come on top. */
  readonly inForce: () => ValidSettings;
  readonly estimator: Estimator;
  /** Told when what is shown of the recording is other. */
  readonly changed: () => void;
  /** Takes what went wrong while a file was followed. */
  readonly problem: (message: string) => void;
}

/** A recording to be shown. */
interface Wished extends RecordingSettings {
  /** Counted from 1 in this window: two files may have the same name. */
  readonly number: number;
  readonly file: string;
  /** Stands for the text it was read from. */
  readonly digest: string;
  readonly transcript: Transcript;
  /** The settings it was opened under. */
  readonly base: ValidSettings;
  /** What the user chose for its replay; undefined before that. */
  readonly chosen: WhatIfSettings | undefined;
}

type Open = Wished & ReplayedRecording;

/** Holds the recording of another agent that the panel shows, as Plimsoll would have managed it. */
export class Recordings {
  #open: Open | undefined;
  /** The file is to be followed, whenever somebody can see it. */
  #follows = false;
  #isSeen = true;
  #following: Following | undefined;
  #problem: string | undefined;
  #opened = 0;
  /** Counts closings: what was begun before one is not shown after it. */
  #closed = 0;
  /** Settles when the replay that runs, or waits, last has ended. */
  #running: Promise<unknown> = Promise.resolve();
  /** Stops the replay of what a file has grown by: what the user wishes goes first. */
  #stopGrowth = new AbortController();
  readonly #growth = new Growth({
    show: (grown) => this.#inTurn(() => this.#showGrown(grown)),
    troubled: (message) => this.#troubled(message),
  });

  constructor(private readonly parts: RecordingParts) {}

  /** The recording shown; undefined while the current session is. */
  get inspected(): Inspected | undefined {
    const open = this.#open;
    if (open === undefined) return undefined;
    const { file, transcript, inForce, policy, replayed, unrecorded } = open;
    const { recordedUsage } = replayed;
    const lacks = recordingLacks(transcript, unrecorded, recordedUsage);
    return {
      source: {
        type: 'recording',
        file: basename(file),
        format: transcript.format,
        following: this.#follows,
        ...(lacks === undefined ? {} : { lacks }),
        notes: transcript.notes,
      },
      title: basename(file),
      model: modelNameOf(transcript),
      offline: false,
      events: replayed.events,
      window: replayed.window,
      inForce,
      policy,
      busy: false,
      pendingPass: undefined,
      problem: this.#problem,
      compactions: replayed.marks,
      recordedUsage,
    };
  }

  /** What is to outlive a reload of the window; undefined while no recording is open. */
  get kept(): Omit<KeptRecording, 'at'> | undefined {
    if (this.#open === undefined) return undefined;
    const { file, number, chosen } = this.#open;
    const choice = chosen === undefined ? {} : { chosen };
    return { file, number, ...choice, following: this.#follows };
  }

  /** Opens a file in the place of whatever is shown; says why not where it cannot be read. */
  async open(file: string, signal: AbortSignal): Promise<Refusal> {
    return this.#begin(file, this.#opened + 1, undefined, signal);
  }

  /** Opens what was open before the window was reloaded, as it was looked at. */
  async reopen(kept: Omit<KeptRecording, 'at'>, signal: AbortSignal): Promise<Refusal> {
    const { file, number, chosen, following } = kept;
    const refusal = await this.#begin(file, number, chosen, signal);
    return refusal === undefined && following ? this.follow(true) : refusal;
  }

  /** Replays the recording under other settings; says why not where they do not fit together. */
  async apply(chosen: WhatIfSettings, signal: AbortSignal): Promise<Refusal> {
    return this.#forUser(async () => {
      const open = this.#open;
      if (open === undefined) return 'No recording is open.';
      const settings = recordingSettings(open.base, open.transcript, chosen);
      if (!settings.ok) return settings.problem;
      const { inForce, policy } = settings;
      return this.#show({ ...open, inForce, policy, chosen }, signal);
    });
  }

  /** Follows the file while it grows, or no longer. */
  follow(following: boolean): Refusal {
    if (this.#open === undefined) return 'No recording is open.';
    this.#endFollowing();
    this.#follows = following;
    this.#watch();
    this.parts.changed();
    return undefined;
  }

  /** Takes note whether anybody can see what is shown: what nobody sees is not replayed. */
  setSeen(isSeen: boolean): void {
    this.#isSeen = isSeen;
    this.#watch();
  }

  /** Goes back to the current session. */
  close(): void {
    this.#closed += 1;
    this.#stopGrowth.abort();
    this.#endFollowing();
    this.#open = undefined;
    this.parts.changed();
  }

  dispose(): void {
    this.#closed += 1;
    this.#stopGrowth.abort();
    this.#endFollowing();
  }

  /** Runs one replay at a time; one of growth that runs is stopped and comes again later. */
  async #forUser(work: () => Promise<Refusal>): Promise<Refusal> {
    this.#stopGrowth.abort();
    return this.#inTurn(work);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#running.then(work, work);
    this.#running = turn.catch(() => undefined);
    return turn;
  }

  async #begin(
    file: string,
    number: number,
    chosen: WhatIfSettings | undefined,
    signal: AbortSignal,
  ): Promise<Refusal> {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      return `${file} cannot be read (${code}). Choose another file.`;
    }
    const read = transcriptOf(text, file, false);
    if (!read.ok) return read.message;
    const { transcript } = read;
    const base = this.parts.inForce();
    const settings = recordingSettings(base, transcript, chosen);
    if (!settings.ok) return settings.problem;
    this.#opened = Math.max(this.#opened, number);
    const { inForce, policy } = settings;
    const digest = digestOf(text);
    const wished = { number, file, digest, transcript, base, chosen, inForce, policy };
    return this.#forUser(() => this.#show(wished, signal));
  }

  /** Reads the file while it is followed and seen; what it holds by then comes at once. */
  #watch(): void {
    const open = this.#open;
    if (open === undefined || !this.#follows || !this.#isSeen) return this.#stopWatching();
    this.#following ??= followFile(open.file, {
      changed: (text) => this.#growth.take({ file: open.file, text }),
      problem: (message) => this.#troubled(message),
    });
  }

  async #showGrown({ file, text }: Grown): Promise<'stopped' | 'shown'> {
    const open = this.#open;
    if (open?.file !== file || this.#following === undefined) return 'shown';
    const digest = digestOf(text);
    if (digest === open.digest) {
      this.#forgetProblem();
      return 'shown';
    }
    const read = transcriptOf(text, file, true);
    if (!read.ok) {
      this.#troubled(read.message);
      return 'shown';
    }
    const { transcript } = read;
    const settings = settingsGrown(open, transcript);
    if (!settings.ok) {
      this.#troubled(settings.problem);
      return 'shown';
    }
    this.#stopGrowth = new AbortController();
    const { signal } = this.#stopGrowth;
    const { inForce, policy } = settings;
    const refusal = await this.#show({ ...open, transcript, digest, inForce, policy }, signal);
    if (signal.aborted) return 'stopped';
    if (refusal === undefined) this.#forgetProblem();
    else this.#troubled(refusal);
    return 'shown';
  }

  #forgetProblem(): void {
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.parts.changed();
  }

  #troubled(message: string): void {
    this.#problem = `${message} What is shown is as it was read last.`;
    this.parts.problem(message);
    this.parts.changed();
  }

  async #show(wished: Wished, signal: AbortSignal): Promise<Refusal> {
    const { file, transcript, number } = wished;
    const closed = this.#closed;
    const sessionId = sessionIdOf(file, number);
    const { estimator } = this.parts;
    const shown = await replayRecording(transcript, sessionId, wished, estimator, signal);
    if (shown === 'stopped') return 'Stopped: what was shown before is shown still.';
    if (closed !== this.#closed) return 'The recording was closed before its replay had ended.';
    if (this.#open?.number !== number) this.#endFollowing();
    this.#open = { ...wished, ...shown };
    this.parts.changed();
    return undefined;
  }

  /** What went wrong while a file was followed says nothing of one that is not. */
  #endFollowing(): void {
    this.#follows = false;
    this.#problem = undefined;
    this.#stopWatching();
  }

  #stopWatching(): void {
    this.#stopGrowth.abort();
    this.#following?.dispose();
    this.#following = undefined;
  }
}

/** The settings stay as they are, until the recording says that its model is another. */
function settingsGrown(open: Open, grown: Transcript) {
  const { transcript, base, chosen, inForce, policy } = open;
  const isSame =
    modelOf(transcript) === modelOf(grown) && transcript.windowTokens === grown.windowTokens;
  return isSame ? { ok: true as const, inForce, policy } : recordingSettings(base, grown, chosen);
}
