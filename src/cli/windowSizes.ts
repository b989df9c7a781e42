import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionPauses } from '../contextWindow/account/promptCache';
import { countText, dollarAmountText, percentText, tokenText } from '../contextWindow/amount';
import { type Refusal, type Result, refused } from '../contextWindow/result';
import { modelSize } from '../model/modelWindows';
import type { WorkerEstimator } from '../model/workerEstimator';
import { comparePolicies } from '../replay/comparePolicies';
import { NOTHING, type Share } from '../replay/measures/grounding';
import { modelOf, type PausesInFolder, pausesBefore, pausesIn } from '../replay/recording';
import type { ReplaySettings } from '../replay/replaySettings';
import type { Transcript } from '../sessions/transcript';
import { DEFAULT_SETTINGS } from '../settings/settings';
import { turnSettings } from '../settings/turnSettings';
import { budgetOf, type ValidSettings } from '../settings/windowBudget';
import { alignedColumns } from './replayTable';

/** The context windows that sessions are replayed in; tokens. */
const WINDOWS = [64_000, 128_000, 200_000] as const;

/** What sessions would have cost and kept in one window under Plimsoll's policy. */
export interface WindowReport {
  readonly windowTokens: number;
  /** US dollars at list price with a simulated cache, of the sessions with known prices. */
  readonly usd: number;
  /** Sessions with a price that is not listed. */
  readonly unpriced: number;
  readonly passes: number;
  /** How often removed content was needed again. */
  readonly neededAgain: number;
  /** Requests that nothing could make small enough. */
  readonly overBudget: number;
  /** Exact replacements, and those whose old text was in their request. */
  readonly edits: Share;
}

/** The result of one replay. */
type Replayed = Exclude<Awaited<ReturnType<typeof comparePolicies>>, 'stopped'>[number];

/** The beginning of a session up to a step; undefined for no step. */
function upToStep(transcript: Transcript, step: number): Transcript | undefined {
  if (step === 0) return undefined;
  let left = step;
  const end = transcript.entries.findIndex((entry) => {
    if (entry.type === 'reply') left -= 1;
    return left === 0;
  });
  return { ...transcript, entries: transcript.entries.slice(0, end + 1) };
}

/** Replays sessions in windows of three sizes, and adds up the results. */
export class WindowSizes {
  #reports: readonly WindowReport[] = WINDOWS.map((windowTokens) => ({
    windowTokens,
    usd: 0,
    unpriced: 0,
    passes: 0,
    neededAgain: 0,
    overBudget: 0,
    edits: NOTHING,
  }));
  #sessions = 0;
  readonly #pauses: PausesInFolder[] = [];

  constructor(
    private readonly estimator: WorkerEstimator,
    private readonly signal: AbortSignal,
  ) {}

  get reports(): readonly WindowReport[] {
    return this.#reports;
  }

  /**
   * Replays one session of a folder, and adds what follows the first `copiedSteps`; 'stopped' if the
   * signal aborted, else why it was left out, if it was. The sessions come in the order of their use.
   */
  async take(
    transcript: Transcript,
    folder: string,
    copiedSteps = 0,
  ): Promise<'stopped' | Refusal> {
    const earlierPauses = this.#pausesBefore(transcript, folder);
    const copied = upToStep(transcript, copiedSteps);
    const model = modelOf(transcript) ?? DEFAULT_SETTINGS.model;
    const before = copied === undefined ? [] : await this.#replay(copied, model, earlierPauses);
    if (typeof before === 'string') return before;
    const results = await this.#replay(transcript, model, earlierPauses);
    if (typeof results === 'string') return results;
    this.#sessions += 1;
    this.#reports = this.#reports.map((sum, at) => {
      const own = results[at];
      if (own === undefined) return sum;
      const same = before[at];
      const less = (of: (one: Replayed) => number) =>
        Math.max(0, of(own) - (same === undefined ? 0 : of(same)));
      return {
        ...sum,
        usd: sum.usd + less(({ cost }) => cost ?? 0),
        unpriced: sum.unpriced + (own.cost === null ? 1 : 0),
        passes: sum.passes + less(({ passes }) => passes),
        neededAgain: sum.neededAgain + less(({ refaults }) => refaults),
        overBudget: sum.overBudget + less(({ overBudget }) => overBudget),
        edits: {
          visible: sum.edits.visible + less(({ edits }) => edits.visible),
          total: sum.edits.total + less(({ edits }) => edits.total),
        },
      };
    });
    return undefined;
  }

  /** The pauses in the sessions of its folder that were taken before; remembers its own. */
  #pausesBefore(transcript: Transcript, folder: string): SessionPauses | undefined {
    const pauses = pausesIn(transcript);
    if (pauses === undefined) return undefined;
    const own = { ...pauses, folder };
    const before = pausesBefore(own, this.#pauses);
    this.#pauses.push(own);
    return before;
  }

  /** One result a window. */
  async #replay(
    transcript: Transcript,
    model: string,
    earlierPauses: SessionPauses | undefined,
  ): Promise<readonly Replayed[] | string> {
    const { estimator, signal } = this;
    estimator.forModel(model);
    const settings: ReplaySettings[] = [];
    for (const windowTokens of WINDOWS) {
      const set = settingsFor(model, windowTokens);
      if (!set.ok) return `it was not replayed: ${set.message}`;
      settings.push({ ...settingsOf(set.valid), policy: POLICY, earlierPauses });
    }
    const newPorts = () => {
      const own = estimator.fork();
      return {
        estimate: own.estimate,
        warm: async (texts: readonly string[]) => {
          await own.warm(texts);
          // A replay never waits for input or output: without this, the process would notice no signal.
          await nextTurn();
        },
        now: () => performance.now(),
      };
    };
    const task = { transcript, model, settings, needs: [] };
    return comparePolicies(task, newPorts, () => undefined, signal);
  }

  /** The results as a table; what it counts is that of `plimsoll replay`. */
  get lines(): readonly string[] {
    const rows = this.#reports.map((report) => {
      const { windowTokens, usd, passes, neededAgain, overBudget, edits } = report;
      return [
        `  ${tokenText(windowTokens)}`,
        dollarAmountText(usd),
        tokenText(passes),
        tokenText(neededAgain),
        tokenText(overBudget),
        edits.total === 0
          ? 'none'
          : `${percentText(edits.visible / edits.total)} of ${tokenText(edits.total)}`,
      ];
    });
    const heads = ['  window', 'cost', 'passes', 'needed again', 'over budget', 'edits visible'];
    const [unpriced = 0] = this.#reports.map((one) => one.unpriced);
    return [
      `${countText(this.#sessions, 'session')} replayed with the policy ${POLICY}, cache simulated${unpriced === 0 ? '' : `, ${tokenText(unpriced)} without a listed price`}:`,
      alignedColumns([heads, ...rows], 1),
    ];
  }
}

const { policy: POLICY } = DEFAULT_SETTINGS.context;

/** The default settings for a model and a window; a window of undefined is the model's own. */
export function settingsFor(
  model: string,
  windowTokens: number | undefined,
): Result<{ readonly valid: ValidSettings }> {
  const { context } = DEFAULT_SETTINGS;
  const limits = windowTokens === undefined ? {} : { contextWindowTokens: windowTokens };
  const made = budgetOf({ ...DEFAULT_SETTINGS, model, context }, modelSize(model, limits));
  return made.ok
    ? { ok: true, valid: made.valid }
    : refused(made.problems.map(({ message }) => message).join(' '));
}

/** The settings of a replay, by default of one that repeats what the recorded agent did. */
export function settingsOf(valid: ValidSettings): ReplaySettings {
  const { policy, contextEditing, toolResultCapTokens } = turnSettings(valid);
  const { policy: _named, ...settings } = policy;
  const { budget } = valid;
  const { pinTaskAnchor } = valid.settings.context;
  return {
    policy: 'recorded',
    settings,
    contextEditing,
    budget,
    toolResultCapTokens,
    pinTaskAnchor,
  };
}
