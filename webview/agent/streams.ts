import type { Conversation, ToolView } from '../../src/protocol/agentView';

/** Adds streamed text to what is there, or replaces it; keeps at most the last `keep` characters. */
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

/** Keeps the replies that have no place in the conversation yet; none when nothing is going on. */
export function repliesInFlight(
  replies: ReadonlyMap<number, string>,
  { turns, activity }: Conversation,
): ReadonlyMap<number, string> {
  if (activity.state === 'idle') return new Map();
  const placed = new Set(
    turns.flatMap(({ items }) => items.map((item) => (item.type === 'step' ? item.step : -1))),
  );
  return filtered(replies, (step) => !placed.has(step));
}

/** Keeps the output of tools that have not finished. */
export function outputsStillRunning(
  outputs: ReadonlyMap<string, string>,
  conversation: Conversation,
): ReadonlyMap<string, string> {
  if (conversation.activity.state === 'idle') return new Map();
  const over = new Set(
    tools(conversation)
      .filter(({ state }) => state !== 'running' && state !== 'waiting')
      .map(({ toolUseId }) => toolUseId),
  );
  return filtered(outputs, (toolUseId) => !over.has(toolUseId));
}

/** Keeps the fetched results of tools that are still on screen; another session has none of them. */
export function resultsStillShown(
  results: ReadonlyMap<string, string>,
  conversation: Conversation,
): ReadonlyMap<string, string> {
  const shown = new Set(tools(conversation).map(({ toolUseId }) => toolUseId));
  return filtered(results, (toolUseId) => shown.has(toolUseId));
}

/** Finds a tool call in the conversation. */
export function findTool(conversation: Conversation, toolUseId: string): ToolView | undefined {
  return tools(conversation).find((tool) => tool.toolUseId === toolUseId);
}

function tools({ turns }: Conversation): readonly ToolView[] {
  return turns.flatMap(({ items }) =>
    items.flatMap((item) => (item.type === 'step' ? item.tools : [])),
  );
}

function filtered<K>(
  texts: ReadonlyMap<K, string>,
  keep: (key: K) => boolean,
): ReadonlyMap<K, string> {
  if ([...texts.keys()].every(keep)) return texts;
  return new Map([...texts].filter(([key]) => keep(key)));
}
