import type { Conversation, ToolView, TurnItem } from '../../src/editor/conversation/state';

/** Finds a tool call of the newest turn, the only turn with running tools. */
export function findTool({ turns }: Conversation, toolUseId: string): ToolView | undefined {
  const isIt = (tool: ToolView): boolean => tool.toolUseId === toolUseId;
  const step = turns.at(-1)?.items.findLast((item) => isStep(item) && item.tools.some(isIt));
  return step?.type === 'step' ? step.tools.find(isIt) : undefined;
}

/** Appends streamed text, or replaces the text so far; keeps at most the last `keep` characters. */
export function appended<K>(
  texts: ReadonlyMap<K, string>,
  key: K,
  streamed: { readonly text: string; readonly whole?: boolean },
  keep = Number.POSITIVE_INFINITY,
): ReadonlyMap<K, string> {
  const before = streamed.whole === true ? '' : (texts.get(key) ?? '');
  const text = before + streamed.text;
  return new Map(texts).set(key, text.length > keep ? text.slice(-keep) : text);
}

/** Keeps the texts of replies that are not in the conversation yet; none when the agent is idle. */
export function stepsInFlight(
  replies: ReadonlyMap<number, string>,
  conversation: Conversation,
): ReadonlyMap<number, string> {
  if (conversation.activity.state === 'idle') return filtered(replies, () => false);
  if (replies.size === 0) return replies;
  const newest = newestStep(conversation);
  return filtered(replies, (step) => step > newest);
}

/** The number of the newest step in the conversation; 0 before the first. */
function newestStep({ turns }: Conversation): number {
  const last = turns.findLast(({ items }) => items.some(isStep))?.items.findLast(isStep);
  return last?.step ?? 0;
}

function isStep(item: TurnItem): item is Extract<TurnItem, { readonly type: 'step' }> {
  return item.type === 'step';
}

/** Keeps the output of tools that have not finished. */
export function outputsStillRunning(
  outputs: ReadonlyMap<string, string>,
  conversation: Conversation,
): ReadonlyMap<string, string> {
  if (conversation.activity.state === 'idle') return filtered(outputs, () => false);
  return filtered(outputs, (toolUseId) => {
    const state = findTool(conversation, toolUseId)?.state ?? 'waiting';
    return state === 'running' || state === 'waiting';
  });
}

function filtered<K>(
  texts: ReadonlyMap<K, string>,
  keep: (key: K) => boolean,
): ReadonlyMap<K, string> {
  if ([...texts.keys()].every(keep)) return texts;
  return new Map([...texts].filter(([key]) => keep(key)));
}
