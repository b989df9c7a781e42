import { LEFT_OUT } from '../contextWindow/event';
import { LEFT_OUT_NAMES } from '../agent/leftOut';

/** What a compatible server may lack for a model. `counts` is a count that agrees with its usage. */
export const FEATURES = ['counts', 'tools', ...LEFT_OUT] as const;
export type Feature = (typeof FEATURES)[number];

/** What a feature is called in a sentence. */
export const FEATURE_NAMES: Readonly<Record<Feature, string>> = {
  counts: 'token counts',
  tools: 'tools',
  ...LEFT_OUT_NAMES,
};

/** A kind of server that speaks the Messages API. */
export interface ServerKind {
  readonly id: string;
  readonly name: string;
  /** Its usual address; '' for Anthropic, and where each server has an address of its own. */
  readonly address: string;
  /** Whether it has a key; `optional` if the user decides when starting it. */
  readonly key: 'needed' | 'optional' | 'none';
  /** What its documentation or source says it does not support. */
  readonly lacks: readonly Feature[];
}

/** The id of the kind that is never examined: it defines the API. */
export const ANTHROPIC_KIND = 'anthropic';

/** The id of the kind for every other server. */
export const OTHER_KIND = 'gateway';

/**
 * The kinds that the user can choose from; looked up in November 2026.
 *
 * - LiteLLM: docs.litellm.ai/docs/anthropic_count_tokens. It asks the provider, or else counts with
 *   a tokenizer of its own that leaves out the tools (BerriAI/litellm#29269).
 * - VLLM: vllm/entrypoints/anthropic/protocol.py. It counts; its schema has no `cache_control` and no
 *   `document` (it caches prefixes unasked). Tools need `--enable-auto-tool-choice`.
 * - `llama.cpp`: tools/server/server-chat.cpp and ggml-org/llama.cpp#17570. It counts, and ignores
 *   `cache_control` (it caches prefixes unasked). Images need a projector (`--mmproj`).
 * - OpenRouter: `count_tokens` is a 404. It refuses a request that no provider of the model can
 *   serve: "No endpoints found that support tool use", or `image input`, or `cache control`.
 * - Ollama: docs.ollama.com/api/anthropic-compatibility lists the features it does not support.
 * - LM Studio: lmstudio.ai/docs/developer/anthropic-compat documents `/v1/messages` only.
 */
export const SERVER_KINDS: readonly ServerKind[] = [
  { id: ANTHROPIC_KIND, name: 'Anthropic', address: '', key: 'needed', lacks: [] },
  {
    id: 'litellm',
    name: 'LiteLLM',
    address: 'http://localhost:4000',
    key: 'optional',
    lacks: [],
  },
  {
    id: 'vllm',
    name: 'vLLM',
    address: 'http://localhost:8000',
    key: 'optional',
    lacks: ['cacheControl', 'documents'],
  },
  {
    id: 'llamaCpp',
    name: 'llama.cpp',
    address: 'http://localhost:8080',
    key: 'optional',
    lacks: ['cacheControl'],
  },
  {
    id: 'openRouter',
    name: 'OpenRouter',
    address: 'https://openrouter.ai/api',
    key: 'needed',
    lacks: ['counts'],
  },
  {
    id: 'ollama',
    name: 'Ollama',
    address: 'http://localhost:11434',
    key: 'none',
    lacks: ['counts', 'cacheControl', 'documents'],
  },
  {
    id: 'lmStudio',
    name: 'LM Studio',
    address: 'http://localhost:1234',
    key: 'optional',
    lacks: ['counts'],
  },
  { id: OTHER_KIND, name: 'Another server', address: '', key: 'optional', lacks: [] },
];

/** The kind with an id; undefined for an unknown one. */
export function kindWithId(id: string | undefined): ServerKind | undefined {
  return SERVER_KINDS.find((kind) => kind.id === id);
}
