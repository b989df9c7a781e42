import type Anthropic from '@anthropic-ai/sdk';
import type { ListedLimits, ModelCatalog } from '../agent/model';
import { keyOf } from './client';
import { failureOf } from './failure';
import { isCount, shownValue } from './heardNumber';
import { RedirectError } from './redirect';
import { timeLimit } from './timeLimit';
import { isObject } from './wholeMembers';

const TIMEOUT_MS = 5_000;

/**
 * Asks the server for a model's limits, once for each model; {} if it does not say. After a failure
 * it is asked again. What is known of a model without asking is not mixed in: the panel names the
 * source.
 */
export class AnthropicModelCatalog implements ModelCatalog {
  readonly #client: Anthropic;
  readonly #limits = new Map<string, ListedLimits>();
  readonly #timeoutMs: number;

  constructor(client: Anthropic, timeoutMs: number = TIMEOUT_MS) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
  }

  async limitsOf(model: string, signal: AbortSignal): Promise<ListedLimits> {
    const known = this.#limits.get(model);
    if (known !== undefined) return known;
    const limit = timeLimit(signal, this.#timeoutMs);
    try {
      const asking = this.#client.models.retrieve(
        model,
        {},
        { signal: limit.signal, maxRetries: 0 },
      );
      const info = await limit.race(asking);
      const limits = limitsIn(model, info);
      this.#limits.set(model, limits);
      return limits;
    } catch (error) {
      // That the list is missing says nothing new; that it sent us elsewhere does.
      return error instanceof RedirectError ? { problem: this.#told(error) } : {};
    } finally {
      limit.clear();
    }
  }

  #told(error: RedirectError): string {
    const context = { baseUrl: this.#client.baseURL, secret: keyOf(this.#client) };
    return `The model list was not read: ${failureOf(error, context).message}`;
  }
}

/** Takes in the limits that are numbers; null says that the server does not know. */
function limitsIn(model: string, info: unknown): ListedLimits {
  const said = isObject(info) ? info : {};
  const wrong = ['max_input_tokens', 'max_tokens'].filter((name) => !isSilentOrLimit(said[name]));
  const { max_input_tokens: input, max_tokens: reply } = said;
  const words = wrong.map((name) => `${shownValue(said[name])} for ${name}`).join(' and ');
  return {
    ...(isLimit(input) && { contextWindowTokens: input }),
    ...(isLimit(reply) && { maxReplyTokens: reply }),
    ...(wrong.length > 0 && {
      problem: `The model list says ${words} of ${model}, which is impossible, so it was not used.`,
    }),
  };
}

function isSilentOrLimit(tokens: unknown): boolean {
  return tokens === null || tokens === undefined || tokens === 0 || isLimit(tokens);
}

function isLimit(tokens: unknown): tokens is number {
  return isCount(tokens) && tokens > 0;
}
