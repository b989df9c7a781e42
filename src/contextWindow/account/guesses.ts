import { type Block, isInWindow, isThinking } from '../block';
import { blocksInWindow, type ContextWindow, type CountedWindow } from '../window';
import { messagesOf, type Message, type MessagePart } from '../request/blockMessages';
import { gapLines } from '../request/gapLines';
import { preambleOf, rulesMessages, scratchpadMessages, systemText } from '../request/request';
import { type RecordedPart, sameBlocks, sized, type SizedWeight } from './recordedSize';
import type { Estimate } from '../truncate';

/** A part of the next request with its weight in tokens. */
export interface PartWeight {
  readonly part: RecordedPart | 'scratchpad' | 'rules' | 'gapLines';
  readonly tokens: number;
  /** In a replay: tokens counted by the recording's API but missing from its file. */
  readonly unrecorded?: number;
  /** True if the tokens are the difference of two official counts. */
  readonly exact: boolean;
  /** The block that the part is; absent for parts that are none. */
  readonly block?: Block;
}

export type Part = PartWeight['part'];

/** A window with the estimated weights of its parts. */
export interface GuessedWindow {
  readonly window: ContextWindow;
  readonly parts: readonly PartWeight[];
}

/**
 * The weight of each part of the next request, in window order: exact if known, else an estimate.
 * `weighOne` and `former` as in `measure`.
 */
export function guessParts(
  window: ContextWindow,
  estimate: Estimate,
  weighOne = (block: Block) => weighBlock(block, estimate),
  former?: GuessedWindow,
): readonly PartWeight[] {
  const guess = (part: Part, tokens: number): PartWeight => ({ part, tokens, exact: false });
  const { recorded, preamble } = window;
  const unrecorded =
    (preamble.unrecordedTokens ?? 0) + (recorded?.sizes.get('unrecorded')?.unrecorded ?? 0);
  const noted = scratchpadMessages(window).flatMap(textsOfMessage).join('');
  const rules = rulesMessages(window).flatMap(textsOfMessage);
  const lines = [...gapLines(window).values()];
  const head = [
    ...(['tools', 'system'] as const).map((part) => ({
      ...guess(part, 0),
      ...sized(estimatePart(window, part, estimate), recorded?.sizes.get(part)),
    })),
    ...(unrecorded === 0 ? [] : [{ ...guess('unrecorded', unrecorded), unrecorded }]),
    guess('scratchpad', noted === '' ? 0 : estimate(noted)),
    ...(rules.length === 0 ? [] : [guess('rules', weigh(rules, estimate))]),
    ...(lines.length === 0 ? [] : [guess('gapLines', weigh(lines, estimate))]),
  ];
  const blocks = blocksInWindow(window);
  const known = knownParts(window, former);
  const added = blocks.slice(known.length).map((block): PartWeight => {
    const exact = block.exactTokens;
    return exact === undefined
      ? {
          part: block.id,
          ...sized(weighOne(block), recorded?.sizes.get(block.id)),
          exact: false,
          block,
        }
      : { part: block.id, tokens: exact, exact: true, block };
  });
  return head.concat(known, added);
}

/** The weights of the first blocks, as far as they are the same as in the former window. */
function knownParts(
  window: ContextWindow,
  former: GuessedWindow | undefined,
): readonly PartWeight[] {
  if (former === undefined) return [];
  const { parts } = former;
  const start = parts.length - blocksInWindow(former.window).length;
  return parts.slice(start, start + sameBlocks(former.window, window));
}

/** Estimates the tokens of the tools or the system prompt. */
export function estimatePart(
  window: ContextWindow,
  part: 'tools' | 'system',
  estimate: Estimate,
): number {
  const text = part === 'tools' ? toolsText(window) : systemText(window.preamble);
  return text === '' ? 0 : estimate(text);
}

/** A cache: every measurement needs this text, and a preamble is immutable. */
const TOOLS_TEXT = new WeakMap<CountedWindow['preamble'], string>();

function toolsText({ preamble }: CountedWindow): string {
  const known = TOOLS_TEXT.get(preamble);
  if (known !== undefined) return known;
  const text = preambleOf(preamble)
    .tools.map((tool) => JSON.stringify(tool))
    .join('');
  TOOLS_TEXT.set(preamble, text);
  return text;
}

function textsOfMessage(message: Message): readonly string[] {
  return message.content.flatMap(textsOfPart);
}

/** The texts of a part; media are weighed by formula, never by their characters. */
export function textsOfPart(part: MessagePart): readonly string[] {
  switch (part.type) {
    case 'text':
      return [part.text];
    case 'thinking':
      return [part.thinking];
    case 'redacted_thinking':
      return [part.data];
    case 'compaction':
      return [part.content ?? ''];
    case 'tool_use':
      return [`${part.name}${JSON.stringify(part.input)}`];
    case 'tool_result':
      return typeof part.content === 'string' ? [part.content] : part.content.flatMap(textsOfPart);
    case 'image':
    case 'document':
      return [];
  }
}

/** Estimates the whole request without official counts; for calibration. */
export function estimateAll(window: ContextWindow, estimate: Estimate): number {
  const blocks = blocksInWindow(window).map((block) => weighBlock(block, estimate));
  return [...headTexts(window).map(estimate), ...blocks].reduce((total, size) => total + size, 0);
}

/** The texts of blocks as sent. */
export function textsOfBlocks(blocks: Iterable<Block>): readonly string[] {
  return [...blocks].flatMap((block) => {
    const { said, answered } = wordsOf(block);
    return [...said, ...answered];
  });
}

/** The texts of system prompt, tools, rules, scratchpad and gap lines. */
export function headTexts(window: CountedWindow): readonly string[] {
  const scratchpad = scratchpadMessages(window).flatMap(textsOfMessage);
  return [
    toolsText(window),
    systemText(window.preamble),
    ...rulesMessages(window).flatMap(textsOfMessage),
    ...scratchpad,
    ...gapLines(window).values(),
  ].filter((text) => text !== '');
}

/** Estimates the tokens of one block as it would be sent now. */
export function weighBlock(block: Block, estimate: Estimate): number {
  const words = wordsOf(block);
  const said = weigh(words.said, estimate);
  const rest = weigh(words.answered, estimate) + words.mediaTokens;
  if (block.kind !== 'step' || !words.hasThinking) return said + rest;
  // The reply may omit the text of thinking, but not its weight, which the API reports.
  return Math.max(said, block.replyTokens) + rest;
}

/** Estimates a block in any of its forms, corrected by the counts of a recorded API. */
export function weighIn(
  { recorded }: ContextWindow,
  block: Block,
  estimate: Estimate,
): SizedWeight {
  return sized(weighBlock(block, estimate), recorded?.sizes.get(block.id));
}

function weigh(texts: readonly string[], estimate: Estimate): number {
  let total = 0;
  for (const text of texts) total += estimate(text);
  return total;
}

/** The texts of a block as sent, those of the assistant and those of the user. */
interface Words {
  readonly said: readonly string[];
  readonly answered: readonly string[];
  /** Tokens of the images and documents sent with them. */
  readonly mediaTokens: number;
  /** Thinking is sent too. */
  readonly hasThinking: boolean;
}

/** A cache: blocks are immutable, and every measurement and plan needs their words. */
const WORDS = new WeakMap<Block, Words>();

function wordsOf(block: Block): Words {
  const known = WORDS.get(block);
  if (known !== undefined) return known;
  const said: string[] = [];
  const answered: string[] = [];
  for (const { role, content } of messagesOf(block)) {
    const texts = role === 'assistant' ? said : answered;
    for (const part of content) texts.push(...textsOfPart(part));
  }
  const words = {
    said,
    answered,
    mediaTokens: mediaTokensOf(block),
    hasThinking: block.kind === 'step' && !block.thinkingDropped && block.parts.some(isThinking),
  };
  WORDS.set(block, words);
  return words;
}

/** Tokens of the images and documents of a block, by the published formulas. */
function mediaTokensOf(block: Block): number {
  if (!isInWindow(block)) return 0;
  const attachments =
    block.kind === 'step'
      ? block.pairs.flatMap((pair) => (pair.cleared ? [] : (pair.result?.attachments ?? [])))
      : block.kind === 'anchor' || block.kind === 'prompt'
        ? (block.attachments ?? [])
        : [];
  return attachments.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Says whether two forms of a block are sent as the same text. */
export function haveSameWords(one: Block, other: Block): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  return (
    isAlike(words.said, others.said) &&
    isAlike(words.answered, others.answered) &&
    words.mediaTokens === others.mediaTokens
  );
}

/** How long the texts of a block are, and how heavy its media. */
export function lengthOfWords(block: Block): number {
  const { said, answered, mediaTokens } = wordsOf(block);
  return [...said, ...answered].reduce((sum, text) => sum + text.length, mediaTokens);
}

function isAlike(texts: readonly string[], others: readonly string[]): boolean {
  return texts.length === others.length && texts.every((text, at) => text === others[at]);
}
