import { isSummary } from './compaction';
import { blocksOf, systemBlocks, type PlacedBlock, type Turn } from './conversation';
import type { ContentBlock, CountRequest, Role } from './messagesApi';
import type { OfflineModel } from './models';

const allowedIn: Readonly<Record<ContentBlock['type'], readonly Role[]>> = {
  text: ['user', 'assistant', 'system'],
  image: ['user'],
  document: ['user'],
  thinking: ['assistant'],
  redacted_thinking: ['assistant'],
  compaction: ['assistant'],
  tool_use: ['assistant'],
  tool_result: ['user'],
};

function textFault(where: string, text: string): string | undefined {
  if (text === '') return `${where}: text content blocks must be non-empty`;
  return text.trim() === ''
    ? `${where}: text content blocks must contain non-whitespace text`
    : undefined;
}

function blockFault(role: Role, { block, path }: PlacedBlock): string | undefined {
  const roles = allowedIn[block.type];
  if (!roles.includes(role)) {
    return `${path}: \`${block.type}\` blocks can only be in \`${roles.join('` or `')}\` messages`;
  }
  if (block.type === 'text') {
    if (role === 'user' && block.citations?.length) {
      return `${path}.text.citations: citations are not permitted in user messages`;
    }
    return textFault('messages', block.text);
  }
  if (block.type !== 'tool_result') return undefined;
  for (const inner of typeof block.content === 'string' ? [] : blocksOf(block.content ?? [])) {
    const fault = inner.type === 'text' ? textFault('messages', inner.text) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function orderFault(turns: readonly Turn[], model: OfflineModel): string | undefined {
  if (turns[0] === undefined) return 'messages: at least one message is required';
  // What a compaction block stands for need not be sent any more; the block then comes first.
  const isSummarised = isSummary(turns[0].blocks[0]?.block);
  if (turns[0].role !== 'user' && !isSummarised)
    return 'messages: first message must use the "user" role';
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== 'system') continue;
    if (!model.systemMessages) return "role 'system' is not supported on this model";
    if (turns[index - 1]?.role !== 'user') {
      return `${turn.path}: a "system" message must directly follow a "user" message`;
    }
  }
  return undefined;
}

function endFault(turns: readonly Turn[], model: OfflineModel): string | undefined {
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return undefined;
  if (!model.prefill) {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  const block = last.blocks.at(-1)?.block;
  return block?.type === 'text' && block.text !== block.text.trimEnd()
    ? 'messages: final assistant content cannot end with trailing whitespace'
    : undefined;
}

/**
 * Finds the first fault in what the messages say: order of roles, empty content, blocks in the wrong role, prefill.
 *
 * Whitespace next to real text is refused too: reports differ on whether the API does (LibreChat-AI/agents#124,
 * NousResearch/hermes-agent#69517).
 */
export function contentFault(
  request: CountRequest,
  turns: readonly Turn[],
  model: OfflineModel,
): string | undefined {
  for (const block of systemBlocks(request.system)) {
    const fault = textFault('system', block.text);
    if (fault !== undefined) return fault;
  }
  const order = orderFault(turns, model);
  if (order !== undefined) return order;
  const lastIndex = request.messages.length - 1;
  for (const [index, message] of request.messages.entries()) {
    const optional = index === lastIndex && message.role === 'assistant';
    if (blocksOf(message.content).length === 0 && !optional) {
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
    }
  }
  for (const turn of turns) {
    for (const placed of turn.blocks) {
      const fault = blockFault(turn.role, placed);
      if (fault !== undefined) return fault;
    }
  }
  return endFault(turns, model);
}
