import type { Block } from '../block';
import type { ContextEdit } from '../contextEditing';
import { blocksInWindow, type ContextWindow, type Preamble } from '../window';
import {
  from,
  isPinnedAnchor,
  messagesOf,
  originOf,
  belongBehindAnchor,
  type CacheControl,
  type Message,
  type MessagePart,
  type WindowRequest,
} from './blockMessages';
import { gapLines } from './gapLines';
import { EARLIER_LEFT, memoryText, shownScratchpadText } from './placeholder';
import type { UndonePrompt } from '../plan';
import { scratchpadToShow } from '../scratchpad';

const EPHEMERAL: CacheControl = { type: 'ephemeral' };

/** Builds the next request from the window. The panel draws the same blocks. */
export function toRequest(window: ContextWindow): WindowRequest {
  const blocks = blocksInWindow(window);
  // The scratchpad follows the pinned anchor, or comes first if there is none; later blocks never
  // move it.
  const behind = window.scratchpadBehindAnchor && isPinnedAnchor(blocks[0]) ? 1 : 0;
  const lines = gapLines(window);
  const messagesAt = (block: Block): readonly Message[] => [
    ...gapMessages(lines.get(block.id)),
    ...messagesOf(block),
  ];
  const messages = mergeRoles([
    ...blocks.slice(0, behind).flatMap(messagesAt),
    ...scratchpadMessages(window),
    ...blocks.slice(behind).flatMap(messagesAt),
  ]);
  const first = messages[0];
  const opened: readonly Message[] =
    first?.role === 'assistant'
      ? [{ role: 'user', content: [{ type: 'text', text: EARLIER_LEFT }] }, ...messages]
      : messages;
  return { ...preambleOf(window.preamble), messages: withBreakpoints(opened) };
}

/** Says whether two windows give the same bytes; a pin during a request may change them. */
export function isSameRequest(before: ContextWindow, after: ContextWindow): boolean {
  if (before.blocks === after.blocks) return true;
  return JSON.stringify(toRequest(before)) === JSON.stringify(toRequest(after));
}

/** System prompt and tools as sent, with the cache breakpoint after both. */
export function preambleOf(preamble: Preamble): Omit<WindowRequest, 'messages'> {
  const text = systemText(preamble);
  return {
    // A recording may have no system prompt, and the API refuses an empty one.
    system: text === '' ? [] : [{ type: 'text', text, cache_control: EPHEMERAL }],
    tools: preamble.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    })),
  };
}

/** The system prompt, followed by the project memory. */
export function systemText({ system, memory = [] }: Preamble): string {
  return [system, ...memory.map(memoryText)].join('\n\n').toWellFormed();
}

/** The scratchpad as a message of the assistant, once a pass has removed steps that showed it. */
export function scratchpadMessages(window: ContextWindow): readonly Message[] {
  if (window.shownScratchpad === '') return [];
  const text = shownScratchpadText(window.shownScratchpad).toWellFormed();
  return [{ role: 'assistant', content: [from('scratchpad', { type: 'text', text })] }];
}

/**
 * A gap line as a message of the user. It comes at the end of a turn, and neither opens a reply nor
 * separates a call from its result.
 */
function gapMessages(line: string | undefined): readonly Message[] {
  if (line === undefined) return [];
  return [{ role: 'user', content: [from('gapLines', { type: 'text', text: line })] }];
}

/** Joins consecutive messages of one role, as the API itself would. */
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
 * Puts cache breakpoints on the last part of the two newest user messages. The newest one writes
 * the cache; the one before it is where the last request wrote. With the one on the system prompt
 * these are three of the API's four.
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
  // The API accepts no breakpoint on thinking.
  if (part.type === 'thinking' || part.type === 'redacted_thinking') return part;
  if (part.type === 'compaction') return part;
  return from(originOf(part), { ...part, cache_control: EPHEMERAL });
}

/**
 * Selects the context edits that can be sent with a request. The API wants clear_thinking first. It
 * is omitted if there is no thinking to clear, because the API refuses it for a model without
 * thinking.
 */
export function sendableContextEdits({
  messages,
  contextEdits = [],
}: Pick<WindowRequest, 'messages'> & {
  readonly contextEdits?: readonly ContextEdit[];
}): readonly ContextEdit[] {
  const clearsThinking = ({ type }: ContextEdit) => type === 'clear_thinking_20251015';
  const hasThinking = messages.some(({ content }) =>
    content.some(({ type }) => type === 'thinking' || type === 'redacted_thinking'),
  );
  return [
    ...(hasThinking ? contextEdits.filter(clearsThinking) : []),
    ...contextEdits.filter((edit) => !clearsThinking(edit)),
  ];
}

/** The scratchpad, and how the request shows it. */
type ScratchpadShown = Pick<
  ContextWindow,
  'scratchpad' | 'scratchpadAge' | 'shownScratchpad' | 'scratchpadBehindAnchor'
>;

/**
 * The scratchpad's text in the request once a pass has applied. Undoing a prompt changes the shown
 * text only if a pass since the prompt had shown it, so that the prompt-cache prefix holds.
 */
export function textShownAfter(
  window: ContextWindow,
  undonePrompt: UndonePrompt | undefined,
): string {
  if (undonePrompt !== undefined && undonePrompt.showsScratchpad !== true)
    return window.shownScratchpad;
  if (undonePrompt === undefined) return scratchpadToShow(window);
  const { scratchpad = window.scratchpad, turn } = undonePrompt;
  // An undone anchor is no longer the task.
  const blocks = window.blocks.filtered((block) => block.kind !== 'anchor' || block.turn < turn);
  return scratchpadToShow({ ...window, scratchpad, blocks });
}

/** The scratchpad after a pass; `staying` are the blocks that will be in the window. */
export function scratchpadAfter(
  window: ContextWindow,
  staying: readonly Block[],
  undonePrompt: UndonePrompt | undefined,
): ScratchpadShown {
  const isShownAgain = undonePrompt === undefined || undonePrompt.showsScratchpad === true;
  return {
    scratchpad: undonePrompt?.scratchpad ?? window.scratchpad,
    scratchpadAge: undonePrompt?.scratchpadAge ?? window.scratchpadAge,
    shownScratchpad: textShownAfter(window, undonePrompt),
    scratchpadBehindAnchor: isShownAgain
      ? belongBehindAnchor(staying)
      : window.scratchpadBehindAnchor,
  };
}

/** Says whether the shown text or its place differs, which is a change before every step. */
export function isShownOtherwise(before: ScratchpadShown, after: ScratchpadShown): boolean {
  if (after.shownScratchpad !== before.shownScratchpad) return true;
  const isMoved = after.scratchpadBehindAnchor !== before.scratchpadBehindAnchor;
  return after.shownScratchpad !== '' && isMoved;
}
