import type { ToolUse } from './block';
import type { MediaPart, MessagePart, TextPart } from './message';

/** Replaces halves of surrogate pairs, as a binary file or a cut leaves them: the API takes none. */
export function wellFormed(part: MessagePart): MessagePart {
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
