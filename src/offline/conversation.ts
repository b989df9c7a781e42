import type {
  CompactionBlock,
  ContentBlock,
  CountRequest,
  Message,
  Role,
  TextBlock,
  Tool,
} from './messagesApi';

/**
 * A content block with its position in the body, as error messages name it
 * (`messages.3.content.0`).
 */
export interface PlacedBlock {
  readonly block: ContentBlock;
  readonly path: string;
}

/** Consecutive messages of one role. */
export interface Turn {
  readonly role: Role;
  readonly blocks: readonly PlacedBlock[];
  /** Position of its first message (`messages.3`). */
  readonly path: string;
}

/** Reads content as blocks; text alone is shorthand for one text block. */
export function blocksOf(content: Message['content']): readonly ContentBlock[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

/** Merges consecutive messages of one role into turns, as the API does (SDK 1.12.0, MessageCreateParams.messages). */
export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: { role: Role; blocks: PlacedBlock[]; path: string }[] = [];
  for (const [index, message] of messages.entries()) {
    const path = `messages.${index}`;
    const blocks = blocksOf(message.content).map((block, at) => ({
      block,
      path: `${path}.content.${at}`,
    }));
    const last = turns.at(-1);
    if (last?.role === message.role) last.blocks.push(...blocks);
    else turns.push({ role: message.role, blocks, path });
  }
  return turns;
}

/** Reads the system prompt as blocks. */
export function systemBlocks(
  system: string | readonly TextBlock[] | undefined,
): readonly TextBlock[] {
  if (system === undefined || system === '') return [];
  return typeof system === 'string' ? [{ type: 'text', text: system }] : system;
}

/** Writes a block as the model sees it: shorthand spelled out, cache_control and empty extras left out. */
export function canonicalBlock(block: ContentBlock): object {
  switch (block.type) {
    case 'text':
      return {
        type: 'text',
        text: block.text,
        ...(block.citations?.length ? { citations: block.citations } : {}),
      };
    case 'image':
      return { type: 'image', source: block.source };
    case 'document':
      return {
        type: 'document',
        source: block.source,
        title: block.title ?? null,
        context: block.context ?? null,
      };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'compaction':
      return { type: 'compaction', content: block.content ?? null };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: block.tool_use_id,
        content: blocksOf(block.content ?? []).map(canonicalBlock),
        ...(block.is_error === true ? { is_error: true } : {}),
      };
  }
}

/** Writes a tool definition as the model sees it, without cache_control. */
export function canonicalTool(tool: Tool): object {
  const { cache_control: _, ...rest } = tool;
  return rest;
}

const longestQuote = 200;

/** Returns whether a block replaces everything before it; a failed compaction replaces nothing. */
export function isSummary(block: ContentBlock | undefined): boolean {
  return block?.type === 'compaction' && typeof block.content === 'string';
}

/**
 * Keeps the part of a conversation that the API reads: everything from the last compaction block
 * on.
 */
export function fromLastCompaction<R extends CountRequest>(request: R): R {
  const start = request.messages.findLastIndex(({ content }) => blocksOf(content).some(isSummary));
  const message = request.messages[start];
  if (message === undefined) return request;
  const blocks = blocksOf(message.content);
  const content = blocks.slice(blocks.findLastIndex(isSummary));
  return {
    ...request,
    messages: [{ role: message.role, content }, ...request.messages.slice(start + 1)],
  };
}

const quoted = (text: string) =>
  `"${text.length > longestQuote ? `${text.slice(0, longestQuote)}...` : text}"`;

/** Summarises a conversation without a model; the same input gives the same summary. */
export function summaryOf(request: CountRequest, instructions: string | null | undefined): string {
  const blocks = request.messages.flatMap(({ role, content }) =>
    blocksOf(content).map((block) => ({ role, block })),
  );
  const prompts = blocks.flatMap(({ role, block }) =>
    role === 'user' && block.type === 'text' ? [block.text] : [],
  );
  const calls = new Map<string, number>();
  for (const { block } of blocks) {
    if (block.type === 'tool_use') calls.set(block.name, (calls.get(block.name) ?? 0) + 1);
  }
  const earlier = blocks.find(({ block }) => isSummary(block))?.block as
    CompactionBlock | undefined;
  return [
    `Summary of ${request.messages.length} messages.`,
    ...(earlier ? [`Before them: ${quoted(earlier.content ?? '')}`] : []),
    ...(prompts[0] === undefined ? [] : [`First prompt: ${quoted(prompts[0])}`]),
    ...(prompts.length < 2 ? [] : [`Latest prompt: ${quoted(prompts.at(-1) ?? '')}`]),
    ...[...calls].map(([name, times]) => `Called ${name}: ${times}`),
    ...(instructions?.trim() ? [`Instructions: ${quoted(instructions.trim())}`] : []),
  ].join('\n');
}

/** Replaces the whole conversation by a summary. */
export function compactedTo<R extends CountRequest>(request: R, block: CompactionBlock): R {
  return { ...request, messages: [{ role: 'assistant', content: [block] }] };
}
