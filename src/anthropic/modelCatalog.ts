import type Anthropic from '@anthropic-ai/sdk';
import type { ModelCatalog, ModelLimits } from '../agent/model';
import { timeLimit } from './timeLimit';

const TIMEOUT_MS = 5_000;

const NEWEST: ModelLimits = { contextWindowTokens: 1_000_000, maxReplyTokens: 128_000 };

/**
 * Limits for when the server does not tell: compatible servers often have no /v1/models.
 * Source: the model list in the documentation of the API.
 */
const KNOWN: ReadonlyMap<string, ModelLimits> = new Map(
  Object.entries<ModelLimits>({
    'claude-opus-5-5': NEWEST,
    'claude-sonnet-5-5': NEWEST,
    'claude-haiku-5-5': NEWEST,
    'claude-fable-5-2': NEWEST,
    'claude-haiku-4-5': { contextWindowTokens: 200_000, maxReplyTokens: 64_000 },
  }),
);

/** Asks the server for a model's limits, once for each model; a failure is asked again. */
export class AnthropicModelCatalog implements ModelCatalog {
  readonly #client: Anthropic;
  readonly #limits = new Map<string, ModelLimits>();
  readonly #timeoutMs: number;

  constructor(client: Anthropic, timeoutMs: number = TIMEOUT_MS) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
  }

  async limitsOf(model: string, signal: AbortSignal): Promise<ModelLimits> {
    const known = this.#limits.get(model);
    if (known !== undefined) return known;
    const fallback = KNOWN.get(model.replace(/-\d{8}$/, '')) ?? {};
    const limit = timeLimit(signal, this.#timeoutMs);
    try {
      const asking = this.#client.models.retrieve(
        model,
        {},
        { signal: limit.signal, maxRetries: 0 },
      );
      const info = await limit.race(asking);
      const limits = { ...fallback, ...limitsIn(info) };
      this.#limits.set(model, limits);
      return limits;
    } catch {
      return fallback;
    } finally {
      limit.clear();
    }
  }
}

function limitsIn({
  max_input_tokens: input,
  max_tokens: reply,
}: Anthropic.ModelInfo): ModelLimits {
  return {
    ...(isLimit(input) && { contextWindowTokens: input }),
    ...(isLimit(reply) && { maxReplyTokens: reply }),
  };
}

function isLimit(tokens: number | null): tokens is number {
  return typeof tokens === 'number' && tokens > 0;
}
