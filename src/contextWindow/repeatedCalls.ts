import type { ToolUse } from './block';
import { callEffectOf } from './callEffect';
import type { EventOf } from './event';

/**
 * A repeated call: the same tool with the same input, in a later reply, with the same non-blank
 * result. Edits, writes, recalls and notes do not count: they are not made for their answer. This
 * identifies tool and input; undefined for a call that does not count.
 */
export function repeatKeyOf(use: ToolUse): string | undefined {
  if (!isLookUp(use)) return undefined;
  const fields = Object.entries(use.input).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([use.name, fields]);
}

function isLookUp(use: ToolUse): boolean {
  switch (callEffectOf(use).kind) {
    case 'read':
    case 'command':
    case 'search':
    case 'list':
    case 'other':
      return true;
    case 'edit':
    case 'write':
    case 'recall':
    case 'scratchpad':
      return false;
  }
}

/** Says whether a result is one that a repeated call can have. */
export function isAnswer({
  origin,
  text,
}: Pick<EventOf<'toolFinished'>, 'origin' | 'text'>): boolean {
  return origin === 'ran' && text.trim() !== '';
}
