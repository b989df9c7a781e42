import type {
  AnchorBlock,
  Attachment,
  Block,
  PromptBlock,
  StepBlock,
  ToolPair,
  ToolUse,
} from './block';
import { blocksInWindow, type ContextWindow, type Preamble } from './contextWindow';
import {
  anchorText,
  EARLIER_LEFT,
  memoryText,
  notesText,
  noteText,
  resultText,
  summaryText,
  blockHandle,
} from './placeholder';
import { isBlank } from './thinking';
import { admittedText } from './truncate';

/** Marks the end of a prompt-cache prefix. */
export interface CacheControl {
  readonly type: 'ephemeral';
}

/** Words in the form of the Messages API. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly cache_control?: CacheControl;
}

/** An image or document in the form of the Messages API. */
export interface MediaPart {
  readonly type: 'image' | 'document';
  readonly source: {
    readonly type: 'base64';
    readonly media_type: string;
    readonly data: string;
  };
  readonly cache_control?: CacheControl;
}

/** One part of a message in the form of the Messages API. */
export type MessagePart =
  | TextPart
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'compaction'; readonly content: string | null }
  | MediaPart
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
      readonly content: string | readonly (TextPart | MediaPart)[];
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
  // The notes stand behind the pinned anchor, else first: what comes in later never moves them.
  const behind = window.notesBehindAnchor && isPinnedAnchor(blocks[0]) ? 1 : 0;
  const messages = mergeRoles([
    ...blocks.slice(0, behind).flatMap(messagesOf),
    ...notesOf(window),
    ...blocks.slice(behind).flatMap(messagesOf),
  ]);
  const first = messages[0];
  const opened: readonly Message[] =
    first?.role === 'assistant'
      ? [{ role: 'user', content: [{ type: 'text', text: EARLIER_LEFT }] }, ...messages]
      : messages;
  return { ...preambleOf(window.preamble), messages: withBreakpoints(opened) };
}

/** Says whether a block is the anchor as it is labelled. */
export function isPinnedAnchor(block: Block | undefined): boolean {
  return block?.kind === 'anchor' && block.pinned;
}

/** Says whether two windows give the same bytes; a pin may change them while a request is out. */
export function isSameRequest(before: ContextWindow, after: ContextWindow): boolean {
  if (before.blocks === after.blocks) return true;
  return JSON.stringify(toRequest(before)) === JSON.stringify(toRequest(after));
}

/** System prompt and tools as they are sent, the cache breakpoint behind both. */
export function preambleOf(preamble: Preamble): Omit<WindowRequest, 'messages'> {
  const text = systemText(preamble);
  return {
    // A recording may have none, and the API refuses an empty one.
    system: text === '' ? [] : [{ type: 'text', text, cache_control: EPHEMERAL }],
    tools: preamble.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    })),
  };
}

/** The system prompt with the project memory behind it. */
export function systemText({ system, memory = [] }: Preamble): string {
  return [system, ...memory.map(memoryText)].join('\n\n').toWellFormed();
}

/** The messages one block contributes; none when nothing of it is sent. */
export function messagesOf(block: Block): readonly Message[] {
  return rawMessagesOf(block).map((message) => ({
    ...message,
    content: message.content.map(wellFormed),
  }));
}

function rawMessagesOf(block: Block): readonly Message[] {
  switch (block.kind) {
    case 'anchor':
    case 'prompt':
      return [
        {
          role: 'user',
          content: [
            ...(block.attachments ?? []).map(mediaPart),
            { type: 'text', text: promptText(block) },
          ],
        },
      ];
    case 'note':
      return [{ role: 'user', content: [{ type: 'text', text: noteText(block) }] }];
    case 'summary':
      return [{ role: 'assistant', content: [{ type: 'text', text: summaryText(block) }] }];
    case 'step':
      return messagesOfStep(block);
  }
}

function promptText(block: AnchorBlock | PromptBlock): string {
  if (block.kind === 'anchor' && block.pinned) return anchorText(block);
  const text = admittedText(block.text, block.admission, blockHandle(block.id));
  return text.trim() === '' ? '(empty prompt)' : text;
}

/** Replaces halves of surrogate pairs, as a binary file or a cut leaves them: the API takes none. */
function wellFormed(part: MessagePart): MessagePart {
  switch (part.type) {
    case 'text':
      return { ...part, text: part.text.toWellFormed() };
    case 'tool_result':
      return {
        ...part,
        content:
          typeof part.content === 'string'
            ? part.content.toWellFormed()
            : part.content.map((inner) => wellFormed(inner) as TextPart | MediaPart),
      };
    case 'compaction':
      return { ...part, content: part.content?.toWellFormed() ?? null };
    case 'tool_use':
      return { ...part, input: wellFormedInput(part.input) };
    case 'thinking':
    case 'redacted_thinking':
    case 'image':
    case 'document':
      return part;
  }
}

function wellFormedInput(input: ToolUse['input']): ToolUse['input'] {
  const json = JSON.stringify(input);
  if (!/\\ud[89a-f]/i.test(json)) return input;
  return JSON.parse(json, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  ) as ToolUse['input'];
}

/** The scratchpad as a message of the assistant, once a pass has taken steps that showed it. */
export function notesOf(window: ContextWindow): readonly Message[] {
  if (window.shownNotes === '') return [];
  const text = notesText(window.shownNotes).toWellFormed();
  return [{ role: 'assistant', content: [{ type: 'text', text }] }];
}

function messagesOfStep(step: StepBlock): readonly Message[] {
  const reply = step.parts.flatMap((part): MessagePart[] => {
    switch (part.type) {
      case 'text':
        return isBlank(part) ? [] : [{ type: 'text', text: part.text }];
      case 'thinking':
        return step.thinkingDropped
          ? []
          : [{ type: 'thinking', thinking: part.thinking, signature: part.signature }];
      case 'redactedThinking':
        return step.thinkingDropped ? [] : [{ type: 'redacted_thinking', data: part.data }];
      case 'compaction':
        return [{ type: 'compaction', content: part.content }];
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
            content: resultContent(pair),
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

/** A result as it is sent: its text, with the images and documents behind it while it is whole. */
function resultContent(pair: ToolPair): string | readonly (TextPart | MediaPart)[] {
  const text = resultText(pair);
  const attachments = pair.cleared ? [] : (pair.result?.attachments ?? []);
  if (attachments.length === 0) return text;
  return [{ type: 'text', text }, ...attachments.map(mediaPart)];
}

function mediaPart({ type, mediaType, data }: Attachment): MediaPart {
  return { type, source: { type: 'base64', media_type: mediaType, data } };
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
  // The API takes no breakpoint there.
  if (part.type === 'thinking' || part.type === 'redacted_thinking') return part;
  if (part.type === 'compaction') return part;
  return { ...part, cache_control: EPHEMERAL };
}
