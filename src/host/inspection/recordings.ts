import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { documentTokens, imageTokens } from '../../counting/mediaTokens';
import { cacheReadShare } from '../../counting/pricing';
import { modelOf } from '../../replay/modelOf';
import { replay, type Replayed } from '../../replay/replay';
import type { ReplayPolicy } from '../../replay/replaySettings';
import { followFile, type Following } from '../../sessions/followFile';
import { importTranscript } from '../../sessions/importers/importTranscript';
import type { Transcript } from '../../sessions/transcript';
import type { WhatIfSettings } from '../../protocol/whatIf';
import type { Estimator } from '../../agent/estimator';
import type { Refusal } from '../refusal';
import { turnSettings } from '../turnSettings';
import { budgetOf, type ValidSettings } from '../windowBudget';
import type { Inspected } from './inspected';
import { tryOut } from './whatIf';

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

interface Open {
  /** Counted from 1 in this window: two files may have the same name. */
  readonly number: number;
  readonly file: string;
  readonly transcript: Transcript;
  readonly inForce: ValidSettings;
  readonly policy: Exclude<ReplayPolicy, 'none'>;
  readonly replayed: Replayed;
}

/** Holds the recording of another agent that the panel shows, as Plimsoll would have managed it. */
export class Recordings {
  #open: Open | undefined;
  #following: Following | undefined;
  #problem: string | undefined;
  #opened = 0;
  /** Counts closings: what was begun before one is not shown after it. */
  #closed = 0;
  /** Settles when the replay that runs, or waits, last has ended. */
  #running: Promise<unknown> = Promise.resolve();
  /** Stops the replay of what a file has grown by: what the user wishes goes first. */
  #growth = new AbortController();
  /** What the followed file holds, as far as it is not shown yet. */
  #newest: { readonly file: string; readonly text: string } | undefined;
  #isGrowing = false;

  constructor(private readonly parts: RecordingParts) {}

  /** The recording shown; undefined while the current session is. */
  get inspected(): Inspected | undefined {
    const open = this.#open;
    if (open === undefined) return undefined;
    const { file, transcript, inForce, policy, replayed } = open;
    return {
      source: {
        type: 'recording',
        file: basename(file),
        format: transcript.format,
        following: this.#following !== undefined,
        notes: transcript.notes,
      },
      title: basename(file),
      model: modelOf(transcript) ?? 'model not recorded',
      offline: false,
      events: replayed.events,
      window: replayed.window,
      inForce,
      policy,
      busy: false,
      pendingPass: undefined,
      problem: this.#problem,
      compactions: replayed.marks,
      recordedUsage: replayed.recordedUsage,
    };
  }

  /** Opens a file in the place of whatever is shown; says why not where it cannot be read. */
  async open(file: string, signal: AbortSignal): Promise<Refusal> {
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
    const begun = beginning(this.parts.inForce(), transcript);
    if (!begun.ok) return begun.problem;
    const inForce = begun.valid;
    const { policy } = inForce.settings.context;
    // The API does its own editing, and no API is asked in a replay.
    const replayable = policy === 'server' ? 'ladder' : policy;
    this.#opened += 1;
    const wished = { number: this.#opened, file, transcript, inForce, policy: replayable };
    return this.#forUser(() => this.#show(wished, signal));
  }

  /** Replays the recording under other settings; says why not where they do not fit together. */
  async apply(wished: WhatIfSettings, signal: AbortSignal): Promise<Refusal> {
    const { policy } = wished;
    if (policy === 'server') {
      return 'The policy server cannot be replayed: the API does its editing. Choose another.';
    }
    return this.#forUser(async () => {
      const open = this.#open;
      if (open === undefined) return 'No recording is open.';
      const tried = tryOut(open.inForce, wished);
      if (!tried.ok) return tried.problem;
      return this.#show({ ...open, inForce: tried.valid, policy }, signal);
    });
  }

  /** Follows the file while it grows, or no longer. */
  follow(following: boolean): Refusal {
    const open = this.#open;
    if (open === undefined) return 'No recording is open.';
    this.#endFollowing();
    if (following) {
      this.#following = followFile(open.file, {
        changed: (text) => this.#grown({ file: open.file, text }),
        problem: (message) => this.#troubled(message),
      });
    }
    this.parts.changed();
    return undefined;
  }

  /** Goes back to the current session. */
  close(): void {
    this.#closed += 1;
    this.#growth.abort();
    this.#endFollowing();
    this.#open = undefined;
    this.#problem = undefined;
    this.parts.changed();
  }

  dispose(): void {
    this.#closed += 1;
    this.#growth.abort();
    this.#endFollowing();
  }

  /** Runs one replay at a time; one of growth that runs is stopped and comes again later. */
  async #forUser(work: () => Promise<Refusal>): Promise<Refusal> {
    this.#growth.abort();
    return this.#inTurn(work);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#running.then(work, work);
    this.#running = turn.catch(() => undefined);
    return turn;
  }

  /** Shows what a file holds now; while one replay runs only the newest text waits. */
  #grown(grown: { readonly file: string; readonly text: string }): void {
    this.#newest = grown;
    if (this.#isGrowing) return;
    this.#isGrowing = true;
    void this.#showGrowth().finally(() => {
      this.#isGrowing = false;
    });
  }

  async #showGrowth(): Promise<void> {
    for (let next = this.#newest; next !== undefined; next = this.#newest) {
      const taken = next;
      this.#newest = undefined;
      try {
        const shown = await this.#inTurn(() => this.#showGrown(taken));
        if (shown === 'stopped') this.#newest ??= taken;
      } catch (error) {
        this.#troubled(error instanceof Error ? error.message : String(error));
      }
    }
  }

  async #showGrown({
    file,
    text,
  }: {
    readonly file: string;
    readonly text: string;
  }): Promise<'stopped' | 'shown'> {
    const open = this.#open;
    if (open?.file !== file || this.#following === undefined) return 'shown';
    const read = transcriptOf(text, file, true);
    if (!read.ok) {
      this.#troubled(read.message);
      return 'shown';
    }
    this.#growth = new AbortController();
    const { signal } = this.#growth;
    const refusal = await this.#show({ ...open, transcript: read.transcript }, signal);
    if (signal.aborted) return 'stopped';
    this.#problem = undefined;
    if (refusal !== undefined) this.#troubled(refusal);
    return 'shown';
  }

  #troubled(message: string): void {
    this.#problem = `${message} What is shown is as it was read last.`;
    this.parts.problem(message);
    this.parts.changed();
  }

  async #show(wished: Omit<Open, 'replayed'>, signal: AbortSignal): Promise<Refusal> {
    const { file, transcript, inForce, policy, number } = wished;
    const closed = this.#closed;
    const { estimator } = this.parts;
    const settings = turnSettings(inForce);
    const { policy: _named, ...rest } = settings.policy;
    const replayed = await replay(
      transcript,
      {
        sessionId: sessionIdOf(file, number),
        policy,
        settings: rest,
        budget: inForce.budget,
        toolResultCapTokens: settings.toolResultCapTokens,
        pinTaskAnchor: inForce.settings.context.pinTaskAnchor,
        cacheRead: cacheReadShare(modelOf(transcript) ?? ''),
      },
      {
        estimate: (text) => estimator.estimate(text),
        warm: async (texts) => {
          await estimator.warm(texts);
          // The editor is not to wait for a replay.
          await nextTurn();
        },
        validate: () => undefined,
        now: () => performance.now(),
      },
      signal,
    );
    if (replayed === 'stopped') return 'Stopped: what was shown before is shown still.';
    if (closed !== this.#closed) return 'The recording was closed before its replay had ended.';
    if (this.#open?.number !== number) {
      this.#endFollowing();
      this.#problem = undefined;
    }
    this.#open = { ...wished, replayed };
    this.parts.changed();
    return undefined;
  }

  #endFollowing(): void {
    this.#following?.dispose();
    this.#following = undefined;
  }
}

function transcriptOf(text: string, file: string, growing: boolean) {
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

/**
 * Names a replay. The panel keeps over a reload what the user began, by this name, while the numbers
 * begin again: another file must have another one, which does not say where the file lies.
 */
function sessionIdOf(file: string, number: number): string {
  return `recording-${number}-${createHash('sha256').update(file).digest('hex').slice(0, 12)}`;
}

/** The settings in force with the recording's model, and that model's window. */
function beginning({ asSet }: ValidSettings, transcript: Transcript) {
  const model = modelOf(transcript) ?? asSet.model;
  const context = { ...asSet.context, windowTokens: null };
  const result = budgetOf({ ...asSet, provider: 'anthropic', model, context }, {});
  if (result.ok) return result;
  const problem = result.problems.map(({ message }) => message).join(' ');
  return { ok: false as const, problem };
}
