import type { ToolUse, Block } from '../../contextWindow/block';
import { blocksInWindow, type ContextWindow } from '../../contextWindow/window';
import { callEffectOf, pathOf } from '../../contextWindow/callEffect';
import { scratchpadMessages, systemText } from '../../contextWindow/request/request';
import { messagesOf, type MessagePart } from '../../contextWindow/request/blockMessages';

/** How many of the needed things the request showed. */
export interface Share {
  readonly visible: number;
  readonly total: number;
}

export const NOTHING: Share = { visible: 0, total: 0 };

/** The needs of one reply's calls, and how many of them the request before it showed. */
interface Grounding {
  /** The search texts of exact replacements. */
  readonly edits: Share;
  /**
   * The texts that were not visible: the id of the call, and the number of its replacement, from 0.
   */
  readonly editsLost: readonly string[];
  /** Paths the calls name. */
  readonly paths: Share;
}

/** Adds up shares. */
export function plus(one: Share, other: Share): Share {
  return { visible: one.visible + other.visible, total: one.total + other.total };
}

/**
 * Checks whether the window showed what the reply's calls used next. Without any model, this
 * measures whether a policy kept what the agent needed.
 */
export function groundingOf(window: ContextWindow, uses: readonly ToolUse[]): Grounding {
  const texts = textsOf(window);
  const isVisible = (needle: string) => texts.some((text) => text.includes(needle));
  const replaced = uses.flatMap((use) =>
    textsReplaced(use).map((text, index) => ({ text, edit: `${use.id}#${index}` })),
  );
  const lost = replaced.filter(({ text }) => !isVisible(text));
  const paths = uses.flatMap((use) => pathOf(use) ?? []);
  return {
    edits: { visible: replaced.length - lost.length, total: replaced.length },
    editsLost: lost.map(({ edit }) => edit),
    paths: { visible: paths.filter(isVisible).length, total: paths.length },
  };
}

/** The search texts of an exact replacement; none for other calls. */
export function textsReplaced(use: ToolUse): readonly string[] {
  const effect = callEffectOf(use);
  if (effect.kind !== 'edit') return [];
  return effect.replacements.flatMap(({ before }) => (before === '' ? [] : [before]));
}

/**
 * Newest first, since a needed text is most often there. The system prompt includes the project
 * memory.
 */
function textsOf(window: ContextWindow): readonly string[] {
  const scratchpad = scratchpadMessages(window).flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );
  const { preamble } = window;
  return [
    ...blocksInWindow(window).toReversed().map(visibleText),
    ...scratchpad,
    systemText(preamble),
  ];
}

/** Line numbers as tools for reading files put them before each line. */
const LINE_NUMBER = /^[ \t]*\d+(?:→|\t|: ?| ?\| ?)/gm;

const TEXTS = new WeakMap<Block, string>();

/** Everything the model can read of a block in the window; '' if the block is not in it. */
export function visibleText(block: Block): string {
  const known = TEXTS.get(block);
  if (known !== undefined) return known;
  const text = textOf(block, withAndWithoutNumbers);
  TEXTS.set(block, text);
  return text;
}

/** The same without the line numbers that tools put before each line of a result. */
export function plainText(block: Block): string {
  return textOf(block, withoutLineNumbers);
}

function textOf(block: Block, ofResult: (text: string) => string): string {
  return messagesOf(block)
    .flatMap(({ content }) => content.flatMap((part) => wordsOf(part, ofResult)))
    .join('\n');
}

function wordsOf(part: MessagePart, ofResult: (text: string) => string): readonly string[] {
  switch (part.type) {
    case 'text':
      return [part.text];
    case 'tool_use':
      return stringsIn(part.input);
    case 'tool_result':
      return typeof part.content === 'string'
        ? [ofResult(part.content)]
        : part.content.flatMap((inner) => wordsOf(inner, ofResult));
    case 'compaction':
      return [part.content ?? ''];
    case 'thinking':
      return [part.thinking];
    case 'redacted_thinking':
    case 'image':
    case 'document':
      return [];
  }
}

/**
 * The text itself and, if it has line numbers, also without them: either may contain the needed
 * text.
 */
function withAndWithoutNumbers(text: string): string {
  const plain = withoutLineNumbers(text);
  return plain === text ? text : `${text}\n${plain}`;
}

/** A text without the line numbers that tools for reading files put before each line. */
export function withoutLineNumbers(text: string): string {
  return text.replace(LINE_NUMBER, '');
}

/** Every text and number in the input of a call, at any depth. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** How many of the counted things had been removed when they were needed. */
export interface Lost {
  readonly lost: number;
  readonly total: number;
}

export const NONE_LOST: Lost = { lost: 0, total: 0 };

export function plusLost(one: Lost, other: Lost): Lost {
  return { lost: one.lost + other.lost, total: one.total + other.total };
}
