import type { ContextWindow } from '../contextWindow/contextWindow';

/** Longest result a view is given, in characters; the session log has the rest. */
const LONGEST_SHOWN = 100_000;

/** The text of a tool result as the log has it; undefined when there is no such result. */
export function resultTextOf(window: ContextWindow, toolUseId: string): string | undefined {
  for (const block of window.blocks) {
    if (block.kind !== 'step') continue;
    const pair = block.pairs.find(({ use }) => use.id === toolUseId);
    if (pair?.result !== undefined) return shortened(pair.result.text);
  }
  return undefined;
}

function shortened(text: string): string {
  if (text.length <= LONGEST_SHOWN) return text;
  const left = text.length - LONGEST_SHOWN;
  return `${text.slice(0, LONGEST_SHOWN)}\n… (${left} more characters are in the session log)`;
}
