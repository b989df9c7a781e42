import { whyTooLarge } from '../contextWindow/account/balance';
import type { Measurement } from '../contextWindow/account/measure';
import { chargesOfSummary, type TierTokens, type Usage } from '../contextWindow/account/spending';
import { type Block, isInWindow } from '../contextWindow/block';
import type { RuleChange } from '../contextWindow/event';
import type { Pass } from '../contextWindow/plan';
import { messagesOf, type WindowRequest } from '../contextWindow/request/blockMessages';
import { toRequest } from '../contextWindow/request/request';
import type { SummaryUseCounts } from '../contextWindow/summaryCheck/summaryUses';
import { type ContextWindow, latestPrompt } from '../contextWindow/window';
import { costOf } from '../model/pricing';
import type { Transcript, TranscriptEntry } from '../sessions/transcript';
import { groundingOf, NOTHING, plus, type Share } from './measures/grounding';
import { type Needs, NeedsMet } from './measures/needsMet';
import { RulesKept } from './measures/rulesKept';
import type { ReplayPorts, ReplaySettings } from './replaySettings';
import { REWRITE_CAUSES, type RewriteCause, SimulatedCache } from './simulatedCache';

type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;

/** Why a request is over the budget when only the recorded compactions remove blocks. */
const AS_RECORDED =
  'The recorded agent had let no more go by then. Raise plimsoll.context.windowTokens to the ' +
  'window it had.';

/** The times within which half of the passes, and nearly all, were planned; ms. */
interface PlanTime {
  readonly median: number;
  readonly p95: number;
}

/** Requests that wrote more than half of their window to the cache, and the tokens they wrote. */
interface Rewrites {
  readonly requests: number;
  readonly tokens: number;
}

export type CacheRewrites = Readonly<Partial<Record<RewriteCause, Rewrites>>>;

/** Adds up rewrites. */
export function plusRewrites(one: CacheRewrites, other: CacheRewrites): CacheRewrites {
  const sums = REWRITE_CAUSES.flatMap((cause) => {
    const both = [one[cause], other[cause]].filter((some) => some !== undefined);
    const [requests, tokens] = [
      both.reduce((sum, some) => sum + some.requests, 0),
      both.reduce((sum, some) => sum + some.tokens, 0),
    ];
    return requests === 0 ? [] : [[cause, { requests, tokens }] as const];
  });
  return Object.fromEntries(sums);
}

/** A request that stayed over the input budget, and its heaviest parts. */
interface OverBudget {
  /** The step of the request, counted from 1. */
  readonly step: number;
  readonly why: string;
}

/** A request as sent: its window, measured, and its tiers. */
export interface SentWindow {
  readonly window: ContextWindow;
  readonly measured: Measurement;
  readonly tiers: TierTokens;
}

/** The totals of a replay's requests; tokens are estimates. */
export interface Totals extends Needs {
  readonly requests: number;
  readonly maxTokens: number;
  /** Requests over the input budget: protected blocks did not fit, or nothing was evicted. */
  readonly overBudget: number;
  readonly firstOverBudget?: OverBudget;
  readonly invalid: number;
  /** Why the API would reject the first invalid request. */
  readonly firstRefusal?: string;
  readonly anchorMissing: number;
  /** The most tokens of the task anchor that a request left out. */
  readonly taskCut: number;
  readonly latestAskMissing: number;
  readonly groundedEdits: Share;
  readonly groundedPaths: Share;
  /** The standing rules that each request had verbatim, of those stated until then. */
  readonly rulesKept: Share;
  /** The edits whose text was not visible: `<id of the call>#<number of the replacement>`. */
  readonly editsLost: readonly string[];
  readonly refaults: number;
  /** How often later work used what summaries had replaced: they kept it, or had dropped it. */
  readonly summaryUses: SummaryUseCounts;
  /** Share of all input tokens that the simulated cache reads. */
  readonly prefixReuse: number;
  /** Requests that wrote more than half of their window to the cache, by cause; tokens written. */
  readonly cacheRewrites: CacheRewrites;
  readonly inputTokensTotal: number;
  /** The tiers of all requests together: they add up to `inputTokensTotal`. */
  readonly tiers: TierSums;
  readonly tiersOfSteps: readonly StepTiers[];
  /**
   * US dollars at list price, the reused prefix read from the cache, summaries included; null if a
   * model has no list price.
   */
  readonly cost: number | null;
  readonly planMs: PlanTime;
}

/** Adds up the measurements of every request. */
export class Tally {
  readonly #planTimes: number[] = [];
  readonly #cache: SimulatedCache;
  #requests = 0;
  #maxTokens = 0;
  #overBudget = 0;
  #firstOverBudget: OverBudget | undefined;
  #invalid = 0;
  #firstRefusal: string | undefined;
  #anchorMissing = 0;
  #taskCut = 0;
  #latestAskMissing = 0;
  #edits: Share = NOTHING;
  #paths: Share = NOTHING;
  readonly #editsLost: string[] = [];
  readonly #tiersOfSteps: StepTiers[] = [];
  readonly #simulatedUsage = new Map<number, Usage>();
  readonly #needs: NeedsMet;
  readonly #rules = new RulesKept();
  #inputTokens = 0;
  #reusedTokens = 0;
  #cost: number | null = 0;
  #rewrites: CacheRewrites = {};

  constructor(
    private readonly settings: ReplaySettings,
    private readonly ports: ReplayPorts,
    private readonly transcript: Transcript,
  ) {
    this.#needs = new NeedsMet(transcript);
    this.#cache = new SimulatedCache(ports.estimate);
  }

  /** Records the planning time of a pass; ms. */
  planned(durationMs: number): void {
    this.#planTimes.push(durationMs);
  }

  /** Records a pass: the tokens for its summaries have a price too, also for a rejected one. */
  passed({ summaries }: Pass): void {
    for (const { model, usage } of summaries.flatMap(chargesOfSummary)) this.#pay(model, usage);
  }

  /** Records the next prompt. */
  prompted({ text, byAgent }: { readonly text: string; readonly byAgent?: true }): void {
    if (this.settings.usageOnly === true) return;
    this.#needs.prompted(text);
    // A prompt without rules: the count of turns must agree with the window's.
    const isUsers = this.transcript.subAgent === undefined && byAgent !== true;
    this.#rules.prompted(isUsers ? text : '');
  }

  /** Records what the user decided about the standing rules. */
  rulesChanged(change: RuleChange): void {
    if (this.settings.usageOnly !== true) this.#rules.changed(change);
  }

  /** Records a recorded reply and its request; some replies have none. */
  take(reply: ReplyEntry, sent: SentWindow | undefined): void {
    if (sent !== undefined) this.#takeRequest(reply, sent);
    if (this.settings.usageOnly !== true) this.#needs.replied(reply);
  }

  #takeRequest(reply: ReplyEntry, { window, measured, tiers }: SentWindow): void {
    const { tokens } = measured.used;
    const { model, parts } = reply;
    const { read, hour, rewrite } = this.#cache.next(window, reply.at ?? 0, model);
    const reused = Math.round(tokens * read);
    const written = tokens - reused;
    const simulated = {
      inputTokens: 0,
      cacheCreationTokens: written,
      cacheCreation1hTokens: Math.min(written, Math.round(tokens * hour)),
      cacheReadTokens: reused,
      outputTokens: reply.usage?.outputTokens ?? 0,
    };
    this.#simulatedUsage.set(window.step + 1, simulated);
    if (this.settings.usageOnly === true) return;
    const request = toRequest(window);
    this.#requests += 1;
    this.#maxTokens = Math.max(this.#maxTokens, tokens);
    this.#inputTokens += tokens;
    if (tokens > this.settings.budget.inputBudget) this.#takeOver(window, measured);
    this.#check(window, request);
    this.#rules.requested(window, request);
    const { system, working, archive } = tiers;
    this.#tiersOfSteps.push({ step: window.step + 1, system, working, archive });
    this.#needs.requested(window, reply);
    const uses = parts.flatMap((part) => (part.type === 'toolUse' ? [part.use] : []));
    const { edits, paths, editsLost } = groundingOf(window, uses);
    this.#editsLost.push(...editsLost);
    this.#edits = plus(this.#edits, edits);
    this.#paths = plus(this.#paths, paths);
    this.#reusedTokens += reused;
    if (rewrite !== undefined) this.#takeRewrite(rewrite, written);
    this.#pay(model, simulated);
    this.ports.onRequest?.(request, model, window.step + 1, window);
  }

  #takeRewrite(cause: RewriteCause, tokens: number): void {
    this.#rewrites = plusRewrites(this.#rewrites, { [cause]: { requests: 1, tokens } });
  }

  #takeOver(window: ContextWindow, measured: Measurement): void {
    this.#overBudget += 1;
    const { policy, budget } = this.settings;
    // With nothing evicted this says nothing: everything could still be removed.
    if (policy === 'none') return;
    const why = policy === 'recorded' ? AS_RECORDED : whyTooLarge(window, measured, budget);
    this.#firstOverBudget ??= { step: window.step + 1, why };
  }

  /** The usage of each step's request: every token is written to the cache or read from it. */
  get simulatedUsage(): ReadonlyMap<number, Usage> {
    return this.#simulatedUsage;
  }

  /** The totals; the window itself counts `refaults` and `summaryUses`. */
  totals({ refaults, summaryUses }: Pick<Totals, 'refaults' | 'summaryUses'>): Totals {
    return {
      requests: this.#requests,
      maxTokens: this.#maxTokens,
      overBudget: this.#overBudget,
      firstOverBudget: this.#firstOverBudget,
      invalid: this.#invalid,
      firstRefusal: this.#firstRefusal,
      anchorMissing: this.#anchorMissing,
      taskCut: this.#taskCut,
      latestAskMissing: this.#latestAskMissing,
      groundedEdits: this.#edits,
      groundedPaths: this.#paths,
      rulesKept: this.#rules.share,
      editsLost: this.#editsLost,
      refaults,
      summaryUses,
      prefixReuse: this.#inputTokens === 0 ? 0 : this.#reusedTokens / this.#inputTokens,
      cacheRewrites: this.#rewrites,
      inputTokensTotal: this.#inputTokens,
      tiers: this.#tiersOfSteps.reduce<TierSums>(plusTiers, NO_TIERS),
      tiersOfSteps: this.#tiersOfSteps,
      ...this.#needs.found,
      cost: this.#cost,
      planMs: planTime(this.#planTimes),
    };
  }

  #check(window: ContextWindow, request: WindowRequest): void {
    const refusal = this.ports.validate(request);
    if (refusal !== undefined) {
      this.#invalid += 1;
      this.#firstRefusal ??= refusal;
    }
    const texts = request.messages.flatMap(({ role, content }) =>
      content.flatMap((part) => (part.type === 'text' && role === 'user' ? [part.text] : [])),
    );
    const says = (block: Block) => {
      const words = messagesOf(block).flatMap(({ content }) =>
        content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
      );
      return isInWindow(block) && words.every((text) => texts.includes(text));
    };
    const anchor = window.blocks.find(({ kind }) => kind === 'anchor');
    if (anchor?.pinned === true && !says(anchor)) this.#anchorMissing += 1;
    if (anchor?.kind === 'anchor' && anchor.pinned && anchor.admission.form !== 'whole') {
      const { tokensBefore, tokensAfter } = anchor.admission;
      this.#taskCut = Math.max(this.#taskCut, tokensBefore - tokensAfter);
    }
    const prompt = latestPrompt(window);
    if (prompt === undefined || !says(prompt)) this.#latestAskMissing += 1;
  }

  #pay(model: string, usage: Usage): void {
    const cost = costOf(model, usage);
    this.#cost = this.#cost === null || cost === 'unknown' ? null : this.#cost + cost.usd;
  }
}

function planTime(times: readonly number[]): PlanTime {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

/** Tokens of requests by tier; the scratchpad, tools and system prompt belong to the system tier. */
interface TierSums {
  readonly system: number;
  readonly working: number;
  readonly archive: number;
}

/** The tiers of one request. */
interface StepTiers extends TierSums {
  /** The step of the request, counted from 1. */
  readonly step: number;
}

export const NO_TIERS: TierSums = { system: 0, working: 0, archive: 0 };

/** Adds up tiers. */
export function plusTiers(one: TierSums, other: TierSums): TierSums {
  return {
    system: one.system + other.system,
    working: one.working + other.working,
    archive: one.archive + other.archive,
  };
}
