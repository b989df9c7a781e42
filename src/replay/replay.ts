import {
  admitPrompt,
  admitResult,
  admitShown,
  resultAllowance,
  type ResultAllowance,
} from '../contextWindow/account/admission';
import { cacheLifeSet, coldCache } from '../contextWindow/account/promptCache';
import { tierTokens } from '../contextWindow/account/balance';
import { headTexts, textsOfBlocks, weighBlock } from '../contextWindow/account/guesses';
import { measure, type Measurement } from '../contextWindow/account/measure';
import {
  type Charge,
  promptTokens,
  type TierTokens,
  type Usage,
} from '../contextWindow/account/spending';
import {
  type Block,
  isInWindow,
  resultHandle,
  type ShownLines,
  type ToolResult,
  type ToolUseId,
} from '../contextWindow/block';
import {
  entered,
  LOG_VERSION,
  type NewEvent,
  type RuleChange,
  type SessionEvent,
} from '../contextWindow/event';
import type { KnownFile } from '../contextWindow/files/knownFile';
import { pageIn } from '../contextWindow/files/pageIn';
import { piecesOf, regionText } from '../contextWindow/files/regions';
import { applyEvent, EMPTY_WINDOW } from '../contextWindow/fold';
import { changesBetween } from '../contextWindow/persistentList';
import {
  duePasses,
  passApplied,
  passToRun,
  type PassToRun,
} from '../contextWindow/passes/pipeline';
import {
  type Policy,
  policyFacts,
  type PolicyFacts,
} from '../contextWindow/passes/rungs/policyInput';
import { workNoteOf } from '../contextWindow/passes/rungs/summary';
import { allSummaryUses } from '../contextWindow/summaryCheck/summaryUses';
import type { Pass, Summary } from '../contextWindow/plan';
import type { ContextWindow } from '../contextWindow/window';
import { batchesOf } from '../model/workerEstimator';
import { recordedChargesOf, type Transcript, type TranscriptEntry } from '../sessions/transcript';
import { markOf, placeIn, recorded, type RecordedCompaction, type RecordedMark } from './recorded';
import { type RecordedCounts, RecordedCountsFit } from './recordedCounts';
import { isUnasked, textsOfEntry, withUsedTools } from './recording';
import {
  isUncut,
  planSettings,
  policyOf,
  type ReplayPorts,
  type ReplaySettings,
  showsFiles,
} from './replaySettings';
import { type SimulatedContextEdits, SimulatedServer } from './simulatedServer';
import { type SentWindow, Tally, type Totals } from './tally';

/** The result of a replay. */
export interface Replayed {
  readonly totals: Totals;
  readonly window: ContextWindow;
  readonly passes: readonly Pass[];
  /** Folded, they give the window; times are the recording's, 0 where it has none. */
  readonly events: readonly SessionEvent[];
  /** The usage of each step in the recording, which is that of the other agent's requests. */
  readonly recordedUsage: ReadonlyMap<number, Usage>;
  /** What the recorded agent was charged, by step. */
  readonly recordedCharges: ReadonlyMap<number, readonly Charge[]>;
  /** The usage of each step's request under Plimsoll, with a simulated cache. */
  readonly simulatedUsage: ReadonlyMap<number, Usage>;
  /** What the replay learned from the counts of the recorded API. */
  readonly counts: RecordedCounts;
  /** Where the other agent compacted, whatever the policy of the replay. */
  readonly marks: readonly RecordedMark[];
  /** Under the policy `server`: the simulated edits. */
  readonly contextEdits?: SimulatedContextEdits;
}

/** The cause in every work note of a replay without a model. */
export const NO_MODEL = 'this replay asks no model for summaries';

/** Larger than any window, so that every result enters it whole. Tokens. */
const BOUNDLESS = 1_000_000_000;

type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;

/**
 * Feeds a recording through the window as if the agent had run it, and at each recorded model call
 * builds the request Plimsoll would have sent. When the signal aborts, it ends after the current batch
 * of texts or the current entry.
 */
export async function replay(
  transcript: Transcript,
  settings: ReplaySettings,
  ports: ReplayPorts,
  signal?: AbortSignal,
): Promise<Replayed | 'stopped'> {
  // In batches, since each text alone would wait for the tokenizer's thread; and before the first
  // entry, so that no estimate depends on how fast that thread is.
  for (const texts of batchesOf(transcript.entries.flatMap(textsOfEntry))) {
    if (signal?.aborted === true) return 'stopped';
    await ports.warm(texts);
  }
  const run = new ReplayRun(withUsedTools(transcript), settings, ports);
  for (const [index, entry] of transcript.entries.entries()) {
    if (signal?.aborted === true) return 'stopped';
    await run.take(entry, index);
  }
  return signal?.aborted === true ? 'stopped' : run.finish();
}

class ReplayRun {
  readonly #tally: Tally;
  readonly #passes: Pass[] = [];
  readonly #policy: Policy | undefined;
  readonly #server: SimulatedServer | undefined;
  readonly #warming: Warming;
  readonly #weights = new WeakMap<Block, number>();
  readonly #log: ReplayLog;
  readonly #recordedUsage = new Map<number, Usage>();
  readonly #recordedCharges = new Map<number, readonly Charge[]>();
  readonly #marks: RecordedMark[] = [];
  readonly #countsFit: RecordedCountsFit;
  #weighed: { readonly window: ContextWindow; readonly measured: Measurement } | undefined;
  #index = 0;

  constructor(
    private readonly transcript: Transcript,
    private readonly settings: ReplaySettings,
    private readonly ports: ReplayPorts,
  ) {
    this.#log = new ReplayLog((event) => ports.onEvent?.(event));
    this.#tally = new Tally(settings, ports, transcript);
    this.#warming = new Warming(ports, showsFiles(settings));
    this.#countsFit = new RecordedCountsFit(ports.estimate);
    this.#policy = policyOf(settings.policy, transcript, () => this.#index);
    const { policy, contextEditing, budget, counts } = settings;
    if (policy === 'server') this.#server = new SimulatedServer(contextEditing, budget, ports);
    this.#log.append({
      type: 'sessionStarted',
      version: LOG_VERSION,
      sessionId: settings.sessionId ?? 'replay',
      // The counts apply only to the window they were learned for, including the label of its task.
      // The recorded agent kept none.
      standingRules: policy === 'recorded' ? undefined : true,
      subAgent: transcript.subAgent,
      pinTaskAnchor: settings.pinTaskAnchor && (policy !== 'recorded' || counts === 'learnOnly'),
    });
    const { system, tools } = transcript;
    this.#log.append({ type: 'preambleSet', system, tools });
  }

  async take(entry: TranscriptEntry, index: number): Promise<void> {
    this.#index = index;
    this.#log.reach(entry.at);
    for (const change of entry.ruleChanges ?? []) this.#takeRuleChange(change);
    await this.#takeEntry(entry);
    for (const change of entry.ruleChangesAfter ?? []) this.#takeRuleChange(change);
  }

  async #takeEntry(entry: TranscriptEntry): Promise<void> {
    switch (entry.type) {
      case 'prompt':
        return this.#takePrompt(entry);
      case 'reply':
        return this.#takeReply(entry);
      case 'compacted':
        return this.#takeCompaction(entry);
    }
  }

  finish(): Replayed {
    return {
      totals: this.#tally.totals({
        refaults: this.#log.window.refaults.length,
        summaryUses: allSummaryUses(this.#log.window),
      }),
      window: this.#log.window,
      passes: this.#passes,
      events: this.#log.events,
      recordedUsage: this.#recordedUsage,
      recordedCharges: this.#recordedCharges,
      simulatedUsage: this.#tally.simulatedUsage,
      counts: this.#countsFit.counts,
      marks: this.#marks,
      contextEdits: this.#server?.done,
    };
  }

  #takeRuleChange(change: RuleChange): void {
    this.#tally.rulesChanged(change);
    if (this.settings.policy !== 'recorded') this.#log.append(change);
  }

  #takePrompt(entry: Extract<TranscriptEntry, { readonly type: 'prompt' }>): void {
    const { text, attachments, byAgent } = entry;
    const { window } = this.#log;
    this.#tally.prompted(entry);
    const prompt = { text, attachments };
    const admitted = isUncut(this.settings.policy)
      ? { ...prompt, admission: { form: 'whole' } as const }
      : admitPrompt(prompt, window, this.settings.budget, this.ports.estimate);
    const by = byAgent === true ? { byAgent } : {};
    this.#log.append({ type: 'promptSubmitted', ...admitted, ...by });
  }

  async #takeReply(entry: ReplyEntry): Promise<void> {
    const { model, parts, usage, results } = entry;
    const uses = parts.flatMap((part) => (part.type === 'toolUse' ? [part.use] : []));
    const isLearning = this.settings.counts === 'learnOnly';
    const isAsked = !isUnasked(this.transcript.entries, this.#index);
    let tiers: TierTokens | undefined;
    this.ports.onReply?.();
    await this.#count(entry);
    if (isAsked) {
      await this.#fit();
      this.#chooseCacheLife();
    }
    if (!isLearning) {
      if (!isAsked) await this.#warm();
      tiers = tierTokens(this.#log.window, this.#measured());
      this.#tally.take(entry, isAsked ? this.#sent(tiers) : undefined);
    }
    this.#log.append({
      type: 'replyReceived',
      model,
      parts,
      stopReason: uses.length > 0 ? 'tool_use' : 'end_turn',
      // The recording's requests were different ones: only those built here are measured.
      usage: { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 },
      durationMs: 0,
      budget: this.settings.budget,
      tiers,
    });
    if (usage !== undefined) this.#recordedUsage.set(this.#log.window.step, usage);
    this.#recordedCharges.set(this.#log.window.step, recordedChargesOf(entry));
    await this.#warm();
    let allowance = this.#allowance(results.length);
    for (const { toolUseId, origin, ...incoming } of results) {
      const handle = resultHandle(toolUseId);
      const { result, left } = admitResult(allowance, incoming, handle, this.ports.estimate);
      const answered = { ...result, origin, durationMs: 0 };
      const more = this.#pageIn(toolUseId, answered);
      const admitted = admitShown(left, more, this.ports.estimate);
      allowance = admitted.left;
      const { shown } = admitted;
      this.#log.append({
        type: 'toolFinished',
        toolUseId,
        ...answered,
        ...(shown.length === 0 ? {} : { shown }),
      });
    }
  }

  /** The lines sent with an edit's result if the policy shows files. */
  #pageIn(toolUseId: ToolUseId, result: ToolResult): readonly ShownLines[] {
    if (!showsFiles(this.settings)) return [];
    const { window } = this.#log;
    return pageIn(window, toolUseId, result, this.settings.budget, this.ports.estimate);
  }

  /** Records the API's count of this request, so that passes are planned with it. */
  async #count({ usage, model }: ReplyEntry): Promise<void> {
    const { counts } = this.settings;
    const tokens = usage === undefined ? 0 : promptTokens(usage);
    if (counts === undefined || tokens === 0) return;
    await this.#warm();
    const request = {
      window: this.#log.window,
      measured: () => this.#measured(),
      weigh: (block: Block) => this.#weigh(block),
      tokens,
      model,
    };
    const sizes = this.#countsFit.sizesOf(counts, request);
    if (sizes !== undefined) this.#log.append({ type: 'recordedCounted', tokens, sizes });
  }

  /** The window that is sent; under `server` as the API edits it. */
  #sent(tiers: TierTokens): SentWindow {
    const { window } = this.#log;
    const shown = this.#server?.take(window) ?? window;
    if (shown === window) return { window, measured: this.#measured(), tiers };
    const measured = measure(shown, this.ports.estimate);
    return { window: shown, measured, tiers: tierTokens(shown, measured) };
  }

  /**
   * The other agent compacted its own way: only `recorded` follows it; otherwise the policy
   * decides.
   */
  async #takeCompaction(did: RecordedCompaction): Promise<void> {
    this.#marks.push(markOf(did, this.#log.window.step + 1));
    if (this.settings.policy !== 'recorded') return;
    await this.#warm();
    const policy = this.#timed(recorded(did, placeIn(this.transcript, this.#index)));
    const planned = passToRun({ ...this.#facts(), trigger: 'recorded' }, policy);
    if (planned !== undefined) await this.#apply(planned);
  }

  #allowance(calls: number): ResultAllowance {
    return isUncut(this.settings.policy)
      ? { settingTokens: BOUNDLESS, roomTokens: Infinity, calls, spentTokens: 0 }
      : resultAllowance(this.#facts(), this.settings.toolResultCapTokens, calls);
  }

  async #fit(): Promise<void> {
    await this.#warm();
    const policy = this.#policy;
    if (policy === undefined) return;
    await this.#server?.count(this.#log);
    for (const planned of duePasses(() => this.#passInput(), undefined, this.#timed(policy))) {
      await this.#apply(planned);
      await this.#server?.count(this.#log);
    }
  }

  #passInput() {
    const facts = this.#facts();
    const { ignorePauses = false } = this.settings;
    return { ...facts, cold: ignorePauses ? undefined : coldCache(facts, this.#log.at) };
  }

  /** Chooses for how long the next request is cached, as the agent does. */
  #chooseCacheLife(): void {
    if (this.#policy === undefined || this.settings.ignorePauses === true) return;
    const { cacheLife = 'auto', earlierPauses } = this.settings;
    const chosen = cacheLifeSet(this.#log.window, cacheLife, this.#log.at, earlierPauses);
    if (chosen !== undefined) this.#log.append(chosen);
  }

  /** Writes the summaries of a pass, and appends it. */
  async #apply({ input, plan }: PassToRun): Promise<void> {
    const { window } = input;
    const summaries: Summary[] = [];
    for (const job of plan.summaries) {
      const written = job.ready ?? (await this.ports.summarise?.(window, job));
      summaries.push(written ?? workNoteOf(input, job, { because: NO_MODEL }));
    }
    const event = passApplied(input, plan, summaries);
    this.#passes.push(event.pass);
    this.#log.append(event);
    this.#tally.passed(event.pass);
    await this.#warm();
  }

  /** A policy whose plans are timed. */
  #timed(policy: Policy): Policy {
    return (input) => {
      const began = this.ports.now();
      const plan = policy(input);
      this.#tally.planned(this.ports.now() - began);
      return plan;
    };
  }

  #facts(): PolicyFacts {
    return policyFacts({
      window: this.#log.window,
      measured: this.#measured(),
      budget: this.settings.budget,
      estimate: this.ports.estimate,
      settings: planSettings(this.settings),
    });
  }

  #warm(): Promise<void> {
    return this.#warming.warm(this.#log.window);
  }

  /** Blocks are immutable: while a whole session stays in the window, each is weighed once. */
  #weigh(block: Block): number {
    const weight = this.#weights.get(block) ?? weighBlock(block, this.ports.estimate);
    if (this.settings.counts !== undefined) this.#weights.set(block, weight);
    return weight;
  }

  /** The weight of a window is needed several times but calculated once. */
  #measured(): Measurement {
    if (this.#weighed?.window !== this.#log.window) {
      const { window } = this.#log;
      const before = this.settings.counts === undefined ? undefined : this.#weighed;
      const measured = measure(window, this.ports.estimate, {
        weigh: (block) => this.#weigh(block),
        former: before && { window: before.window, parts: before.measured.parts },
      });
      this.#weighed = { window, measured };
    }
    return this.#weighed.measured;
  }
}

/**
 * Replays a recording as its own agent ran it: with its compactions, and every block weighed by the
 * counts of its API, if it has any.
 */
export function replayAsRecorded(
  transcript: Transcript,
  settings: ReplaySettings,
  { estimate, warm, now, onReply }: ReplayPorts,
  signal?: AbortSignal,
): Promise<Replayed | 'stopped'> {
  const own = { estimate, warm, now, onReply, validate: () => undefined };
  return replay(transcript, { ...settings, policy: 'recorded', counts: 'learnOnly' }, own, signal);
}

/**
 * Derives the weight of every block from the counts of a recorded API and its agent's window:
 * undefined if the recording has no counts.
 */
export async function recordedCountsOf(
  ...[transcript, settings, ports, signal]: Parameters<typeof replayAsRecorded>
): Promise<RecordedCounts | 'stopped' | undefined> {
  if (!isCounted(transcript)) return undefined;
  const replayed = await replayAsRecorded(transcript, settings, ports, signal);
  return replayed === 'stopped' ? replayed : replayed.counts;
}

/** Returns whether the file has counts of its API. */
export function isCounted({ entries }: Transcript): boolean {
  return entries.some(
    (entry) => entry.type === 'reply' && entry.usage !== undefined && promptTokens(entry.usage) > 0,
  );
}

/**
 * The settings under which a replay weighs what the API counted: without passes of either agent and
 * without truncation, the window at every step is exactly what it counted.
 */
export function countedSettings(
  settings: ReplaySettings,
  counts: RecordedCounts | undefined,
): ReplaySettings {
  if (counts === undefined) return settings;
  return settings.policy === 'recorded'
    ? // It is the window that the counts belong to.
      { ...settings, counts: 'learn' }
    : { ...settings, counts };
}

/** The log of a replay: its events and the window that follows from them. */
export class ReplayLog {
  readonly #events: SessionEvent[] = [];
  #window: ContextWindow = EMPTY_WINDOW;
  #at = 0;

  /** `appended` receives each event. */
  constructor(private readonly appended: (event: SessionEvent) => void = () => undefined) {}

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  /** The time of the next event, ms since the epoch; 0 if no entry had one. */
  get at(): number {
    return this.#at;
  }

  get window(): ContextWindow {
    return this.#window;
  }

  /**
   * Sets the time of the next events, ms since the epoch; if the recording has none, the last one
   * stays.
   */
  reach(at: number | undefined): void {
    this.#at = at ?? this.#at;
  }

  append(event: NewEvent): void {
    const dated = entered(event, this.#at, this.#window);
    this.#events.push(dated);
    this.#window = applyEvent(this.#window, dated);
    this.appended(dated);
  }
}

/** Prepares the content of a window for weighing: of each window, what the one before lacked. */
class Warming {
  readonly #files = new WeakSet<KnownFile>();
  #former = EMPTY_WINDOW;

  constructor(
    private readonly ports: Pick<ReplayPorts, 'warm'>,
    private readonly showsFiles: boolean,
  ) {}

  async warm(window: ContextWindow): Promise<void> {
    const former = this.#former;
    if (former === window) return;
    this.#former = window;
    const added = changesBetween(former.blocks, window.blocks).filter(isInWindow);
    await this.ports.warm([...headTexts(window), ...textsOfBlocks(added)]);
    if (!this.showsFiles || window.files === former.files) return;
    const files = [...window.files.values()].filter((file) => !this.#files.has(file));
    for (const file of files) this.#files.add(file);
    await this.ports.warm(files.flatMap(piecesOf).map(regionText));
  }
}
