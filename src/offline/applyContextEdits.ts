import { blocksOf, fromLastCompaction, turnsOf } from './conversation';
import type { AppliedEdit, ClearThinking, ClearToolUses, Compact } from './rules/contextEdit';
import { blockTokens, countTokens } from './countTokens';
import type { ContentBlock, CountRequest, ToolResultBlock, ToolUseBlock } from './messagesApi';
import type { OfflineModel } from './models';
import { withoutThinking } from './rules/thinkingBinding';

// Defaults: platform.claude.com/docs/en/build-with-claude/context-editing and SDK 1.12.0.
const defaultClearTrigger = { type: 'input_tokens', value: 100_000 } as const;
const defaultKeptToolUses = 3;
const defaultCompactTrigger = 150_000;

const clearedResult = '[tool result cleared by the server]';

/** A prompt after the API's own edits. */
interface EditedPrompt<R> {
  readonly shown: R;
  /** Edits that changed something, in the order of the request. */
  readonly applied: readonly AppliedEdit[];
  /** The edit that compacts this prompt; undefined while its trigger is not reached. */
  readonly compact: Compact | undefined;
}

function mapBlocks<R extends CountRequest>(
  request: R,
  change: (block: ContentBlock) => ContentBlock,
): R {
  const messages = request.messages.map((message) => ({
    ...message,
    content: typeof message.content === 'string' ? message.content : message.content.map(change),
  }));
  return { ...request, messages };
}

const emptied = (block: ToolResultBlock): ToolResultBlock => ({ ...block, content: clearedResult });

const withoutInput = (block: ToolUseBlock): ToolUseBlock => ({ ...block, input: {} });

/**
 * Clears the thinking of all but the newest assistant turns that have any. An assistant turn ends
 * at the user's next message or tool result.
 */
function clearThinking<R extends CountRequest>(
  request: R,
  edit: ClearThinking,
  model: OfflineModel,
) {
  const keepsAll = model.bindsThinking && model.line !== 'haiku';
  const keep = edit.keep ?? (keepsAll ? 'all' : { type: 'thinking_turns', value: 1 });
  const turns = turnsOf(request.messages)
    .map(({ blocks }) => blocks.filter(({ block }) => block.type.endsWith('thinking')))
    .filter((blocks) => blocks.length > 0);
  const cleared = keep === 'all' || keep.type === 'all' ? [] : turns.slice(0, -keep.value);
  return { edited: withoutThinking(request, cleared.flat()), count: cleared.length };
}

/**
 * Lists the ids of the calls that an edit clears: all except the newest, the excluded, and those
 * that would not get shorter.
 */
function clearedCalls(request: CountRequest, edit: ClearToolUses, model: OfflineModel) {
  const blocks = request.messages.flatMap(({ content }) => blocksOf(content));
  const uses = blocks.filter((block) => block.type === 'tool_use');
  const results = new Map(
    blocks.flatMap((block) =>
      block.type === 'tool_result' ? [[block.tool_use_id, block] as const] : [],
    ),
  );
  const trigger = edit.trigger ?? defaultClearTrigger;
  const size = trigger.type === 'tool_uses' ? uses.length : countTokens(request, model);
  if (size <= trigger.value) return { results: new Set<string>(), inputs: new Set<string>() };
  const keep = edit.keep?.value ?? defaultKeptToolUses;
  const old = uses
    .slice(0, Math.max(0, uses.length - keep))
    .filter(({ name }) => !edit.exclude_tools?.includes(name));
  const { clear_tool_inputs: which } = edit;
  const isEmptied = ({ name }: ToolUseBlock) =>
    typeof which === 'object' && which !== null ? which.includes(name) : which === true;
  const saved = (use: ToolUseBlock): number => {
    const input = isEmptied(use)
      ? blockTokens(use, model) - blockTokens(withoutInput(use), model)
      : 0;
    const result = results.get(use.id);
    if (result === undefined) return 0;
    return input + blockTokens(result, model) - blockTokens(emptied(result), model);
  };
  const cleared = old.filter((use) => saved(use) > 0);
  return {
    results: new Set(cleared.map(({ id }) => id)),
    inputs: new Set(cleared.filter(isEmptied).map(({ id }) => id)),
  };
}

function clearToolUses<R extends CountRequest>(
  request: R,
  edit: ClearToolUses,
  model: OfflineModel,
) {
  const { results, inputs } = clearedCalls(request, edit, model);
  const edited = mapBlocks(request, (block) => {
    if (block.type === 'tool_result' && results.has(block.tool_use_id)) return emptied(block);
    return block.type === 'tool_use' && inputs.has(block.id) ? withoutInput(block) : block;
  });
  return { edited, count: results.size };
}

/**
 * Applies the edits of a request, one after the other, to the content that the API reads. It is
 * stateless, as the API is: the client sends everything again, and the edits clear it again.
 */
export function editedPrompt<R extends CountRequest>(
  request: R,
  model: OfflineModel,
): EditedPrompt<R> {
  const applied: AppliedEdit[] = [];
  let shown = fromLastCompaction(request);
  let compact: Compact | undefined;
  for (const edit of request.context_management?.edits ?? []) {
    const before = countTokens(shown, model);
    switch (edit.type) {
      case 'clear_thinking_20251015': {
        const { edited, count } = clearThinking(shown, edit, model);
        if (count === 0) break;
        const tokens = before - countTokens(edited, model);
        shown = edited;
        applied.push({
          type: edit.type,
          cleared_thinking_turns: count,
          cleared_input_tokens: tokens,
        });
        break;
      }
      case 'clear_tool_uses_20250919': {
        const { edited, count } = clearToolUses(shown, edit, model);
        const tokens = before - countTokens(edited, model);
        if (count === 0 || tokens < (edit.clear_at_least?.value ?? 0)) break;
        shown = edited;
        applied.push({ type: edit.type, cleared_tool_uses: count, cleared_input_tokens: tokens });
        break;
      }
      case 'compact_20260112':
        if (before >= (edit.trigger?.value ?? defaultCompactTrigger)) compact = edit;
        break;
    }
  }
  return { shown, applied, compact };
}
