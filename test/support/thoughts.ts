import { isInWindow, type Block } from '../../src/contextWindow/block';
import { messagesOf } from '../../src/contextWindow/request/blockMessages';

/** The thinking that a block sends. */
export function thoughtsOf(block: Block): readonly string[] {
  return messagesOf(block).flatMap(({ content }) =>
    isInWindow(block)
      ? content.flatMap((part) => (part.type === 'thinking' ? [part.thinking] : []))
      : [],
  );
}
