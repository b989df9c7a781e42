import type Anthropic from '@anthropic-ai/sdk';
import { compactionBeta, contextManagementBeta } from '../../src/offline/rules/contextEdit';
import { sonnet } from './double';

export const bothBetas = [contextManagementBeta, compactionBeta];
export const betaHeader = (...betas: readonly string[]) => ({ 'anthropic-beta': betas.join(',') });

export const clearThinking = (keep: object | string = { type: 'thinking_turns', value: 1 }) => ({
  type: 'clear_thinking_20251015' as const,
  keep,
});
export const clearTools = (trigger: number, changes: object = {}) => ({
  type: 'clear_tool_uses_20250919' as const,
  trigger: { type: 'input_tokens', value: trigger },
  keep: { type: 'tool_uses', value: 1 },
  ...changes,
});
export const compact = (trigger = 50_000, changes: object = {}) => ({
  type: 'compact_20260112' as const,
  trigger: { type: 'input_tokens', value: trigger },
  ...changes,
});

type Params = Anthropic.Beta.Messages.MessageCreateParamsNonStreaming;

const toolNames = ['read_file', 'search'];
const tools = toolNames.map((name) => ({ name, input_schema: { type: 'object' as const } }));

/** A body with one call for each number of words, of read_file and search in turn, and these edits. */
export function callsOf(words: readonly number[], ...edits: readonly object[]): Params {
  return {
    model: sonnet,
    max_tokens: 100,
    tools,
    messages: [
      { role: 'user', content: 'Begin' },
      ...words.flatMap((count, at): Anthropic.Beta.BetaMessageParam[] => [
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_use',
              id: `t${at}`,
              name: toolNames[at % 2]!,
              input: { path: 'word '.repeat(20).trim() },
            },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: wordsOf(count) }],
        },
      ]),
    ],
    ...edited(...edits),
  };
}

/** The fields that request edits; empty for none. */
export const edited = (
  ...edits: readonly object[]
): Pick<Params, 'betas' | 'context_management'> =>
  edits.length === 0
    ? {}
    : {
        betas: bothBetas,
        context_management: { edits: edits as NonNullable<Edits>[number][] },
      };

type Edits = Anthropic.Beta.BetaContextManagementConfig['edits'];

/** A text with this many tokens for the strict server. */
export const wordsOf = (count: number) => 'word '.repeat(count).trim();

/** Tokens of the prompt of an answer. */
export const promptOf = ({ usage }: Anthropic.Beta.BetaMessage) =>
  usage.input_tokens +
  (usage.cache_creation_input_tokens ?? 0) +
  (usage.cache_read_input_tokens ?? 0);
