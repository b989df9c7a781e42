import { typedPart } from '../contextWindow/attached';
import type { ContextWindow } from '../contextWindow/window';
import { plainText } from '../contextWindow/label';

/** Key of the session state that holds the user's title. */
export const TITLE_KEY = 'title';

/** Longest title in characters. */
const LONGEST = 60;

/** Names a session by the user's title, else by its task; `given` is any stored value. */
export function titleOf(given: unknown, task: string | undefined): string {
  if (typeof given === 'string' && given.trim() !== '') return oneLine(given);
  return task === undefined ? 'New session' : oneLine(plainText(typedPart(task).slice(0, 1_000)));
}

/** Names a session by its window. */
export function titleOfWindow(window: ContextWindow): string {
  const anchor = window.blocks.find((block) => block.kind === 'anchor');
  return titleOf(window.state[TITLE_KEY], anchor?.kind === 'anchor' ? anchor.text : undefined);
}

/** Names a fork after its source session. */
export function forkTitle(title: string, step: number): string {
  const from = ` (from step ${step})`;
  return `${oneLine(title, LONGEST - from.length)}${from}`;
}

/** Names a session that continues another: "X (continued)", then "X (continued 2)". */
export function handoverTitle(title: string): string {
  const [, base = title, number = '1'] = /^(.*) \(continued(?: (\d+))?\)$/s.exec(title) ?? [];
  const isFirst = base === title;
  const suffix = isFirst ? ' (continued)' : ` (continued ${Number(number) + 1})`;
  return `${oneLine(base, LONGEST - suffix.length)}${suffix}`;
}

function oneLine(text: string, longest = LONGEST): string {
  // The beginning of a very long prompt is enough.
  const line = text.slice(0, 1_000).replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
