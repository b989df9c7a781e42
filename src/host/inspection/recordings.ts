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
  /** Counts what was begun: a replay that is overtaken by another is not shown. */
  #begun = 0;

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
    const { valid } = begun;
    const { policy } = valid.settings.context;
    // The API does its own editing, and no API is asked in a replay.
    const replayable = policy === 'server' ? 'ladder' : policy;
    return this.#show(file, transcript, valid, replayable, signal, () => {
      this.#endFollowing();
      this.#problem = undefined;
    });
  }

  /** Replays the recording under other settings; says why not where they do not fit together. */
  async apply(wished: WhatIfSettings, signal: AbortSignal): Promise<Refusal> {
    const open = this.#open;
    if (open === undefined) return 'No recording is open.';
    const tried = tryOut(open.inForce, wished);
    if (!tried.ok) return tried.problem;
    if (wished.policy === 'server') {
      return 'The policy server cannot be replayed: the API does its editing. Choose another.';
    }
    return this.#show(open.file, open.transcript, tried.valid, wished.policy, signal);
  }

  /** Follows the file while it grows, or no longer. */
  follow(following: boolean): Refusal {
    const open = this.#open;
    if (open === undefined) return 'No recording is open.';
    this.#endFollowing();
    if (following) {
      this.#following = followFile(open.file, {
        changed: (text) => void this.#grown(open.file, text),
        problem: (message) => this.#troubled(message),
      });
    }
    this.parts.changed();
    return undefined;
  }

  /** Goes back to the current session. */
  close(): void {
    this.#begun += 1;
    this.#endFollowing();
    this.#open = undefined;
    this.#problem = undefined;
    this.parts.changed();
  }

  dispose(): void {
    this.#begun += 1;
    this.#endFollowing();
  }

  async #grown(file: string, text: string): Promise<void> {
    const open = this.#open;
    if (open?.file !== file) return;
    const read = transcriptOf(text, file, true);
    if (!read.ok) return this.#troubled(read.message);
    const { inForce, policy } = open;
    try {
      const refusal = await this.#show(
        file,
        read.transcript,
        inForce,
        policy,
        new AbortController().signal,
        () => {
          this.#problem = undefined;
        },
      );
      if (refusal !== undefined) this.#troubled(refusal);
    } catch (error) {
      this.#troubled(error instanceof Error ? error.message : String(error));
    }
  }

  #troubled(message: string): void {
    this.#problem = `${message} What is shown is as it was read last.`;
    this.parts.problem(message);
    this.parts.changed();
  }

  async #show(
    file: string,
    transcript: Transcript,
    inForce: ValidSettings,
    policy: Open['policy'],
    signal: AbortSignal,
    taken: () => void = () => undefined,
  ): Promise<Refusal> {
    const begun = ++this.#begun;
    const { estimator } = this.parts;
    const settings = turnSettings(inForce);
    const { policy: _named, ...rest } = settings.policy;
    const replayed = await replay(
      transcript,
      {
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
    if (begun !== this.#begun) return undefined;
    taken();
    this.#open = { file, transcript, inForce, policy, replayed };
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

/** The settings in force with the recording's model, and that model's window. */
function beginning({ settings }: ValidSettings, transcript: Transcript) {
  const model = modelOf(transcript) ?? settings.model;
  const context = { ...settings.context, windowTokens: null };
  const result = budgetOf({ ...settings, provider: 'anthropic', model, context }, {});
  if (result.ok) return result;
  const problem = result.problems.map(({ message }) => message).join(' ');
  return { ok: false as const, problem };
}
