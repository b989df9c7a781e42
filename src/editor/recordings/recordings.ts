import type { Estimator } from '../../agent/model';
import { basename } from 'node:path';

import { errorText, type Refusal, refused, type Result } from '../../contextWindow/result';
import { followFile, type Following } from '../../recordings/followFile';
import type { OwnSession } from '../../recordings/plimsoll';
import type { Transcript } from '../../sessions/transcript';
import { exactnessOf, windowOrigin } from '../../recordings/windowOrigin';
import type { SessionEvent } from '../../contextWindow/event';
import { EMPTY_WINDOW, fold } from '../../contextWindow/fold';
import type { ContextWindow } from '../../contextWindow/window';
import { chargesInLog, reportOfSession, type SessionReport } from '../../replay/inspectSession';
import { requestsInLog } from '../../replay/measures/cacheRewrites';
import type { ValidSettings } from '../../settings/windowBudget';
import type { Inspected } from '../session/inspected';
import type { WhatIfSettings } from '../whatIfSettings';
import type { SettingsInForce } from '../model/settingsInForce';
import type { Report } from '../report';
import type { KeptRecording } from './keptRecording';
import { recordsView } from './recordsView';
import type { RequestCaptures } from './requestCaptures';
import { asItWas, inspectedSession, REPLAYED_ANEW, type ShownSession } from './ownRecording';
import {
  digestOf,
  type NotShown,
  type Progressed,
  type RecordingEstimator,
  type RecordingRead,
  type ReadTask,
  type RecordingWork,
  type ReplayResult,
} from './recordingThread';
import {
  modelNameOf,
  recordingSettings,
  type RecordingSettings,
  replaySettings,
  settingsAsChosen,
  settingsGrown,
} from './recordingSettings';

/** The services that replays of recordings use. */
interface RecordingServices {
  readonly access: {
    /** The settings that a recording begins with; its own model and window are added. */
    readonly settings: Pick<SettingsInForce, 'valid'>;
    readonly estimator: Estimator;
  };
  readonly report: Pick<Report, 'log'>;
  /** The requests that other agents recorded; absent for none. */
  readonly captures?: Pick<RequestCaptures, 'folders' | 'switchOf'>;
}

/** A recording to show. */
interface Wished extends RecordingSettings, RecordingRead {
  /** Counted from 1 in this window, since two files may have the same name. */
  readonly number: number;
  readonly file: string;
  /** The settings it was opened with. */
  readonly base: ValidSettings;
}

type Shown =
  | { readonly asItWas: ShownSession }
  | {
      readonly replayed: ReplayResult;
      readonly estimator: RecordingEstimator;
      readonly events: readonly SessionEvent[];
      readonly window: ContextWindow;
    };

type Open = Wished & { readonly shown: Shown };

const STOPPED: NotShown = {
  ...refused('Stopped. The panel shows the previous view.'),
  cause: 'stopped',
};

/** How the user hears of the work, and stops it. */
interface Watch {
  readonly signal: AbortSignal;
  readonly progressed: Progressed;
}

/** The same for a file that is opened; `read` takes it as soon as it is read, if it is replayed. */
export type Opening = readonly [
  signal: AbortSignal,
  progressed?: Progressed,
  read?: (transcript: Transcript) => void,
];

/** The progress of work that the user does not watch. */
const UNSEEN: Progressed = () => undefined;

/** Takes a file that is read, where no one wants to see it before its replay. */
const UNREAD = (_transcript: Transcript): void => undefined;

/**
 * Holds the recording shown: another agent's as Plimsoll would have managed it, a Plimsoll session
 * as it was.
 */
export class Recordings {
  #open: Open | undefined;
  /** The file is followed while the recording is visible. */
  #follows = false;
  #isSeen = true;
  #following: Following | undefined;
  #problem: string | undefined;
  #opened = 0;
  /** Counts closings: work begun before a closing shows nothing after it. */
  #closed = 0;
  /** Resolves when the last running or waiting replay has ended. */
  #running: Promise<unknown> = Promise.resolve();
  /** Stops the replay of a file that grew, since the user's requests come first. */
  #stopGrowth = new AbortController();
  readonly #growth = new Growth({
    show: (grown) => this.#queueGrown(grown),
    troubled: (message) => this.#troubled(message),
  });

  constructor(
    private readonly services: RecordingServices,
    /** Called when the recording shown has changed. */
    private readonly changed: () => void,
    private readonly work: RecordingWork,
  ) {}

  /** The recording shown; undefined while the current session is. */
  get inspected(): Inspected | undefined {
    if (this.#open === undefined) return undefined;
    const { file, transcript, captured, inForce, policy, setAside, own, shown } = this.#open;
    if ('asItWas' in shown) {
      const [following, problem, notes] = [this.#follows, this.#problem, own?.notes ?? []];
      return inspectedSession(shown.asItWas, { file, following, problem, notes });
    }
    const { replayed, estimator, events, window } = shown;
    return {
      source: {
        type: 'recording',
        file: basename(file),
        format: transcript.format,
        following: this.#follows,
        ...(own === undefined && {
          origin: windowOrigin(transcript, captured),
          exactness: exactnessOf(transcript, captured),
          records: recordsView(this.services.captures?.switchOf(transcript.format)),
        }),
        lacks: replayed.lacks,
        setAside,
        notes: [...(own === undefined ? [] : [REPLAYED_ANEW]), ...transcript.notes],
      },
      title: basename(file),
      model: modelNameOf(transcript),
      offline: false,
      events,
      window,
      inForce,
      policy,
      busy: false,
      pendingPass: undefined,
      problem: this.#problem,
      transcript,
      captured,
      losses: replayed.losses,
      compactions: replayed.marks,
      recordedUsage: replayed.recordedUsage,
      recordedCharges: replayed.recordedCharges,
      simulatedUsage: replayed.simulatedUsage,
      estimator,
    };
  }

  /** What is stored across a reload of the window; undefined while no recording is open. */
  get kept(): Omit<KeptRecording, 'at'> | undefined {
    if (this.#open === undefined) return undefined;
    const { file, number, chosen } = this.#open;
    const choice = chosen === undefined ? {} : { chosen };
    return { file, number, ...choice, following: this.#follows };
  }

  /** Opens a file in place of the current view; says why if it cannot be read. */
  async open(file: string, ...opening: Opening): Promise<Refusal> {
    const notShown = await this.#begin(file, this.#opened + 1, undefined, opening);
    return notShown?.message;
  }

  /** Reopens the recording from before the reload, with the user's view of it. */
  async reopen(
    kept: Omit<KeptRecording, 'at'>,
    ...opening: Opening
  ): Promise<NotShown | undefined> {
    const { file, number, chosen, following } = kept;
    const notShown = await this.#begin(file, number, chosen, opening);
    if (notShown === undefined && following) this.follow(true);
    return notShown;
  }

  /** Replays the recording with other settings; says why if they do not fit together. */
  async apply(chosen: WhatIfSettings, signal: AbortSignal, progressed = UNSEEN): Promise<Refusal> {
    return this.#forUser(async () => {
      const open = this.#open;
      if (open === undefined) return 'No recording is open.';
      const settings = recordingSettings(open.base, open.transcript, chosen);
      if (!settings.ok) return settings.message;
      return (await this.#show({ ...open, ...settings }, { signal, progressed }))?.message;
    });
  }

  /**
   * Reports on the recording as its own agent ran it, whatever the settings of its replay. `step` is
   * undefined for the window after the last one.
   */
  async report(
    step: number | undefined,
    signal: AbortSignal,
    progressed = UNSEEN,
  ): Promise<Result<{ readonly report: SessionReport }>> {
    const open = this.#open;
    if (open === undefined) return refused('No recording is open.');
    const { base, transcript, own, file } = open;
    const settings = recordingSettings(base, transcript);
    if (!settings.ok) return settings;
    const { inForce } = settings;
    try {
      const report =
        own === undefined
          ? await this.work.report(
              { transcript, settings: replaySettings(inForce, 'recorded'), step },
              progressed,
              signal,
            )
          : await reportOfSession(
              {
                events: own.events,
                charges: chargesInLog(own.events),
                served: requestsInLog(own.events),
                losses: [],
                budget: inForce.budget,
                step,
              },
              this.services.access.estimator,
            );
      if (report === 'stopped') return refused('Stopped. No report was made.');
      return report === undefined ? refused(`There is no step ${step}.`) : { ok: true, report };
    } catch (error) {
      return refused(`No report on ${file} was made. ${errorText(error)} Try again.`);
    }
  }

  /** Starts or stops following the file while it grows. */
  follow(following: boolean): Refusal {
    if (this.#open === undefined) return 'No recording is open.';
    this.#endFollowing();
    this.#follows = following;
    this.#watch();
    this.changed();
    return undefined;
  }

  /** Notes whether the recording is visible: a hidden one is not replayed. */
  setSeen(isSeen: boolean): void {
    this.#isSeen = isSeen;
    this.#watch();
  }

  /** Returns to the current session. */
  close(): void {
    this.#closed += 1;
    this.#stopGrowth.abort();
    this.#endFollowing();
    this.#open = undefined;
    this.changed();
  }

  dispose(): void {
    this.#closed += 1;
    this.#stopGrowth.abort();
    this.#endFollowing();
  }

  /** Runs one replay at a time; stops a running replay of growth, which runs again later. */
  async #forUser<T>(work: () => Promise<T>): Promise<T> {
    this.#stopGrowth.abort();
    return this.#inTurn(work);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#running.then(work, work);
    this.#running = turn.catch(() => undefined);
    return turn;
  }

  /** Recordings open in the order of the user's requests, each with its number. */
  async #begin(
    file: string,
    number: number,
    chosen: WhatIfSettings | undefined,
    [signal, progressed = UNSEEN, seen = UNREAD]: Opening,
  ): Promise<NotShown | undefined> {
    this.#opened = Math.max(this.#opened, number);
    return this.#forUser(async () => {
      const read = await this.work.read({ file, ...(await this.#captures()) }, signal);
      if (read === 'stopped') return STOPPED;
      if (!read.ok) return read;
      const { ok: _ok, ...found } = read;
      const base = this.services.access.settings.valid;
      const settings = settingsAsChosen(base, found.transcript, chosen);
      if (!settings.ok) return { ...settings, cause: 'other' };
      const wished = { ...settings, ...found, number, file, base };
      if (shownAsItWas(wished) === undefined) seen(found.transcript);
      return this.#show(wished, { signal, progressed });
    });
  }

  async #captures(): Promise<Pick<ReadTask, 'captures'>> {
    const captures = await this.services.captures?.folders();
    return captures === undefined ? {} : { captures };
  }

  /** Reads the file while it is followed and visible, beginning with its present content. */
  #watch(): void {
    const open = this.#open;
    if (open === undefined || !this.#follows || !this.#isSeen) return this.#stopWatching();
    this.#following ??= followFile(open.file, {
      changed: (text) => this.#growth.take({ file: open.file, text }),
      problem: (message) => this.#troubled(message),
      readStored: (path) => this.work.text(path),
    });
  }

  /** From now on a user's request stops it, also while it waits for its turn. */
  #queueGrown(grown: Grown): Promise<'stopped' | 'shown'> {
    this.#stopGrowth = new AbortController();
    const { signal } = this.#stopGrowth;
    return this.#inTurn(() => this.#showGrown(grown, signal));
  }

  async #showGrown({ file, text }: Grown, signal: AbortSignal): Promise<'stopped' | 'shown'> {
    const open = this.#open;
    if (open?.file !== file || this.#following === undefined) return 'shown';
    if (signal.aborted) return 'stopped';
    const digest = digestOf(text);
    if (digest === open.digest) {
      this.#forgetProblem();
      return 'shown';
    }
    const { capturesRead } = open;
    const task = { file, grown: text, ...(await this.#captures()), capturesRead };
    const grown = await this.work.read(task, signal);
    if (grown === 'stopped') return 'stopped';
    if (this.#following === undefined) return 'shown';
    if (!grown.ok) {
      this.#troubled(grown.message);
      return 'shown';
    }
    const { ok: _ok, ...read } = grown;
    const settings = settingsGrown(open, read.transcript);
    if (!settings.ok) {
      this.#troubled(settings.message);
      return 'shown';
    }
    const watch = { signal, progressed: UNSEEN };
    const notShown = await this.#show({ ...open, ...settings, ...read }, watch);
    if (signal.aborted) return 'stopped';
    if (notShown === undefined) this.#forgetProblem();
    else this.#troubled(notShown.message);
    return 'shown';
  }

  #forgetProblem(): void {
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.changed();
  }

  #troubled(message: string): void {
    this.#problem = `${message} The panel shows the last version it could read.`;
    this.services.report.log(message);
    this.changed();
  }

  async #show(wished: Wished, watch: Watch): Promise<NotShown | undefined> {
    const { file, number } = wished;
    const closed = this.#closed;
    let shown: Shown | 'stopped';
    try {
      shown = await this.#shownOf(wished, watch);
    } catch (error) {
      const message = `${file} could not be replayed. ${errorText(error)} Try again.`;
      return { ...refused(message), cause: 'other' };
    }
    if (shown === 'stopped') return STOPPED;
    if (closed !== this.#closed) {
      const message = 'The recording was closed before its replay ended.';
      return { ...refused(message), cause: 'other' };
    }
    if (this.#open?.number !== number || this.#open.file !== file) this.#endFollowing();
    this.#open = { ...wished, shown };
    this.changed();
    return undefined;
  }

  async #shownOf(wished: Wished, { signal, progressed }: Watch): Promise<Shown | 'stopped'> {
    const { file, transcript, number, base, inForce, policy } = wished;
    const sessionId = sessionIdOf(file, number);
    const own = shownAsItWas(wished);
    if (own !== undefined) {
      const { estimator } = this.services.access;
      return { asItWas: await asItWas(own, sessionId, { settings: inForce, base }, estimator) };
    }
    const settings = { ...replaySettings(inForce, policy), sessionId };
    const events: SessionEvent[] = [];
    let window = EMPTY_WINDOW;
    const watch = {
      progressed,
      // Folded while the replay goes on, so that little is left at its end.
      replayed: (next: readonly SessionEvent[]) => {
        events.push(...next);
        window = fold(next, window);
      },
    };
    const replayed = await this.work.replay({ transcript, settings }, watch, signal);
    if (replayed === 'stopped') return replayed;
    return { replayed, estimator: this.work.estimatorOf(transcript), events, window };
  }

  /** An error of following a file does not matter once that has ended. */
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

/** A Plimsoll session to be shown as it was; undefined for a recording that is replayed. */
function shownAsItWas({ own, chosen }: Pick<Wished, 'own' | 'chosen'>): OwnSession | undefined {
  return chosen === undefined ? own : undefined;
}

/**
 * Names a replay. The panel stores the user's work under this name across a reload, while numbers
 * start again: so another file must have another name, and the name must not contain the file's
 * path.
 */
function sessionIdOf(file: string, number: number): string {
  return `recording-${number}-${digestOf(file).slice(0, 12)}`;
}

/** The text of a followed file. */
interface Grown {
  readonly file: string;
  readonly text: string;
}

/** Shows the text of a growing file. */
interface GrowthTaker {
  /** Shows it; 'stopped' if something more urgent intervened. */
  show(grown: Grown): Promise<'stopped' | 'shown'>;
  /** Takes a sentence about an error. */
  troubled(message: string): void;
}

/** Passes on the text of a growing file: while one is being shown, only the newest waits. */
class Growth {
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
        this.taker.troubled(errorText(error));
      }
    }
  }
}
