import type { Block } from '../contextWindow/block';
import { messagesOf, type MessagePart } from '../contextWindow/request';

/** Line numbers as tools for reading files put them in front of each line. */
const LINE_NUMBER = /^[ \t]*\d+(?:→|\t|: ?| ?\| ?)/gm;

const TEXTS = new WeakMap<Block, string>();

/** Everything the model can read of a block as it stands in the window; '' when it is out. */
export function visibleText(block: Block): string {
  const known = TEXTS.get(block);
  if (known !== undefined) return known;
  const text = messagesOf(block)
    .flatMap(({ content }) => content.flatMap(wordsOf))
    .join('\n');
  TEXTS.set(block, text);
  return text;
}

function wordsOf(part: MessagePart): readonly string[] {
  switch (part.type) {
    case 'text':
      return [part.text];
    case 'tool_use':
      return stringsIn(part.input);
    case 'tool_result':
      return typeof part.content === 'string'
        ? [withoutNumbers(part.content)]
        : part.content.flatMap(wordsOf);
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

/** The text with and, where it has them, without line numbers: either may hold what is looked for. */
function withoutNumbers(text: string): string {
  const plain = text.replace(LINE_NUMBER, '');
  return plain === text ? text : `${text}\n${plain}`;
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
