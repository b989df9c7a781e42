import type { ToolUse } from '../contextWindow/block';
import { blocksInWindow, type ContextWindow } from '../contextWindow/contextWindow';
import { deedOf, pathOf } from '../contextWindow/deed';
import { notesOf, systemText } from '../contextWindow/request';
import { visibleText } from './visibleText';

/** How many of the things asked for could be seen in the request. */
export interface Share {
  readonly visible: number;
  readonly total: number;
}

export const NOTHING: Share = { visible: 0, total: 0 };

/** What the calls of one reply needed, and how much of it the request before it showed. */
export interface Grounding {
  /** Texts that exact replacements were to find. */
  readonly edits: Share;
  /** Paths the calls name. */
  readonly paths: Share;
}

/** Adds up shares. */
export function plus(one: Share, other: Share): Share {
  return { visible: one.visible + other.visible, total: one.total + other.total };
}

/**
 * Looks whether the window showed what the calls of the reply to it went on to use: without any
 * model this says whether a policy kept what the agent needed.
 */
export function groundingOf(window: ContextWindow, uses: readonly ToolUse[]): Grounding {
  const texts = textsOf(window);
  const shareOf = (needles: readonly string[]): Share => ({
    visible: needles.filter((needle) => texts.some((text) => text.includes(needle))).length,
    total: needles.length,
  });
  return {
    edits: shareOf(uses.flatMap(textsReplaced)),
    paths: shareOf(uses.flatMap((use) => pathOf(use) ?? [])),
  };
}

/** The texts an exact replacement is to find; none for other calls. */
export function textsReplaced(use: ToolUse): readonly string[] {
  const deed = deedOf(use);
  if (deed.kind !== 'edit') return [];
  return deed.replacements.flatMap(({ before }) => (before === '' ? [] : [before]));
}

/** Newest first, since what is needed is most often there; the system prompt has the project memory with it. */
function textsOf(window: ContextWindow): readonly string[] {
  const notes = notesOf(window).flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );
  const { preamble } = window;
  return [...blocksInWindow(window).toReversed().map(visibleText), ...notes, systemText(preamble)];
}
