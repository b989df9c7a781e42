import type { ModelLimits } from '../agent/model';

/** Assumed of a model of which nobody says how much it holds, in tokens. */
const ASSUMED_WINDOW_TOKENS = 200_000;

/** Where the size of the window comes from, in the words the panel shows. */
export type WindowSource =
  | 'from a setting'
  | 'from the model list'
  | 'from the table of known models'
  | 'assumed'
  /** Of a recording: as it says, or as the user chose for its replay. */
  | 'from the recording'
  | 'chosen here';

/** The size of a model's context window, and who says so. */
export interface WindowSize {
  readonly tokens: number;
  readonly source: WindowSource;
}

const LARGE = { contextWindowTokens: 1_000_000, maxReplyTokens: 128_000 } as const;
const SMALL = { contextWindowTokens: 200_000, maxReplyTokens: 64_000 } as const;

/**
 * What models hold and write, for servers without /v1/models; looked up on 2026-11-21, a model without
 * a source has no row. Where a row names no page it is platform.claude.com/docs/en/models/<model>/overview.
 */
const KNOWN: ReadonlyMap<string, Required<ModelLimits>> = new Map(
  Object.entries<Required<ModelLimits>>({
    // runware.ai/docs/models/anthropic-claude-fable-5-2
    'claude-fable-5-2': LARGE,
    'claude-fable-5-1': LARGE,
    'claude-fable-5': LARGE,
    // platform.claude.com/docs/en/models/fable-5/overview ("shares Claude Fable 5's specifications")
    'claude-mythos-5': LARGE,
    'claude-opus-5-5': LARGE,
    'claude-opus-5': LARGE,
    'claude-opus-4-8': LARGE,
    // docs.aws.amazon.com/bedrock/latest/userguide/model-card-anthropic-claude-opus-4-7
    'claude-opus-4-7': LARGE,
    'claude-opus-4-6': LARGE,
    'claude-opus-4-5': SMALL,
    'claude-sonnet-5-5': LARGE,
    'claude-sonnet-5': LARGE,
    'claude-sonnet-4-6': LARGE,
    'claude-sonnet-4-5': SMALL,
    'claude-haiku-5-5': LARGE,
    'claude-haiku-4-5': SMALL,
    // github.com/labring/fastgpt-plugin/pull/242
    'claude-opus-4-1': { contextWindowTokens: 200_000, maxReplyTokens: 32_000 },
  }),
);

/**
 * Says how large a model's window is: as set, as the model list says, as the table of known models
 * says, or else 200,000 tokens. `limits` is the model list's answer, {} where there is none.
 */
export function windowFor(
  model: string,
  limits: ModelLimits,
  setTokens: number | null = null,
): WindowSize {
  if (setTokens !== null) return { tokens: setTokens, source: 'from a setting' };
  const listed = limits.contextWindowTokens;
  if (listed !== undefined) return { tokens: listed, source: 'from the model list' };
  const known = knownLimits(model).contextWindowTokens;
  if (known !== undefined) return { tokens: known, source: 'from the table of known models' };
  return { tokens: ASSUMED_WINDOW_TOKENS, source: 'assumed' };
}

/** Says how many tokens a model can write in one reply, by the model list, else by the table. */
export function maxReplyFor(model: string, limits: ModelLimits): number | undefined {
  return limits.maxReplyTokens ?? knownLimits(model).maxReplyTokens;
}

/** A dated id such as `claude-haiku-4-5-20251001` holds what its model does. */
function knownLimits(model: string): ModelLimits {
  return KNOWN.get(model.replace(/-\d{8}$/, '')) ?? {};
}
