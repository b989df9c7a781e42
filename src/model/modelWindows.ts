import type { ModelAbilities, ThinkingMode } from '../contextWindow/reasoning';
import type { ModelLimits } from '../agent/model';

/** Assumed window if the size is unknown; tokens. */
export const ASSUMED_WINDOW_TOKENS = 200_000;

/** The size of a model's window, its longest reply, and the source of these numbers. */
interface ModelSize {
  readonly windowTokens: number;
  readonly source: 'from the model list' | 'from the table of known models' | 'assumed';
  /** Maximum tokens of one reply, if known. */
  readonly maxReplyTokens?: number;
  /** What it supports, if known. */
  readonly abilities?: ModelAbilities;
}

/** Known limits of a model, without asking a server. */
type KnownModel = Required<Omit<ModelLimits, 'abilities'>> & Pick<ModelLimits, 'abilities'>;

const thinks = (...thinking: readonly ThinkingMode[]) => ({ abilities: { thinking } });

const LARGE = { contextWindowTokens: 1_000_000, maxReplyTokens: 128_000 } as const;
const SMALL = { contextWindowTokens: 200_000, maxReplyTokens: 64_000 } as const;

/**
 * Windows and longest replies, for servers without /v1/models; looked up on 2026-11-21. A model
 * without a source has no row. Where a row names no page, the source is
 * platform.claude.com/docs/en/models/<model>/overview.
 */
const KNOWN: ReadonlyMap<string, KnownModel> = new Map(
  Object.entries<KnownModel>({
    // runware.ai/docs/models/anthropic-claude-fable-5-2
    'claude-fable-5-2': LARGE,
    'claude-fable-5-1': { ...LARGE, ...thinks('adaptive') },
    'claude-fable-5': { ...LARGE, ...thinks('adaptive') },
    // platform.claude.com/docs/en/models/fable-5/overview ("shares Claude Fable 5's specifications")
    'claude-mythos-5': { ...LARGE, ...thinks('adaptive') },
    'claude-opus-5-5': LARGE,
    'claude-opus-5': LARGE,
    'claude-opus-4-8': LARGE,
    // docs.aws.amazon.com/bedrock/latest/userguide/model-card-anthropic-claude-opus-4-7
    'claude-opus-4-7': { ...LARGE, ...thinks('adaptive') },
    'claude-opus-4-6': LARGE,
    'claude-opus-4-5': { ...SMALL, ...thinks('enabled', 'disabled') },
    'claude-sonnet-5-5': LARGE,
    'claude-sonnet-5': LARGE,
    'claude-sonnet-4-6': LARGE,
    'claude-sonnet-4-5': { ...SMALL, ...thinks('enabled', 'disabled') },
    'claude-haiku-5-5': LARGE,
    'claude-haiku-4-5': SMALL,
    // github.com/labring/fastgpt-plugin/pull/242
    'claude-opus-4-1': { contextWindowTokens: 200_000, maxReplyTokens: 32_000 },
  }),
);

/**
 * Says how large a model's window and its longest reply are: from the model list, else from the
 * table of known models, else a window of 200,000 tokens. `limits` is the model list's answer, {}
 * where there is none.
 */
export function modelSize(model: string, limits: ModelLimits): ModelSize {
  const known = knownLimits(model);
  const maxReplyTokens = limits.maxReplyTokens ?? known.maxReplyTokens;
  const abilities = limits.abilities ?? known.abilities;
  const reply = { maxReplyTokens, abilities };
  const listed = limits.contextWindowTokens;
  if (listed !== undefined) {
    return { windowTokens: listed, source: 'from the model list', ...reply };
  }
  const table = known.contextWindowTokens;
  return table === undefined
    ? { windowTokens: ASSUMED_WINDOW_TOKENS, source: 'assumed', ...reply }
    : { windowTokens: table, source: 'from the table of known models', ...reply };
}

/** The models of the table, newest first of each line. */
export const KNOWN_MODELS: readonly string[] = [...KNOWN.keys()];

/** A dated id such as `claude-haiku-4-5-20251001` has the limits of its undated model. */
function knownLimits(model: string): ModelLimits {
  return KNOWN.get(model.replace(/-\d{8}$/, '')) ?? {};
}
