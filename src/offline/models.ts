import type { ContextEdit } from './rules/contextEdit';
import type { Effort, ThinkingConfig } from './messagesApi';

/** The strict server's data about one model. */
export interface OfflineModel {
  readonly id: string;
  readonly displayName: string;
  readonly line: 'haiku' | 'sonnet' | 'opus' | 'fable';
  /** RFC 3339 time of release. */
  readonly createdAt: string;
  /** Tokens of input and output together. */
  readonly contextWindowTokens: number;
  readonly maxOutputTokens: number;
  /** Prefixes of fewer tokens are silently not cached. */
  readonly minCacheableTokens: number;
  /** The API's response if input fits but input + max_tokens does not. */
  readonly overflow: 'accepted' | 'refused';
  /** Whether a conversation may end with an assistant message. */
  readonly prefill: boolean;
  /** Whether a thinking block is bound to everything before it. */
  readonly bindsThinking: boolean;
  readonly thinkingTypes: readonly ThinkingConfig['type'][];
  /** Whether the model thinks if the request does not mention thinking. */
  readonly thinksByDefault: boolean;
  /** The levels of effort that it accepts; empty if it accepts none. */
  readonly efforts: readonly Effort[];
  readonly thinkingDisplay: 'omitted' | 'summarized';
  /** Whether tool_choice may be any or tool. */
  readonly forcedToolUse: boolean;
  /** Whether a message in the conversation may have the role system. */
  readonly systemMessages: boolean;
  /** The API's own context edits that it supports. */
  readonly contextEdits: readonly ContextEdit['type'][];
  /** This model's tokens for one token of the server's tokenizer. */
  readonly tokenScale: number;
}

// Windows, output limits, cache minimum and binding: vendor documentation, November 2026. Thinking that cannot be disabled and forced
// tool use refused: platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5 (Opus 5.5 and Fable 5.1). Cache minimum of
// Haiku 4.5: docs.aihubmix.com/en/api/Claude-Cache. Role system from Opus 4.8 on: simonw/llm-anthropic#73. Compaction from the 4.6
// models on: platform.claude.com/docs/en/build-with-claude/compaction.
const newest = {
  createdAt: '2026-09-22T00:00:00Z',
  contextWindowTokens: 1_000_000,
  maxOutputTokens: 128_000,
  minCacheableTokens: 512,
  overflow: 'accepted',
  prefill: false,
  bindsThinking: true,
  thinkingTypes: ['adaptive', 'disabled', 'between_tools'],
  thinksByDefault: true,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  thinkingDisplay: 'omitted',
  forcedToolUse: true,
  systemMessages: true,
  contextEdits: ['clear_thinking_20251015', 'clear_tool_uses_20250919', 'compact_20260112'],
  tokenScale: 1,
} as const satisfies Partial<OfflineModel>;

const alwaysThinking = { thinkingTypes: ['adaptive'], forcedToolUse: false } as const;

const older = {
  ...newest,
  contextWindowTokens: 200_000,
  maxOutputTokens: 64_000,
  prefill: true,
  bindsThinking: false,
  thinkingTypes: ['enabled', 'disabled'],
  thinksByDefault: false,
  efforts: [],
  thinkingDisplay: 'summarized',
  systemMessages: false,
  contextEdits: ['clear_thinking_20251015', 'clear_tool_uses_20250919'],
} as const satisfies Partial<OfflineModel>;

/** The models that the strict server has by default, most recent first. */
export const offlineModels: readonly OfflineModel[] = [
  { ...newest, id: 'claude-haiku-5-5', displayName: 'Claude Haiku 5.5', line: 'haiku' },
  { ...newest, id: 'claude-sonnet-5-5', displayName: 'Claude Sonnet 5.5', line: 'sonnet' },
  {
    ...newest,
    ...alwaysThinking,
    id: 'claude-opus-5-5',
    displayName: 'Claude Opus 5.5',
    line: 'opus',
  },
  {
    ...newest,
    ...alwaysThinking,
    id: 'claude-fable-5-2',
    displayName: 'Claude Fable 5.2',
    line: 'fable',
  },
  {
    ...older,
    id: 'claude-haiku-4-5',
    displayName: 'Claude Haiku 4.5',
    line: 'haiku',
    createdAt: '2025-10-15T00:00:00Z',
    minCacheableTokens: 4_096,
  },
  {
    ...older,
    id: 'claude-sonnet-4-20250514',
    displayName: 'Claude Sonnet 4',
    line: 'sonnet',
    createdAt: '2025-05-22T00:00:00Z',
    minCacheableTokens: 1_024,
    overflow: 'refused',
  },
];

/** Returns whether a model thinks under a setting, or without one. */
export function thinks(thinking: ThinkingConfig | undefined, model: OfflineModel): boolean {
  return thinking === undefined ? model.thinksByDefault : thinking.type !== 'disabled';
}

const supported = (yes: boolean) => ({ supported: yes });

/** Builds the answer of GET /v1/models/:id (ModelInfo of SDK 1.12.0). */
export function modelInfo(model: OfflineModel): object {
  const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
  const off = supported(false);
  return {
    type: 'model',
    id: model.id,
    display_name: model.displayName,
    created_at: model.createdAt,
    deprecated_at: null,
    retires_at: null,
    lifecycle: 'active',
    line: model.line,
    max_input_tokens: model.contextWindowTokens,
    max_tokens: model.maxOutputTokens,
    capabilities: {
      batch: off,
      citations: off,
      code_execution: off,
      context_management: {
        supported: model.contextEdits.length > 0,
        ...Object.fromEntries(
          (
            ['clear_thinking_20251015', 'clear_tool_uses_20250919', 'compact_20260112'] as const
          ).map((type) => [type, supported(model.contextEdits.includes(type))]),
        ),
      },
      effort: {
        supported: model.efforts.length > 0,
        ...Object.fromEntries(efforts.map((e) => [e, supported(model.efforts.includes(e))])),
      },
      image_input: supported(true),
      pdf_input: supported(true),
      server_tools: { ...off, code_execution: off, web_search: off },
      structured_outputs: off,
      thinking: {
        supported: model.thinkingTypes.some((type) => type !== 'disabled'),
        types: Object.fromEntries(
          (['adaptive', 'between_tools', 'disabled', 'enabled'] as const).map((type) => [
            type,
            supported(model.thinkingTypes.includes(type)),
          ]),
        ),
      },
    },
  };
}

/** Builds one page of GET /v1/models. */
export function modelPage(models: readonly OfflineModel[], query: URLSearchParams): object {
  const limit = Number(query.get('limit') ?? 20);
  const at = (id: string | null) => models.findIndex((model) => model.id === id);
  const before = query.get('before_id');
  const end = before === null ? models.length : Math.max(0, at(before));
  const start = before === null ? at(query.get('after_id')) + 1 : Math.max(0, end - limit);
  const page = models.slice(start, Math.min(end, start + limit));
  return {
    data: page.map(modelInfo),
    has_more: before === null ? start + page.length < models.length : start > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}
