import type { Block } from '../block';
import type { CacheLife } from '../account/promptCache';
import type { ContextEdit } from '../contextEditing';
import { blocksInWindow, type ContextWindow, lastStable, type Preamble } from '../window';
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
import { rulesText } from '../standingRules/standingRules';

const FIVE_MINUTES: CacheControl = { type: 'ephemeral' };
const ONE_HOUR: CacheControl = { type: 'ephemeral', ttl: '1h' };

/** Builds the next request from the window. The panel draws the same blocks. */
export function toRequest(window: ContextWindow): WindowRequest {
  const blocks = blocksInWindow(window);
  // Rules and scratchpad follow the pinned anchor, or come first if there is none; later blocks
  // never move them.
  const behind = window.scratchpadBehindAnchor && isPinnedAnchor(blocks[0]) ? 1 : 0;
  const lines = gapLines(window);
  const messagesAt = (block: Block): readonly Message[] => [
    ...gapMessages(lines.get(block.id)),
    ...messagesOf(block),
  ];
  const messages = mergeRoles([
    ...blocks.slice(0, behind).flatMap(messagesAt),
    ...rulesMessages(window),
    ...scratchpadMessages(window),
    ...blocks.slice(behind).flatMap(messagesAt),
  ]);
  const first = messages[0];
  const opened: readonly Message[] =
    first?.role === 'assistant'
      ? [{ role: 'user', content: [{ type: 'text', text: EARLIER_LEFT }] }, ...messages]
      : messages;
  const { preamble, cacheLife } = window;
  return { ...preambleOf(preamble, cacheLife), messages: withBreakpoints(opened, window) };
}

/** Says whether two windows give the same bytes; a pin during a request may change them. */
export function isSameRequest(before: ContextWindow, after: ContextWindow): boolean {
  if (before.sentSecrets !== after.sentSecrets) return false;
  if (before.blocks === after.blocks && before.shownRules === after.shownRules) return true;
  return JSON.stringify(toRequest(before)) === JSON.stringify(toRequest(after));
}

/** System prompt and tools as sent, with the cache breakpoint after both. */
export function preambleOf(
  preamble: Preamble,
  life: CacheLife = '5m',
): Omit<WindowRequest, 'messages'> {
  const text = systemText(preamble);
  const cache_control = life === '5m' ? FIVE_MINUTES : ONE_HOUR;
  return {
    // A recording may have no system prompt, and the API refuses an empty one.
    system: text === '' ? [] : [{ type: 'text', text, cache_control }],
    tools: preamble.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    })),
  };
}

/** A cache: every measurement needs this text, and a preamble is immutable. */
const SYSTEM_TEXT = new WeakMap<Preamble, string>();

/** The system prompt, followed by the project memory. */
export function systemText(preamble: Preamble): string {
  const known = SYSTEM_TEXT.get(preamble);
  if (known !== undefined) return known;
  const { system, memory = [] } = preamble;
  const text = [system, ...memory.map(memoryText)].join('\n\n').toWellFormed();
  SYSTEM_TEXT.set(preamble, text);
  return text;
}

/** The scratchpad as a message of the assistant, once a pass has removed steps that showed it. */
export function scratchpadMessages(window: ContextWindow): readonly Message[] {
  if (window.shownScratchpad === '') return [];
  const text = shownScratchpadText(window.shownScratchpad).toWellFormed();
  return [{ role: 'assistant', content: [from('scratchpad', { type: 'text', text })] }];
}

/** The standing rules as a message of the user, whose words they are. */
export function rulesMessages(window: ContextWindow): readonly Message[] {
  const text = rulesText(window);
  return text === '' ? [] : [{ role: 'user', content: [from('rules', { type: 'text', text })] }];
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
 * these are three of the API's four. The fourth ends what `mixed` keeps for an hour.
 */
function withBreakpoints(
  messages: readonly Message[],
  window: Pick<ContextWindow, 'cacheLife' | 'stableThrough' | 'blocks'>,
): readonly Message[] {
  const parts = messages.flatMap(({ content }) => content);
  const hourParts = hourPartsOf(parts, window);
  const newest = messages.filter(({ role }) => role === 'user').slice(-2);
  const marked = new Set(
    [...newest.map(({ content }) => content.at(-1)), parts[hourParts - 1]].filter(
      (part) => part !== undefined && isMarkable(part),
    ),
  );
  // The API wants longer lives first.
  const hour = new Set(parts.slice(0, hourParts));
  const marks = (part: MessagePart) => (hour.has(part) ? ONE_HOUR : FIVE_MINUTES);
  return messages.map((message) => ({
    ...message,
    content: message.content.map((part) =>
      isMarkable(part) && marked.has(part)
        ? from(originOf(part), { ...part, cache_control: marks(part) })
        : part,
    ),
  }));
}

/** How many of the first parts are kept for an hour. */
function hourPartsOf(
  parts: readonly MessagePart[],
  window: Pick<ContextWindow, 'cacheLife' | 'stableThrough' | 'blocks'>,
): number {
  switch (window.cacheLife ?? '5m') {
    case '5m':
      return 0;
    case '1h':
      return parts.length;
    case 'mixed': {
      const end = lastStable(window);
      return parts.findLastIndex((part) => originOf(part) === end && isMarkable(part)) + 1;
    }
  }
}

/** The API accepts no breakpoint on thinking. */
function isMarkable(
  part: MessagePart,
): part is Exclude<MessagePart, { type: 'thinking' | 'redacted_thinking' | 'compaction' }> {
  const { type } = part;
  return type !== 'thinking' && type !== 'redacted_thinking' && type !== 'compaction';
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
