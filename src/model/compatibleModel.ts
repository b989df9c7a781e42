import type {
  CountResult,
  Model,
  ModelEvent,
  ModelRequest,
  ModelResult,
  Reply,
  TokenCounter,
} from '../agent/model';
import { leftOutOf } from '../agent/leftOut';
import { promptTokens } from '../contextWindow/account/spending';
import type { CompatibleServer } from './compatibleServer';
import { refusedFeature } from './serverAbilities';
import { FEATURE_NAMES } from './serverKinds';

/** The largest difference between a count and the usage that is still agreement. */
const AGREEMENT = 0.05;

/**
 * Counts on a compatible server. A count is used only once the server's counts have agreed with its
 * usage, because some proxies leave out tools or system prompt, or answer a constant.
 */
export class CheckedCounter implements TokenCounter {
  constructor(
    private readonly counter: TokenCounter,
    private readonly at: CompatibleServer,
  ) {}

  async count(request: ModelRequest, signal: AbortSignal): Promise<CountResult> {
    const { model } = request;
    if (this.at.abilitiesFor(model).counts === false) {
      const message = `${this.at.name} does not count the tokens of ${model}.`;
      return { ok: false, message, isKnown: true };
    }
    const result = await this.claimed(request, signal);
    if (!result.ok || this.at.abilitiesFor(model).counts === true) return result;
    const message = `The counts of ${this.at.name} have not yet agreed with its usage.`;
    return { ok: false, message, isKnown: true };
  }

  /** What the server counts, whether or not that may be believed. */
  async claimed(request: ModelRequest, signal: AbortSignal): Promise<CountResult> {
    const result = await this.counter.count(this.at.sent(request), signal);
    if (!result.ok && result.isFinal === true) this.at.learn(request.model, { counts: false });
    return result;
  }
}

/**
 * A model on a compatible server. Learns from each answer what the server can do, and sends no
 * longer what it refuses.
 */
export class CompatibleModel implements Model {
  constructor(
    private readonly model: Model,
    private readonly counter: CheckedCounter,
    private readonly at: CompatibleServer,
  ) {}

  async *ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, ModelResult> {
    // Ends: each further round lacks one more feature that the request had.
    for (;;) {
      const sent = this.at.sent(request);
      const result = yield* this.model.ask(sent, signal);
      const left = leftOutOf(request, sent);
      const leftOut = left.length === 0 ? undefined : left;
      if (result.ok) return yield* this.#learnFrom(sent, { ...result.reply, leftOut }, signal);
      const feature = refusedFeature(sent, result.failure);
      if (feature === undefined) return { ...result, leftOut };
      const { model } = request;
      this.at.learn(model, { [feature]: false });
      const { message } = result.failure;
      if (feature === 'tools') {
        const why =
          `${this.at.name} refuses tools for ${model}, and the agent cannot work without them. ` +
          `This request was not answered. Choose a model that supports tools, or start the server with them. ${message}`;
        return { ok: false, failure: { ...result.failure, message: why, isPassing: false } };
      }
      yield {
        type: 'notice',
        message:
          `${this.at.name} does not accept ${FEATURE_NAMES[feature]} for ${model}, so requests go without. ` +
          `To try again later, choose the server and check it again. ${message}`,
      };
    }
  }

  async *#learnFrom(
    sent: ModelRequest,
    reply: Reply,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, ModelResult> {
    const { model, tools } = sent;
    if (tools.length > 0 && this.at.abilitiesFor(model).tools === false) {
      this.at.learn(model, { tools: true });
    }
    const problem = await this.#compare(sent, reply, signal);
    if (problem !== undefined) yield { type: 'notice', message: problem };
    const isCounted = this.at.abilitiesFor(model).counts === true;
    return { ok: true, reply: isCounted ? reply : { ...reply, isUncounted: true } };
  }

  /** Compares count and usage of one request; returns why the counts are no longer used. */
  async #compare(
    sent: ModelRequest,
    reply: Reply,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { model, contextEdits = [] } = sent;
    const reported = promptTokens(reply.usage);
    // Usage after the server's own edits is of another request.
    if (reported === 0 || contextEdits.length > 0 || reply.compactionUsage !== undefined)
      return undefined;
    if (this.at.abilitiesFor(model).counts !== undefined) return undefined;
    const counted = await this.counter.claimed(sent, signal);
    if (!counted.ok) return undefined;
    const agrees = Math.abs(counted.tokens - reported) <= reported * AGREEMENT;
    this.at.learn(model, { counts: agrees });
    return agrees
      ? undefined
      : `${this.at.name} counted ${counted.tokens} tokens for a request of which it then reported ` +
          `${reported}. Plimsoll does not use its counts; numbers marked ≈ are estimates.`;
  }
}
