import { blocksOf, systemBlocks } from './conversation';
import type { CacheControl, ContentBlock, CountRequest } from './messagesApi';

const maxBreakpoints = 4;

interface Marked {
  readonly path: string;
  readonly control: CacheControl;
  readonly emptyText: boolean;
}

function marksOf(block: ContentBlock, path: string): readonly Marked[] {
  const inner =
    block.type === 'tool_result' && typeof block.content !== 'string'
      ? blocksOf(block.content ?? []).flatMap((part, at) => marksOf(part, `${path}.content.${at}`))
      : [];
  if (!('cache_control' in block) || !block.cache_control) return inner;
  const emptyText = block.type === 'text' && block.text === '';
  return [...inner, { path, control: block.cache_control, emptyText }];
}

/** Lists every cache_control of a request in the order the API caches: tools, system, messages. */
function allMarks(request: CountRequest): readonly Marked[] {
  return [
    ...(request.tools ?? []).flatMap((tool, at) =>
      tool.cache_control
        ? [{ path: `tools.${at}`, control: tool.cache_control, emptyText: false }]
        : [],
    ),
    ...systemBlocks(request.system).flatMap((block, at) => marksOf(block, `system.${at}`)),
    ...request.messages.flatMap((message, index) =>
      blocksOf(message.content).flatMap((block, at) =>
        marksOf(block, `messages.${index}.content.${at}`),
      ),
    ),
    ...(request.cache_control
      ? [{ path: 'cache_control', control: request.cache_control, emptyText: false }]
      : []),
  ];
}

/**
 * Finds the first misplaced cache_control: on empty text, more than four, or an hour's after five minutes' (askalf/dario#1066,
 * cnighswonger/claude-code-cache-fix#44; on thinking the shape refuses it).
 */
export function cacheFault(request: CountRequest): string | undefined {
  const marks = allMarks(request);
  const empty = marks.find((mark) => mark.emptyText);
  if (empty !== undefined) {
    return `${empty.path}.text: cache_control cannot be set for empty text blocks`;
  }
  if (marks.length > maxBreakpoints) {
    return `A maximum of ${maxBreakpoints} blocks with cache_control may be provided. Found ${marks.length}.`;
  }
  const firstShort = marks.findIndex(({ control }) => control.ttl !== '1h');
  const lateLong = marks.find(
    ({ control }, at) => firstShort >= 0 && at > firstShort && control.ttl === '1h',
  );
  return lateLong === undefined
    ? undefined
    : `${lateLong.path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`;
}
