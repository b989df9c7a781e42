import type { EventOf } from './event';
import { isInWindow } from './block';
import type { ContextWindow } from './window';

/**
 * How the agent works: it asks before each change, it applies edits of ordinary files without
 * asking, or it only reads and plans.
 */
export const MODES = ['ask', 'acceptEdits', 'plan'] as const;
export type Mode = (typeof MODES)[number];

/** What the interface calls them. */
export const MODE_NAMES: Readonly<Record<Mode, string>> = {
  ask: 'Ask',
  acceptEdits: 'Accept edits',
  plan: 'Plan',
};

/** What the model reads after a switch, logged as it is sent. */
const TEXTS: Readonly<Record<Mode, string>> = {
  ask: '[Mode: ask. The user approves each edit and each command.]',
  acceptEdits:
    '[Mode: accept edits. Edits of ordinary files are made without asking the user. All else is asked as before.]',
  plan:
    '[Mode: plan. Look, and change nothing: edits, commands and third-party tools do not run. ' +
    'End with a plan for the user, in Markdown: what to change in which file and in what order, how to check it, and open questions. ' +
    'The user edits the plan and starts the work.]',
};

/** The mode of a session; a new one asks. */
export function modeOf({ mode }: Pick<ContextWindow, 'mode'>): Mode {
  return mode ?? 'ask';
}

/**
 * The note that tells the model the current mode; undefined if the window already says it. It comes
 * last in the window, so the prompt-cache prefix stands.
 */
export function modeNote(
  window: Pick<ContextWindow, 'mode' | 'blocks'>,
): Omit<EventOf<'noteAdded'>, 'at' | 'note'> | undefined {
  const mode = modeOf(window);
  if (mode === (modeTold(window) ?? 'ask')) return undefined;
  const source = { from: 'mode', mode } as const;
  return { type: 'noteAdded', source, text: TEXTS[mode], admission: { form: 'whole' } };
}

/** The plan that a session made in plan mode, which nothing has followed yet; undefined for none. */
export function planOf(
  window: Pick<ContextWindow, 'mode' | 'blocks'>,
): { readonly step: number; readonly text: string } | undefined {
  const last = window.blocks.findLast(isInWindow);
  const isPlan = modeOf(window) === 'plan' && modeTold(window) === 'plan';
  if (!isPlan || last?.kind !== 'step' || last.pairs.length > 0) return undefined;
  const text = last.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return text.trim() === '' ? undefined : { step: last.step, text: text.trim() };
}

/** The mode that the window tells the model; undefined for none. */
function modeTold({ blocks }: Pick<ContextWindow, 'blocks'>): Mode | undefined {
  const told = blocks.findLast(
    (block) => block.kind === 'note' && block.source.from === 'mode' && isInWindow(block),
  );
  return told?.kind === 'note' && told.source.from === 'mode' ? told.source.mode : undefined;
}
