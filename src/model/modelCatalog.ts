import { EFFORTS, THINKING_MODES, type ModelAbilities } from '../contextWindow/reasoning';
import type { ListedLimits, ListedModel, ModelCatalog } from '../agent/model';
import { type Client, keyOf, RedirectError, timeLimit } from './client';
import { failureOf } from './failure';
import { isCount, shownValue } from './apiUsage';
import { isObject } from '../contextWindow/json';

const TIMEOUT_MS = 5_000;

/**
 * Asks the server for a model's limits, once for each model; {} if it does not say. Asks again
 * after a failure. Limits known without asking are not mixed in, since the panel names the source.
 */
export class AnthropicModelCatalog implements ModelCatalog {
  readonly #client: Client;
  readonly #limits = new Map<string, ListedLimits>();
  readonly #timeoutMs: number;

  constructor(client: Client, timeoutMs: number = TIMEOUT_MS) {
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
      // A missing list is no news, but a redirect is.
      return error instanceof RedirectError ? { problem: this.#redirectText(error) } : {};
    } finally {
      limit.clear();
    }
  }

  async list(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const limit = timeLimit(signal, this.#timeoutMs);
    try {
      const asking = this.#client.models.list(
        { limit: MOST_LISTED },
        { signal: limit.signal, maxRetries: 0 },
      );
      const { data } = await limit.race(asking);
      return (Array.isArray(data) ? data : []).flatMap(listedModel);
    } catch {
      // Without a list, the known models must do.
      return [];
    } finally {
      limit.clear();
    }
  }

  #redirectText(error: RedirectError): string {
    const context = { baseUrl: this.#client.baseURL, secret: keyOf(this.#client) };
    return `The model list was not read: ${failureOf(error, context).message}`;
  }
}

/** Maximum models listed. */
const MOST_LISTED = 100;

/** Adds a model that is still available. */
function listedModel(info: unknown): readonly ListedModel[] {
  if (!isObject(info) || typeof info['id'] !== 'string' || info['lifecycle'] === 'retired')
    return [];
  const { id, display_name: name, lifecycle } = info;
  const { problem: _toldWhenAtWork, ...limits } = limitsIn(id, info);
  return [
    {
      id,
      name: typeof name === 'string' && name.trim() !== '' ? name : id,
      ...limits,
      ...(lifecycle === 'deprecated' ? { isDeprecated: true } : {}),
    },
  ];
}

/** Reads what the server says a model supports; nothing if it does not say. */
function abilitiesIn(said: unknown): ModelAbilities {
  if (!isObject(said)) return {};
  const types = isObject(said['thinking']) ? said['thinking']['types'] : undefined;
  const { effort } = said;
  const images = supported(said['image_input']);
  return {
    ...(isObject(types) && { thinking: THINKING_MODES.filter((mode) => supported(types[mode])) }),
    ...(isObject(effort) && { efforts: EFFORTS.filter((level) => supported(effort[level])) }),
    ...(images !== undefined && { images }),
  };
}

function supported(said: unknown): boolean | undefined {
  const is = isObject(said) ? said['supported'] : undefined;
  return typeof is === 'boolean' ? is : undefined;
}

/** Reads the limits that are numbers; null means the server does not know. */
function limitsIn(model: string, info: unknown): ListedLimits {
  const said = isObject(info) ? info : {};
  const wrong = ['max_input_tokens', 'max_tokens'].filter((name) => !isSilentOrLimit(said[name]));
  const { max_input_tokens: input, max_tokens: reply } = said;
  const abilities = abilitiesIn(said['capabilities']);
  const words = wrong.map((name) => `${shownValue(said[name])} for ${name}`).join(' and ');
  return {
    ...(isLimit(input) && { contextWindowTokens: input }),
    ...(isLimit(reply) && { maxReplyTokens: reply }),
    ...(Object.keys(abilities).length > 0 && { abilities }),
    ...(wrong.length > 0 && {
      problem: `The model list reports ${words} of ${model}, which is impossible, so Plimsoll ignored it.`,
    }),
  };
}

function isSilentOrLimit(tokens: unknown): boolean {
  return tokens === null || tokens === undefined || tokens === 0 || isLimit(tokens);
}

function isLimit(tokens: unknown): tokens is number {
  return isCount(tokens) && tokens > 0;
}
