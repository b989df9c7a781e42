import type { ReplyPart, ToolUseId } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/contextWindow';

/**
 * Characters the API does not take in the id of a tool call; models of other makers write what they
 * like.
 */
const UNFIT = /[^a-zA-Z0-9_-]/g;

/**
 * Gives every tool call of a reply an id that no other call of the session has. Compatible servers
 * start their ids again with each reply, and the API refuses a request that holds one id twice.
 */
export function withNewIds(
  parts: readonly ReplyPart[],
  window: ContextWindow,
): readonly ReplyPart[] {
  const taken = new Set<string>(
    window.blocks.flatMap((block) =>
      block.kind === 'step' ? block.pairs.map(({ use }) => use.id) : [],
    ),
  );
  return parts.map((part): ReplyPart => {
    if (part.type !== 'toolUse') return part;
    const fit = part.use.id.replace(UNFIT, '_') || 'call';
    let id = fit;
    for (let again = 2; taken.has(id); again++) id = `${fit}_${again}`;
    taken.add(id);
    return id === part.use.id ? part : { ...part, use: { ...part.use, id: id as ToolUseId } };
  });
}
