import type { AnchorBlock, Block, PromptBlock, StepBlock } from './block';
import { blocksInWindow, type ContextWindow, type Preamble } from './contextWindow';
import {
  anchorText,
  EARLIER_LEFT,
  notesText,
  resultText,
  summaryText,
  blockHandle,
} from './placeholder';
import { admittedText } from './truncate';

/** Marks the end of a prompt-cache prefix. */
export interface CacheControl {
  readonly type: 'ephemeral';
}

/** One part of a message in the form of the Messages API. */
export type MessagePart =
  | { readonly type: 'text'; readonly text: string; readonly cache_control?: CacheControl }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly cache_control?: CacheControl;
    }
  | {
      readonly type: 'tool_result';
      readonly tool_use_id: string;
      readonly content: string;
      readonly is_error?: true;
      readonly cache_control?: CacheControl;
    };

/** One message in the form of the Messages API. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly MessagePart[];
}

/** What the window contributes to a request body, in the form of the Messages API. */
export interface WindowRequest {
  readonly system: readonly {
    readonly type: 'text';
    readonly text: string;
    readonly cache_control?: CacheControl;
  }[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly input_schema: Readonly<Record<string, unknown>>;
  }[];
  readonly messages: readonly Message[];
}

const EPHEMERAL: CacheControl = { type: 'ephemeral' };

/** Builds the next request from the window; the panel draws the same blocks. */
export function toRequest(window: ContextWindow): WindowRequest {
  const blocks = blocksInWindow(window);
  // The notes stand behind the anchor, but never last: a request must end with the user.
  const afterFirst = blocks[0] !== undefined && isTyped(blocks[0]) && blocks.length > 1;
  const notes = notesOf(window);
  const messages = mergeRoles([
    ...(afterFirst ? [] : notes),
    ...blocks.flatMap((block, index) => [
      ...messagesOf(block),
      ...(afterFirst && index === 0 ? notes : []),
    ]),
  ]);
  const first = messages[0];
  const opened: readonly Message[] =
    first?.role === 'assistant'
      ? [{ role: 'user', content: [{ type: 'text', text: EARLIER_LEFT }] }, ...messages]
      : messages;
  return { ...preambleOf(window.preamble), messages: withBreakpoints(opened) };
}

/** System prompt and tools as they are sent, the cache breakpoint behind both. */
export function preambleOf(preamble: Preamble): Omit<WindowRequest, 'messages'> {
  return {
    system: [{ type: 'text', text: preamble.system, cache_control: EPHEMERAL }],
    tools: preamble.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    })),
  };
}

/** The messages one block contributes; none when nothing of it is sent. */
export function messagesOf(block: Block): readonly Message[] {
  switch (block.kind) {
    case 'anchor':
    case 'prompt':
      return [{ role: 'user', content: [{ type: 'text', text: promptText(block) }] }];
    case 'summary':
      return [{ role: 'assistant', content: [{ type: 'text', text: summaryText(block) }] }];
    case 'step':
      return messagesOfStep(block);
  }
}

function isTyped(block: Block): block is AnchorBlock | PromptBlock {
  return block.kind === 'anchor' || block.kind === 'prompt';
}

function promptText(block: AnchorBlock | PromptBlock): string {
  return block.kind === 'anchor' && block.pinned
    ? anchorText(block)
    : admittedText(block.text, block.admission, blockHandle(block.id));
}

/** The scratchpad as a message of the assistant, once a pass has taken steps that showed it. */
export function notesOf(window: ContextWindow): readonly Message[] {
  if (window.shownNotes === '') return [];
  return [{ role: 'assistant', content: [{ type: 'text', text: notesText(window.shownNotes) }] }];
}

function messagesOfStep(step: StepBlock): readonly Message[] {
  const reply = step.parts.flatMap((part): MessagePart[] => {
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
      case 'thinking':
        return step.thinkingDropped
          ? []
          : [{ type: 'thinking', thinking: part.thinking, signature: part.signature }];
      case 'redactedThinking':
        return step.thinkingDropped ? [] : [{ type: 'redacted_thinking', data: part.data }];
      case 'toolUse':
        return [{ type: 'tool_use', id: part.use.id, name: part.use.name, input: part.use.input }];
    }
  });
  const results = step.pairs.flatMap((pair): MessagePart[] =>
    pair.result === undefined
      ? []
      : [
          {
            type: 'tool_result',
            tool_use_id: pair.use.id,
            content: resultText(pair),
            ...(pair.result.isError ? { is_error: true as const } : {}),
          },
        ],
  );
  const messages: readonly Message[] = [
    { role: 'assistant', content: reply },
    { role: 'user', content: results },
  ];
  return messages.filter((message) => message.content.length > 0);
}

/** Joins neighbours of one role, as the API itself would. */
function mergeRoles(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role) {
      merged[merged.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else {
      merged.push(message);
    }
  }
  return merged;
}

/**
 * Puts cache breakpoints on the last part of the two newest user messages: the newest writes the
 * cache, the one before it is where the last request wrote. With the one on the system prompt
 * that makes three of the four the API allows.
 */
function withBreakpoints(messages: readonly Message[]): readonly Message[] {
  const marked = new Set(
    messages.flatMap((message, index) => (message.role === 'user' ? [index] : [])).slice(-2),
  );
  return messages.map((message, index) =>
    marked.has(index) ? { ...message, content: message.content.map(markLast) } : message,
  );
}

function markLast(part: MessagePart, index: number, parts: readonly MessagePart[]): MessagePart {
  if (index !== parts.length - 1) return part;
  if (part.type === 'thinking' || part.type === 'redacted_thinking') return part;
  return { ...part, cache_control: EPHEMERAL };
}
