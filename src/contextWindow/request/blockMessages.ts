import {
  type AnchorBlock,
  type Attachment,
  type Block,
  type BlockId,
  isBlank,
  type NoteBlock,
  type PromptBlock,
  type StepBlock,
  type ToolPair,
  type ToolUse,
} from '../block';
import { admittedPrompt, anchorText, noteText, resultText, summaryText } from './placeholder';

/** Says whether a block is the labelled anchor. */
export function isPinnedAnchor(block: Block | undefined): boolean {
  return block?.kind === 'anchor' && block.pinned;
}

/**
 * A cache: blocks are immutable, and each request, measurement and plan needs the messages of all
 * of them.
 */
const MESSAGES = new WeakMap<Block, readonly Message[]>();

/** The messages of a block; none if it is not in the window. */
export function messagesOf(block: Block): readonly Message[] {
  const known = MESSAGES.get(block);
  if (known) return known;
  const messages = rawMessagesOf(block).map((message) => ({
    ...message,
    content: message.content.map((part) => from(block.id, wellFormed(part))),
  }));
  MESSAGES.set(block, messages);
  return messages;
}

/** The origin of a part of a request: a block, or something between the blocks. */
type Origin = BlockId | 'scratchpad' | 'rules' | 'gapLines';

/** The API's request format has no field for it. */
const ORIGINS = new WeakMap<MessagePart, Origin>();

/** The origin of a part of a request; undefined for a part that this core did not make. */
export function originOf(part: MessagePart): Origin | undefined {
  return ORIGINS.get(part);
}

/** Records the origin of a part. */
export function from<P extends MessagePart>(origin: Origin | undefined, part: P): P {
  // Some parts are the same object each time; a copy gives each its own origin.
  const own = { ...part };
  if (origin !== undefined) ORIGINS.set(own, origin);
  return own;
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
      return [{ role: voiceOf(block), content: [{ type: 'text', text: noteText(block) }] }];
    case 'summary':
      return [{ role: 'assistant', content: [{ type: 'text', text: summaryText(block) }] }];
    case 'excerpts':
      return [{ role: 'assistant', content: [{ type: 'text', text: block.text }] }];
    case 'step':
      return messagesOfStep(block);
  }
}

/** A handover is the agent's own words, like a summary, and gains no authority of the user. */
function voiceOf({ source }: NoteBlock): Message['role'] {
  if (source.from === 'handover') return 'assistant';
  return source.from === 'scratchpad' && source.handedOver === true ? 'assistant' : 'user';
}

function promptText(block: AnchorBlock | PromptBlock): string {
  if (block.kind === 'anchor' && block.pinned) return anchorText(block);
  const text = admittedPrompt(block);
  return text.trim() === '' ? '(empty prompt)' : text;
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
        return [{ type: 'tool_use', id: part.use.id, ...callAsSent(part.use) }];
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

/** A call as it is sent: through another tool if the model called it so. */
function callAsSent({ name, input, via }: ToolUse): Pick<ToolUse, 'name' | 'input'> {
  return via === undefined ? { name, input } : { name: via, input: { tool: name, input } };
}

/** A result as sent: its text, followed by its images and documents unless it is cleared. */
function resultContent(pair: ToolPair): string | readonly (TextPart | MediaPart)[] {
  const text = resultText(pair);
  const attachments = pair.cleared ? [] : (pair.result?.attachments ?? []);
  if (attachments.length === 0) return text;
  return [{ type: 'text', text }, ...attachments.map(mediaPart)];
}

function mediaPart({ type, mediaType, data }: Attachment): MediaPart {
  return { type, source: { type: 'base64', media_type: mediaType, data } };
}

/**
 * Replaces unpaired surrogates, which binary files and cuts can leave and which the API refuses.
 */
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

/**
 * Says whether a pass puts the scratchpad after the anchor: only if a prompt or results follow it
 * in the request. `blocks` are those that will be in the window.
 */
export function belongBehindAnchor([first, ...rest]: readonly Block[]): boolean {
  return (
    isPinnedAnchor(first) &&
    rest.some((block) => messagesOf(block).some(({ role }) => role === 'user'))
  );
}

/** Marks the end of a prompt-cache prefix. */
export interface CacheControl {
  readonly type: 'ephemeral';
  /** How long it is kept after its last use; absent for five minutes. */
  readonly ttl?: '1h';
}

/** A text in the form of the Messages API. */
interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly cache_control?: CacheControl;
}

/** An image or document in the form of the Messages API. */
interface MediaPart {
  readonly type: 'image' | 'document';
  readonly source: {
    readonly type: 'base64';
    readonly media_type: string;
    readonly data: string;
  };
  readonly cache_control?: CacheControl;
}

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

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly MessagePart[];
}

/** The window's part of a request body, in the form of the Messages API. */
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
